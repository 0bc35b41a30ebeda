/// How the thumbnails on disk are.
public struct StorageCondition: Hashable, Sendable {
  /// Why no further ones are kept, in a sentence for people; nothing while they are.
  public internal(set) var fault: String?
  /// Thumbnails that are there.
  public internal(set) var count = 0
  /// The bytes that they take.
  public internal(set) var byteCount = 0
  /// Thumbnails that were written by this instance, or written again.
  public internal(set) var written = 0
  /// Thumbnails that were to be written and were not, because the disk was too slow or took no more.
  public internal(set) var dropped = 0
  /// Thumbnails, and notes of failures, that were written to where programs share them.
  public internal(set) var shared = 0
  /// Why no further ones are written there, in a sentence for people; nothing while they are.
  public internal(set) var sharingFault: String?

  /// Nothing is kept, and nothing is wrong.
  public init() {}
}
