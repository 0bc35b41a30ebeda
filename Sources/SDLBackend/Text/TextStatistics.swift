/// What a display did for text in its own colours since it was opened.
public nonisolated struct TextStatistics: Hashable, Sendable {
  /// Pictures of emoji that were unpacked, on the thread that draws.
  public internal(set) var unpackedPictures = 0
  /// Bytes of unpacked pictures that are kept for other sizes; never more than 8 MiB.
  public internal(set) var pictureBytes = 0
}
