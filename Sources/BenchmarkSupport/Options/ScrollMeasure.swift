/// What is measured of scrolling, by its name on the command line.
public enum ScrollMeasure: String, CaseIterable, Sendable {
  /// What frames take, by what they have to do.
  case frames
  /// The largest cost of a cell that is borne with and without working ahead.
  case headroom
  /// Our policy of working ahead beside another one.
  case rival
  /// Many frames of wild scrolling.
  case endurance
}
