public import CollectionUI

/// A list of items in rows, with separators and accessories.
///
///     CollectionList(model.cities, id: \.name) { city in
///       ListContentConfiguration(text: city.name, secondaryText: city.country)
///     }
///     .accessories { _ in [.disclosureIndicator] }
///     .onSelect { model.show($0) }
///
/// The items, and the content of a cell, may read observable state; the list follows its changes.
public struct CollectionList<Element, ID: Hashable & Sendable, Content: ContentConfiguration>: CollectionContent {
  private var description: ItemDescription<Element, ID, Content>
  private var configuration: CollectionLayoutListConfiguration

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - items: The items, in order. The expression is evaluated again when observable state that it reads changes.
  ///   - id: The property that identifies an item. No two items may have the same identifier.
  ///   - appearance: The style of the list. Default: plain.
  ///   - rowHeight: The height of rows, or nil for rows as high as their content. Default: nil.
  ///   - content: Returns the content of an item's cell. It is called when the cell is prepared.
  public init<Items: Sequence>(
    _ items: @escaping @autoclosure () -> Items, id: KeyPath<Element, ID>,
    appearance: CollectionLayoutListConfiguration.Appearance = .plain, rowHeight: Double? = nil,
    content: @escaping (Element) -> Content
  ) where Items.Element == Element {
    description = ItemDescription(items: { Array(items()) }, id: id, content: content)
    var configuration = CollectionLayoutListConfiguration(appearance: appearance)
    configuration.rowHeight = rowHeight.map { .absolute($0) }
    self.configuration = configuration
  }

  /// Sets the accessories of rows.
  public func accessories(_ accessories: @escaping (Element) -> [CellAccessory]) -> Self {
    with(\.accessories, accessories)
  }

  /// Divides the list into sections, each with its first item as the header.
  ///
  ///     CollectionList(model.settings, id: \.name, appearance: .insetGrouped) { … }
  ///       .sections { $0.isTitle }
  ///
  /// A header has no separators and no background, and is not on the rounded card of a section. The first item is a
  /// header in any case.
  ///
  /// - Parameter isHeader: Returns whether an item is the header of a section. It is called when the items are read.
  public func sections(startingAt isHeader: @escaping (Element) -> Bool) -> Self {
    var copy = with(\.startsSection, isHeader)
    copy.configuration.headerMode = .firstItemInSection
    return copy
  }

  /// Calls a closure when the user selects an item.
  public func onSelect(_ action: @escaping (Element) -> Void) -> Self { with(\.onSelect, action) }

  /// Calls a closure when the user double-clicks an item, or presses Return while it is focused.
  public func onPrimaryAction(_ action: @escaping (Element) -> Void) -> Self { with(\.onPrimaryAction, action) }

  /// Sets the context menu of an item.
  ///
  /// If items can be selected, a secondary click selects the item first, as ``onSelect(_:)`` notices.
  ///
  /// - Parameter menu: Returns the menu, or nil for none.
  public func contextMenu(_ menu: @escaping (Element) -> Menu?) -> Self { with(\.contextMenu, menu) }

  /// Sets the actions that a swipe reveals at the leading edge of an item, which are also in its context menu.
  ///
  /// - Parameter actions: Returns the actions, or nil for none.
  public func leadingSwipeActions(_ actions: @escaping (Element) -> SwipeActionsConfiguration?) -> Self {
    with(\.leadingSwipeActions, actions)
  }

  /// Sets the actions that a swipe reveals at the trailing edge of an item, which are also in its context menu.
  ///
  /// - Parameter actions: Returns the actions, or nil for none.
  public func trailingSwipeActions(_ actions: @escaping (Element) -> SwipeActionsConfiguration?) -> Self {
    with(\.trailingSwipeActions, actions)
  }

  /// Sets the colors of the rows and of the background.
  ///
  /// By default, the dark ones.
  public func palette(_ palette: InterfacePalette) -> Self { with(\.palette, palette) }

  private func with<Value>(
    _ property: WritableKeyPath<ItemDescription<Element, ID, Content>, Value>, _ value: Value
  ) -> Self {
    var copy = self
    copy.description[keyPath: property] = value
    return copy
  }

  /// Returns a collection view with a list layout.
  public func makePresenter() -> CollectionPresenter {
    let view = CollectionView(layout: CompositionalLayout.list(using: configuration))
    view.backgroundColor = view.palette.background
    let (accessories, startsSection) = (description.accessories, description.startsSection)
    return ItemPresenter<Element, ID, ListCell, Content>(description, in: view) { cell, element in
      cell.accessories = accessories?(element) ?? []
      if let startsSection { cell.backgroundConfiguration = startsSection(element) ? nil : .listPlainCell }
    }
  }
}
