internal import VitrineGeometry

/// The rules of justified rows in a container, in whole pixels.
///
/// Rows follow each other along the flow axis; the items of a row follow each other along the cross axis. If the flow
/// axis is horizontal, the rows are columns.
struct JustifiedRules: Hashable, Sendable {
  /// The preferred factors by which a row may be lower or higher than the target; the first one that is possible is
  /// used.
  static let nearTolerances = [1.35, 1.6]
  /// The maximum factor by which a row may be lower or higher than the target.
  static let tolerance = 2.25
  /// The estimated ratio of unknown items, because photos are more often landscape than portrait.
  static let defaultRatio = 1.5

  /// The axis along which rows follow each other.
  let flow: Axis
  /// The breadth of a row, at least 1.
  let breadth: Int
  /// The distance along the cross axis between the image of an item and the next item.
  let gap: Int
  /// The length of a caption along the cross axis.
  let captionAcross: Int
  /// The length of a caption along the flow axis.
  let captionAlong: Int
  /// The space between rows.
  let lineGap: Int
  /// The target length of the images of a row along the flow axis, at least 1.
  let target: Int
  /// The range of ratios that are laid out exactly; other ratios are clamped.
  private let minimumRatio: Double
  private let maximumRatio: Double
  /// The number of items of a new segment.
  ///
  /// Segments of twice that size are split, segments of half that size are joined.
  let segmentSize: Int

  init(_ content: JustifiedContent, in container: SectionContainer) {
    flow = container.flow
    breadth = max(1, container.pixelLength(container.flow.cross))
    let caption = container.pixels(content.captionHeight)
    captionAlong = flow == .vertical ? caption : 0
    // A caption leaves at least one pixel for the image.
    captionAcross = flow == .vertical ? 0 : min(caption, breadth - 1)
    gap = container.pixels(content.spacing) + captionAcross
    lineGap = container.pixels(container.interGroupSpacing)
    // A row has at most 256 square images.
    target = max(1, container.pixels(content.targetRowHeight), (breadth + 255) / 256)
    // The narrowest item has at least one pixel in the lowest row. The widest item leaves space for items before it
    // that would not fill half a row, so that rows within the tolerance are always possible.
    minimumRatio = max(0.2, 2.3 / Double(target))
    maximumRatio = (JustifiedRules.tolerance - 0.5) * Double(breadth) / Double(target)
    // Half a segment of the narrowest items fills a row.
    segmentSize = max(256, 10 * breadth / target)
  }

  /// Returns the ratio of breadth to length of an item with an aspect ratio.
  @inline(__always)
  func ratio(forAspectRatio aspectRatio: Double) -> JustifiedRatio {
    let aspectRatio = aspectRatio > 0 && aspectRatio.isFinite ? aspectRatio : 1
    return JustifiedRatio(max(minimumRatio, min(flow == .vertical ? aspectRatio : 1 / aspectRatio, maximumRatio)))
  }

  /// Returns the breadth available for the images of a row, which is not positive if they do not fit.
  func availableBreadth(forItems items: Int) -> Int { breadth - captionAcross - (items - 1) * gap }

  /// Returns the estimated number of rows for a number of items, at least 1 and at most one per item.
  func expectedRows(of items: Int, meanRatio: Double) -> Int {
    let rows = Double(items) * (meanRatio * Double(target) + Double(gap)) / Double(breadth - captionAcross + gap)
    return possibleRows(Int(rows.rounded()), of: items)
  }

  /// Returns the nearest possible number of rows if all items have the same breadth of at least one pixel.
  func possibleRows(_ rows: Int, of items: Int) -> Int {
    let maximumPerRow = max(1, (breadth - captionAcross + gap) / (gap + 1))
    return min(items, max(rows, (items + maximumPerRow - 1) / maximumPerRow))
  }

  /// Returns the length of a row's images along the flow axis for a scale, which is limited by the tolerance.
  @inline(__always)
  func pictureLength(atScale scale: Double) -> Int {
    let target = Double(target)
    return max(1, Int(max(target / JustifiedRules.tolerance, min(scale, target * JustifiedRules.tolerance)) + 0.5))
  }

  /// Returns a frame with edges along the flow axis and the cross axis.
  @inline(__always)
  func frame(start: Int, end: Int, from low: Int, to high: Int) -> PixelFrame {
    flow == .vertical
      ? PixelFrame(minX: low, minY: start, maxX: high, maxY: end)
      : PixelFrame(minX: start, minY: low, maxX: end, maxY: high)
  }
}

/// The breadth of an item along the cross axis divided by its length along the flow axis, in two bytes.
///
/// It is the aspect ratio in rows, and its inverse in columns. The value is an unsigned floating-point number with 4
/// bits of exponent and 12 bits of fraction: from 1 / 256 to 256, with a relative error of at most 1 / 8,000. The error
/// for an image that is 4,000 pixels wide is at most half a pixel.
struct JustifiedRatio: Hashable, Sendable {
  private let code: UInt16

  /// The code that 2^-8 would have if codes were the 8 exponent bits and the first 12 fraction bits of a Float.
  private static let codeOffset: UInt32 = (127 - 8) << 12

  /// Creates the nearest ratio to a number, clamped to the range of ratios.
  init(_ number: Double) {
    let bits = Float(max(0x1p-8, min(number, 255))).bitPattern
    code = UInt16(truncatingIfNeeded: ((bits + 1 << 10) >> 11) - JustifiedRatio.codeOffset)
  }

  /// The ratio as a number.
  var value: Double { Double(Float(bitPattern: (UInt32(code) + JustifiedRatio.codeOffset) << 11)) }
}
