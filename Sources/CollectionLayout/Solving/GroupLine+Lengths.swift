internal import Geometry

extension GroupLine {
  /// How long each box is along the line.
  ///
  /// - Parameter inner: what the line is in, in pixels.
  func lengths(in inner: Size, scale: Double) -> [Double] {
    let whole = inner[axis]
    let margins = boxes.reduce(0) { $0 + $1.margins[axis].sum }
    let equal = max(1, (whole - gaps - margins) / Double(boxes.count))
    var lengths = boxes.map { box in
      box.equalAxis == axis
        ? equal : min(box.wanted(axis, in: inner, scale: scale), max(1, whole - box.margins[axis].sum))
    }
    let total = lengths.reduce(gaps + margins, +)
    guard PixelEdge.nearest(total) > PixelEdge.nearest(whole) else { return lengths }
    // Cells said more than there is room for: all of them give up the same share.
    let asked = boxes.indices.filter { boxes[$0].isAsked(axis) }
    let pool = asked.reduce(0) { $0 + lengths[$1] }
    guard pool > 0 else { return lengths }
    let share = max(0, pool - (total - whole)) / pool
    for index in asked { lengths[index] = max(1, lengths[index] * share) }
    return lengths
  }

  /// What room is left over, shared equally by all gaps and edges that are flexible.
  ///
  /// - Returns: the gap between boxes, and what a flexible edge gets on top of its least.
  func spread(_ lengths: [Double], over whole: Double) -> (gap: Double, share: Double) {
    let used = lengths.reduce(gaps, +) + boxes.reduce(0) { $0 + $1.margins[axis].sum }
    let flexible =
      (gapIsFlexible ? boxes.count - 1 : 0) + boxes.reduce(0) { $0 + $1.margins[axis].flexibleCount }
    guard flexible > 0, used < whole else { return (gap, 0) }
    let share = (whole - used) / Double(flexible)
    return (gapIsFlexible ? gap + share : gap, share)
  }
}
