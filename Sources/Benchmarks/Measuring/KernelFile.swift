import Glibc

/// Small files that are read whole, and switches of the kernel that are written.
enum KernelFile {
  /// A file's text, at most its first 64 KiB; nothing where it cannot be read.
  static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled) }
      if got == 0 { break }
      guard got > 0 else { return nil }
      filled += got
    }
    return String(decoding: bytes[..<filled], as: UTF8.self)
  }

  /// Writes a word to a switch; whether the kernel took it.
  static func write(_ word: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array(word.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == word.utf8.count
  }
}
