import Foundation
import Glibc

/// Reads a recording that anybody may have written.
public enum RecordingReader {
  /// The largest file that is read, in bytes.
  static let maximumBytes = 1 << 29
  /// The most frames that a run can be asked for.
  private static let maximumFrames = 1_000_000_000

  /// Reads a file.
  ///
  /// The C function is `stat`.
  ///
  /// - Throws: ``UsageError`` naming the file, and the line where one is at fault.
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

  /// Reads a file's bytes.
  static func recording(in data: Data, of path: String) throws(UsageError) -> Recording {
    var header: RecordingHeader?
    var end: RecordingEnd?
    var recording: (files: [RecordedFile], events: [RecordedEvent], arrivals: [RecordedArrival]) = ([], [], [])
    let decoder = JSONDecoder()
    for (place, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if bytes.isEmpty, end != nil { continue }
      let line = try? decoder.decode(RecordingLine.self, from: Data(bytes))
      guard let line, end == nil, (header == nil) == (line.recording != nil), line.hasExactlyOneKind,
        line.file?.isValid != false, line.event == nil || header?.isHeadless == false
      else {
        throw lineError(path, place, bytes.isEmpty)
      }
      if let found = line.recording {
        try validateHeader(found, path)
        header = found
      }
      if let file = line.file { recording.files.append(file) }
      if let event = line.event { recording.events.append(event) }
      if let arrival = line.arrival { recording.arrivals.append(arrival) }
      end = line.end
    }
    guard let header, let end, end.files == recording.files.count, end.events == recording.events.count,
      end.arrivals == recording.arrivals.count, (0...maximumFrames).contains(end.frames),
      (0...EventFields.longestDuration).contains(end.ns)
    else {
      throw UsageError("--replay \(path): the recording is not whole: its end is missing or tells of other lines")
    }
    return Recording(
      header: header, files: recording.files, events: recording.events, arrivals: recording.arrivals, end: end)
  }

  private static func validateHeader(_ header: RecordingHeader, _ path: String) throws(UsageError) {
    guard header.format == RecordingHeader.currentFormat else {
      throw UsageError(
        "--replay \(path): a recording of format \(header.format); format \(RecordingHeader.currentFormat) is accepted")
    }
    if header.script != nil, header.options.contains(where: { $0.name == "--scroll" }) {
      throw UsageError("--replay \(path): a recording scrolls by a script's file or by --scroll, and this one by both")
    }
    for option in header.options where !RecordedOptions.isRecorded(option) {
      throw UsageError("--replay \(path): \(option.name) is no setting that a recording keeps")
    }
  }

  private static func lineError(_ path: String, _ place: Int, _ isEmpty: Bool) -> UsageError {
    if place == 0 {
      return UsageError("--replay \(path): this is no recording; a file is accepted that --record wrote")
    }
    return isEmpty
      ? UsageError("--replay \(path): the recording is not whole: it ends with line \(place)")
      : UsageError("--replay \(path): line \(place + 1) is none of a recording, or is cut off")
  }
}

extension RecordingLine {
  /// Whether it is a line of one kind.
  fileprivate nonisolated var hasExactlyOneKind: Bool {
    [recording != nil, file != nil, event != nil, arrival != nil, end != nil].count { $0 } == 1
  }
}
