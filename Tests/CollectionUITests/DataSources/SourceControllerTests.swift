@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineViews

@Suite("The source controller, without a view")
struct SourceControllerTests {
  @Test("Setting a data source displays its items, and setting it again has no effect")
  func setting() {
    let host = SourceHostDouble()
    let source = SourceDouble(count: 5)
    host.controller.setSource(source)
    #expect(host.itemCount == 5 && host.controller.displayedSource === source)
    #expect(host.takeLog() == ["cancel nil", "replace by 5"])
    host.controller.setSource(source)
    #expect(host.takeLog() == [])
    host.controller.setSource(nil)
    #expect(host.itemCount == 0 && host.controller.source == nil && !host.controller.isLost)
    #expect(host.takeLog() == ["cancel 5", "replace by 0"] && source.endedFrames == 1)
  }

  @Test("The former items are displayed until client code has returned, and pending updates follow their replacement")
  func settingInClientCode() {
    let host = SourceHostDouble()
    let (former, next) = (SourceDouble(count: 5), SourceDouble(count: 7))
    host.controller.setSource(former)
    _ = host.takeLog()
    host.deferringUpdates {
      host.performWhenReady { host.log("update of \(host.itemCount)") }
      host.controller.setSource(next)
      #expect(host.controller.source === next && host.controller.displayedSource == nil)
      #expect(host.controller.itemCounts.total == 5 && former.endedFrames == 0)
    }
    #expect(host.controller.displayedSource === next && former.endedFrames == 1)
    #expect(host.takeLog() == ["cancel 5", "replace by 7", "update of 7"])
  }

  @Test("A data source that was deallocated is noticed before its items are needed")
  func deallocation() {
    let host = SourceHostDouble()
    var source: SourceDouble? = SourceDouble(count: 5)
    source?.needsFrames = true
    host.controller.setSource(source)
    #expect(host.controller.hasWork && host.controller.hasWorkInFrame() && !host.controller.isLost)
    _ = host.takeLog()
    source = nil
    #expect(host.controller.isLost && host.itemCount == 5 && host.controller.hasWork)
    #expect(!host.controller.hasWorkInFrame() && !host.controller.hasWork)
    host.controller.removeItemsIfLost()
    host.controller.removeItemsIfLost()
    #expect(host.takeLog() == ["released", "replace by 0"] && !host.controller.isLost && host.itemCount == 0)
  }

  @Test("Only the current data source changes whether there is work, and is counted")
  func changes() {
    let host = SourceHostDouble()
    let (former, current) = (SourceDouble(count: 5), SourceDouble(count: 7))
    host.controller.setSource(former)
    host.controller.setSource(current)
    var counts = UpdateStatistics()
    counts.applied = 2
    former.needsFrames = true
    host.controller.sourceDidChange(former, adding: counts)
    #expect(!host.controller.hasWork && host.controller.statistics.applied == 0)
    current.needsFrames = true
    host.controller.sourceDidChange(current, adding: counts)
    #expect(host.controller.hasWork && host.controller.statistics.applied == 2)
    current.needsFrames = false
    host.controller.sourceDidChange(current, adding: UpdateStatistics())
    #expect(!host.controller.hasWork && host.controller.statistics.applied == 2)
  }

  @Test("Updates are counted by kind")
  func statistics() {
    let controller = SourceController(updates: DeferredUpdateController())
    var old = DiffableDataSourceSnapshot<Int, Int>()
    old.appendSections([0])
    old.appendItems([1, 2, 3])
    func record(_ change: (inout DiffableDataSourceSnapshot<Int, Int>) -> Void) {
      var new = old
      change(&new)
      controller.recordUpdate(new.changeset(from: old))
    }
    record { $0.appendItems([4]) }
    record { $0.deleteItems([1]) }
    record { $0.reconfigureItems([2]) }
    controller.recordReload()
    controller.recordRemappedItems(30)
    let counts = controller.statistics
    #expect(counts.structural == 2 && counts.appendOnly == 1 && counts.reconfigureOnly == 1)
    #expect(counts.reloadedAll == 1 && counts.remappedAhead == 30)
  }
}

/// A double of the collection view for the source controller, which displays the items that it is given.
private final class SourceHostDouble: ControllerHostDouble, @MainActor SourceHost {
  private let updates = DeferredUpdateController()
  private(set) lazy var controller = SourceController(updates: updates)
  private var calls: [String] = []

  init() {
    super.init(count: 0)
    controller.host = self
  }

  func log(_ call: String) { calls.append(call) }

  func reportReleasedSource() { log("released") }

  /// Removes and returns the calls so far.
  func takeLog() -> [String] {
    defer { calls = [] }
    return calls
  }

  override func deferringUpdates(_ body: () -> Void) { updates.deferringUpdates(body) }
  override func performWhenReady(_ update: @escaping () -> Void) { updates.perform(update) }

  func cancelPrefetching(of source: (any CollectionViewSource)?) {
    log("cancel \(source.map { "\($0.itemCounts.total)" } ?? "nil")")
  }

  func replaceItems(by counts: ItemCounts, showing show: @escaping () -> Void) {
    log("replace by \(counts.total)")
    show()
    solution = Self.layout(of: counts.total)
  }
}

/// A data source of one section.
private final class SourceDouble: @MainActor CollectionViewSource {
  let itemCounts: ItemCounts
  var needsFrames = false
  private(set) var endedFrames = 0

  init(count: Int) { itemCounts = ItemCounts([count]) }

  func framesDidEnd() { endedFrames += 1 }
  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell { CollectionViewCell() }
  func supplementaryView(
    ofKind kind: String, at path: IndexPath, in view: CollectionView
  ) -> CollectionReusableView? { nil }
  func collectUpdates(_ budget: FrameBudget) {}
  func frameWillBegin() {}
  func slackStep(_ budget: FrameBudget) -> Bool { false }
  var isPrefetching: Bool { false }
  var hasPendingUpdate: Bool { false }
  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? { nil }
}
