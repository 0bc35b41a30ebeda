import CollectionEngine
import DataStructures
import struct FoundationEssentials.IndexPath

/// What is wanted ahead of its being seen, and whom to tell.
struct DataPrefetch {
  /// What was announced.
  var planner = PrefetchPlanner()
  /// Whether other items may be wanted than when it was last asked.
  var isDue = true
  /// Whether nobody is to be told anything, and nothing stands that was told.
  var isIdle = false
  /// Which way the content went when it was last asked, and where it was to come to rest.
  var course: (isForward: Bool, landing: ClosedRange<Double>?) = (true, nil)
  /// What is still to be told, in order: whoever is told may give up what was not told yet.
  var untold = Deque<() -> Void>()
  /// Whether somebody is being told.
  var isTelling = false
  /// What was asked for.
  var statistics = PrefetchStatistics()
  /// Who is told by path.
  weak var paths: (any CollectionViewDataSourcePrefetching)?
  /// The paths that were announced and still name the same items since these were numbered anew.
  var standingPaths = AnnouncedNames<IndexPath>()

  /// The most items that are wanted at once, on each side of those on screen.
  static let most = 8_192
}
