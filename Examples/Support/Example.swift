public import CollectionUI
public import VitrineDiagnostics
public import VitrineHosting

/// An example program: its options, its screen and its part of the report.
public protocol Example: AnyObject {
  /// The settings that the command line can change.
  associatedtype Settings: ExampleSettings

  /// The name in `vitrine --demo NAME`; the executable is `vitrine-NAME`.
  static var name: String { get }
  /// The title of the window.
  static var title: String { get }
  /// A description of one or two sentences, for the help.
  static var summary: String { get }
  /// The options of the example, in addition to those of every program that uses the library.
  static var options: [CommandOption<Settings>] { get }

  /// Runs a command that the settings request in place of the example.
  ///
  /// - Parameters:
  ///   - settings: The settings of the command line.
  ///   - context: The context in which to open a `Host`.
  /// - Returns: The exit status, or nil to show the example.
  static func performCommand(_ settings: Settings, in context: ProgramContext) throws -> Int32?

  /// Creates the example's screen.
  ///
  /// - Parameter host: The window, with its clock and renderer.
  init(_ settings: Settings, host: Host) throws

  /// The root view of the window.
  var rootView: View { get }
  /// The view that scripts scroll and that `--prefetch` and `--cell-cost` apply to.
  var collectionView: CollectionView { get }
  /// Adds frame participants to the window.
  ///
  /// Called once, before the collection view is added.
  func addParticipants(to window: Window, loop: CommitLoop)
  /// The figures of the report and the overlay.
  var figures: RunFigures { get }
  /// The height in points of the bar at the window's top, below which the overlay is shown.
  var barHeight: Double { get }
  /// Stops what the example has started, at the end of the run.
  func shutdown()
}

extension Example {
  /// Returns nil, which shows the example.
  public static func performCommand(_ settings: Settings, in context: ProgramContext) throws -> Int32? { nil }
  /// Adds no participants.
  public func addParticipants(to window: Window, loop: CommitLoop) {}
  /// The figures of the collection view.
  public var figures: RunFigures { RunFigures(of: collectionView) }
  /// Zero: there is no bar.
  public var barHeight: Double { 0 }
  /// Does nothing.
  public func shutdown() {}
}

/// The settings of an example.
public protocol ExampleSettings: ProgramSettings where Common == DiagnosticOptions {
  /// The colors and text styles.
  var theme: ExampleTheme { get set }
}
