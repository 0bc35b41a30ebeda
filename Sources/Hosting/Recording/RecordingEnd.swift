/// The last line of a recording: without it, the recording is not whole.
public nonisolated struct RecordingEnd: Hashable, Codable, Sendable {
  /// How long the run was, in nanoseconds of its clock.
  public var ns: Int64
  /// How many frames it had.
  public var frames: Int
  /// How many lines of files, events and arrivals there are.
  public var files, events, arrivals: Int
  /// The digest of all frames, where a replay gives the same: on the virtual clock, without a window and without what
  /// other runs have kept on disk.
  public var frameDigest: String?
}
