import CollectionEngine
import DataStructures
import struct FoundationEssentials.IndexPath

/// What is wanted ahead of its being seen, and whom to tell.
struct PrefetchState {
  /// What was announced.
  var planner = PrefetchPlanner()
  /// Whether other items may be wanted than when it was last asked.
  var needsUpdate = true
  /// Whether nobody is to be told anything, and nothing stands that was told.
  var isIdle = false
  /// Which way the content went when it was last asked, and where it was to come to rest.
  var trajectory: (isForward: Bool, landing: ClosedRange<Double>?) = (true, nil)
  /// What is still to be told, in order: whoever is told may give up what was not told yet.
  var pendingCallbacks = Deque<() -> Void>()
  /// Whether somebody is being told.
  var isDelivering = false
  /// What was asked for.
  var statistics = PrefetchStatistics()
  /// Who is told by path.
  weak var pathDataSource: (any CollectionViewDataSourcePrefetching)?
  /// The paths that were announced and still name the same items since these were numbered anew.
  var announcedPaths = AnnouncedItems<IndexPath>()

  /// The most items that are wanted at once, on each side of those on screen.
  static let maximumItems = 8_192
}
