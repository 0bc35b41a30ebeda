/// How a picture fills the size that is asked for.
public enum ImageFit: UInt8, Hashable, Sendable {
  /// Covers all of it, the middle of the picture kept: the bitmap is exactly the size asked.
  case fill
  /// All of the picture within it, never enlarged: the bitmap may be smaller.
  case fit
  /// As ``fill``, but never enlarged: of a smaller picture what has the shape that is asked for, pixel by pixel, which a
  /// view that enlarges it shows as it would show the other.
  case fillWithoutEnlarging
}
