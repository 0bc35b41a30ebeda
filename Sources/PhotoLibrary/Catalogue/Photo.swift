public import ImageMetadata

/// All that is known of a photograph.
public struct Photo: Hashable, Sendable {
  /// Its name for the length of the run.
  public var id: PhotoID
  /// Where it lies.
  public var path: PhotoPath
  /// Which file that is, in which version.
  public var identity: FileIdentity
  /// What its first bytes tell, once they were read and are those of a picture.
  public var header: ImageHeader?
  /// Why it cannot be shown, if that is known.
  public var failure: PhotoFailure?

  /// Makes a record.
  public init(
    id: PhotoID, path: PhotoPath, identity: FileIdentity, header: ImageHeader? = nil, failure: PhotoFailure? = nil
  ) {
    self.id = id
    self.path = path
    self.identity = identity
    self.header = header
    self.failure = failure
  }
}
