public import CollectionUI
public import Hosting
public import Views

/// An example: its options, its screen, and what it adds to the report.
public protocol Example: AnyObject {
  /// What can be set of it.
  associatedtype Settings: ExampleSettings

  /// What `vitrine --demo` calls it; its executable is `vitrine-` and this.
  static var name: String { get }
  /// The window's title.
  static var title: String { get }
  /// What it shows, in a sentence or two for the help.
  static var summary: String { get }
  /// Its options, beside those that every program on the library has.
  static var options: [CommandOption<Settings>] { get }

  /// Does something else than showing it, where the settings ask for that.
  ///
  /// - Parameters:
  ///   - settings: what the command line asks for.
  ///   - surroundings: what a `Host` is made of.
  /// - Returns: the exit status; nothing where the example is to be shown.
  static func perform(_ settings: Settings, in surroundings: ProgramContext) throws -> Int32?

  /// Makes the screen.
  ///
  /// - Parameter host: the window, its clock and what it draws with.
  init(_ settings: Settings, host: Host) throws

  /// What fills the window.
  var root: View { get }
  /// What scripts scroll, and what `--prefetch` and `--cell-cost` are about.
  var collectionView: CollectionView { get }
  /// Takes its place in the frames: called once, before the collection view takes its own.
  func join(_ window: Window, _ loop: CommitLoop)
  /// What it adds to the report, and what the overlay shows of it.
  var figures: RunFigures { get }
  /// The run is over: ends what it has started.
  func end()
}

extension Example {
  /// There is nothing else to do.
  public static func perform(_ settings: Settings, in surroundings: ProgramContext) throws -> Int32? { nil }
  /// It has no place of its own in the frames.
  public func join(_ window: Window, _ loop: CommitLoop) {}
  /// Those of the collection view.
  public var figures: RunFigures { RunFigures(of: collectionView) }
  /// It has started nothing.
  public func end() {}
}
