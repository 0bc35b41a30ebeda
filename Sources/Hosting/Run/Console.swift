import Glibc
import VitrineRendering

/// A program's standard output, standard error and terminal width.
public struct Console: Sendable {
  /// The program's name, which precedes each error message.
  public let program: String

  /// Creates the console of a program.
  public init(program: String) { self.program = program }

  /// Writes the text that an option requests to standard output.
  ///
  /// The C function is `write`.
  ///
  /// - Throws: ``HostError`` that names the option if the text cannot be written, for example because the disk is full.
  public func print(_ text: String, for option: String) throws(HostError) {
    do throws(OutputError) {
      try OutputFile("-").write(text.utf8)
    } catch {
      throw HostError("\(option): \(error)")
    }
  }

  /// Writes one line to standard error, preceded by the program's name.
  ///
  /// Control characters in the line, such as a line feed in an argument, are replaced by U+FFFD. The C function is
  /// `write`.
  public nonisolated func printError(_ line: String) {
    var bytes = Array("\(program): \(SanitizedText(line, maximumScalars: 16_384).string)\n".utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }

  /// The width of the terminal in columns, or 80 if standard output is not a terminal.
  ///
  /// The C function is `ioctl`.
  public static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// An error that occurs during a run.
///
/// Its message is a single line.
public struct HostError: Error, CustomStringConvertible {
  /// The message, without the program's name.
  public let description: String

  /// Creates an error with a message.
  public nonisolated init(_ description: String) { self.description = description }
}

/// The command line as bytes.
///
/// A path may not be UTF-8, and `CommandLine.arguments` repairs invalid sequences.
public enum CommandLineArguments {
  /// The arguments of the process, without the program's name.
  public static var current: [[UInt8]] {
    let pointers = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      pointers[index].map { pointer in
        Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
      }
    }
  }
}
