internal import Geometry

/// A boundary view of a section or of the whole layout, with its size in whole pixels.
struct BoundaryView: Sendable {
  /// How often a view may change its mind about its size; the next time it keeps the largest that it asked for.
  static let patience = 2

  /// How it was described.
  let item: CollectionLayoutBoundarySupplementaryItem
  /// Which one of its kind it is among those of its host.
  let ordinal: Int
  /// At which edge of its host it stands.
  let edge: BoundaryEdge
  /// Where it stands across the scroll axis: before the middle, in it or behind it.
  let across: Int
  /// How far it is moved along the scroll axis.
  let shiftAlong: Int
  /// How far it is moved across.
  let shiftAcross: Int
  /// Whether it is asked how long it is along the scroll axis.
  let asksForLength: Bool
  /// Whether it is asked how broad it is; not where items were placed beside it by its breadth.
  let asksForBreadth: Bool
  /// The broadest that it may be.
  let most: Int
  /// How long it is along the scroll axis, at least 1.
  private(set) var length: Int
  /// How broad it is across, at least 1.
  private(set) var breadth: Int
  /// Whether it keeps its size, whatever it asks for.
  private(set) var isFrozen = false

  /// How far it is from the outer end of what is stacked at its edge.
  var place = 0
  /// How long all those are together that are pinned farther out at its edge.
  var pinnedOutside = 0
  /// How long all those are together that are pinned farther in at its edge.
  var pinnedInside = 0

  private var isMeasured = false
  private var changes = 0
  private var longest = 0
  private var broadest = 0

  init(_ item: CollectionLayoutBoundarySupplementaryItem, ordinal: Int, axis: Axis, room: SectionRoom) {
    item.contentInsets.demandUsable(of: "a boundary item of kind \"\(item.elementKind)\"")
    self.item = item
    self.ordinal = ordinal
    edge = BoundaryEdge(item.alignment, axis: axis)
    across = BoundaryEdge.across(item.alignment, axis: axis)
    let isBeside = edge == .nearSide || edge == .farSide
    asksForLength = item.layoutSize[axis].isEstimated
    asksForBreadth = item.layoutSize[axis.cross].isEstimated && !(isBeside && item.extendsBoundary)
    func moved(_ points: Double) -> Int { points < 0 ? -room.pixels(-points) : room.pixels(points) }
    shiftAlong = moved(item.absoluteOffset[axis])
    shiftAcross = moved(item.absoluteOffset[axis.cross])
    // Along the axis the content grows with it; across it nothing is broader than the room.
    most = max(1, room.pixelLength(axis.cross))
    length = max(1, room.pixels(item.layoutSize[axis].length(in: room.size)))
    breadth = max(1, min(room.pixels(item.layoutSize[axis.cross].length(in: room.size)), most))
  }

  /// Whether the items make room for it.
  var extends: Bool { item.extendsBoundary }

  /// Whether it stays at the viewport's edge and has a place of its own there.
  var isPinnedInStack: Bool { item.extendsBoundary && item.pinToVisibleBounds }

  /// Whether it is asked for its size.
  var asksForSize: Bool { !isFrozen && (asksForLength || asksForBreadth) }

  /// Takes the size that it asks for, on the sides that are estimated.
  ///
  /// A view may change its mind ``patience`` times; the next time it keeps the longest and the broadest of all.
  mutating func setPreferredSize(along: Int, across: Int, scale: DisplayScale) -> SizeVerdict {
    guard asksForSize else { return .unchanged }
    let wanted = (
      length: asksForLength ? max(1, along) : length,
      breadth: asksForBreadth ? max(1, min(across, most)) : breadth
    )
    longest = max(longest, wanted.length)
    broadest = max(broadest, wanted.breadth)
    guard isMeasured else {
      isMeasured = true
      guard wanted != (length, breadth) else { return .unchanged }
      (length, breadth) = wanted
      return .changed
    }
    guard wanted != (length, breadth) else { return .unchanged }
    guard changes == BoundaryView.patience else {
      changes += 1
      (length, breadth) = wanted
      return .changed
    }
    isFrozen = true
    (length, breadth) = (longest, broadest)
    return .frozen(Double(length) / scale.pixelsPerPoint)
  }

  /// Takes over the size that another one was measured to have, where both are described alike.
  mutating func adopt(_ former: BoundaryView) {
    guard former.isMeasured, former.item == item else { return }
    // A measure is the best estimate, also for another room; in this one the view has not changed its mind yet.
    isMeasured = true
    if asksForLength { length = former.length }
    if asksForBreadth { breadth = min(former.breadth, most) }
  }

  /// The view within the room that it was given.
  func inset(_ frame: PixelFrame, by room: SectionRoom) -> PixelFrame {
    let insets = item.contentInsets
    guard insets != .zero else { return frame }
    var frame = frame
    if !item.layoutSize.width.isEstimated {
      frame.minX = min(frame.minX + room.pixels(insets.leading), frame.maxX - 1)
      frame.maxX = max(frame.maxX - room.pixels(insets.trailing), frame.minX + 1)
    }
    if !item.layoutSize.height.isEstimated {
      frame.minY = min(frame.minY + room.pixels(insets.top), frame.maxY - 1)
      frame.maxY = max(frame.maxY - room.pixels(insets.bottom), frame.minY + 1)
    }
    return frame
  }
}
