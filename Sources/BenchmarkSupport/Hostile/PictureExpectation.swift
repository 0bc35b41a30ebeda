/// What is expected of a picture file, as one line of a list says.
///
/// The lines have fields between tabs, in this order: path, format, expectation, width and height as they are looked at,
/// EXIF's number of the orientation; more may follow.
public struct PictureExpectation: Hashable, Sendable {
  /// What a decoder makes of the file.
  public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// A picture, of the right size and turned the right way.
    case ok
    /// None, with a reason, or one that is said to be damaged.
    case error
    /// One or none.
    case either
    /// None: it would take memory without end.
    case bomb
    /// None, whatever the list says: there is no decoder for its format.
    case foreign
  }

  /// The file, within the list's folder.
  public let path: String
  /// What is expected.
  public let verdict: Verdict
  /// The size as it is looked at, in pixels.
  public let width: Int
  /// The size as it is looked at, in pixels.
  public let height: Int
  /// How the stored pixels stand, 1 to 8.
  public let orientation: Int

  /// The formats that are decoded, by the list's names.
  private static let formats: Set<Substring> = ["jpeg", "png", "webp", "gif", "bmp", "tiff", "avif", "heif", "qoi"]
  /// Files of which a list says what cannot be: a row more than the longest side, and a fault in chunks that have
  /// nothing to do with the pixels.
  private static let exceptions = ["big_g4.tif", "empty_ancillary_chunks.png"]
  /// Where a list calls faulty what it has no decoder for: unusual samples of TIFF, and lossless JPEG.
  private static let beyondOthers = [
    "image-rs+image-tiff/tests/", "image-rs+image/tests/", "/reftest/images/lossless/",
  ]

  /// Says what is expected.
  public init(path: String, verdict: Verdict, width: Int = 0, height: Int = 0, orientation: Int = 1) {
    self.path = path
    self.verdict = verdict
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// Reads a line; nil where it names no picture, as the list's head.
  public init?(line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 6, let listed = Verdict(rawValue: String(fields[2])), listed != .foreign else { return nil }
    let isException =
      PictureExpectation.exceptions.contains { fields[0].hasSuffix("/" + $0) }
      || listed == .error && PictureExpectation.beyondOthers.contains { fields[0].contains($0) }
    let isDecoded = PictureExpectation.formats.contains(fields[1])
    self.init(
      path: String(fields[0]), verdict: isException ? .either : isDecoded ? listed : .foreign,
      width: Int(fields[3]) ?? 0, height: Int(fields[4]) ?? 0, orientation: Int(fields[5]) ?? 1)
  }
}
