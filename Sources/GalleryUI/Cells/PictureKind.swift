/// What kind of picture a file holds, by the end of its name.
nonisolated enum FileTypeDescription {
  /// The kind in words: the format, where the name says one.
  static func text(forFileNamed name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "picture" }
    let ending = name[name.index(after: dot)...].uppercased()
    switch ending {
    case "": return "picture"
    case "JPG", "JPEG", "JPE": return "JPEG picture"
    case "TIF", "TIFF": return "TIFF picture"
    case "HEIC", "HEIF", "HIF": return "HEIF picture"
    case "WEBP": return "WebP picture"
    case "PNG", "GIF", "AVIF": return ending + " picture"
    default: return "picture"
    }
  }
}
