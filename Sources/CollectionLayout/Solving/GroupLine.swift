internal import Geometry

/// Boxes one behind the other along an axis.
struct GroupLine: Sendable {
  var axis: Axis
  /// Between them, in whole pixels; at least.
  var gap: Double
  /// Whether gaps grow where room is left over.
  var gapIsFlexible: Bool
  var boxes: [GroupBox]

  /// The gaps together.
  var gaps: Double { gap * Double(boxes.count - 1) }

  /// How long the line has to be along an axis for all its boxes, where what it is in is as long as that.
  ///
  /// Boxes that take a share of the line get theirs of the result; with nothing else in it, it is as long as estimated.
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
    return min(max(1, need), Double(SectionRoom.longest))
  }
}
