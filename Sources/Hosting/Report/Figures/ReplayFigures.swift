/// What a replay was of, and whether it showed what was recorded.
public struct ReplayFigures: Encodable {
  /// The recording's path.
  var recording: String
  /// The version of the program that was recorded, and its clock.
  var recordedVersion, recordedClock: String
  /// How many input events were given again.
  var events: Int
  /// Options that say otherwise than the recording, and `folder` for another library.
  var overridden: [String]
  /// Files of the recorded library that are not there, and those that are others than were recorded.
  var filesMissing, filesChanged: Int?
  /// The recording's digest of all frames, where it has one.
  var recordedDigest: String?
  /// Whether the replay's digest is that; absent where they are not to be equal.
  var digestMatches: Bool?

  /// What a replay came to.
  ///
  /// - Parameters:
  ///   - replay: what was replayed.
  ///   - files: how the library's files compare, where they were listed.
  ///   - digest: the replay's digest, on the virtual clock.
  init(_ replay: Replay, files: ReplayedFiles?, digest: String?) {
    let recorded = replay.recording
    recording = replay.path
    recordedVersion = recorded.header.version
    recordedClock = recorded.header.clock
    events = recorded.events.count
    overridden = replay.overridden
    filesMissing = files?.missing
    filesChanged = files?.changed
    recordedDigest = recorded.end.frameDigest
    guard let recordedDigest, let digest, overridden.isEmpty, files?.missing ?? 0 == 0 else { return }
    digestMatches = recordedDigest == digest
  }

  /// The same in a line for people.
  var summary: String {
    var words = [recording]
    if !overridden.isEmpty { words.append("otherwise: " + overridden.joined(separator: " ")) }
    if let filesMissing, filesMissing > 0 { words.append("\(filesMissing) files missing") }
    if let filesChanged, filesChanged > 0 { words.append("\(filesChanged) files changed") }
    if let digestMatches { words.append(digestMatches ? "the same frames" : "other frames") }
    return words.joined(separator: ", ")
  }
}
