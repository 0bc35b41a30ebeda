public import VitrineRendering
public import VitrineScrollPhysics

/// A data source that names the content of a scroll view, so that its indicator becomes a scrubber with a timeline and
/// a bubble.
///
/// Segments are consecutive parts of the content, such as a collection's sections or its items. They are queried by
/// bisection, some hundred of them whatever their number.
@MainActor
public protocol ScrubberDataSource: AnyObject {
  /// The current number of segments.
  var numberOfSegments: Int { get }

  /// Returns the offset in points at which a segment begins at the view's edge, never before that of the previous
  /// segment.
  ///
  /// The offset can exceed the scrollable range.
  func offset(ofSegment segment: Int) -> Double

  /// Returns the title of a segment.
  func title(ofSegment segment: Int) -> ScrubberTitle

  /// Returns the text of the bubble at an offset, or nil for no bubble.
  ///
  /// - Parameters:
  ///   - offset: The offset of the content in points.
  ///   - isFine: Whether the thumb moves in finer steps than the pointer, so that the text can be more detailed.
  func bubbleText(at offset: Double, isFine: Bool) -> String?
}

extension ScrubberDataSource {
  /// Returns the name of the first visible segment.
  ///
  /// - Complexity: O(log n) offsets for n segments.
  public func bubbleText(at offset: Double, isFine: Bool) -> String? {
    segment(at: offset).map { title(ofSegment: $0).name }
  }

  /// Returns the last segment that begins at or before an offset, or the first one, or nil if there are no segments.
  ///
  /// - Complexity: O(log n) offsets for n segments.
  public func segment(at offset: Double) -> Int? {
    guard numberOfSegments > 0 else { return nil }
    // Offsets of frames are whole pixels, while segments begin within half a pixel of one.
    var (low, high) = (0, numberOfSegments - 1)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if self.offset(ofSegment: middle) <= offset + 0.5 { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// The colors of a scrubber.
public nonisolated struct ScrubberStyle: Hashable, Sendable {
  /// The background of labels, opaque enough for any image below.
  public var surface: Color
  /// The border of labels and of the bubble.
  public var border: Color
  /// The background of the bubble.
  public var bubble: Color
  /// The color of primary text: groups and the position in the bubble.
  public var primaryText: Color
  /// The color of secondary text.
  public var secondaryText: Color
  /// The color of the marks on the timeline.
  public var mark: Color

  /// Creates a style.
  public init(
    surface: Color, border: Color, bubble: Color, primaryText: Color, secondaryText: Color, mark: Color
  ) {
    self.surface = surface
    self.border = border
    self.bubble = bubble
    self.primaryText = primaryText
    self.secondaryText = secondaryText
    self.mark = mark
  }

  /// Light text on dark backgrounds.
  public static let dark = ScrubberStyle(
    surface: Color(hex: 0x16171B, alpha: 224), border: Color(hex: 0xFFFFFF, alpha: 28),
    bubble: Color(hex: 0x26282E, alpha: 246), primaryText: Color(hex: 0xECECEF), secondaryText: Color(hex: 0xA9AAB3),
    mark: Color(hex: 0xFFFFFF, alpha: 90))

  /// Dark text on light backgrounds.
  public static let light = ScrubberStyle(
    surface: Color(hex: 0xFFFFFF, alpha: 232), border: Color(hex: 0x000000, alpha: 30),
    bubble: Color(hex: 0xFFFFFF, alpha: 250), primaryText: Color(hex: 0x1B1C20), secondaryText: Color(hex: 0x5C5E67),
    mark: Color(hex: 0x000000, alpha: 90))

  /// White text on black, with borders of high contrast.
  public static let highContrastDark = ScrubberStyle(
    surface: Color(hex: 0x000000), border: Color(hex: 0xA0A1AA), bubble: Color(hex: 0x000000),
    primaryText: Color(hex: 0xFFFFFF), secondaryText: Color(hex: 0xDCDDE2), mark: Color(hex: 0xFFFFFF, alpha: 200))

  /// Black text on white, with borders of high contrast.
  public static let highContrastLight = ScrubberStyle(
    surface: Color(hex: 0xFFFFFF), border: Color(hex: 0x5C5E67), bubble: Color(hex: 0xFFFFFF),
    primaryText: Color(hex: 0x000000), secondaryText: Color(hex: 0x2C2D33), mark: Color(hex: 0x000000, alpha: 200))
}
