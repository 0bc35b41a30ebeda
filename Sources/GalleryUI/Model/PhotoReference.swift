/// What the image pipeline needs to know of a photograph.
struct PhotoReference {
  /// The bytes of its path.
  var path: [UInt8]
  /// The item and the version of its file in one number.
  var imageSource: UInt64
  /// The file's size in bytes.
  var fileBytes: Int
}
