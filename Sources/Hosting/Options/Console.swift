import Glibc
import Rendering

/// A program's standard output and error, and the terminal's width.
public struct Console: Sendable {
  /// The program's name, which stands before each complaint.
  public let program: String

  /// The console of a program.
  public init(program: String) { self.program = program }

  /// Writes what an option asked for to standard output.
  ///
  /// The C function is `write`.
  ///
  /// - Throws: ``HostError`` naming the option where it cannot be written, such as to a full disk.
  public func print(_ text: String, for option: String) throws(HostError) {
    do throws(OutputError) {
      try OutputFile("-").write(text.utf8)
    } catch {
      throw HostError("\(option): \(error)")
    }
  }

  /// Writes one line to standard error, the program's name in front.
  ///
  /// One line whatever it quotes: a line feed or an escape in an argument stands there as U+FFFD. The C function is `write`.
  public nonisolated func printError(_ line: String) {
    var bytes = Array("\(program): \(SanitizedText(line, maximumScalars: 16_384).string)\n".utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }

  /// Columns of the terminal, 80 where there is none.
  ///
  /// The C function is `ioctl`.
  public static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
