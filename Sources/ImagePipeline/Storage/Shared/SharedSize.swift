/// The sizes at which programs share thumbnails (freedesktop.org), from small to large.
enum SharedThumbnailSize: Int, CaseIterable, Sendable {
  case normal = 128
  case large = 256
  case extraLarge = 512
  case doubleExtraLarge = 1_024

  /// The longest side that a thumbnail of this size has, in pixels.
  var side: Int { rawValue }

  /// The name of its folder.
  var folderName: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .extraLarge: "x-large"
    case .doubleExtraLarge: "xx-large"
    }
  }

  /// The smallest size that covers a place; nothing for one that is larger than all of them.
  static func covering(_ longestSide: Int) -> SharedThumbnailSize? { allCases.first { $0.side >= longestSide } }
}
