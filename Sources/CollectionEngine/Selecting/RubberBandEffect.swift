/// What becomes of the items under a rubber band.
public enum RubberBandEffect: UInt8, Hashable, Sendable {
  /// They are what is selected.
  case replaces
  /// They are selected beside what was: with Shift.
  case adds
  /// They are selected if they were not, and not if they were: with Control.
  case toggles
}
