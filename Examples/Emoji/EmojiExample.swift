import CollectionUI
import ExampleSupport
import Hosting
import Views

/// A grid of emoji whose ratings take a random time to load: prefetching and cancelling, counted.
final class EmojiExample: Example {
  typealias Settings = EmojiSettings

  static let name = "emoji"
  static let title = "Emoji"
  static let summary = """
    Shows a grid of emoji whose ratings are loaded by an operation each while cells come and go: ahead of being seen, handed \
    over on display, cancelled when nobody wants them.
    """
  static var options: [CommandOption<EmojiSettings>] { EmojiSettings.options }

  private let screen: EmojiScreen

  init(_ settings: EmojiSettings, host: Host) throws {
    let log: ((String) -> Void)? = settings.logs ? { StandardError.write($0) } : nil
    screen = try EmojiScreen(settings, clock: host.clock, waker: host.waker, log: log)
    host.overlayTop = CountsBar.height
  }

  var root: View { screen }
  var collectionView: CollectionView { screen.grid.collectionView }

  func join(_ window: Window, _ loop: CommitLoop) { screen.join(window) }

  var figures: RunFigures {
    var figures = RunFigures(of: collectionView)
    figures.operations = { [screen] in
      let counts = screen.grid.loadingQueue.counts
      return OperationFigures(
        started: counts.started, completed: counts.completed, cancelled: counts.cancelled, running: counts.running,
        shown: counts.shown, ahead: counts.ahead, wasted: counts.wasted,
        waitingCellMs: screen.pulse.waitingCellMilliseconds)
    }
    figures.isFullyShown = { [screen] in
      !screen.grid.collectionView.visibleCells.isEmpty && screen.grid.waitingCount == 0
    }
    return figures
  }

  func end() { screen.grid.loadingQueue.end() }
}
