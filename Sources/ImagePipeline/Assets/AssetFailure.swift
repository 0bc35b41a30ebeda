/// Why an asset has no picture: a state of the asset, not an error of the program.
public enum AssetFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The source has nothing of that name.
  case notFound
  /// It could not be had from its source, for a reason in a few words; and whether that may pass.
  case download(reason: String, isTransient: Bool)
  /// It was had and there is no picture in it, or none to be had now.
  case image(ImageFailure)

  /// A few words for a caption.
  public var description: String {
    switch self {
    case .notFound: "not found"
    case .download(let reason, _): reason
    case .image(let failure): failure.description
    }
  }

  /// Whether trying again may end otherwise.
  public var isTransient: Bool {
    switch self {
    case .notFound: false
    case .download(_, let isPassing): isPassing
    case .image(let failure): failure.persistence != .permanent
    }
  }
}
