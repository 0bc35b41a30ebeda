internal import Geometry

/// The rules of a section of justified rows.
struct JustifiedContent: SectionContent {
  /// Points, without the caption.
  var targetRowHeight: Double
  /// Points between the items of a row.
  var spacing: Double
  /// Points below each picture.
  var captionHeight: Double
  /// The width of an item divided by its height, by its place in the section.
  var aspectRatio: @Sendable (Int) -> Double

  func usesSeenLength(_ flow: Axis) -> Bool { false }

  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody { justifiedBody(of: itemCount, in: room) }

  /// The body by its own type.
  func justifiedBody(of itemCount: Int, in room: SectionRoom) -> JustifiedBody {
    JustifiedBody(self, of: itemCount, rules: JustifiedRules(self, in: room))
  }
}
