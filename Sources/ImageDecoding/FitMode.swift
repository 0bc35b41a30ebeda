/// How a picture fills the size that is asked for.
public enum FitMode: Hashable, Sendable {
  /// Covers all of it, with the middle of the picture kept: the result is exactly the size asked, enlarged if need be.
  case fill
  /// Stands within it whole and is never enlarged: the result may be smaller.
  case fit
  /// Covers the shape that is asked for, with the middle of the picture kept, and is never enlarged: the result is the size
  /// asked, or as large as the picture has pixels for.
  case fillWithoutEnlarging
}
