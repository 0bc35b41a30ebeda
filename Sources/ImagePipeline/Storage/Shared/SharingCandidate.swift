import Geometry

/// A file that a thumbnail may be shared of, or that has none.
struct SharingCandidate: Hashable, Sendable {
  /// Its path.
  var path: [UInt8]
  /// Which file it was, in which version.
  var version: PictureFile.Version
  /// The size that programs would show it at.
  var size: SharedSize
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
  /// What a decode gives reason to share.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - version: the file as it was decoded.
  ///   - request: what was asked for.
  ///   - outcome: what came of it.
  /// - Returns: nothing where there is nothing: a picture that is no larger than its thumbnail needs none, and most
  ///   failures may be another time's or another place's.
  init?(_ path: [UInt8], _ version: PictureFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome) {
    let longest = max(request.key.size.width, request.key.size.height)
    guard let size = SharedSize.covering(longest) else { return nil }
    switch outcome {
    case .success(let image):
      guard !image.isDamaged, !image.isStored, let source = image.sourceSize,
        max(source.width, source.height) > size.side
      else { return nil }
    case .failure(let failure): guard SharedFailure(failure, isSandboxed: true) != nil else { return nil }
    }
    let hasFailed = if case .failure = outcome { true } else { false }
    self.init(path: path, version: version, size: size, hasFailed: hasFailed)
  }
}
