/// What a recorded run showed, told by its program at the end.
public nonisolated struct RecordedLibrary: Hashable, Sendable {
  /// Options that say what was settled without being asked for, such as how many workers there were; they take the place
  /// of those on the command line.
  public var options: [ParsedOption] = []
  /// What is no option of the command line, by ``ByteText``.
  public var operands: [String] = []
  /// The folder that relative paths begin from, by ``ByteText``.
  public var workingFolder: String?
  /// The file that the program was to open, by ``ByteText``.
  public var wantedPath: String?
  /// The library's files in their order; nothing where there are none, or where they are not all known.
  public var files: [RecordedFile]?

  /// A program that is told everything by its options.
  public init() {}
}
