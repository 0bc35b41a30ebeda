import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Client code may scroll wherever it is called: at rest the items are seen that stand there")
struct ScrollWithinCallsTests {
  /// Where the client is when it scrolls.
  enum Place: CaseIterable, Sendable {
    case coming, going, providing, configuring, scrolled, laidOut, selected
  }

  /// Scrolls to an item when it is told of a frame.
  private final class Follower: CollectionViewDelegate, CollectionViewInteractionDelegate, CollectionViewScrollDelegate
  {
    let place: Place
    let scroll: () -> Void
    init(_ place: Place, _ scroll: @escaping () -> Void) { (self.place, self.scroll) = (place, scroll) }
    func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
      if place == .coming { scroll() }
    }
    func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
      if place == .going { scroll() }
    }
    func collectionViewDidScroll(_ view: CollectionView) { if place == .scrolled { scroll() } }
    func collectionViewDidLayout(_ view: CollectionView) { if place == .laidOut { scroll() } }
    func collectionViewDidChangeSelection(_ view: CollectionView) { if place == .selected { scroll() } }
  }

  @Test("Once, or to one item after the other", arguments: Place.allCases)
  func scroll(place: Place) {
    for targets in [[40], [40, 90], [40, 41, 90, 2]] {
      let grid = WordGrid(WordGrid.words(0..<100))
      var left = targets[...]
      let scroll = { [view = grid.view] in
        guard let target = left.popFirst() else { return }
        view.scrollToItem(at: IndexPath(item: target, section: 0), at: .top, animated: false)
      }
      let follower = Follower(place, scroll)
      grid.view.delegate = follower
      if place == .providing { grid.onProvide = { _ in scroll() } }
      if place == .configuring { grid.onConfigure = { _, _ in scroll() } }
      switch place {
      case .laidOut: grid.apply { $0.deleteItems(["w99"]) }
      case .selected: grid.view.select(.choose(3))
      default: grid.scroll(to: 500)
      }
      grid.stage.runUntilIdle()
      if place == .selected {
        grid.view.select(.choose(5))
        grid.stage.runUntilIdle()
      }
      #expect(left.count < targets.count, "\(place)")
      let first = Int((grid.view.contentOffset / 50).rounded(.down))
      let last = Int(((grid.view.contentOffset + 300) / 50).rounded(.up))
      #expect(grid.shown == WordGrid.words(first..<last), "\(place), \(targets), \(left)")
      #expect(grid.stage.runUntilIdle() == 0 && grid.view.statistics.visible == grid.shown.count)
    }
  }
}
