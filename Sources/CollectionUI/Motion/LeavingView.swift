import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry

/// A view that is no longer where the model has anything, and is shown until it has gone or faded.
struct DisappearingView {
  /// What becomes of it when it has gone.
  enum Completion {
    /// A cell whose item is off screen: it may wait for that.
    case returnsToWaiting(item: Int)
    /// A cell whose item is gone, or has another cell: it was displayed at a path, and goes where the item's place is, if
    /// there is one.
    case returnsToPool(path: IndexPath, item: Int?)
    /// A supplementary or decoration view; its name, where the layout still has it somewhere.
    case element(ElementIdentity?)
    /// Only a picture of a view that stands elsewhere, as long as that shows what it showed.
    case copy(generation: Int)
  }

  /// Its number among the elements that move.
  let number: Int
  /// The view; its drawing is shown.
  let view: CollectionReusableView
  /// What becomes of it when it has gone.
  var completion: Completion
  /// Where it goes, in the content's coordinates.
  var frame: Rect
  /// How much it hides when it is there.
  var opacity: Double

  /// The item off screen that it belongs to, if it does.
  var waitingItem: Int? {
    if case .returnsToWaiting(let item) = completion { item } else { nil }
  }
}
