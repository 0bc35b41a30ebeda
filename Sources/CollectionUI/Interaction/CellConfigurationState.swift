/// What a cell's look depends on besides its item.
public struct CellConfigurationState: Hashable, Sendable {
  /// Whether the item is selected.
  public var isSelected = false
  /// Whether the item is pressed.
  public var isHighlighted = false
  /// Whether the keyboard is at the item, and shows that.
  public var isFocused = false
  /// Whether the pointer is over the item and nothing moves.
  public var isHovered = false
  /// Whether a hand carries the item, or it comes to rest after that: it lies over the others.
  public var isReordering = false

  /// Nothing of it.
  public init() {}
}
