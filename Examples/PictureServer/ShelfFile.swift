import Foundation
import Glibc

/// A picture in a file, of which nothing is known but that it is one.
public struct ShelfFile: Sendable {
  /// Where it is.
  public let path: String
  /// More than any picture of a person's has.
  private static let mostBytes = 64 << 20

  /// Names a file, if there is one: a FIFO, a device or a folder is none.
  ///
  /// The C function is `stat`.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
  }

  /// What it is called, without what tells its format.
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// Its bytes; nothing where it cannot be read, is none any more, or has more than 64 MB.
  ///
  /// The C functions are `open`, which waits for nobody who would write into a FIFO, `fstat` and `read`.
  func read() -> [UInt8]? {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= ShelfFile.mostBytes else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= ShelfFile.mostBytes else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
