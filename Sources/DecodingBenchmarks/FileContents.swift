import Glibc

/// A file's bytes in memory.
final class FileContents {
  /// The bytes; they live as long as this.
  let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawPointer

  /// Reads a file; nothing where it cannot be read whole.
  ///
  /// The C functions are `open`, `fstat`, `malloc` and `pread`.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let memory = malloc(max(1, Int(status.st_size)))
    else { return nil }
    self.memory = memory
    let count = pread(descriptor, memory, Int(status.st_size), 0)
    bytes = UnsafeRawBufferPointer(start: memory, count: max(0, count))
    if count < Int(status.st_size) { return nil }
  }

  deinit { free(memory) }
}
