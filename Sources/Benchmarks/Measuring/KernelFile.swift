import BenchmarkSupport
import Glibc

/// Files that are read whole, and switches of the kernel that are written.
enum KernelFile {
  /// A file's text; nothing where it cannot be read.
  static func text(of path: String) -> String? { try? ResultFile.text(of: path) }

  /// Writes a word to a switch; whether the kernel took it.
  static func write(_ word: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array(word.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == word.utf8.count
  }
}
