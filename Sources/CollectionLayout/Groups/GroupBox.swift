internal import VitrineGeometry

/// A subitem of a group that is being solved, with lengths in pixels that are not rounded yet.
struct GroupBox: Sendable {
  /// The content of a box.
  enum Content: Sendable {
    /// A cell.
    case item
    /// Nested boxes in a line.
    case line(GroupLine)
    /// Cells with frames from the client, relative to the corner inside the insets.
    case placed([CollectionLayoutGroupCustomItem])
  }

  /// The dimensions that determine the size.
  var dimensions: CollectionLayoutSize
  /// The axis along which the box has the same length as its siblings, regardless of its dimension, or nil.
  var equalAxis: Axis?
  /// The size before any cell was measured.
  var estimate: Size
  /// The required size along self-sizing axes; along other axes equal to ``estimate``.
  var need: Size
  /// The spacing outside the edges.
  var margins: BoxMargins
  /// The insets inside the edges.
  var insets: BoxMargins
  var supplementaryItems: [CollectionLayoutSupplementaryItem]
  /// The range of the slots of its cells.
  var slots: Range<Int>
  var content: Content

  /// Whether the size of the box or of a nested box depends on the preferred sizes of cells.
  var dependsOnCells: Bool {
    if isSelfSizing(.horizontal) || isSelfSizing(.vertical) { return true }
    if case .line(let line) = content { return line.boxes.contains { $0.dependsOnCells } }
    return false
  }

  /// Returns whether the preferred sizes of cells determine the length along an axis.
  func isSelfSizing(_ axis: Axis) -> Bool { equalAxis != axis && dimensions[axis].isEstimated }

  /// Returns whether the length along an axis is that of the largest sibling with the same rule.
  func isUniform(_ axis: Axis) -> Bool {
    equalAxis != axis && dimensions[axis].rule == .uniformAcrossSiblings
  }

  /// Returns the fraction of the container's length along an axis, or nil if the dimension is not such a fraction.
  func share(_ axis: Axis) -> Double? {
    let own: CollectionLayoutDimension.Rule = axis == .horizontal ? .fractionalWidth : .fractionalHeight
    guard equalAxis != axis, dimensions[axis].rule == own else { return nil }
    return min(dimensions[axis].value, 1)
  }

  /// Returns the length along an axis in a container, before it is clipped.
  func preferredLength(_ axis: Axis, in container: Size, scale: Double) -> Double {
    isSelfSizing(axis) ? need[axis] : GroupBox.pixels(dimensions[axis], in: container, scale: scale)
  }

  /// Returns the length of a dimension in pixels, at least 1.
  static func pixels(_ dimension: CollectionLayoutDimension, in container: Size, scale: Double) -> Double {
    let length =
      switch dimension.rule {
      case .fractionalWidth, .fractionalHeight: dimension.length(in: container)
      case .absolute, .estimated, .uniformAcrossSiblings: dimension.value * scale
      }
    return min(max(1, length), Double(SectionContainer.maximumLength))
  }
}

extension GroupBox {
  /// Returns the measured size of the cell in a slot, in pixels; nil for sides that were not measured.
  typealias Measured = (_ slot: Int) -> (width: Int?, height: Int?)

  /// Computes the required sizes of all boxes along their self-sizing axes.
  ///
  /// - Complexity: O(b) for b boxes.
  mutating func findNeeds(_ measured: Measured) {
    if case .line(var line) = content {
      // The line is uniquely referenced, so that its boxes are mutated in place.
      content = .item
      for index in line.boxes.indices { line.boxes[index].findNeeds(measured) }
      content = .line(line)
    }
    findOwnNeed(measured)
  }

  /// Computes the required size of the box from those of its nested boxes.
  mutating func findOwnNeed(_ measured: Measured) {
    need = estimate
    switch content {
    case .item:
      let size = measured(slots.lowerBound)
      setNeed(.horizontal, size.width.map(Double.init) ?? estimate.width)
      setNeed(.vertical, size.height.map(Double.init) ?? estimate.height)
    case .placed: break
    case .line(var line):
      content = .item
      line.shareNeeds(.horizontal)
      line.shareNeeds(.vertical)
      setNeed(.horizontal, line.need(.horizontal, estimate: estimate.width))
      setNeed(.vertical, line.need(.vertical, estimate: estimate.height))
      content = .line(line)
    }
  }

  private mutating func setNeed(_ axis: Axis, _ length: Double) {
    if isSelfSizing(axis) { need[axis] = min(max(1, length), Double(SectionContainer.maximumLength)) }
  }
}

extension GroupLine {
  /// Sets the required length of all uniform boxes along an axis to the largest one.
  fileprivate mutating func shareNeeds(_ axis: Axis) {
    guard boxes.contains(where: { $0.isUniform(axis) }) else { return }
    let largest = boxes.reduce(0) { $1.isUniform(axis) ? max($0, $1.need[axis]) : $0 }
    for index in boxes.indices where boxes[index].isUniform(axis) { boxes[index].need[axis] = largest }
  }
}

// MARK: - Lines

/// Boxes that follow each other along an axis.
struct GroupLine: Sendable {
  var axis: Axis
  /// The minimum space between boxes, in whole pixels.
  var gap: Double
  /// Whether the space between boxes grows with the remaining space.
  var gapIsFlexible: Bool
  var boxes: [GroupBox]

  /// The total space between the boxes.
  var gaps: Double { gap * Double(boxes.count - 1) }

  /// Returns the length along an axis that the line requires for all of its boxes.
  ///
  /// Boxes with a fraction of the line get that fraction of the result. If the line contains only such boxes, the
  /// result is the estimate.
  func need(_ axis: Axis, estimate: Double) -> Double {
    let isAlong = axis == self.axis
    var sum = isAlong ? gaps : 0
    var largest = 0.0
    var shares = 0.0
    var isKnown = false
    for box in boxes {
      let margins = box.margins[axis].sum
      guard box.share(axis) == nil, box.equalAxis != axis else {
        shares += box.share(axis) ?? 1
        sum += margins
        continue
      }
      isKnown = true
      sum += margins + box.need[axis]
      largest = max(largest, margins + box.need[axis])
    }
    guard isKnown else { return estimate }
    let need = !isAlong ? largest : shares == 0 ? sum : shares < 1 ? sum / (1 - shares) : max(sum, estimate)
    return min(max(1, need), Double(SectionContainer.maximumLength))
  }
}

extension GroupLine {
  /// Returns the length of each box along the line.
  ///
  /// - Parameters:
  ///   - inner: The size available to the line, in pixels.
  ///   - scale: The number of pixels per point.
  func lengths(in inner: Size, scale: Double) -> [Double] {
    let whole = inner[axis]
    let margins = boxes.reduce(0) { $0 + $1.margins[axis].sum }
    let equal = max(1, (whole - gaps - margins) / Double(boxes.count))
    var lengths = boxes.map { box in
      box.equalAxis == axis
        ? equal : min(box.preferredLength(axis, in: inner, scale: scale), max(1, whole - box.margins[axis].sum))
    }
    let total = lengths.reduce(gaps + margins, +)
    guard PixelEdge.nearest(total) > PixelEdge.nearest(whole) else { return lengths }
    // The cells require more than the available length: reduce all of them by the same factor.
    let selfSizing = boxes.indices.filter { boxes[$0].isSelfSizing(axis) }
    let pool = selfSizing.reduce(0) { $0 + lengths[$1] }
    guard pool > 0 else { return lengths }
    let share = max(0, pool - (total - whole)) / pool
    for index in selfSizing { lengths[index] = max(1, lengths[index] * share) }
    return lengths
  }

  /// Returns the distribution of the remaining space among all flexible gaps and edges.
  ///
  /// - Returns: The gap between boxes, and the growth of each flexible edge.
  func spread(_ lengths: [Double], over whole: Double) -> (gap: Double, share: Double) {
    let used = lengths.reduce(gaps, +) + boxes.reduce(0) { $0 + $1.margins[axis].sum }
    let flexible =
      (gapIsFlexible ? boxes.count - 1 : 0) + boxes.reduce(0) { $0 + $1.margins[axis].flexibleCount }
    guard flexible > 0, used < whole else { return (gap, 0) }
    let share = (whole - used) / Double(flexible)
    return (gapIsFlexible ? gap + share : gap, share)
  }
}

// MARK: - Margins

/// Distances at both sides of a box along each axis, in whole pixels.
struct BoxMargins: Hashable, Sendable {
  /// The distances along one axis.
  struct Pair: Hashable, Sendable {
    /// The distance before the box.
    var leading = 0.0
    /// The distance after the box.
    var trailing = 0.0
    /// Whether the leading distance grows with the remaining space.
    var leadingIsFlexible = false
    /// Whether the trailing distance grows with the remaining space.
    var trailingIsFlexible = false

    var sum: Double { leading + trailing }
    var flexibleCount: Int { (leadingIsFlexible ? 1 : 0) + (trailingIsFlexible ? 1 : 0) }

    /// Returns the distances reduced so that at least one pixel of a length remains; the trailing one is reduced first.
    func cut(to length: Double) -> Pair {
      let available = max(0, length - 1)
      var cut = self
      cut.leading = min(leading, available)
      cut.trailing = min(trailing, available - cut.leading)
      return cut
    }
  }

  var horizontal = Pair()
  var vertical = Pair()

  subscript(axis: Axis) -> Pair { axis == .horizontal ? horizontal : vertical }

  /// Creates margins from the insets of a subitem; 0 along axes whose dimension is estimated.
  init(_ insets: DirectionalEdgeInsets, ignoring size: CollectionLayoutSize, in container: SectionContainer) {
    if !size.width.isEstimated {
      horizontal = Pair(
        leading: Double(container.pixels(insets.leading)), trailing: Double(container.pixels(insets.trailing)))
    }
    if !size.height.isEstimated {
      vertical = Pair(leading: Double(container.pixels(insets.top)), trailing: Double(container.pixels(insets.bottom)))
    }
  }

  /// Creates margins from the edge spacing of a subitem.
  init(_ spacing: CollectionLayoutEdgeSpacing?, in container: SectionContainer) {
    guard let spacing else { return }
    func pair(_ leading: CollectionLayoutSpacing?, _ trailing: CollectionLayoutSpacing?) -> Pair {
      Pair(
        leading: Double(container.pixels(leading?.points ?? 0)),
        trailing: Double(container.pixels(trailing?.points ?? 0)),
        leadingIsFlexible: leading?.isFlexible ?? false, trailingIsFlexible: trailing?.isFlexible ?? false)
    }
    horizontal = pair(spacing.leading, spacing.trailing)
    vertical = pair(spacing.top, spacing.bottom)
  }
}
