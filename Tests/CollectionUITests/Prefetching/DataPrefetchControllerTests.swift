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

@Suite("The data prefetch controller, without a view")
struct DataPrefetchControllerTests {
  @Test("Items around the viewport are announced once, and cancelled when they are no longer expected")
  func announcing() {
    let host = DataPrefetchHostDouble()
    host.show(at: 0)
    let first = host.takeAnnounced()
    #expect(first.contains(6) && !first.contains(5), "those behind the visible ones")
    host.show(at: 0)
    #expect(host.takeAnnounced() == [])
    host.show(at: 50)
    #expect(host.takeAnnounced().allSatisfy { !first.contains($0) }, "only what is new")
    host.show(at: 20_000)
    #expect(host.cancelled.contains(8) && !host.cancelled.contains(6), "item 6 was displayed")
  }

  @Test("While a snapshot waits to be displayed nothing is announced")
  func pending() {
    let host = DataPrefetchHostDouble()
    host.hasPendingUpdate = true
    host.show(at: 0)
    #expect(host.takeAnnounced() == [] && host.visibleUpdates == 1)
    host.hasPendingUpdate = false
    host.show(at: 0)
    #expect(!host.takeAnnounced().isEmpty)
  }

  @Test("Disabling cancels what was announced and not displayed")
  func disabling() {
    let host = DataPrefetchHostDouble()
    host.show(at: 0)
    let first = host.takeAnnounced()
    host.isPrefetchingEnabled = false
    host.controller.setNeedsUpdate()
    host.show(at: 0)
    #expect(Set(host.cancelled) == Set(first))
    #expect(host.controller.statistics.cancelled == first.count)
  }

  @Test("An item whose path changes is cancelled at its old path and announced at its new one")
  func updates() {
    let host = DataPrefetchHostDouble()
    host.show(at: 0)
    _ = host.takeAnnounced()
    host.controller.indicesWillChange()
    let moved = host.controller.apply(.deleting(7, of: 1_000))
    #expect(moved.map(\.item).contains(8) && !moved.map(\.item).contains(6), "items before the deleted one stay")
    host.solution = ControllerHostDouble.layout(of: 999)
    host.show(at: 0)
    #expect(host.takeAnnounced().contains(8) && !host.cancelled.contains(6))
  }

  @Test(
    "After random updates, exactly the items are announced that a new controller announces",
    arguments: TestScale.seeds(0..<8))
  func updateLaw(seed: Int) {
    UpdateLaw.check(seed: seed) { _, _, counts in
      let host = DataPrefetchHostDouble()
      host.setCounts(counts)
      host.show(at: 0)
      return host
    } _: { host, map in
      host.controller.indicesWillChange()
      let moved = host.controller.apply(map)
      host.setCounts(map.counts)
      host.pathPrefetching?([], moved)
    } _: { host in
      host.show(at: 0)
      return host.live
    }
  }
}

/// A double of the collection view for the data prefetch controller, whose client prefetches by index path.
private final class DataPrefetchHostDouble: ControllerHostDouble, @MainActor DataPrefetchHost, PrefetchingSource {
  let controller = DataPrefetchController()
  var isPrefetchingEnabled = true
  var hasPendingUpdate = false
  private(set) var visibleUpdates = 0
  private(set) var cancelled: [Int] = []
  private var announced: [Int] = []
  /// The paths that are announced, with the number of their announcements that were not cancelled.
  private(set) var live: [IndexPath: Int] = [:]
  private var sections: ItemCounts?

  init() {
    super.init(count: 1_000)
    controller.host = self
  }

  /// Displays the items at an offset, as a frame does.
  func show(at offset: Double) {
    if offset != contentOffset { controller.setNeedsUpdate() }
    scroll = ScrollState(range: scroll.range, offset: offset)
    controller.announceUpcomingItems()
  }

  /// Replaces the items by others, in several sections.
  func setCounts(_ counts: ItemCounts) {
    sections = counts
    solution = Self.layout(of: counts.total)
  }

  override func indexPath(at index: Int) -> IndexPath {
    guard let position = sections?.position(of: index) else { return super.indexPath(at: index) }
    return IndexPath(item: position.item, section: position.section)
  }

  func takeAnnounced() -> [Int] {
    defer { announced = [] }
    return announced
  }

  var prefetchingSource: (any PrefetchingSource)? { self }
  var visibleRuns: [Range<Int>] {
    let first = Int(contentOffset / 50)
    return [first..<min(itemCount, first + 6)]
  }
  var itemsWithCells: IndexRuns { IndexRuns(joining: visibleRuns) }
  var scrollTrajectory: (isForward: Bool, landing: ClosedRange<Double>?) { (true, nil) }
  var dataForecast: VisibilityForecast {
    var window = KeepWindow(extent: .data)
    window.handle(scroll, shown: .zero)
    return VisibilityForecast(scroll: scroll, window: window, shown: .zero, interval: .milliseconds(16))
  }
  func isScrollingBackward(section: Int) -> Bool { false }
  var prefetchesByPath: Bool { true }
  var pathPrefetching: (([IndexPath], _ cancelled: [IndexPath]) -> Void)? {
    { [unowned self] paths, gone in
      announced += paths.map(\.item)
      cancelled += gone.map(\.item)
      for path in paths { live[path, default: 0] += 1 }
      for path in gone { live[path] = live[path] == 1 ? nil : (live[path] ?? 0) - 1 }
    }
  }
  override func setNeedsVisibleUpdate() { visibleUpdates += 1 }

  var isPrefetching: Bool { false }
  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? { nil }
  func recordShown(_ items: IndexRuns) {}
  func indicesWillChange(announced: IndexRuns, seen: IndexRuns) {}
}
