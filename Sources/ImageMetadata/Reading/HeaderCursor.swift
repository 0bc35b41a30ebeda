/// How far a file was understood: what comes before is not looked at again when further bytes have been fetched.
struct HeaderCursor: Sendable {
  /// Whether the format's reader goes on where it was, so that each read costs what it brings and no more.
  var supportsResuming: Bool { [.jpeg, .png, .webp, .gif].contains(header.format) }

  /// Where the next segment or chunk begins.
  var position: Int
  /// What was found so far.
  var header: ImageHeader
  /// Whether EXIF data was found.
  var hasExif = false
  /// Whether the position lies within a GIF's extension, at the length of a block.
  var isInBlocks = false
}
