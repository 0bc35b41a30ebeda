import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineTestSupport

@testable import vitrine_emoji

/// The example's screen in a window on a virtual clock, with three columns of emoji and a little more than three rows.
final class EmojiHarness {
  let screen: EmojiScreen
  let harness: WindowHarness
  /// The lines that were logged.
  private(set) var logLines: [String] = []

  init(_ change: (inout EmojiSettings) -> Void = { _ in }) throws {
    var settings = EmojiSettings()
    settings.itemCount = 600
    change(&settings)
    // The window harness needs the screen, and the screen needs the harness's clock.
    let clock = ForwardingClock()
    var log: (String) -> Void = { _ in }
    screen = try EmojiScreen(settings, clock: clock, waker: SilentWaker(), log: { log($0) })
    harness = WindowHarness(root: screen, size: Size(width: 400, height: 480))
    clock.target = harness.clock
    screen.addParticipants(to: harness.window)
    harness.window.addParticipant(screen.grid.collectionView)
    log = { [weak self] line in self?.logLines.append(line) }
  }

  var grid: EmojiGrid { screen.grid }
  var view: CollectionView { screen.grid.collectionView }
  var counts: OperationCounts { screen.grid.loadingQueue.counts }
  var cells: [EmojiCell] { view.visibleCells.compactMap { $0 as? EmojiCell } }

  /// Returns the visible cell of an item.
  func cell(_ item: Int) -> EmojiCell? { view.cell(at: item) as? EmojiCell }

  /// Returns the operation of an item.
  func operation(_ item: Int) -> DataLoadOperation? { grid.loadingOperations[IndexPath(item: item, section: 0)] }

  func jump(to offset: Double) {
    view.applyScrollEvent(.jump(to: offset), at: harness.clock.now())
    harness.run(frames: 1)
  }
}

/// A virtual clock that forwards to another one, which may be set later.
nonisolated final class ForwardingClock: FrameClock {
  var target: (any FrameClock)?

  let kind = ClockKind.virtual

  func now() -> FrameInstant { target?.now() ?? .zero }
  func spend(_ cost: FrameDuration) { target?.spend(cost) }
  func wait(until instant: FrameInstant) { target?.wait(until: instant) }

  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    try target.map { try $0.performUncounted(body) } ?? body()
  }
}
