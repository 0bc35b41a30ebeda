@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineTestSupport
import VitrineViews

/// A double of the collection view for the tests of data sources, which performs updates by recording them.
final class DataSourceHostDouble: @MainActor DataSourceAdapterHost {
  weak var source: (any CollectionViewSource)?
  var runsFrames = false
  var isAnimatingUpdates = false
  /// Whether large updates can be performed.
  var isReady = true
  /// The counts that the client of an adapter returns.
  var counts: [Int] = []
  /// The performed updates, in order.
  private(set) var updates: [CollectionUpdate] = []
  /// The counts that data sources reported.
  private(set) var statistics = UpdateStatistics()
  /// Whether the data source has work to do in frames.
  private(set) var needsFrames = false
  /// The other calls, in order.
  private(set) var log: [String] = []
  private var callDepth = 0
  private var pending: [() -> Void] = []
  private let clock = SimulatedClock(kind: .virtual)

  /// Calls client code, such as a cell provider.
  ///
  /// Updates that it requests are performed afterwards.
  func callClient(_ body: () -> Void) {
    callDepth += 1
    body()
    callDepth -= 1
    while callDepth == 0, !pending.isEmpty { pending.removeFirst()() }
  }

  /// Runs the phases of a frame that concern the data source.
  ///
  /// - Parameter steps: The number of steps that fit into its slack time.
  func runFrame(steps: Int = 0) {
    let start = clock.now()
    let budget = FrameBudget(clock: clock, limit: start + .milliseconds(12), target: start + .milliseconds(16))
    source?.collectUpdates(budget)
    source?.frameWillBegin()
    for _ in 0..<steps where source?.slackStep(budget) != true { break }
    clock.advance(by: .milliseconds(16))
  }

  func hasSource(_ source: any CollectionViewSource) -> Bool { self.source === source }

  func performWhenReady(_ update: @escaping () -> Void) {
    if callDepth == 0, pending.isEmpty { update() } else { pending.append(update) }
  }

  func isReady(for update: CollectionUpdate) -> Bool { isReady }

  func performUpdate(_ makeUpdate: () -> CollectionUpdate?, showing show: @escaping () -> Void) {
    callClient {
      guard let update = makeUpdate() else { return }
      updates.append(update)
      show()
    }
  }

  func sourceDidChange(_ source: any CollectionViewSource, adding counts: UpdateStatistics) {
    guard hasSource(source) else { return }
    needsFrames = source.needsFrames
    statistics.add(counts)
  }

  func reconfigureItem(at index: Int) { log.append("reconfigure \(index)") }
  func invalidateItems(at paths: [IndexPath]) { log.append("invalidate \(paths.map(\.item))") }
  func prefetchingWillChange(of source: any CollectionViewSource) { log.append("prefetching") }
  func itemCounts(of dataSource: any CollectionViewDataSource) -> [Int] { counts }

  func performUpdates(of adapter: DataSourceAdapter, _ updates: () -> Void, completion: @escaping () -> Void) {
    updates()
    completion()
  }
}
