import CollectionEngine
import DiffableData
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
  /// Whether somebody is to be told what is wanted ahead.
  var isPrefetching: Bool { get }
  /// Whether a snapshot waits to be shown.
  var hasPendingUpdate: Bool { get }
  /// What is wanted ahead has changed.
  ///
  /// - Parameters:
  ///   - plan: what changed in numbers of now; all that is wanted, where the items were numbered anew.
  ///   - planner: the planner that made it.
  /// - Returns: what there is to tell; nothing where nobody is to be told.
  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement?

  /// Items have cells on screen, and nothing is announced in this frame: what is kept by name is theirs by now.
  func recordShown(_ items: IndexRuns)

  /// No frame will call what waits for one: the view shows another data source's items, or none, or is in no window.
  func framesDidEnd()

  // MARK: Items that are carried

  /// Whether an item may be put elsewhere by hand.
  func canMoveItem(at index: Int) -> Bool
  /// A hand takes an item: what goes along with it is not shown meanwhile.
  func beginMove(of index: Int)
  /// Where the item that is carried stands as long as it is not put elsewhere.
  var originalPathOfMove: IndexPath? { get }
  /// Shows the item that is carried, and no other, elsewhere.
  func showMove(to path: IndexPath)
  /// Puts the item that is carried where it is shown, and tells so.
  func endMove()
  /// Shows the item that is carried where it was.
  func cancelMove()
  /// Puts an item elsewhere, as a key does.
  ///
  /// - Returns: whether it was.
  func moveItem(at index: Int, to path: IndexPath) -> Bool

  /// Whether it has something to do in a frame; it tells the view whenever that changes, by `hasUpdates`.
  var needsFrames: Bool { get }
  /// Phase 3: carries out what waits for a frame.
  func collectUpdates(_ budget: FrameBudget)
  /// Phase 5 begins: what is shown by now is in the frame.
  func frameWillBegin()
  /// Phase 8: does one step of work ahead, if it has one that fits.
  ///
  /// - Returns: whether a step was done.
  func slackStep(_ budget: FrameBudget) -> Bool
}

extension CollectionViewSource {
  /// Nothing is kept.
  func recordShown(_ items: IndexRuns) {}

  /// Nothing waits.
  func framesDidEnd() {}

  /// None may.
  func canMoveItem(at index: Int) -> Bool { false }

  /// None is.
  func beginMove(of index: Int) {}

  /// None is.
  var originalPathOfMove: IndexPath? { nil }

  /// None is.
  func showMove(to path: IndexPath) {}

  /// None is.
  func endMove() {}

  /// None is.
  func cancelMove() {}

  /// None may.
  func moveItem(at index: Int, to path: IndexPath) -> Bool { false }
}
