public import Geometry

/// What a stored picture is prepared for.
public enum PreparedForm: Hashable, Sendable {
  /// To be shown whole, at its own size in pixels, or as large as the pipeline's largest bitmap.
  case display
  /// To fill a place of so many pixels, the middle of the picture kept; never enlarged.
  case thumbnail(PixelSize)
}
