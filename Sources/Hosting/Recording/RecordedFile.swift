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
  /// When it counted as taken, in seconds since 1970: by its own clock, else where its time of change counted, by that;
  /// nothing where neither was known.
  public var taken: Int64?

  /// The most bytes of a path and of a name in it, of which NAME_MAX has fewer.
  private static let (longestPath, longestName) = (1 << 16, 1_024)

  /// More bytes than any file system lets a file have.
  private static let maximumBytes: Int64 = 1 << 60

  /// Seconds since 1970 that a calendar has a year of four digits for.
  static let validTimes: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Makes one.
  public init(path: String, bytes: Int64, modified: Int64, width: Int?, height: Int?, taken: Int64?) {
    self.path = path
    self.bytes = bytes
    self.modified = modified
    self.width = width
    self.height = height
    self.taken = taken.flatMap { RecordedFile.validTimes.contains($0) ? $0 : nil }
  }

  /// Whether a file can be that.
  var isValid: Bool {
    guard let name = PercentEncoding.bytes(of: path), !name.isEmpty, !name.contains(0), name.last != UInt8(ascii: "/"),
      name.count <= RecordedFile.longestPath,
      name.split(separator: UInt8(ascii: "/")).allSatisfy({ $0.count <= RecordedFile.longestName })
    else { return false }
    return (0...RecordedFile.maximumBytes).contains(bytes) && (width == nil) == (height == nil) && (width ?? 1) > 0
      && (height ?? 1) > 0 && taken.map(RecordedFile.validTimes.contains) != false
  }
}
