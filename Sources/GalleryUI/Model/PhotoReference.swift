import ImagePipeline

/// What the image pipeline needs to know of a photograph.
struct PhotoReference {
  /// Where its pixels come from.
  var pixels: ImageSource
  /// The item and the version of its pixels in one number.
  var imageSource: UInt64
  /// The file's size in bytes.
  var fileBytes: Int
  /// Whether the file has a small picture of itself.
  var hasPreview: Bool
  /// By what is kept of how it looks is found.
  var file: FileFingerprint?
}
