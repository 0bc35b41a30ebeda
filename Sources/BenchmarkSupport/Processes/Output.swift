import Glibc

/// What the program says, unbuffered: a table is to be read while it grows.
public enum Output {
  /// Writes a line to standard output.
  public static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Writes text; what a closed pipe does not take is dropped.
  public static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      rest.removeFirst(written)
    }
  }
}
