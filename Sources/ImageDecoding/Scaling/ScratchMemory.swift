import Glibc

/// Numbers needed for a while, cleared to nought, whose count comes from a file: an allocation that fails is an error.
struct ScratchMemory<Element: BitwiseCopyable>: ~Copyable {
  let elements: UnsafeMutablePointer<Element>
  let count: Int

  /// Takes memory.
  ///
  /// The C function is `calloc`.
  init(count: Int) throws(DecodingError) {
    guard let memory = calloc(max(1, count), MemoryLayout<Element>.stride) else { throw .outOfMemory }
    self.count = count
    elements = memory.bindMemory(to: Element.self, capacity: count)
  }

  /// Takes memory that holds anything, and is written before it is read.
  ///
  /// The C function is `malloc`.
  init(uninitialized count: Int) throws(DecodingError) {
    guard let memory = malloc(max(1, count) * MemoryLayout<Element>.stride) else { throw .outOfMemory }
    self.count = count
    elements = memory.bindMemory(to: Element.self, capacity: count)
  }

  deinit { free(elements) }

  /// Makes all nought again.
  ///
  /// The C function is `memset`.
  func clear() { memset(elements, 0, count * MemoryLayout<Element>.stride) }
}
