import Glibc
package import VitrineGeometry

/// A buffer of intermediate pixels: R, G, B, A in rows without padding.
///
/// The memory is outside Swift's arrays, because its size comes from a file and a failed allocation must be an error.
package struct PixelMemory: ~Copyable {
  package let size: PixelSize
  package let bytes: UnsafeMutablePointer<UInt8>

  /// Allocates zeroed memory, so that pixels that a damaged file leaves unwritten show no earlier contents.
  ///
  /// The C function is `calloc`.
  package init(size: PixelSize) throws(DecodingError) {
    guard let memory = calloc(size.area, 4) else { throw .outOfMemory }
    self.size = size
    bytes = memory.bindMemory(to: UInt8.self, capacity: size.bytesAtFourPerPixel)
  }

  deinit { free(bytes) }

  package var width: Int { size.width }
  package var height: Int { size.height }
  package var bytesPerRow: Int { size.width * 4 }

  /// Returns a pointer to the start of a row.
  package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * bytesPerRow }

  /// Returns whether all pixels from a row on are equal, as libjpeg-turbo fills what a file lacks.
  func isUniform(fromRow y: Int) -> Bool {
    var pixel = row(y)
    let first = (pixel[0], pixel[1], pixel[2])
    let end = row(height)
    while pixel < end {
      if (pixel[0], pixel[1], pixel[2]) != first { return false }
      pixel += 4
    }
    return true
  }

  /// Fills all pixels from a row on with the backdrop.
  func fill(fromRow y: Int, with backdrop: Backdrop) {
    var pixel = row(y)
    let end = row(height)
    while pixel < end {
      pixel[0] = backdrop.red
      pixel[1] = backdrop.green
      pixel[2] = backdrop.blue
      pixel[3] = 255
      pixel += 4
    }
  }
}

/// A zeroed temporary buffer whose size comes from a file, so that a failed allocation is an error.
package struct ScratchMemory<Element: BitwiseCopyable>: ~Copyable {
  package let elements: UnsafeMutablePointer<Element>
  package let count: Int

  /// Allocates zeroed memory.
  ///
  /// The C function is `calloc`.
  package init(count: Int) throws(DecodingError) {
    guard let memory = calloc(max(1, count), MemoryLayout<Element>.stride) else { throw .outOfMemory }
    self.count = count
    elements = memory.bindMemory(to: Element.self, capacity: count)
  }

  /// Allocates uninitialized memory, which must be written before it is read.
  ///
  /// The C function is `malloc`.
  package init(uninitialized count: Int) throws(DecodingError) {
    guard let memory = malloc(max(1, count) * MemoryLayout<Element>.stride) else { throw .outOfMemory }
    self.count = count
    elements = memory.bindMemory(to: Element.self, capacity: count)
  }

  deinit { free(elements) }

  /// Sets all elements to zero.
  ///
  /// The C function is `memset`.
  package func clear() { memset(elements, 0, count * MemoryLayout<Element>.stride) }
}
