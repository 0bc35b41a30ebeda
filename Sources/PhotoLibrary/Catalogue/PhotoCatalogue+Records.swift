public import ImageMetadata
public import ImagePipeline

extension PhotoCatalogue: PhotoRecords {
  /// What a scan told is kept.
  public var isComputed: Bool { false }

  /// The format of a photograph's file, once its first bytes were read.
  public func format(of id: PhotoID) -> ImageFormat? { header(of: id)?.format }

  /// Whether a photograph's header names a small picture.
  public func hasPreview(_ id: PhotoID) -> Bool { header(of: id)?.embeddedThumbnail != nil }

  /// The file and its version.
  public func fingerprint(of id: PhotoID) -> FileFingerprint? {
    guard let identity = identity(of: id), identity != .unknown else { return nil }
    return FileFingerprint(
      device: identity.device, inode: identity.inode, byteCount: identity.byteCount,
      modificationNanoseconds: identity.modificationNanoseconds)
  }

  /// A photograph's file.
  public func imageSource(of id: PhotoID) -> ImageSource? { path(of: id).map { .file(path: $0.bytes) } }

  /// The bytes of a photograph's file, as it was found.
  public func byteCount(of id: PhotoID) -> Int { identity(of: id).map { Int($0.byteCount) } ?? 0 }
}
