import CollectionEngine
import struct FoundationEssentials.IndexPath
import Views

/// What a collection view asks of its data source, by flat index: identifiers are the data source's own affair.
protocol CollectionViewSource: AnyObject {
  /// How many items each section has.
  var sectionCounts: [Int] { get }
  /// The cell that the provider gives for an item.
  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell
  /// The view that the provider gives for a supplementary view; nothing where there is no provider.
  func supplementaryView(ofKind kind: String, at path: IndexPath, in view: CollectionView) -> CollectionReusableView?
  /// What is wanted ahead has changed; called in every frame in which the content moved.
  ///
  /// - Parameters:
  ///   - plan: what changed in numbers of now; all that is wanted, where the items were numbered anew.
  ///   - wanted: all that is wanted or on screen now.
  func announce(_ plan: PrefetchPlanner.Plan, wanted: Range<Int>)

  /// Whether it has something to do in a frame; it tells the view whenever that changes, by `hasUpdates`.
  var needsFrames: Bool { get }
  /// Phase 3: carries out what waits for a frame.
  func collect(_ budget: FrameBudget)
  /// Phase 5 begins: what is shown by now is in the frame.
  func frameBegins()
  /// Phase 8: does one step of work ahead, if it has one that fits.
  ///
  /// - Returns: whether a step was done.
  func slackStep(_ budget: FrameBudget) -> Bool
}
