/// How a picture fills the size that is asked for.
public enum FitMode: Hashable, Sendable {
  /// Covers all of it, with the middle of the picture kept: the result is exactly the size asked, enlarged if need be.
  case fill
  /// Stands within it whole and is never enlarged: the result may be smaller.
  case fit
}
