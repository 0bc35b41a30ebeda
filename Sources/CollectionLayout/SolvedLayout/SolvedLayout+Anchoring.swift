internal import VitrineGeometry

extension SolvedLayout {
  /// Whether the content starts at the end of the scroll axis: in right-to-left layouts that scroll horizontally.
  public var beginsAtEnd: Bool { scrollAxis == .horizontal && environment.layoutDirection == .rightToLeft }

  /// Returns the anchor at an offset along the scroll axis: the first visible item and the part of it at the start
  /// edge.
  ///
  /// Returns `.start` at the start of the content and if there is no item.
  ///
  /// - Complexity: That of two queries of the layout.
  public func anchor(at offset: Double) -> ContentAnchor {
    guard beginsAtEnd ? offset < maximumOffset : offset > 0 else { return .start }
    let line = beginsAtEnd ? offset + viewportLength : offset
    let following = beginsAtEnd ? region(from: -.infinity, to: line) : region(from: line, to: .infinity)
    let visible = firstItem(in: visibleRect(at: offset))
    guard let item = visible ?? firstItem(in: following) ?? lastItem else { return .start }
    let frame = frame(ofItem: item)
    let length = frame.size[scrollAxis]
    // The fraction of the item before the line, in reading direction.
    let unit = (line - frame.origin[scrollAxis]) / length
    let hidden = beginsAtEnd ? 1 - unit : unit
    let viewportUnit = beginsAtEnd ? 1.0 : 0
    guard hidden > 0, hidden <= 1 else {
      let itemUnit = (hidden > 1) == beginsAtEnd ? 0.0 : 1
      return .item(
        ItemAnchor(
          item: item, itemUnit: itemUnit, viewportUnit: viewportUnit,
          points: frame.origin[scrollAxis] + itemUnit * length - line))
    }
    return .item(ItemAnchor(item: item, itemUnit: unit, viewportUnit: viewportUnit))
  }

  /// Returns the offset along the scroll axis that an anchor specifies, limited to the content.
  ///
  /// An item index beyond the last item counts as the last item.
  ///
  /// - Complexity: That of one query of the layout.
  public func offset(of anchor: ContentAnchor) -> Double {
    guard let offset = unboundedOffset(of: anchor) else { return beginsAtEnd ? maximumOffset : 0 }
    return offset > 0 ? min(maximumOffset, offset) : 0
  }

  /// Returns the offset along the scroll axis that an anchor specifies, not limited to the content.
  ///
  /// Returns nil for `.start` and if there is no item. An item index beyond the last item counts as the last item.
  ///
  /// - Complexity: That of one query of the layout.
  public func unboundedOffset(of anchor: ContentAnchor) -> Double? {
    guard case .item(let anchor) = anchor, let lastItem else { return nil }
    let frame = frame(ofItem: min(max(0, anchor.item), lastItem))
    let line = frame.origin[scrollAxis] + anchor.itemUnit * frame.size[scrollAxis]
    return line - anchor.viewportUnit * viewportLength - anchor.points
  }

  /// Returns the offset nearest to a given one at which an item and a margin around it are fully visible.
  ///
  /// If the item is longer than the viewport, its start is shown.
  ///
  /// - Parameters:
  ///   - index: The index of the item across all sections.
  ///   - offset: The current offset in points.
  ///   - margin: The margin before and after the item in points. Default: 0.
  /// - Precondition: The item exists.
  /// - Complexity: That of one query of the layout.
  public func offset(revealingItem index: Int, from offset: Double, margin: Double = 0) -> Double {
    let frame = frame(ofItem: index)
    let start = frame.origin[scrollAxis] - margin
    let end = frame.origin[scrollAxis] + frame.size[scrollAxis] + margin
    let revealing = min(start, max(offset, end - viewportLength))
    return revealing > 0 ? min(maximumOffset, revealing) : 0
  }

  private var lastItem: Int? { itemCounts.total > 0 ? itemCounts.total - 1 : nil }
}

/// A point of an item along the scroll axis and its position in the viewport.
public struct ItemAnchor: Hashable, Sendable {
  /// The index of the item across all sections.
  public var item: Int
  /// The point of the item, as a fraction of its length along the scroll axis.
  public var itemUnit: Double
  /// The line of the viewport, as a fraction of its length along the scroll axis.
  public var viewportUnit: Double
  /// The distance from the line to the point, in points.
  public var points: Double

  /// Creates an anchor.
  public init(item: Int, itemUnit: Double, viewportUnit: Double, points: Double = 0) {
    self.item = item
    self.itemUnit = itemUnit
    self.viewportUnit = viewportUnit
    self.points = points
  }

  /// Creates an anchor that aligns an item with the viewport.
  public init(item: Int, alignment: ScrollAlignment, points: Double = 0) {
    self.init(item: item, itemUnit: alignment.unit, viewportUnit: alignment.unit, points: points)
  }
}

/// The part of the content that keeps its position on screen while the layout changes.
///
/// The scroll position is stored as an anchor, from which the offset is derived. Therefore items that are inserted,
/// resized or measured above the anchor do not move visible items. An anchor is determined when the user scrolls and
/// stays valid through later layouts; if it was determined again after each layout, it would drift to the start of its
/// row. The item is identified by its index: to keep an anchor while the content changes, store the item's identifier
/// in addition.
public enum ContentAnchor: Hashable, Sendable {
  /// The start of the content stays at the start of the viewport, even if items are inserted there.
  case start
  /// A point of an item keeps its position in the viewport.
  case item(ItemAnchor)
}

/// The alignment of an item with the viewport.
public enum ScrollAlignment: Hashable, Sendable {
  /// Their starts are aligned.
  case leading
  /// Their centers are aligned.
  case center
  /// Their ends are aligned.
  case trailing

  /// The aligned position as a fraction of the length.
  public var unit: Double {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}
