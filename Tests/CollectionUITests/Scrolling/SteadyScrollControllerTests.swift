import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

@Suite("The steady scroll controller, without a view")
struct SteadyScrollControllerTests {
  @Test("A frame is steady if the layout would find the displayed items, and only after scrolling")
  func range() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    #expect(!host.controller.isSteady(at: 1_010), "nothing scrolled")
    let shown = host.visibleItems(at: 1_010)
    host.controller.contentDidScroll()
    var steady = 0
    for offset in stride(from: 900.0, through: 1_100, by: 1) where host.controller.isSteady(at: offset) {
      steady += 1
      #expect(host.visibleItems(at: offset) == shown, "\(offset)")
    }
    // Items enter or leave at 1,000 and at 1,050.
    #expect(steady >= 49)
    host.controller.queryDidBegin()
    #expect(!host.controller.isSteady(at: 1_010) && !host.controller.hasScrolled)
  }

  @Test("No frame is steady while a query is needed")
  func neededQuery() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    host.controller.contentDidScroll()
    #expect(host.controller.isSteady(at: 1_011))
    host.queries.setNeedsQuery()
    #expect(!host.controller.isSteady(at: 1_011))
  }

  @Test("The range is empty from a change of the displayed views until the frame has been displayed")
  func invalidation() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    host.controller.invalidateRange()
    host.controller.contentDidScroll()
    #expect(!host.controller.isSteady(at: 1_011))
    host.controller.queryDidBegin()
    host.controller.updateRangeIfStale()
    host.controller.contentDidScroll()
    #expect(host.controller.isSteady(at: 1_011))
  }

  @Test("The range is empty if frames are not final or views are adjusted", arguments: [true, false])
  func adjustments(areFramesFinal: Bool) {
    let host = SteadyScrollHostDouble()
    host.areFramesFinal = areFramesFinal
    host.adjustsVisibleItems = areFramesFinal
    host.show(at: 1_010)
    host.controller.contentDidScroll()
    #expect(!host.controller.isSteady(at: 1_010))
  }

  @Test("The range is empty if client code scrolled after the items were determined")
  func scrolledSince() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    host.controller.contentDidScroll()
    host.controller.updateRange()
    #expect(!host.controller.isSteady(at: 1_011))
  }

  @Test("The delegate is notified once of a steady-state frame, and of no other")
  func notifications() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    host.controller.notifyIfMoved()
    #expect(host.notifications == 0)
    host.controller.moveViews(to: 1_011, along: .vertical)
    host.controller.notifyIfMoved()
    host.controller.notifyIfMoved()
    #expect(host.notifications == 1)
    host.controller.setObserved(false)
    host.controller.moveViews(to: 1_012, along: .vertical)
    host.controller.notifyIfMoved()
    #expect(host.notifications == 1)
  }

  @Test("A frame can be drawn at another offset only if nothing but the content moves")
  func canResample() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    #expect(host.controller.canResampleOffset())
    host.hasOtherChanges = true
    #expect(!host.controller.canResampleOffset())
    host.hasOtherChanges = false
    host.queries.setNeedsCells()
    #expect(!host.controller.canResampleOffset())
    #expect(host.queries.takeNeedsCells() && host.controller.canResampleOffset())
    host.queries.setNeedsQuery()
    #expect(!host.controller.canResampleOffset())
  }

  @Test("Drawing at another offset moves the views within the range, and the next frame queries the layout")
  func resampling() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    #expect(host.controller.resampleOffset() && !host.queries.needsQuery, "nothing scrolled")
    host.scrollContent(to: 1_020)
    #expect(host.controller.resampleOffset())
    #expect(host.queries.needsQuery && host.notifications == 1)
    #expect(!host.controller.resampleOffset(), "a query is needed")
    host.show(at: 1_020)
    host.scrollContent(to: 1_060)
    #expect(!host.controller.resampleOffset() && host.notifications == 1, "an item enters")
  }

  @Test("A delegate that changes the view prevents drawing at another offset")
  func resamplingWithChanges() {
    let host = SteadyScrollHostDouble()
    host.show(at: 1_010)
    host.scrollContent(to: 1_020)
    host.onNotification = { host.queries.setNeedsQuery() }
    #expect(!host.controller.resampleOffset())
    host.onNotification = { host.controller.contentDidScroll() }
    host.show(at: 1_020)
    host.scrollContent(to: 1_021)
    #expect(!host.controller.resampleOffset())
  }
}

@Suite("The layout query controller, without a view")
struct LayoutQueryControllerTests {
  private let queries = LayoutQueryController()
  private let layout = ControllerHostDouble.layout(of: 100)

  @Test("A query needs cells once, and answers the requests before it")
  func flags() {
    #expect(!queries.needsQuery && !queries.needsCells && queries.queryCount == 0)
    queries.setNeedsPositioning()
    #expect(queries.needsQuery && queries.beginQuery())
    #expect(!queries.needsQuery && queries.needsCells && queries.queryCount == 1)
    queries.setNeedsQuery()
    #expect(queries.takeNeedsCells() && !queries.takeNeedsCells())
    #expect(queries.needsQuery, "a request after the query is answered by the next one")
    #expect(!queries.beginQuery(), "the cells were positioned")
    #expect(queries.queryCount == 2)
  }

  @Test("The visible runs contain the dragged item, in order and once")
  func draggedItem() {
    let rect = Rect(x: 0, y: 500, width: 200, height: 100)
    func runs(including item: Int?) -> [Range<Int>] { queries.visibleRuns(of: layout, in: rect, including: item) }
    #expect(runs(including: nil) == [10..<12])
    #expect(runs(including: 11) == [10..<12])
    #expect(runs(including: 3) == [3..<4, 10..<12])
    #expect(runs(including: 50) == [10..<12, 50..<51])
    #expect(runs(including: 100) == [10..<12], "there is no such item")
  }
}

/// A double of the collection view for the steady scroll controller, with 100 items of 50 points in a viewport of 300.
private final class SteadyScrollHostDouble: CellHostDouble, @MainActor SteadyScrollHost {
  let queries = LayoutQueryController()
  private(set) lazy var controller = SteadyScrollController(
    queries: queries, cells: cells, supplementaryViews: supplementaryViews)
  var areFramesFinal = true
  var adjustsVisibleItems = false
  var hasOtherChanges = false
  private(set) var notifications = 0
  var onNotification = {}

  override init() {
    super.init()
    controller.host = self
    controller.setObserved(true)
  }

  func visibleItems(at offset: Double) -> [Int] {
    var items: [Int] = []
    solution.visitItems(in: Rect(x: 0, y: offset, width: 200, height: 300)) { items += $0 }
    return items
  }

  /// Displays the items at an offset, as a frame with a query does.
  func show(at offset: Double) {
    scroll = ScrollState(range: scroll.range, offset: offset)
    controller.queryDidBegin()
    _ = queries.beginQuery()
    _ = cells.setVisibleRuns(queries.visibleRuns(of: solution, in: visibleRect, including: nil))
    _ = queries.takeNeedsCells()
    cells.fillVisibleCells(from: self)
    controller.updateRange()
  }

  /// Scrolls the content without a frame.
  func scrollContent(to offset: Double) {
    scroll = ScrollState(range: scroll.range, offset: offset)
    controller.contentDidScroll()
  }

  var viewportLength: Double { bounds.height }

  func notifyScrollDelegate() {
    notifications += 1
    onNotification()
  }
}
