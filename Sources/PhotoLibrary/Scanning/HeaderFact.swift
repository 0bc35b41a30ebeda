public import ImageMetadata

/// What reading the first bytes of a found photograph told.
public struct HeaderResult: Hashable, Sendable {
  /// The photograph's place in the scan.
  public var ordinal: UInt32
  /// Which file was read, in which version: another one than was found where it was replaced meanwhile; nothing where
  /// no file could be opened.
  public var identity: FileIdentity?
  /// The header, or nothing where the photograph cannot be shown.
  public var header: ImageHeader?
  /// Why it cannot be shown; nothing where there is a header.
  public var failure: PhotoFailure?

  /// Makes the fact that a file is a picture.
  public init(ordinal: UInt32, identity: FileIdentity, header: ImageHeader) {
    self.ordinal = ordinal
    self.identity = identity
    self.header = header
  }

  /// Makes the fact that a file cannot be shown.
  public init(ordinal: UInt32, identity: FileIdentity?, failure: PhotoFailure) {
    self.ordinal = ordinal
    self.identity = identity
    self.failure = failure
  }
}
