/// A file of a recorded run's library.
public nonisolated struct RecordedFile: Hashable, Codable, Sendable {
  /// Where it lay, by ``ByteText``, as the program was told it.
  public var path: String
  /// Its length in bytes.
  public var bytes: Int64
  /// When it was last changed, in nanoseconds since 1970.
  public var modified: Int64
  /// Its extent in pixels as it is looked at, where that was known.
  public var width, height: Int?
  /// When it was taken, in seconds since 1970 by its own clock, where that was known.
  public var taken: Int64?

  /// Makes one.
  public init(path: String, bytes: Int64, modified: Int64, width: Int?, height: Int?, taken: Int64?) {
    self.path = path
    self.bytes = bytes
    self.modified = modified
    self.width = width
    self.height = height
    self.taken = taken
  }
}
