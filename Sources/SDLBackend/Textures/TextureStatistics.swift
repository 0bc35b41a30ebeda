/// What a display did with textures since it was opened.
public nonisolated struct TextureStatistics: Hashable, Sendable {
  /// Textures made anew.
  public internal(set) var created = 0
  /// Bitmaps that became textures as they are, without a copy.
  public internal(set) var shared = 0
  /// Bitmaps put into a released texture of the same size.
  public internal(set) var reused = 0
  /// Textures destroyed; what a loss of the renderer's state or the end destroys is not counted.
  public internal(set) var destroyed = 0
  /// Commands that named a texture which was gone; they drew nothing.
  public internal(set) var staleCommands = 0
}
