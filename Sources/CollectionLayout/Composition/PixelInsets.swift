internal import Geometry

/// Insets in whole pixels along a scroll axis and across it.
struct PixelInsets: Hashable, Sendable {
  let before: Int
  let behind: Int
  let near: Int
  let far: Int

  /// Rounds insets each for itself.
  init(_ insets: DirectionalInsets, axis: Axis, room: SectionRoom) {
    let (top, bottom) = (room.pixels(insets.top), room.pixels(insets.bottom))
    let (leading, trailing) = (room.pixels(insets.leading), room.pixels(insets.trailing))
    (before, behind, near, far) =
      axis == .vertical ? (top, bottom, leading, trailing) : (leading, trailing, top, bottom)
  }
}
