import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The update animator, without a view")
struct UpdateAnimatorTests {
  @Test("A cell of a deleted item stays until its animation ends, and then its display ends once")
  func deletion() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.delete(1)
    #expect(host.animator.isPlanned && host.ended == [])
    host.animator.advance()
    #expect(host.animator.isMoving && host.ended == [])
    host.runToEnd()
    #expect(host.ended == ["1 recycled"])
    #expect(!host.animator.isRunning && host.animationEnds == 1)
  }

  @Test("An item that moves starts where it was displayed, and comes to rest in its final frame")
  func movement() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.delete(0)
    host.animator.advance()
    // Item 0 was item 1, one row below.
    #expect(
      host.animator.displacement(of: .item(0)).applied(to: host.frame(0)) == Rect(x: 0, y: 50, width: 200, height: 50))
    host.runToEnd()
    #expect(host.animator.displacement(of: .item(0)) == .zero)
  }

  @Test("A second update continues from where the first left an item")
  func interruption() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.delete(0)
    host.animator.advance()
    host.lastInstant = host.lastInstant + .milliseconds(100)
    let shown = host.animator.displacement(of: .item(1)).applied(to: host.frame(1))
    host.delete(0)
    host.animator.advance()
    let next = host.animator.displacement(of: .item(0)).applied(to: host.frame(0))
    #expect((next.minY - shown.minY).magnitude < 1e-9, "the same item, now at index 0")
    host.runToEnd()
    #expect(host.ended == ["0 recycled", "0 recycled"])
  }

  @Test("A cell that moves off screen is displayed again if its item returns")
  func reclaiming() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.animator.begin()
    let cell = host.leave(at: 5)
    #expect(host.animator.retainedCell(at: 5) === cell)
    #expect(host.animator.reclaimCell(at: 5) === cell)
    #expect(host.animator.retainedCell(at: 5) == nil)
    host.animator.end()
    #expect(host.ended == [], "the cell is displayed")
  }

  @Test("A cell that is scrolled away while it would move is not retained")
  func scrolledAway() {
    let host = UpdateAnimatorHostDouble(count: 1_000)
    host.animator.begin()
    host.jump(to: 100)
    host.leave(at: 7)
    #expect(host.ended == ["0 waits", "1 waits"] && host.animator.retainedCell(at: 7) != nil)
    host.jump(to: 5_000)
    #expect(host.ended.count == 7, "all but the one that is retained")
    host.animator.advance()
    #expect(host.ended.count == 8 && host.animator.retainedCell(at: 7) == nil)
  }

  @Test("A cell that was retained and scrolled away since ends with the next transitions, while others go on")
  func pruning() {
    let host = UpdateAnimatorHostDouble(count: 1_000)
    host.delete(1)
    host.animator.advance()
    for round in 1...20 {
      host.lastInstant = host.lastInstant + .milliseconds(50)
      host.jump(to: Double(round) * 1_000)
      host.delete(round * 20 + 3)
      host.animator.advance()
      #expect(host.animator.isMoving && host.ended.count { $0.hasSuffix("recycled") } == round, "all but the last")
    }
    host.runToEnd()
    #expect(host.ended.count { $0.hasSuffix("recycled") } == 21)
  }

  @Test("Without frames or with reduced motion nothing is retained")
  func reduced() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.animator.setReduced(true)
    host.delete(1)
    #expect(!host.animator.isRunning && host.ended == ["1 recycled"])
    host.animator.setReduced(false)
    host.canAnimateUpdates = false
    host.delete(1)
    #expect(!host.animator.isRunning && host.ended == ["1 recycled", "1 recycled"])
  }

  @Test("Ending all animations performs every end action")
  func ending() {
    let host = UpdateAnimatorHostDouble(count: 10)
    host.animator.begin()
    host.leave(at: 5)
    host.delete(0, begins: false)
    host.animator.end()
    #expect(host.ended == ["4 waits", "0 recycled"])
    #expect(host.animationEnds == 1)
  }
}

/// A double of the collection view for the update animator, with one item in a row and a cell for each visible item.
final class UpdateAnimatorHostDouble: ControllerHostDouble, @MainActor UpdateAnimatorHost {
  let animator = UpdateAnimator()
  private var cells: [CollectionViewCell] = []
  /// The first visible item.
  private var first = 0
  var canAnimateUpdates = true
  /// The cells whose display ended, in order.
  private(set) var ended: [String] = []
  private(set) var animationEnds = 0

  init(count: Int) {
    super.init(count: count)
    animator.host = self
    fill()
  }

  func frame(_ index: Int) -> Rect { solution.frame(ofItem: index) }

  private func fill() {
    while cells.count < min(6, itemCount - first) {
      let cell = CollectionViewCell()
      cell.frame = frame(first + cells.count)
      cells.append(cell)
    }
  }

  /// Scrolls to an offset, and displays the items there.
  func jump(to offset: Double) {
    scroll = ScrollState(range: scroll.range, offset: offset)
    let next = Int(offset / 50)
    while let cell = cells.first, first < next {
      cells.removeFirst()
      if !animator.retain(cell, at: first) { endDisplaying(cell, at: indexPath(at: first), waitingFor: first) }
      first += 1
    }
    first = next
    fill()
  }

  /// Deletes a visible item in an animated update.
  func delete(_ index: Int, begins: Bool = true) {
    if begins { animator.begin() }
    let map = IndexMap.deleting(index, of: itemCount)
    let cell = cells.remove(at: index - first)
    for (index, cell) in animator.apply(map, removed: [(index, cell)]) {
      endDisplaying(cell, at: indexPath(at: index), waitingFor: nil)
    }
    solution = Self.layout(of: itemCount - 1)
    fill()
    for (index, cell) in displayedItems { cell.frame = frame(index) }
    animator.recordMoves(map, count: 0)
  }

  /// Takes the cell of an item off the screen.
  @discardableResult
  func leave(at index: Int) -> CollectionViewCell {
    let cell = cells.remove(at: index - first)
    if !animator.retain(cell, at: index) { endDisplaying(cell, at: indexPath(at: index), waitingFor: index) }
    return cell
  }

  /// Advances the time until the animations have ended.
  func runToEnd() {
    for _ in 0..<200 where animator.isRunning {
      lastInstant = lastInstant + .milliseconds(16)
      animator.advance()
    }
  }

  var displayedItems: [(index: Int, cell: CollectionViewCell)] { cells.enumerated().map { (first + $0, $1) } }
  var displayedElements: [Element] { [] }
  func displayedCell(at index: Int) -> CollectionViewCell? {
    cells.indices.contains(index - first) ? cells[index - first] : nil
  }
  func displayedElement(_ identity: ElementIdentity) -> Element? { nil }
  var draggedItem: Int? { nil }
  func draggedFrame(ofItem index: Int) -> Rect? { nil }
  func restoreCell(_ cell: CollectionViewCell, at index: Int) {}
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?) {
    ended.append("\(path.item) \(index == nil ? "recycled" : "waits")")
  }
  func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {}
  func updateAnimationDidEnd() { animationEnds += 1 }
}
