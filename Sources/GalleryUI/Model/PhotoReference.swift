import ImagePipeline

/// What the image pipeline needs to know of a photograph.
struct PhotoReference {
  /// Where its pixels come from.
  var source: ImageSource
  /// The item and the version of its pixels in one number.
  var sourceID: UInt64
  /// The file's size in bytes.
  var fileBytes: Int
  /// Whether the file has a small picture of itself.
  var hasPreview: Bool
  /// By what is kept of how it looks is found.
  var fingerprint: FileFingerprint?
}
