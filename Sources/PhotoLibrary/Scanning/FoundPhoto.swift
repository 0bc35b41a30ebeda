/// A photograph that a scan came upon, before anything of it was read.
public struct FoundPhoto: Hashable, Sendable {
  /// Its place in the scan's final order, from 0.
  public var ordinal: UInt32
  /// The folder it lies in.
  public var folder: PhotoPath
  /// The bytes of its name there.
  public var name: [UInt8]
  /// Which file it is, in which version.
  public var identity: FileIdentity
  /// Why it cannot be shown, if that shows already.
  public var failure: PhotoFailure?

  /// Makes a find.
  public init(
    ordinal: UInt32, folder: PhotoPath, name: [UInt8], identity: FileIdentity, failure: PhotoFailure? = nil
  ) {
    self.ordinal = ordinal
    self.folder = folder
    self.name = name
    self.identity = identity
    self.failure = failure
  }

  /// Where it lies.
  public var path: PhotoPath { folder.appending(name) }
}
