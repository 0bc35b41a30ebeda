internal import Geometry

/// The rules of justified rows in a room, in whole pixels.
///
/// Rows follow each other along the flow; in a row, items stand beside each other across it. Columns of a section that
/// flows to the right are rows that stand upright.
struct JustifiedRules: Hashable, Sendable {
  /// How much a row is lower or higher than the target where pictures allow it, as factors: the first that they allow.
  static let nearTolerances = [1.35, 1.6]
  /// How much a row may be lower or higher than the target, as a factor.
  static let tolerance = 2.25
  /// The share of items of which nothing is known yet: photographs lie more often than they stand.
  static let usualShare = 1.5

  /// The axis along which rows follow each other.
  let flow: Axis
  /// What a row fills, at least 1.
  let breadth: Int
  /// From the end of an item's picture to the beginning of the next one's, across the flow.
  let gap: Int
  /// What an item's caption adds to it across the flow.
  let captionAcross: Int
  /// What captions add to a row along the flow.
  let captionAlong: Int
  /// Between rows.
  let lineGap: Int
  /// How long a row's pictures are wished to be along the flow, at least 1.
  let target: Int
  /// The shares that are laid out as they are; others are moved to the nearer one.
  private let leastShare: Double
  private let mostShare: Double
  /// How many items a new segment holds; twice as many are split, half as many are joined with others.
  let segmentSize: Int

  init(_ content: JustifiedContent, in room: SectionRoom) {
    flow = room.flow
    breadth = max(1, room.pixelLength(room.flow.cross))
    let caption = room.pixels(content.captionHeight)
    captionAlong = flow == .vertical ? caption : 0
    // A caption leaves its picture a pixel.
    captionAcross = flow == .vertical ? 0 : min(caption, breadth - 1)
    gap = room.pixels(content.spacing) + captionAcross
    lineGap = room.pixels(room.interGroupSpacing)
    // Rows of more than 256 squares are no rows of pictures.
    target = max(1, room.pixels(content.targetRowHeight), (breadth + 255) / 256)
    // The narrowest item keeps a pixel in the lowest row. The widest one leaves room for what would not fill half a row
    // before it, so that rows within the tolerance can always be had.
    leastShare = max(0.2, 2.3 / Double(target))
    mostShare = (JustifiedRules.tolerance - 0.5) * Double(breadth) / Double(target)
    // The narrowest items of half a segment fill a row.
    segmentSize = max(256, 10 * breadth / target)
  }

  /// The share of an item with an aspect ratio.
  @inline(__always)
  func share(ofRatio ratio: Double) -> JustifiedShare {
    let ratio = ratio > 0 && ratio.isFinite ? ratio : 1
    return JustifiedShare(max(leastShare, min(flow == .vertical ? ratio : 1 / ratio, mostShare)))
  }

  /// What the pictures of a row of some items fill together, across the flow; not positive when they do not fit.
  func room(of items: Int) -> Int { breadth - captionAcross - (items - 1) * gap }

  /// How many rows are expected of some items, at least 1 and at most as many as there are items.
  func expectedRows(of items: Int, meanShare: Double) -> Int {
    let rows = Double(items) * (meanShare * Double(target) + Double(gap)) / Double(breadth - captionAcross + gap)
    return possibleRows(Int(rows.rounded()), of: items)
  }

  /// The nearest number of rows that some items can stand in when each takes the same room, and at least a pixel.
  func possibleRows(_ rows: Int, of items: Int) -> Int {
    let most = max(1, (breadth - captionAcross + gap) / (gap + 1))
    return min(items, max(rows, (items + most - 1) / most))
  }

  /// How long the pictures of a row are along the flow when each pixel of it is worth a number of pixels across.
  @inline(__always)
  func pictureLength(atScale scale: Double) -> Int {
    let target = Double(target)
    return max(1, Int(max(target / JustifiedRules.tolerance, min(scale, target * JustifiedRules.tolerance)) + 0.5))
  }

  /// A frame of edges along and across the flow.
  @inline(__always)
  func frame(start: Int, end: Int, from low: Int, to high: Int) -> PixelFrame {
    flow == .vertical
      ? PixelFrame(minX: low, minY: start, maxX: high, maxY: end)
      : PixelFrame(minX: start, minY: low, maxX: end, maxY: high)
  }
}
