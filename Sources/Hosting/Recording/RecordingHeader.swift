/// The first line of a recording: what ran, and how.
public nonisolated struct RecordingHeader: Hashable, Codable, Sendable {
  /// The format that this program writes and reads.
  static let currentFormat = 1

  /// The version of the format.
  public var format = RecordingHeader.currentFormat
  /// The program's name and version.
  public var program, version: String
  /// The clock of the run: input stood on its line.
  public var clock: String
  /// Whether there was no window, and so no hand: what its display told comes of itself in a replay.
  public var isHeadless: Bool
  /// Pixels a point.
  public var scale: Double
  /// The settings, as options that give them again.
  public var options: [ParsedOption]
  /// The script file that scrolled, as it stood.
  public var script: String?
  /// Whether a frame was made every refresh, up to a number of frames.
  public var countsFrames: Bool
  /// What is no option of the command line, by ``ByteText``.
  public var operands: [String]
  /// The folder that relative paths begin from, by ``ByteText``.
  public var workingFolder: String?
  /// The file that the program was to open, by ``ByteText``.
  public var wanted: String?
  /// Whether the library's files are listed.
  public var listsFiles: Bool
}
