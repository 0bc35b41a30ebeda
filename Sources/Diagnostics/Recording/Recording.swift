public import VitrineHosting

/// A recording of a run that can be replayed: settings, library and input.
///
/// The file has JSON lines: the header, the library's files, input events in order, arrivals of images,
/// frames with jobs of the main queue, and the end.
public nonisolated struct Recording: Hashable, Sendable {
  /// The program and its settings.
  public var header: RecordingHeader
  /// The library's files in order, if ``RecordingHeader/listsFiles``.
  public var files: [RecordedFile]
  /// The input events in order.
  ///
  /// Empty if there was no window.
  public var events: [RecordedEvent]
  /// The arrivals of images.
  public var arrivals: [RecordedArrival]
  /// The frames in which jobs of the main queue were run, in order.
  public var jobs: [RecordedJobs] = []
  /// The end of the run.
  public var end: RecordingEnd
}

/// The first line of a recording: the program and its settings.
public nonisolated struct RecordingHeader: Hashable, Codable, Sendable {
  /// The versions of the format that this program reads.
  static let readableFormats = 1...2

  /// Returns the version of the format that a recording needs: 2 if it has jobs of the main queue, else 1, which older
  /// programs can read.
  static func format(recordsJobs: Bool) -> Int { recordsJobs ? 2 : 1 }

  /// The version of the format.
  public var format = RecordingHeader.format(recordsJobs: false)
  /// The program's name and version.
  public var program, version: String
  /// The run's clock, on which the times of events are based.
  public var clock: String
  /// Whether there was no window and therefore no input.
  ///
  /// The display's own events recur in a replay.
  public var isHeadless: Bool
  /// The number of pixels per point.
  public var scale: Double
  /// The options that reproduce the settings.
  public var options: [ParsedOption]
  /// The text of the script file.
  public var script: String?
  /// Whether the run was limited by a number of frames.
  public var countsFrames: Bool
  /// The operands of the command line in ``PercentEncoding``.
  public var operands: [String]
  /// The working folder, to which relative paths refer, in ``PercentEncoding``.
  public var workingFolder: String?
  /// The file to open in ``PercentEncoding``.
  public var wanted: String?
  /// Whether the recording lists the library's files.
  public var listsFiles: Bool
}

/// A file of a recorded library.
public nonisolated struct RecordedFile: Hashable, Codable, Sendable {
  /// The path as passed to the program, in ``PercentEncoding``.
  public var path: String
  /// The size in bytes.
  public var bytes: Int64
  /// The modification time in nanoseconds since 1970.
  public var modified: Int64
  /// The displayed size in pixels, if known.
  public var width, height: Int?
  /// The capture time in seconds since 1970, or the modification time if that was used instead, or nil if neither was
  /// known.
  public var taken: Int64?

  /// The maximum lengths in bytes of a path and of a path component, above the system's limits.
  private static let (longestPath, longestName) = (1 << 16, 1_024)

  /// The maximum size of a file in bytes, above the limits of all file systems.
  private static let maximumBytes: Int64 = 1 << 60

  /// The valid times in seconds since 1970, whose years have at most four digits.
  static let validTimes: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a recorded file.
  public init(path: String, bytes: Int64, modified: Int64, width: Int?, height: Int?, taken: Int64?) {
    self.path = path
    self.bytes = bytes
    self.modified = modified
    self.width = width
    self.height = height
    self.taken = taken.flatMap { RecordedFile.validTimes.contains($0) ? $0 : nil }
  }

  /// Whether the values are possible for a file.
  var isValid: Bool {
    guard let name = PercentEncoding.bytes(of: path), !name.isEmpty, !name.contains(0), name.last != UInt8(ascii: "/"),
      name.count <= RecordedFile.longestPath,
      name.split(separator: UInt8(ascii: "/")).allSatisfy({ $0.count <= RecordedFile.longestName })
    else { return false }
    return (0...RecordedFile.maximumBytes).contains(bytes) && (width == nil) == (height == nil) && (width ?? 1) > 0
      && (height ?? 1) > 0 && taken.map(RecordedFile.validTimes.contains) != false
  }
}

/// The arrival of a decoded image in a recorded run, for people and for comparing runs.
///
/// A replay does not use it.
public nonisolated struct RecordedArrival: Hashable, Codable, Sendable {
  /// The image: a file's path in ``PercentEncoding``, or the number of an image without a file.
  public var item: String
  /// The representation: `embedded` or `full`.
  public var rung: String
  /// The requested size in pixels.
  public var width, height: Int
  /// The time since the start of the run in nanoseconds.
  public var ns: Int64
  /// The first frame that started after the arrival, if known.
  public var frame: Int?
  /// Whether the image was read from the disk cache instead of being decoded.
  public var isStored: Bool
  /// Whether the image failed.
  public var hasFailed: Bool
}

/// The last line of a recording.
///
/// Without it, the recording is incomplete.
public nonisolated struct RecordingEnd: Hashable, Codable, Sendable {
  /// The duration of the run in nanoseconds on its clock.
  public var ns: Int64
  /// The number of frames.
  public var frames: Int
  /// The numbers of files, events and arrivals.
  public var files, events, arrivals: Int
  /// The number of frames in which jobs were run, or nil if there were none.
  public var jobs: Int?
  /// The digest of all frames if a replay must have the same: on the virtual clock, headless, and without a disk cache.
  public var frameDigest: String?
}

/// The description of a recorded library, which the program provides at the end of the run.
public nonisolated struct RecordedLibrary: Hashable, Sendable {
  /// Options for settings that the program derived, such as the number of workers.
  ///
  /// They replace those of the command line.
  public var options: [ParsedOption] = []
  /// The operands of the command line in ``PercentEncoding``.
  public var operands: [String] = []
  /// The working folder, to which relative paths refer, in ``PercentEncoding``.
  public var workingFolder: String?
  /// The file to open in ``PercentEncoding``.
  public var pathToReveal: String?
  /// The library's files in order, or nil if there are none or not all are known.
  public var files: [RecordedFile]?

  /// Creates the description of a program whose options specify everything.
  public init() {}
}

/// The encoding of bytes, such as those of a path, as ASCII text.
///
/// All bytes except letters, digits and `-._~/` are encoded as `%XX`.
public nonisolated enum PercentEncoding {
  /// Encodes bytes.
  public static func text(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) {
        text.append(byte)
      } else {
        text += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text to bytes.
  ///
  /// Returns nil if a `%` is not followed by two hexadecimal digits.
  public static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == percent else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func hexValue(of digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~/".utf8.contains(byte)
    }
  }
}
