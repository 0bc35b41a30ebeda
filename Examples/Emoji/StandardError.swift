import Glibc

/// Where a program tells what it does: standard output may be the report's.
enum StandardError {
  /// Writes a line; the C function is `write`.
  static func write(_ line: String) {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}
