public import CollectionUI

/// A grid of items in columns of the same width.
///
///     Grid(1...1_000_000, id: \.self, columns: .minimumWidth(120)) { number in
///       TextContentConfiguration(String(number))
///     }
///
/// The items, and the content of a cell, may read observable state; the grid follows its changes.
public struct Grid<Element, ID: Hashable & Sendable, Content: ContentConfiguration>: CollectionContent {
  private var description: ItemDescription<Element, ID, Content>
  private let layout: GridLayout
  private var background: BackgroundConfiguration?

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - items: The items, in order. The expression is evaluated again when observable state that it reads changes.
  ///   - id: The property that identifies an item. No two items may have the same identifier.
  ///   - columns: The number of columns. Default: as many as fit with 120 points each.
  ///   - spacing: The space between columns and between rows, in points. Default: 8.
  ///   - heightRatio: The height of an item as a multiple of its width. Default: 1.
  ///   - content: Returns the content of an item's cell. It is called when the cell is prepared.
  public init<Items: Sequence>(
    _ items: @escaping @autoclosure () -> Items, id: KeyPath<Element, ID>,
    columns: GridLayout.Columns = .minimumWidth(120), spacing: Double = 8, heightRatio: Double = 1,
    content: @escaping (Element) -> Content
  ) where Items.Element == Element {
    description = ItemDescription(items: { Array(items()) }, id: id, content: content)
    layout = GridLayout(
      columns: columns, columnSpacing: spacing, rowSpacing: spacing,
      sectionInsets: Insets(top: spacing, left: spacing, bottom: spacing, right: spacing), heightRatio: heightRatio)
  }

  /// Calls a closure when the user selects an item.
  public func onSelect(_ action: @escaping (Element) -> Void) -> Self { with(\.description.onSelect, action) }

  /// Calls a closure when the user double-clicks an item, or presses Return while it is focused.
  public func onPrimaryAction(_ action: @escaping (Element) -> Void) -> Self {
    with(\.description.onPrimaryAction, action)
  }

  /// Sets the colors of the cells and of the background.
  ///
  /// By default, the dark ones.
  public func palette(_ palette: InterfacePalette) -> Self { with(\.description.palette, palette) }

  /// Sets the background of the cells.
  ///
  /// By default, a rounded rectangle in the palette's secondary background.
  public func cellBackground(_ background: BackgroundConfiguration) -> Self { with(\.background, background) }

  private func with<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var copy = self
    copy[keyPath: property] = value
    return copy
  }

  /// Returns a collection view with a grid layout.
  public func makePresenter() -> CollectionPresenter {
    let view = CollectionView(layout: layout)
    view.backgroundColor = view.palette.background
    let background = background
    return ItemPresenter<Element, ID, CollectionViewCell, Content>(description, in: view) { [unowned view] cell, _ in
      cell.backgroundConfiguration =
        background ?? BackgroundConfiguration(backgroundColor: view.palette.secondaryBackground, cornerRadius: 8)
    }
  }
}
