/// What a display did for text in its own colours since it was opened.
public nonisolated struct TextStatistics: Hashable, Sendable {
  /// Pictures of emoji that were unpacked, on a thread of their own.
  public internal(set) var unpackedPictures = 0
  /// Pictures of emoji that were unpacked on the thread that draws, as FreeType's caller saw it: 0 in a sound program.
  public internal(set) var unpackedOnDrawingThread = 0
  /// Bytes of unpacked pictures that are kept for other sizes; never more than 8 MiB.
  public internal(set) var pictureBytes = 0
}
