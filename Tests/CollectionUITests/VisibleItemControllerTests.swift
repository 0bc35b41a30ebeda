import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

@Suite("The visible item controller, without a view")
struct VisibleItemControllerTests {
  @Test("Without handlers, animations and a drag, views are drawn in the frames of the layout")
  func atRest() {
    let host = VisibleItemHostDouble()
    host.controller.adjust()
    #expect(!host.controller.isAdjusted)
    #expect(host.drawn() == ["0 at 0", "1 at 50", "2 at 100"])
    #expect(host.drawn(atContentOrigin: Point(x: 0, y: 30)) == ["0 at -30", "1 at 20", "2 at 70"])
    #expect(host.controller.adjustedItem(at: Point(x: 10, y: 60)) == nil)
    #expect(host.controller.hitTest(Point(x: 10, y: 60), atContentOrigin: .zero) === host.cells.displayedCell(at: 1))
  }

  @Test("Handlers move, hide and reorder views, which are then found where they are drawn")
  func handlers() {
    let host = VisibleItemHostDouble { items, _, _ in
      items[0].center.y += 120
      items[0].zIndex = -1
      items[1].isHidden = true
      items[2].zIndex = -2
    }
    host.controller.adjust()
    #expect(host.controller.isAdjusted)
    #expect(host.drawn() == ["2 at 100", "0 at 120"], "back to front, without the hidden one")
    #expect(host.controller.adjustedItem(at: Point(x: 10, y: 160)) == 0)
    #expect(host.controller.adjustedItem(at: Point(x: 10, y: 10)) == nil)
    #expect(host.controller.hitTest(Point(x: 10, y: 160), atContentOrigin: .zero) === host.cells.displayedCell(at: 0))
  }

  @Test("Numbers of a handler that cannot be displayed are replaced and counted")
  func refusedNumbers() {
    let host = VisibleItemHostDouble { items, _, _ in
      items[0].center.y = .nan
      items[1].alpha = .infinity
      items[2].scale = -.infinity
    }
    host.controller.adjust()
    #expect(host.cells.statistics.refusedNumbers == 3)
    #expect(host.drawn().prefix(2) == ["0 at 0", "1 at 50"])
  }

  @Test("A dragged item is drawn at its frame in front of the others, and in the layout's when it settles")
  func drag() {
    let host = VisibleItemHostDouble()
    host.liftedItem = LiftedItem(index: 0, frame: Rect(x: 0, y: 70, width: 200, height: 50), progress: 0)
    host.controller.adjust()
    #expect(host.drawn() == ["1 at 50", "2 at 100", "0 at 70"])
    host.liftedItem = LiftedItem(index: 0, frame: nil, progress: 0)
    host.controller.adjust()
    #expect(host.drawn() == ["1 at 50", "2 at 100", "0 at 0"])
    host.liftedItem = nil
    host.controller.adjust()
    #expect(!host.controller.isAdjusted && host.drawn() == ["0 at 0", "1 at 50", "2 at 100"])
  }

  @Test("A lifted item has a shadow behind it")
  func shadow() {
    let host = VisibleItemHostDouble()
    host.liftedItem = LiftedItem(index: 0, frame: Rect(x: 0, y: 70, width: 200, height: 50), progress: 0)
    host.controller.adjust()
    let flat = host.commands().count
    host.liftedItem = LiftedItem(index: 0, frame: Rect(x: 0, y: 70, width: 200, height: 50), progress: 1)
    host.controller.adjust()
    #expect(host.commands().count > flat && host.drawn().last == "0 at 70")
  }

  @Test("An animated item is drawn where the animation has it, and in the layout's frame after the animation")
  func animation() {
    let host = VisibleItemHostDouble()
    host.animator.beginSettling(2, from: Rect(x: 0, y: 0, width: 200, height: 50))
    host.animator.advance()
    host.controller.adjust()
    #expect(host.drawn().contains("2 at 0"))
    host.lastInstant = host.lastInstant + .milliseconds(100)
    host.animator.advance()
    host.controller.adjust()
    #expect(host.controller.isAdjusted && !host.drawn().contains("2 at 0") && !host.drawn().contains("2 at 100"))
    host.lastInstant = host.lastInstant + .milliseconds(5_000)
    host.animator.advance()
    #expect(!host.controller.isAdjusted, "discarded, because the animation ended")
    #expect(host.drawn() == ["0 at 0", "1 at 50", "2 at 100"])
  }

  @Test("A cell that leaves in an animation is drawn until the animation ends")
  func leavingCell() {
    let host = VisibleItemHostDouble()
    host.animator.begin()
    let cell = host.cells.displayedCell(at: 1)
    _ = host.cells.setVisibleRuns([0..<1, 2..<3])
    #expect(host.animator.retainedCell(at: 1) === cell)
    host.animator.beginSettling(2, from: Rect(x: 0, y: 200, width: 200, height: 50))
    host.animator.advance()
    host.controller.adjust()
    #expect(host.drawn().contains("2 at 200"))
    host.animator.end()
    #expect(host.drawn() == ["0 at 0", "2 at 100"])
  }
}

/// A double of the collection view for the visible item controller, with three displayed cells of 200 by 50 points.
private final class VisibleItemHostDouble: CellHostDouble, @MainActor VisibleItemHost, @MainActor UpdateAnimatorHost {
  let animator = UpdateAnimator()
  private(set) lazy var controller = VisibleItemController(
    cells: cells, supplementaryViews: supplementaryViews, animator: animator, meter: meter)
  var liftedItem: LiftedItem?
  private let resources = RenderResources(
    display: RecordingDisplay(size: Size(width: 200, height: 300)), text: BlockTextRasterizer())

  init(handler: CollectionLayoutSection.VisibleItemsHandler? = nil) {
    super.init()
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(50))
    var section = CollectionLayoutSection(
      group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
    section.visibleItemsInvalidationHandler = handler
    solution = CompositionalLayout(section: section).solved(
      in: LayoutEnvironment(containerSize: bounds.size), for: ItemCounts([100]))
    animator.host = self
    controller.host = self
    show(0..<3)
    for (index, cell) in cells.displayedEntries { cell.backgroundColor = Color(hex: UInt32(index)) }
  }

  /// The drawing commands.
  func commands(atContentOrigin origin: Point = .zero) -> [DrawCommand] {
    let list = DisplayList()
    controller.render(atContentOrigin: origin, in: DrawContext(list: list, resources: resources))
    return Array(list.commands)
  }

  /// The drawn cells with their vertical positions, back to front.
  func drawn(atContentOrigin origin: Point = .zero) -> [String] {
    commands(atContentOrigin: origin).compactMap { command in
      guard command.kind == .fill else { return nil }
      let item = (0..<3).first { command.color.opacity(1) == Color(hex: UInt32($0)) }
      return item.map { "\($0) at \(command.destination.y)" }
    }
  }

  override func retainLeavingCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    animator.retain(cell, at: index)
  }

  var canAnimateUpdates: Bool { true }
  var displayedItems: [(index: Int, cell: CollectionViewCell)] { cells.displayedEntries }
  var displayedElements: [Element] { [] }
  func displayedCell(at index: Int) -> CollectionViewCell? { cells.displayedCell(at: index) }
  func displayedElement(_ identity: ElementIdentity) -> Element? { nil }
  var draggedItem: Int? { nil }
  func draggedFrame(ofItem index: Int) -> Rect? { nil }
  func restoreCell(_ cell: CollectionViewCell, at index: Int) {}
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?) {
    cells.endDisplaying(cell, at: path, waitingFor: index)
  }
  func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {}
  func updateAnimationDidEnd() { controller.discardAdjustments() }
}
