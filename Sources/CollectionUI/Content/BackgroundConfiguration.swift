import VitrineCollectionLayout
public import VitrineGeometry
public import VitrineRendering
import VitrineViews

/// A value that describes the background of a cell: a color for each state, rounded corners and a border.
///
/// Set it as a cell's ``CollectionViewCell/backgroundConfiguration``. Colors that are nil are those of the collection
/// view's ``CollectionView/palette``.
public struct BackgroundConfiguration: Hashable, Sendable {
  /// The color without a state, or nil for none.
  ///
  /// Default: nil.
  public var backgroundColor: Color?
  /// The color of a selected cell, or nil for the palette's.
  ///
  /// Default: nil.
  public var selectedColor: Color?
  /// The color of a pressed cell, or nil for the palette's.
  ///
  /// Default: nil.
  public var highlightedColor: Color?
  /// The color of a cell under the pointer, or nil for the palette's.
  ///
  /// Default: nil.
  public var hoveredColor: Color?
  /// The corner radius, in points.
  ///
  /// Default: 0.
  public var cornerRadius: Double
  /// The distance of the background from the cell's edges, in points.
  ///
  /// Default: zero.
  public var insets: Insets
  /// The width of the border, in points.
  ///
  /// Default: 0, which is none.
  public var strokeWidth: Double
  /// The color of the border, or nil for the palette's separator.
  ///
  /// Default: nil.
  public var strokeColor: Color?

  /// Creates a background.
  public init(
    backgroundColor: Color? = nil, cornerRadius: Double = 0, insets: Insets = .zero, strokeWidth: Double = 0,
    strokeColor: Color? = nil
  ) {
    self.backgroundColor = backgroundColor
    self.cornerRadius = cornerRadius
    self.insets = insets
    self.strokeWidth = strokeWidth
    self.strokeColor = strokeColor
  }

  /// The background of a cell in a list: the color of its state, over the whole width.
  ///
  /// On the rounded card of a section, the first and the last cell have the card's corners.
  public static let listPlainCell = BackgroundConfiguration()

  /// The background of a cell in a side bar: the color of its state, with rounded corners.
  public static let listSidebarCell = BackgroundConfiguration(
    cornerRadius: 6, insets: Insets(top: 1, left: 8, bottom: 1, right: 8))

  /// Returns the color for a state, or nil if nothing is drawn.
  public func resolvedColor(in context: ContentContext) -> Color? {
    let (state, palette) = (context.state, context.palette)
    if state.isHighlighted { return highlightedColor ?? palette.highlight }
    if state.isSelected { return selectedColor ?? palette.selection }
    if state.isHovered { return hoveredColor ?? palette.hover }
    return backgroundColor
  }

  /// Returns whether anything is drawn for a state.
  func isVisible(in context: ContentContext) -> Bool {
    strokeWidth > 0 || context.state.isFocused || resolvedColor(in: context) != nil
  }

  /// Draws the background of a cell.
  ///
  /// - Parameters:
  ///   - bounds: The bounds of the cell.
  ///   - context: The state and the colors.
  ///   - ends: The ends of the section's card at which the cell is, or nil if it is not on one.
  ///   - drawContext: The context.
  @MainActor
  func draw(in bounds: Rect, _ context: ContentContext, _ ends: BackgroundEnds?, _ drawContext: DrawContext) {
    let rect = Rect(
      x: bounds.minX + insets.left, y: bounds.minY + insets.top,
      width: max(0, bounds.width - insets.left - insets.right),
      height: max(0, bounds.height - insets.top - insets.bottom))
    guard rect.width > 0, rect.height > 0 else { return }
    let color = resolvedColor(in: context)
    if strokeWidth > 0 {
      drawContext.fillRounded(rect, radius: cornerRadius, strokeColor ?? context.palette.separator)
      let inner = Rect(
        x: rect.minX + strokeWidth, y: rect.minY + strokeWidth, width: max(0, rect.width - 2 * strokeWidth),
        height: max(0, rect.height - 2 * strokeWidth))
      drawContext.fillRounded(
        inner, radius: max(0, cornerRadius - strokeWidth), color ?? context.palette.background)
    } else if let color {
      if let ends, cornerRadius == 0, insets == .zero {
        fillEnd(of: rect, ends, color, drawContext)
      } else {
        drawContext.fillRounded(rect, radius: cornerRadius, color)
      }
    }
    if context.state.isFocused {
      // On a card, the ring is inside the card's corners.
      let radius = ends == nil ? cornerRadius : max(cornerRadius, Self.cardRadius)
      let background = ends == nil ? context.palette.background : context.palette.secondaryBackground
      drawContext.fillRing(
        around: rect.insetBy(2), width: 2, cornerRadius: radius - (ends == nil ? 0 : 2), context.palette.tint)
      drawContext.fillRounded(rect.insetBy(2), radius: max(0, radius - 2), color ?? background)
    }
  }

  /// The corner radius of a card.
  private static let cardRadius = CollectionLayoutListConfiguration.backgroundCornerRadius

  /// Fills a rectangle whose corners are round at the ends of a card.
  @MainActor
  private func fillEnd(of rect: Rect, _ ends: BackgroundEnds, _ color: Color, _ drawContext: DrawContext) {
    guard !ends.isEmpty else { return drawContext.fill(rect, color) }
    let radius = Self.cardRadius
    var card = rect
    if !ends.contains(.first) {
      card.origin.y -= radius
      card.size.height += radius
    }
    if !ends.contains(.last) { card.size.height += radius }
    drawContext.clipped(to: rect) { $0.fillRounded(card, radius: radius, color) }
  }
}

extension Rect {
  fileprivate func insetBy(_ points: Double) -> Rect {
    Rect(x: minX + points, y: minY + points, width: max(0, width - 2 * points), height: max(0, height - 2 * points))
  }
}
