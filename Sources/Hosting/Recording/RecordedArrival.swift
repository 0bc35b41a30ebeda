/// A picture that came from a decoder in a recorded run: for people, and for comparing runs.
///
/// A replay makes its own.
public nonisolated struct RecordedArrival: Hashable, Codable, Sendable {
  /// Which picture: a file's path by ``ByteText``, or the number of one that has none.
  public var item: String
  /// `embedded` or `full`.
  public var rung: String
  /// The size in pixels that was asked for.
  public var width, height: Int
  /// Nanoseconds from the run's start.
  public var ns: Int64
  /// The first frame that began after it, where that is known.
  public var frame: Int?
  /// Whether it was kept on disk, and not decoded.
  public var isStored: Bool
  /// Whether there is no picture.
  public var hasFailed: Bool
}
