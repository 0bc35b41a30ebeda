import Glibc

/// A font file's bytes in memory: FreeType goes back to its file for every letter, which is some hundred calls of the
/// kernel's a frame while lines of type come into view.
nonisolated final class FontData {
  /// The largest file that is read: fonts of Latin and its neighbours are less than a megabyte, those of all of Chinese
  /// twenty.
  static let maximumBytes = 1 << 20

  /// The first byte.
  let start: UnsafeRawPointer
  /// The number of bytes.
  let count: Int

  /// Reads a file; nothing where it is too large, cannot be read, or memory is out.
  ///
  /// The C functions are `fopen`, `fread` and `malloc`.
  init?(path: String) {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    guard fseek(file, 0, SEEK_END) == 0 else { return nil }
    let size = ftell(file)
    rewind(file)
    guard size > 0, size <= FontData.maximumBytes, let memory = malloc(size) else { return nil }
    guard fread(memory, 1, size, file) == size else {
      free(memory)
      return nil
    }
    start = UnsafeRawPointer(memory)
    count = size
  }

  deinit { free(UnsafeMutableRawPointer(mutating: start)) }
}
