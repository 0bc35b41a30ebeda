public import ImagePipeline

/// Where a list of pictures is, or one picture on the web.
public enum ManifestLocation: Hashable, Sendable, CustomStringConvertible {
  /// On the web: a list, or a picture, as what comes tells.
  case web(RemoteURL)
  /// In a file on this machine.
  case file(PhotoPath)

  /// Looks at what a user gave: an address that begins with `http://` or `https://`, or a path that ends in `.json`.
  ///
  /// - Throws: ``ManifestPlaceError`` for an address that begins so and is none.
  /// - Returns: nothing where it is neither; then it is a folder's or a picture's path.
  public static func parse(_ bytes: [UInt8]) throws(ManifestLocationError) -> ManifestLocation? {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") {
      guard let url = RemoteURL(text), text.utf8.elementsEqual(bytes) else { throw ManifestLocationError(input: bytes) }
      return .web(url)
    }
    let path = PhotoPath(bytes)
    guard path.lastComponent.count > 5,
      String(decoding: path.lastComponent.suffix(5), as: UTF8.self).lowercased() == ".json",
      (try? SystemCalls.status(of: path).type) == .file
    else { return nil }
    return .file(path)
  }

  /// For people: no name and password, and no query.
  public var description: String {
    switch self {
    case .web(let url): url.description
    case .file(let path): path.printable
    }
  }

  /// What a window that shows it alone is called.
  public var title: String {
    switch self {
    case .web(let url): url.description.split(separator: "/").dropFirst().joined(separator: "/")
    case .file(let path): path.absolute.label
    }
  }
}
