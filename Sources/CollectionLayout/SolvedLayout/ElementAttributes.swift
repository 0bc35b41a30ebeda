public import VitrineGeometry

/// The frame and stacking order of a supplementary or decoration view.
public struct ElementAttributes: Hashable, Sendable {
  /// The identity of the view.
  public var identity: ElementIdentity
  /// The frame in the content, in points, aligned to pixels.
  public var frame: Rect
  /// The stacking order, shared with ``LayoutAttributes/zIndex`` of cells; larger numbers are in front.
  public var zIndex: Int
  /// Whether the view is pinned to an edge of the viewport and not at its regular position.
  ///
  /// Only the frames of pinned views depend on the viewport. If a pinned view has the same position in the viewport at
  /// two offsets, it has it at all offsets between them.
  public var isPinned: Bool

  /// Creates attributes.
  public init(identity: ElementIdentity, frame: Rect, zIndex: Int = 0, isPinned: Bool = false) {
    self.identity = identity
    self.frame = frame
    self.zIndex = zIndex
    self.isPinned = isPinned
  }
}

/// The identity of a supplementary or decoration view.
public struct ElementIdentity: Hashable, Sendable {
  /// The element kind.
  public var kind: ElementKind
  /// The section, or nil if the view belongs to the whole layout.
  public var section: Int?
  /// The item of a badge; otherwise the number of the view among those of its kind in the section, starting at 0.
  public var item: Int
  /// The number of the view among those of its kind at the item, starting at 0.
  ///
  /// Views of a group precede those of its items.
  public var ordinal: Int

  /// Creates an identity.
  public init(kind: ElementKind, section: Int?, item: Int = 0, ordinal: Int = 0) {
    self.kind = kind
    self.section = section
    self.item = item
    self.ordinal = ordinal
  }
}

/// The kind of an element of a layout.
public enum ElementKind: Hashable, Sendable {
  /// The cell of an item.
  case cell
  /// A view that belongs to the content, such as a header, with the name of its kind.
  case supplementary(String)
  /// A view that belongs to the layout, such as a background, with the name of its kind.
  case decoration(String)
}

/// The frame and stacking order of an element.
public struct LayoutAttributes: Hashable, Sendable {
  /// The element kind.
  public var kind: ElementKind
  /// The index across all sections of a cell's item; defined by the layout for other elements.
  public var index: Int
  /// The frame in the content, in points.
  public var frame: Rect
  /// The stacking order; larger numbers are in front.
  public var zIndex: Int

  /// Creates attributes.
  public init(kind: ElementKind, index: Int, frame: Rect, zIndex: Int = 0) {
    self.kind = kind
    self.index = index
    self.frame = frame
    self.zIndex = zIndex
  }
}

/// A visible item, supplementary view or decoration view whose appearance a section's handler may change.
///
/// The layout does not store changes; they apply until the next layout pass.
public struct VisibleItem: Hashable, Sendable {
  /// The identity of an element: the index of an item across all sections, or another element.
  public enum Name: Hashable, Sendable {
    /// The cell of an item.
    case item(Int)
    /// A supplementary or decoration view.
    case element(ElementIdentity)
  }

  /// The identity of the element.
  public let name: Name
  /// The frame in the layout, in points in the content.
  public let frame: Rect
  /// The center in points in the content.
  ///
  /// Setting it moves the element.
  public var center: Point
  /// The stacking order; larger numbers are in front.
  public var zIndex: Int
  /// The opacity, in 0...1.
  ///
  /// Default: 1.
  public var alpha: Double
  /// The factor by which the element is scaled around its center; its frame does not change.
  ///
  /// Default: 1.
  ///
  /// Elements cannot be rotated, because only axis-aligned rectangles are drawn.
  public var scale: Double
  /// Whether the element is hidden.
  ///
  /// Default: false.
  public var isHidden: Bool

  /// Creates a visible item with the attributes of the layout.
  public init(name: Name, frame: Rect, zIndex: Int = 0) {
    self.name = name
    self.frame = frame
    center = Point(x: frame.midX, y: frame.midY)
    self.zIndex = zIndex
    alpha = 1
    scale = 1
    isHidden = false
  }
}
