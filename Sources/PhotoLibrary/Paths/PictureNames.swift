/// Which file names promise a picture.
///
/// A promise is enough to be listed and then be read; a file without one is listed only when its first bytes are those
/// of a picture.
enum ImageFileExtensions {
  /// Whether a name ends as those of pictures do: "JPG" as well as "jpg", but not a name that is all extension.
  static func isImageFileName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return false }
    let ending = name[name.index(after: dot)...]
    guard (2...5).contains(ending.count) else { return false }
    // The ending's letters, lower case, in one number.
    return extensions.contains(ending.reduce(UInt64(0)) { $0 << 8 | UInt64(NaturalOrder.lowercased($1)) })
  }

  private static let extensions = Set(
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "dib", "tif", "tiff", "avif", "avifs", "heic", "heif",
      "hif", "qoi", "jxl",
    ].map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })
}
