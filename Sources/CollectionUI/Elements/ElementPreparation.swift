import CollectionEngine
import CollectionLayout

/// What keeps supplementary and decoration views from when they are made: on screen, waiting, or in their pools.
struct ElementPreparation {
  /// Where every such view is, and what happened to each.
  var lifecycle = CellLifecycle()
  /// Views that are bound to no element.
  var pool = ReusePool<CollectionReusableView>()
  /// Views that stand ready for elements beside the screen.
  var waiting = WaitingElements<CollectionReusableView>()
  /// Elements that come and have no view that is ready, as of the frame that was begun.
  var upcoming: [ElementAttributes] = []
  /// The registration that gave the last view of a kind: the best guess for the next.
  var registrations: [ElementKind: Int] = [:]
  /// Whether those on screen are to be configured again, as the items are other ones.
  var needsRefresh = false
  /// The supplementary view that is configured again, while its provider runs.
  var reconfigured: CollectionReusableView?
  /// The classes of decoration views, by kind.
  var decorations: [String: CollectionReusableView.Type] = [:]
  /// The view that was dequeued last and the kind that it is made for, until its provider returns it.
  var dequeued: (view: CollectionReusableView, kind: String)?
  /// How often the items were other ones: what was configured before tells of them as they were.
  var updates = 0
  /// As many as were ever on screen.
  var maximumVisibleCount = 0

  /// Among the items that are to be prepared, elements have numbers from here on: below those of all items.
  static let firstNumber = -1_000_000_000

  /// The element that a candidate is, if it is one.
  func element(_ number: Int) -> ElementAttributes? {
    let place = number - ElementPreparation.firstNumber
    return number < 0 && upcoming.indices.contains(place) ? upcoming[place] : nil
  }
}
