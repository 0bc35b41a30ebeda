import Foundation
import Glibc

/// A picture in a file.
public struct CatalogFile: Sendable {
  /// The path of the file.
  public let path: String
  private static let maximumByteCount = 64 << 20

  /// Creates a reference to a regular file, or returns nil if there is none at the path.
  ///
  /// The C function is `stat`.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
  }

  /// The file name without its extension.
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// Returns the contents of the file, or nil if it cannot be read, is not a regular file, or has more than 64 MB.
  ///
  /// The C functions are `open`, `fstat` and `read`. `O_NONBLOCK` keeps `open` from waiting for the writer of a FIFO.
  func read() -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= CatalogFile.maximumByteCount
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= CatalogFile.maximumByteCount else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
