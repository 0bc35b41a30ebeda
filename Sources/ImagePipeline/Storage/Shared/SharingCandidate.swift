import DecodingProtocol
import Geometry

/// A file that a thumbnail may be shared of, or that has none.
struct SharingCandidate: Hashable, Sendable {
  /// Its path.
  var path: [UInt8]
  /// Which file it was, in which version.
  var version: PictureFile.Version
  /// The size that programs would show it at.
  var size: SharedThumbnailSize
  /// Whether it could not be shown; otherwise it was.
  var hasFailed: Bool

  /// What it is known by: one version of a file at one size.
  var name: FileFingerprint {
    let file = version.identity
    return FileFingerprint(words: [
      file.device, file.node, UInt64(bitPattern: Int64(file.byteCount)),
      UInt64(bitPattern: file.modificationNanoseconds), UInt64(bitPattern: Int64(version.changedSeconds)),
      UInt64(bitPattern: Int64(version.changedNanoseconds)), UInt64(size.side), hasFailed ? 1 : 0,
    ])
  }
}

extension SharingCandidate {
  /// A picture that was shown, decoded now or by an earlier run.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - version: the file as it was shown.
  ///   - request: what was asked for.
  ///   - source: the picture's own size.
  /// - Returns: nothing for one that is no larger than its thumbnail, or was larger on screen than any thumbnail is.
  static func shown(
    _ path: [UInt8], _ version: PictureFile.Version, _ request: ImageRequest, of source: PixelSize?
  ) -> SharingCandidate? {
    guard let source, let size = covering(request), max(source.width, source.height) > size.side else { return nil }
    return SharingCandidate(path: path, version: version, size: size, hasFailed: false)
  }

  /// A picture that was decoded, or could not be.
  ///
  /// - Returns: nothing where there is nothing to be shared: most failures may be another time's or another place's.
  static func decoded(
    _ path: [UInt8], _ version: PictureFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome
  ) -> SharingCandidate? {
    switch outcome {
    case .success(let image): return image.isDamaged ? nil : shown(path, version, request, of: image.sourceSize)
    case .failure(let failure):
      // Whether its format is one of those that are noted is looked at in the file.
      guard failure == .refused(.damaged), let size = covering(request) else { return nil }
      return SharingCandidate(path: path, version: version, size: size, hasFailed: true)
    }
  }

  private static func covering(_ request: ImageRequest) -> SharedThumbnailSize? {
    SharedThumbnailSize.covering(max(request.key.size.width, request.key.size.height))
  }
}
