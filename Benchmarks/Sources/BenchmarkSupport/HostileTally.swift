import VitrineImageMetadata

/// The outcomes of images compared with their expectations.
public struct HostileTally: Hashable, Sendable {
  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("expected", .left), ("files", .right), ("shown", .right), ("refused", .right), ("wrong", .right),
    ("longest", .right),
  ]

  /// The maximum time until the outcome of an image, in nanoseconds.
  public static let maximumNanoseconds = 5e9
  /// The maximum memory of a decoding process, in bytes.
  public static let maximumDecoderBytes = 256 << 20
  /// The maximum growth of the program, in bytes, which allows for memory cached by allocators.
  public static let maximumGrowth = 8 << 20

  private struct Line: Hashable {
    var files = 0
    var shown = 0
    var wrong = 0
    var longest = 0.0
  }

  private var lines: [PictureExpectation.Verdict: Line] = [:]
  /// The largest memory of a decoding process so far, in bytes.
  public private(set) var decoderBytes = 0
  /// The growth of the program, in bytes.
  public var growth = 0

  /// Creates an empty tally.
  public init() {}

  /// Records the outcome of an image.
  ///
  /// - Parameters:
  ///   - expected: The expectation.
  ///   - outcome: The outcome.
  ///   - nanoseconds: The time until the outcome.
  ///   - decoderBytes: The largest memory of a decoding process so far.
  /// - Returns: A complaint, or nil if the outcome meets the expectation.
  public mutating func record(
    _ expected: PictureExpectation, _ outcome: PictureOutcome, nanoseconds: Double, decoderBytes: Int
  ) -> String? {
    var line = lines[expected.verdict] ?? Line()
    line.files += 1
    if case .shown = outcome { line.shown += 1 }
    line.longest = max(line.longest, nanoseconds)
    var complaint = HostileTally.complaint(expected, outcome)
    if nanoseconds > HostileTally.maximumNanoseconds { complaint = "took \(FigureText.time(nanoseconds))" }
    if decoderBytes > max(self.decoderBytes, HostileTally.maximumDecoderBytes) {
      complaint = "the decoding process took \(HostileTally.megabytes(decoderBytes))"
    }
    self.decoderBytes = max(self.decoderBytes, decoderBytes)
    if complaint != nil { line.wrong += 1 }
    lines[expected.verdict] = line
    return complaint
  }

  private static func complaint(_ expected: PictureExpectation, _ outcome: PictureOutcome) -> String? {
    switch (expected.verdict, outcome) {
    case (_, .fatal(let reason)): "ended its decoding process: \(reason)"
    case (.ok, .refused(let reason)): "refused: \(reason)"
    case (_, .refused("")): "refused without a reason"
    case (.ok, .shown(let width, let height, let orientation, _)):
      (width, height, orientation) == (expected.width, expected.height, expected.orientation)
        ? nil
        : "shown as \(width) x \(height) in orientation \(orientation), not \(expected.width) x \(expected.height) in "
          + "\(expected.orientation)"
    case (.error, .shown(_, _, _, let isDamaged)): isDamaged ? nil : "shown as if nothing were wrong"
    case (.bomb, .shown): "shown"
    case (.foreign, .shown): "shown, of a format without a decoder"
    case (.either, _), (_, .refused): nil
    }
  }

  /// The number of recorded images.
  public var count: Int { lines.values.reduce(0) { $0 + $1.files } }

  /// The number of problems: images, and the growth of the program.
  public var wrongCount: Int {
    lines.values.reduce(0) { $0 + $1.wrong } + (growth > HostileTally.maximumGrowth ? 1 : 0)
  }

  /// The table rows, including a total.
  public var rows: [[String]] {
    var all = Line()
    var rows: [[String]] = []
    for verdict in PictureExpectation.Verdict.allCases {
      guard let line = lines[verdict] else { continue }
      rows.append(HostileTally.row(verdict.rawValue, line))
      all.files += line.files
      all.shown += line.shown
      all.wrong += line.wrong
      all.longest = max(all.longest, line.longest)
    }
    return rows + [HostileTally.row("all", all)]
  }

  private static func row(_ name: String, _ line: Line) -> [String] {
    [
      name, FigureText.count(line.files), FigureText.count(line.shown), FigureText.count(line.files - line.shown),
      FigureText.count(line.wrong), FigureText.time(line.longest),
    ]
  }

  /// The bounds on time and memory, and whether they are met.
  public var bounds: [String] {
    let longest = lines.values.map(\.longest).max() ?? 0
    return [
      "longest until a picture's end: \(FigureText.time(longest)), "
        + Aim(.time, HostileTally.maximumNanoseconds).verdict(on: longest),
      "largest decoding process: \(HostileTally.megabytes(decoderBytes)), <= "
        + HostileTally.megabytes(HostileTally.maximumDecoderBytes)
        + (decoderBytes <= HostileTally.maximumDecoderBytes ? " reached" : " MISSED"),
      "growth of the program: \(HostileTally.megabytes(growth)), <= \(HostileTally.megabytes(HostileTally.maximumGrowth))"
        + (growth <= HostileTally.maximumGrowth ? " reached" : " MISSED"),
    ]
  }

  private static func megabytes(_ bytes: Int) -> String { FigureText.tenths(Double(bytes) / Double(1 << 20)) + " MB" }
}

// MARK: - Expectations

/// The expected outcome for an image file, parsed from a line of a list.
///
/// The lines consist of tab-separated fields in this order: path, format, expectation, displayed width and height, EXIF
/// orientation. Further fields are ignored.
public struct PictureExpectation: Hashable, Sendable {
  /// The expected outcome.
  public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// An image of the right size and orientation.
    case ok
    /// A failure with a reason, or an image marked as damaged.
    case error
    /// An image or a failure.
    case either
    /// A failure, because the image would need excessive memory.
    case bomb
    /// A failure regardless of the list, because there is no decoder for the format.
    case foreign
  }

  /// The path of the file, relative to the folder of the list.
  public let path: String
  /// The expected outcome.
  public let verdict: Verdict
  /// The displayed width, in pixels.
  public let width: Int
  /// The displayed height, in pixels.
  public let height: Int
  /// The EXIF orientation, 1 to 8.
  public let orientation: Int

  /// The supported formats, by their names in the list, which are file name extensions.
  private static let formats = Set(
    ImageFormat.table.filter { $0.decoding != .none }.flatMap(\.fileExtensions).map { Substring($0) })
  /// Files with a wrong expectation in a list: one row more than the maximum side, and an error in chunks that do not
  /// affect the pixels.
  private static let exceptions = ["big_g4.tif", "empty_ancillary_chunks.png"]
  /// Files that a list marks as faulty because its reference decoder lacks support: unusual TIFF samples, and lossless
  /// JPEG.
  private static let unsupportedElsewhere = [
    "image-rs+image-tiff/tests/", "image-rs+image/tests/", "/reftest/images/lossless/",
  ]

  /// Creates an expectation.
  public init(path: String, verdict: Verdict, width: Int = 0, height: Int = 0, orientation: Int = 1) {
    self.path = path
    self.verdict = verdict
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// Parses a line, or returns nil if it describes no image, like the heading of the list.
  public init?(line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 6, let listed = Verdict(rawValue: String(fields[2])), listed != .foreign else { return nil }
    let isException =
      PictureExpectation.exceptions.contains { fields[0].hasSuffix("/" + $0) }
      || listed == .error && PictureExpectation.unsupportedElsewhere.contains { fields[0].contains($0) }
    let isDecoded = PictureExpectation.formats.contains(fields[1])
    self.init(
      path: String(fields[0]), verdict: isException ? .either : isDecoded ? listed : .foreign,
      width: Int(fields[3]) ?? 0, height: Int(fields[4]) ?? 0, orientation: Int(fields[5]) ?? 1)
  }
}

/// The outcome of decoding an image.
public enum PictureOutcome: Hashable, Sendable {
  /// The image was decoded.
  case shown(width: Int, height: Int, orientation: Int, isDamaged: Bool)
  /// The image was not decoded, for the given reason.
  case refused(String)
  /// The image was not decoded, and its decoding process terminated.
  case fatal(String)
}

// MARK: - Options

/// The options of `scripts/hostile`, which tests decoding processes with hostile images.
public struct HostileOptions: Hashable, Sendable {
  /// The folder of images with their list, `MANIFEST.tsv`, or nil to use synthetic files.
  public var pictures: String?
  /// The executable of the decoding process, or nil for the one next to the program.
  public var decoder: String?
  /// The longest side of the decoded images, in pixels.
  public var side = 256

  /// Parses the options that follow the command's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--pictures": pictures = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--size": side = try words.number(of: name, in: 16...4_096)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}

/// The options of `scripts/pixels`, which decodes images into files of pixels for a comparison with other decoders.
public struct PixelOptions: Hashable, Sendable {
  /// The path of a list of image paths, one per line.
  public var list: String
  /// The folder for the pixel files.
  public var output: String
  /// The executable of the decoding process, or nil for the one next to the program.
  public var decoder: String?
  /// The longest sides of the decoded images, in pixels.
  public var sides = [1024, 96]

  /// Parses the options that follow the command's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing one.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    var (list, output) = (String?.none, String?.none)
    while let name = words.next() {
      switch name {
      case "--list": list = try words.path(of: name)
      case "--output": output = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--sizes": sides = try words.numbers(of: name, in: 16...4_096)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    guard let list else { throw CommandError("pixels needs --list FILE") }
    guard let output else { throw CommandError("pixels needs --output FOLDER") }
    self.list = list
    self.output = output
  }
}
