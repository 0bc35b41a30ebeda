import Foundation

/// Writes a recording, whole or not at all.
nonisolated struct RecordingWriter {
  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes a recording; a file that stood there stands until all is written.
  ///
  /// - Throws: ``OutputError`` where it cannot be written, and what the encoder throws.
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

  /// The bytes of a recording's file.
  static func bytes(of recording: Recording) throws -> Data {
    try lines(of: recording).reduce(into: Data()) { $0 += try text(of: $1) }
  }

  private static func lines(of recording: Recording) -> [RecordingLine] {
    [RecordingLine(recording: recording.header)] + recording.files.map { RecordingLine(file: $0) }
      + recording.events.map { RecordingLine(event: $0) } + recording.arrivals.map { RecordingLine(arrival: $0) } + [
        RecordingLine(end: recording.end)
      ]
  }

  private static func text(of line: RecordingLine) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line) + Data("\n".utf8)
  }
}
