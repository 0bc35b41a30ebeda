import Glibc
import Hosting
import Rendering

/// Standard output and error, and the terminal's width.
enum Console {
  /// Writes what an option asked for to standard output.
  ///
  /// - Throws: `HostError` naming the option where it cannot be written, such as to a full disk.
  static func print(_ text: String, for option: String) throws(HostError) {
    do throws(OutputError) {
      try OutputFile("-").write(text.utf8)
    } catch {
      throw HostError("\(option): \(error)")
    }
  }

  /// Writes one line to standard error, the program's name in front.
  ///
  /// One line whatever it quotes: a line feed or an escape in an argument stands there as U+FFFD.
  static func complain(_ line: String) {
    write("vitrine: " + CaptionText(line, mostScalars: 16_384).string + "\n", to: STDERR_FILENO)
  }

  /// Writes to standard error as it is.
  static func note(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Whether standard error is a terminal.
  static var isNoteTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal, 80 where there is none.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}
