/// How the server answers: as it should, or as servers do.
public enum ServerManner: String, CaseIterable, Sendable {
  /// With the picture.
  case usual
  /// Not at all: nobody listens.
  case absent
  /// With the picture, a few bytes at a time.
  case slow
  /// That it has failed.
  case failing
  /// With a page that says something nice.
  case html
  /// With a part of the picture, and then no more.
  case truncated
  /// With what says that it is a picture of four thousand million pixels.
  case hostile
}
