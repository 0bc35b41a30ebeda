/// A run as it can be run again: settings, library, input.
///
/// A file of JSON lines: the header, the library's files, input events in their order, pictures that arrived, the end.
public nonisolated struct Recording: Hashable, Sendable {
  /// What ran, and how.
  public var header: RecordingHeader
  /// The library's files in their order, where ``RecordingHeader/listsFiles``.
  public var files: [RecordedFile]
  /// What came in, in its order; nothing where there was no window.
  public var events: [RecordedEvent]
  /// Which pictures came when.
  public var arrivals: [RecordedArrival]
  /// How it ended.
  public var end: RecordingEnd
}
