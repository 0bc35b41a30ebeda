public import CollectionUI

/// A description of what a collection view shows: ``Grid`` or ``CollectionList``.
///
/// It is a value. Its presenter makes the collection view, and keeps it up to date with the observable state that the
/// description reads.
@MainActor
public protocol CollectionContent {
  /// Returns a new collection view that shows the content, with the object that updates it.
  func makePresenter() -> CollectionPresenter
}

/// An object that shows a ``CollectionContent`` in a collection view, as long as it exists.
@MainActor
public class CollectionPresenter {
  /// The collection view.
  ///
  /// All of its properties may be changed, except for its layout, its delegate and its items.
  public final let view: CollectionView

  init(_ view: CollectionView) { self.view = view }

  /// Shows the current items, as the presenter does when observable state changes.
  public func update() {}
}

/// What ``Grid`` and ``CollectionList`` have in common: items, how each is shown, and what the user does with them.
struct ItemDescription<Element, ID: Hashable & Sendable, Content: ContentConfiguration> {
  /// Returns the items, in order.
  var items: () -> [Element]
  /// The property that identifies an item.
  var id: KeyPath<Element, ID>
  /// Returns the content of an item's cell.
  var content: (Element) -> Content
  /// Returns the accessories of an item's cell in a list.
  var accessories: ((Element) -> [CellAccessory])?
  /// Returns whether an item is the header of a section in a list, or nil if there is one section.
  var startsSection: ((Element) -> Bool)?
  /// Called when the user selects an item.
  var onSelect: ((Element) -> Void)?
  /// Called when the user double-clicks an item or presses Return.
  var onPrimaryAction: ((Element) -> Void)?
  /// Returns the context menu of an item.
  var contextMenu: ((Element) -> Menu?)?
  /// Returns the swipe actions at the leading edge of an item.
  var leadingSwipeActions: ((Element) -> SwipeActionsConfiguration?)?
  /// Returns the swipe actions at the trailing edge of an item.
  var trailingSwipeActions: ((Element) -> SwipeActionsConfiguration?)?
  /// The colors, or nil for the default ones.
  var palette: InterfacePalette?
}
