/// Options that several programs have in common.
///
/// ``HostingOptions`` are those of every program that shows a window. `DiagnosticOptions` of the module Diagnostics adds
/// reports, traces, recordings and scripts to them.
@MainActor
public protocol CommonOptions {
  /// Creates the default settings.
  init()

  /// The options, in the order of the help text.
  static var table: [CommandOption<Self>] { get }

  /// A sentence about the keys that work in every window, for the help text.
  static var keyHelp: String { get }

  /// The settings of the window and the run.
  var hosting: HostingOptions { get set }

  /// The files that the run reads and writes, in the order in which they are checked.
  var files: [OptionFile] { get }

  /// Checks that no options contradict each other.
  ///
  /// - Throws: ``UsageError`` that names both options.
  func validate() throws(UsageError)

  /// Parses a command line.
  ///
  /// - Parameters:
  ///   - arguments: The command line, without the program's name.
  ///   - table: The options of the program, which include these.
  ///   - settings: The default settings.
  ///   - path: The key path of these options in the program's settings.
  ///   - program: The program's name.
  /// - Throws: ``UsageError`` that names the first invalid argument.
  static func parse<Settings>(
    _ arguments: [[UInt8]], with table: OptionTable<Settings>, into settings: Settings,
    at path: WritableKeyPath<Settings, Self>, of program: String
  ) throws(UsageError) -> OptionTable<Settings>.Parsed
}

extension CommonOptions {
  /// A sentence about the keys that every host handles.
  public static var keyHelp: String { "In the window: F11 switches to full screen, Ctrl+Q quits." }

  /// Parses a command line, of which these options need nothing else.
  public static func parse<Settings>(
    _ arguments: [[UInt8]], with table: OptionTable<Settings>, into settings: Settings,
    at path: WritableKeyPath<Settings, Self>, of program: String
  ) throws(UsageError) -> OptionTable<Settings>.Parsed {
    try table.parse(arguments, into: settings)
  }

  /// Checks before the run that the files that are written at its end can be written.
  ///
  /// - Throws: ``UsageError`` that names the option, the path and the system's reason.
  public func validateDestinations() throws(UsageError) {
    var taken: [OptionFile] = []
    for file in files {
      defer { taken.append(file) }
      guard !file.isInput else { continue }
      // Several options may write to the same device.
      if let other = taken.first(where: { $0.path == file.path }), !file.path.hasPrefix("/dev/") {
        let place = file.path == "-" ? "to standard output" : "to \(file.path)"
        throw UsageError("\(file.option) and \(other.option) both write \(place); give each its own file")
      }
      do throws(OutputError) {
        try OutputFile.checkWritable(file.path)
      } catch {
        throw UsageError(unwritable: file.path, of: file.option, error)
      }
    }
  }
}

/// A file that an option names.
public struct OptionFile: Hashable, Sendable {
  /// The name of the option, including its dashes.
  public let option: String
  /// The path, or `-` for standard output.
  public let path: String
  /// Whether the run reads the file.
  public let isInput: Bool

  /// Creates a file, which the run writes by default.
  public init(_ option: String, _ path: String, isInput: Bool = false) {
    (self.option, self.path, self.isInput) = (option, path, isInput)
  }
}
