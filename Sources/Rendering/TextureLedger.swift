/// What became of the textures of a recording: every one is made once, released once, and then dies.
public struct TextureCounts: Hashable, Sendable {
  /// The textures made.
  public var created = 0
  /// The textures released.
  public var released = 0
  /// The released textures that died, which is after the next present.
  public var destroyed = 0
  /// The releases of names that stood for nothing: released before, or never given.
  public var invalidReleases = 0
  /// The bytes uploaded.
  public var uploadedBytes = 0
  /// The most bytes that were live at one time.
  public var peakBytes = 0
  /// The commands that named a texture which was gone; they drew nothing.
  public var staleCommands = 0

  /// Makes an empty ledger.
  public init() {}

  /// The textures not yet released.
  public var live: Int { created - released }
}
