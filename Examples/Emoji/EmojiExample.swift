import CollectionUI
import ExampleSupport
import Glibc
import VitrineDiagnostics
import VitrineHosting

@main
struct Main {
  static func main() { ExampleProgram<EmojiExample>.main() }
}

/// A grid of emoji whose ratings take a random time to load, with counts of prefetched and cancelled operations.
final class EmojiExample: Example {
  typealias Settings = EmojiSettings

  static let name = "emoji"
  static let title = "Emoji"
  static let summary = """
    Shows a grid of emoji whose ratings are loaded by an operation each while cells come and go: ahead of being seen, handed \
    over on display, cancelled when no cell displays them.
    """
  static var options: [CommandOption<EmojiSettings>] { EmojiSettings.options }

  private let screen: EmojiScreen

  init(_ settings: EmojiSettings, host: Host) throws {
    let log: ((String) -> Void)? = settings.logsPrefetching ? { StandardError.write($0) } : nil
    screen = try EmojiScreen(settings, clock: host.clock, waker: host.waker, log: log)
  }

  var rootView: View { screen }
  var collectionView: CollectionView { screen.grid.collectionView }
  var barHeight: Double { CountsBar.height }

  func addParticipants(to window: Window, loop: CommitLoop) { screen.addParticipants(to: window) }

  var figures: RunFigures {
    var figures = RunFigures(of: collectionView)
    figures.operations = { [screen] in
      let counts = screen.grid.loadingQueue.counts
      return OperationFigures(
        started: counts.started, completed: counts.completed, cancelled: counts.cancelled, running: counts.running,
        shown: counts.shown, ahead: counts.ahead, wasted: counts.wasted,
        waitingCellMs: screen.animator.waitingCellMilliseconds)
    }
    figures.isFullyShown = { [screen] in
      !screen.grid.collectionView.visibleCells.isEmpty && screen.grid.waitingCount == 0
    }
    return figures
  }

  func shutdown() { screen.grid.loadingQueue.shutdown() }
}

/// The settings of the emoji example.
struct EmojiSettings: ExampleSettings {
  var common = DiagnosticOptions()
  var theme = ExampleTheme.dark
  /// The step of the way to the finished program.
  var step = LoadingStep.cancellingAhead
  /// The maximum number of concurrent operations.
  var operationLimit = 64
  /// The number of emoji, or nil to show each once.
  var itemCount: Int?
  /// Whether prefetching and its cancellation are logged.
  var logsPrefetching = false

  /// Ends a headless scripted run after each kind of scrolling has run once.
  mutating func validate() throws(UsageError) {
    guard hosting.isHeadless, common.script != nil, hosting.duration == nil, hosting.frames == nil else { return }
    hosting.duration = ScrollScript.mixedInterval * Double(ScrollScript.mixedParts.count)
  }

  /// The options of the example, in addition to those of every program.
  static var options: [CommandOption<EmojiSettings>] {
    [
      CommandOption(switch: "--log", "write to standard error prefetched and cancelled items") {
        $0.logsPrefetching = true
      },
      CommandOption(
        "--step", "N",
        "1: load on display; 2: cancel when it ends; 3: load ahead as well; 4 (default): cancel that as well"
      ) { (settings, text) throws(UsageError) in
        let number = try OptionValue.integer(text, of: "--step", in: 1...LoadingStep.allCases.count)
        settings.step = LoadingStep.allCases[number - 1]
      },
      CommandOption("--operations", "N", "load so many ratings at once (default 64)") {
        (settings, text) throws(UsageError) in
        settings.operationLimit = try OptionValue.integer(text, of: "--operations", in: 1...256)
      },
      CommandOption("--items", "N", "show so many emoji, which begin again once all were shown") {
        (settings, text) throws(UsageError) in
        settings.itemCount = try OptionValue.integer(text, of: "--items", in: 0...10_000_000)
      },
    ]
  }
}

/// The steps from the first version that loads ratings to the finished program.
enum LoadingStep: CaseIterable {
  /// A cell starts to load when it is displayed, and loading is never cancelled.
  case loadingOnDisplay
  /// Loading is cancelled when the cell leaves the screen.
  case cancellingOnDisplay
  /// Ratings are also prefetched; prefetching is never cancelled.
  case loadingAhead
  /// Prefetching is cancelled for items that will not become visible.
  case cancellingAhead

  /// Whether ratings are prefetched.
  var prefetches: Bool { self == .loadingAhead || self == .cancellingAhead }
  /// Whether loading is cancelled when a cell leaves the screen.
  var cancelsOnDisplay: Bool { self != .loadingOnDisplay }
  /// Whether prefetching is cancelled when an item is no longer expected to become visible.
  var cancelsAhead: Bool { self == .cancellingAhead }
}

/// The standard error stream, because standard output may contain the report.
private enum StandardError {
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
