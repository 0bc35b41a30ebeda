import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import CollectionUI

/// What holds whatever happened.
extension Storm {
  /// What holds after every frame.
  func checkLaws() {
    let counts = view.statistics
    #expect(view.lifecycle.isBalanced)
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    #expect(counts.waiting == view.preparedCells.count)
    #expect(counts.visible == watch.displayed.count)
    #expect(counts.pooled == view.pooledCellCount)
    if !view.isAnimatingUpdates { #expect(counts.visible == view.visibleCells.count) }
    let live = view.visibleCells + view.preparedCells
    #expect(Set(live.map(ObjectIdentifier.init)).count == live.count, "a cell is in two places")
    for case let cell as StormCell in live {
      let path = view.indexPath(for: cell)
      #expect(path.map { item(at: $0) } == cell.item, "\(cell.item) stands at \(String(describing: path))")
    }
    let headers = view.supplementaryStatistics
    #expect(headers.created == headers.visible + headers.waiting + headers.pooled + headers.discarded)
    #expect(headers.visible == watch.displayedHeaders.count && headers.pooled == view.pooledSupplementaryCount)
    #expect(headers.waiting == view.preparedSupplementaryViews.count)
    #expect(watch.currentSelection() == watch.selected, "another selection than was told")
    #expect(watch.selected.allSatisfy(source.shownSnapshot().contains))
    #expect(completed == Array(0..<completed.count), "completions out of order: \(completed.suffix(5))")
  }

  /// Lets everything come to rest, and compares it with a view to which nothing ever happened.
  func checkRest() {
    calls = 0
    actor.next = []
    enter()
    if isPressed { stage.sendEvent(.pointerUp(.zero, button: .primary, modifiers: [])) }
    isPressed = false
    stage.sendEvent(.pointerLeft)
    view.applyScrollEvent(.stop)
    stage.runUntilIdle()
    #expect(stage.runUntilIdle() == 0, "the loop does not rest")
    checkLaws()
    #expect(!view.isAnimatingUpdates && completed.count == asked)
    if !view.isPrefetchingEnabled || source.prefetching == nil { #expect(watch.wanted.isEmpty) }
    for case let header as HeaderView in view.visibleSupplementaryViews(ofKind: "header") {
      let section = header.attributes?.identity.section.flatMap { source.sectionIdentifier(for: $0) } ?? -1
      #expect(header.text == "\(section): \(source.snapshot().numberOfItems(inSection: section))")
    }
    let fresh = Storm(source.snapshot(), like: self)
    #expect(fresh.view.contentOffset == view.contentOffset)
    #expect(fresh.stage.lastFrameCommands == stage.lastFrameCommands)
    #expect(watch.wanted.allSatisfy(source.shownSnapshot().contains))
  }

  /// A view that shows the same at the same place.
  private convenience init(_ snapshot: Source.Snapshot, like other: Storm) {
    self.init([], seed: 0, hasHeaders: other.hasHeaders)
    callsBack = false
    model.versions = other.model.versions
    view.setCollectionViewLayout(Storm.layout(columns: other.columns, hasHeaders))
    if other.size != size { stage.resize(to: other.size) }
    source.applySnapshotUsingReloadData(snapshot)
    stage.runUntilIdle()
    view.allowsMultipleSelection = true
    for path in other.view.indexPathsForSelectedItems { view.selectItem(at: path, animated: false) }
    view.focusedIndexPath = other.view.focusedIndexPath
    view.scroll(to: other.view.contentOffset, animated: false)
    stage.runUntilIdle()
    stage.run(frames: 1)
  }
}
