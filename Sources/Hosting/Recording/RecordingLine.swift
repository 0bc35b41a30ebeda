/// A line of a recording: one of these, under its name.
nonisolated struct RecordingLine: Codable {
  var recording: RecordingHeader?
  var file: RecordedFile?
  var event: RecordedEvent?
  var arrival: RecordedArrival?
  var end: RecordingEnd?
}
