import FoundationEssentials
import Glibc
public import VitrineHosting

/// A reader of recordings, which may come from untrusted sources.
public enum RecordingReader {
  /// The maximum size of a file in bytes.
  static let maximumBytes = 1 << 29
  /// The maximum number of frames of a run.
  private static let maximumFrames = 1_000_000_000

  /// Reads a recording from a file.
  ///
  /// The C function is `stat`.
  ///
  /// - Throws: `UsageError` that names the file and the invalid line.
  public static func read(_ path: String) throws(UsageError) -> Recording {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw UsageError("--replay \(path): the file cannot be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else {
      throw UsageError(
        "--replay \(path): a file of at most \(maximumBytes >> 20) MiB is accepted, as --record writes it")
    }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw UsageError("--replay \(path): the file cannot be read")
    }
    return try recording(in: data, of: path)
  }

  /// Parses the contents of a file.
  static func recording(in data: Data, of path: String) throws(UsageError) -> Recording {
    var header: RecordingHeader?
    var end: RecordingEnd?
    var recording: (files: [RecordedFile], events: [RecordedEvent], arrivals: [RecordedArrival], jobs: [RecordedJobs]) =
      (
        [], [], [], []
      )
    let decoder = JSONDecoder()
    for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if bytes.isEmpty, end != nil { continue }
      let line = try? decoder.decode(RecordingLine.self, from: Data(bytes))
      guard let line, end == nil, (header == nil) == (line.recording != nil), line.hasExactlyOneKind,
        line.file?.isValid != false, line.event == nil || header?.isHeadless == false,
        line.jobs.map({ $0.isValid && header?.format != 1 }) != false
      else {
        throw lineError(path, index, bytes.isEmpty)
      }
      if let found = line.recording {
        try validateHeader(found, path)
        header = found
      }
      if let file = line.file { recording.files.append(file) }
      if let event = line.event { recording.events.append(event) }
      if let arrival = line.arrival { recording.arrivals.append(arrival) }
      if let jobs = line.jobs { recording.jobs.append(jobs) }
      end = line.end
    }
    guard let header, let end, end.files == recording.files.count, end.events == recording.events.count,
      end.arrivals == recording.arrivals.count, end.jobs ?? 0 == recording.jobs.count,
      (0...maximumFrames).contains(end.frames),
      (0...EventFields.longestDuration).contains(end.ns)
    else {
      throw UsageError("--replay \(path): the recording is truncated: its end is missing or counts other lines")
    }
    return Recording(
      header: header, files: recording.files, events: recording.events, arrivals: recording.arrivals,
      jobs: recording.jobs, end: end)
  }

  private static func validateHeader(_ header: RecordingHeader, _ path: String) throws(UsageError) {
    let formats = RecordingHeader.readableFormats
    guard formats.contains(header.format) else {
      throw UsageError(
        "--replay \(path): a recording of format \(header.format); formats \(formats.lowerBound) to \(formats.upperBound) are accepted"
      )
    }
    if header.script != nil, header.options.contains(where: { $0.name == "--scroll" }) {
      throw UsageError("--replay \(path): a recording scrolls by a script's file or by --scroll, and this one by both")
    }
    for option in header.options where !RecordedOptions.isRecorded(option) {
      throw UsageError("--replay \(path): \(option.name) cannot be recorded")
    }
  }

  private static func lineError(_ path: String, _ index: Int, _ isEmpty: Bool) -> UsageError {
    if index == 0 {
      return UsageError("--replay \(path): this is no recording; a file is accepted that --record wrote")
    }
    return isEmpty
      ? UsageError("--replay \(path): the recording is truncated: it ends with line \(index)")
      : UsageError("--replay \(path): line \(index + 1) is none of a recording, or is cut off")
  }
}

/// A writer of recordings, which replaces the file only when it is complete.
nonisolated struct RecordingWriter {
  /// The path of the file, or `-` for standard output.
  let destination: String

  /// Writes a recording.
  ///
  /// An existing file remains until the new one is complete.
  ///
  /// - Throws: `OutputError` if the recording cannot be written, or an error of the encoder.
  @MainActor
  func write(_ recording: Recording) throws {
    let file = try OutputFile(destination)
    var portion = Data()
    for line in RecordingWriter.lines(of: recording) {
      portion += try RecordingWriter.text(of: line)
      guard portion.count > 1 << 16 else { continue }
      try file.write(portion)
      portion.removeAll(keepingCapacity: true)
    }
    try file.write(portion)
    try file.close()
  }

  /// Returns the contents of a recording's file.
  static func bytes(of recording: Recording) throws -> Data {
    try lines(of: recording).reduce(into: Data()) { $0 += try text(of: $1) }
  }

  private static func lines(of recording: Recording) -> [RecordingLine] {
    [RecordingLine(recording: recording.header)] + recording.files.map { RecordingLine(file: $0) }
      + recording.events.map { RecordingLine(event: $0) } + recording.arrivals.map { RecordingLine(arrival: $0) }
      + recording.jobs.map { RecordingLine(jobs: $0) } + [
        RecordingLine(end: recording.end)
      ]
  }

  private static func text(of line: RecordingLine) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line) + Data("\n".utf8)
  }
}

/// A line of a recording, in which exactly one property has a value.
private nonisolated struct RecordingLine: Codable {
  var recording: RecordingHeader?
  var file: RecordedFile?
  var event: RecordedEvent?
  var arrival: RecordedArrival?
  var jobs: RecordedJobs?
  var end: RecordingEnd?

  /// Whether exactly one property has a value.
  var hasExactlyOneKind: Bool {
    [recording != nil, file != nil, event != nil, arrival != nil, jobs != nil, end != nil].count { $0 } == 1
  }
}
