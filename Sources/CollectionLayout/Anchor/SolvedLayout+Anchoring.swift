internal import Geometry

extension SolvedLayout {
  /// Whether content begins at the end of the scroll axis: where it scrolls to the side and one reads from right to left.
  public var beginsAtEnd: Bool { scrollAxis == .horizontal && environment.layoutDirection == .rightToLeft }

  /// The anchor of an offset along the scroll axis: the first visible item, by the place of it that is uppermost, or
  /// nearest to where reading begins.
  ///
  /// At the very beginning, and where there is no item, it is the beginning.
  ///
  /// - Complexity: That of two questions to the layout.
  public func anchor(at offset: Double) -> ContentAnchor {
    guard beginsAtEnd ? offset < maximumOffset : offset > 0 else { return .start }
    let line = beginsAtEnd ? offset + viewportLength : offset
    let behind = beginsAtEnd ? region(from: -.infinity, to: line) : region(from: line, to: .infinity)
    let visible = firstItem(in: visibleRect(at: offset))
    guard let item = visible ?? firstItem(in: behind) ?? lastItem else { return .start }
    let frame = frame(ofItem: item)
    let length = frame.size[scrollAxis]
    // How much of the item, as a share, lies before the line as one reads.
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

  /// The offset along the scroll axis at which an anchor is where it says, as far as the content reaches.
  ///
  /// An item beyond the last one counts as the last one.
  ///
  /// - Complexity: That of one question to the layout.
  public func offset(of anchor: ContentAnchor) -> Double {
    guard let offset = unboundedOffset(of: anchor) else { return beginsAtEnd ? maximumOffset : 0 }
    return offset > 0 ? min(maximumOffset, offset) : 0
  }

  /// The offset along the scroll axis at which an anchor is where it says, however far the content reaches.
  ///
  /// Nothing for the beginning, and where there is no item. An item beyond the last one counts as the last one.
  ///
  /// - Complexity: That of one question to the layout.
  public func unboundedOffset(of anchor: ContentAnchor) -> Double? {
    guard case .item(let anchor) = anchor, let lastItem else { return nil }
    let frame = frame(ofItem: min(max(0, anchor.item), lastItem))
    let place = frame.origin[scrollAxis] + anchor.itemUnit * frame.size[scrollAxis]
    return place - anchor.viewportUnit * viewportLength - anchor.points
  }

  /// The offset nearest to another at which an item is fully visible, with a margin in points around it.
  ///
  /// An item that is longer than the viewport is shown from its beginning.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: That of one question to the layout.
  public func offset(revealingItem index: Int, from offset: Double, margin: Double = 0) -> Double {
    let frame = frame(ofItem: index)
    let start = frame.origin[scrollAxis] - margin
    let end = frame.origin[scrollAxis] + frame.size[scrollAxis] + margin
    let revealing = min(start, max(offset, end - viewportLength))
    return revealing > 0 ? min(maximumOffset, revealing) : 0
  }

  private var lastItem: Int? { itemCounts.total > 0 ? itemCounts.total - 1 : nil }
}
