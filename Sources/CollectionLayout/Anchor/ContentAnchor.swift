/// What stays where it is on screen while the layout changes.
///
/// A scroll position is an anchor, and the offset is derived from it: whatever is inserted, resized or measured above it
/// moves nothing that is seen. It is chosen when the user scrolls and kept through any number of layouts; chosen anew
/// after each, it would creep to the beginning of its row. The item is an index; who keeps an anchor through changes of
/// content keeps the item's identifier beside it.
public enum ContentAnchor: Hashable, Sendable {
  /// The very beginning of the content stays at the beginning of the viewport, whatever comes before what is there.
  case start
  /// A place in an item stays at a place in the viewport.
  case item(ItemAnchor)
}
