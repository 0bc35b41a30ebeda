import CollectionEngine
import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import TestSupport
import Views

@testable import vitrine_emoji

/// The example's screen in a window on a virtual clock: three columns of emoji, of which three rows and a bit are seen.
final class EmojiStage {
  let screen: EmojiScreen
  let stage: WindowHarness
  /// What the log was told.
  private(set) var lines: [String] = []

  init(_ change: (inout EmojiSettings) -> Void = { _ in }) throws {
    var settings = EmojiSettings()
    settings.items = 600
    change(&settings)
    // The screen is needed to make the stage, whose clock it needs.
    let clock = LateClock()
    var told: (String) -> Void = { _ in }
    screen = try EmojiScreen(settings, clock: clock, waker: SilentWaker(), log: { told($0) })
    stage = WindowHarness(root: screen, size: Size(width: 400, height: 480))
    clock.clock = stage.clock
    screen.join(stage.window)
    stage.window.addParticipant(screen.grid.collectionView)
    told = { [weak self] line in self?.lines.append(line) }
  }

  var grid: EmojiGrid { screen.grid }
  var view: CollectionView { screen.grid.collectionView }
  var counts: OperationCounts { screen.grid.loadingQueue.counts }
  var cells: [EmojiCell] { view.visibleCells.compactMap { $0 as? EmojiCell } }

  /// The cell on screen of an item.
  func cell(_ item: Int) -> EmojiCell? { view.cell(at: item) as? EmojiCell }

  /// The operation of an item.
  func operation(_ item: Int) -> DataLoadOperation? { grid.loadingOperations[IndexPath(item: item, section: 0)] }

  func jump(to offset: Double) {
    view.applyScrollEvent(.jump(to: offset), at: stage.clock.now())
    stage.run(frames: 1)
  }
}
