/// Something that a script does to what is scrolled.
public enum ScrollGesture: Hashable, Sendable {
  /// Goes on with a constant speed, in points a second.
  case steady(Double)
  /// Lets go with a speed, in points a second.
  case flick(Double)
  /// Turns pages.
  case page(Double)
  /// Glides to a place, a share of the way from the first offset to the last.
  case glide(Double)
  /// Is at a place at once, a share of the way from the first offset to the last.
  case jump(Double)
  /// Stands still.
  case stop
}
