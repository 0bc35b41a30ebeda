import Geometry

extension FileFingerprint {
  /// Another number where the same file gives other pixels than before, because decoding has become better.
  private static let decodingVersion: UInt64 = 1

  /// Names what a file in one version gives for a request, sharp.
  ///
  /// The time of the last change of anything is in it: tools that write metadata in place set the other one back.
  init(_ version: PictureFile.Version, _ request: ImageRequest) {
    let size = request.key.size
    let file = version.identity
    self.init(words: [
      file.device, file.node, UInt64(bitPattern: Int64(file.byteCount)),
      UInt64(bitPattern: file.modificationNanoseconds),
      UInt64(bitPattern: Int64(version.changedSeconds)), UInt64(bitPattern: Int64(version.changedNanoseconds)),
      UInt64(size.width) << 32 | UInt64(size.height),
      FileFingerprint.decodingVersion << 40 | UInt64(request.key.fit.rawValue) << 32 | UInt64(request.background),
    ])
  }
}
