/// Why bytes are no list of pictures.
public enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// More bytes than a list may have.
  case tooLarge(limit: Int)
  /// They are no JSON.
  case notJSON
  /// They are JSON, and no object with an array `items`.
  case noItems

  /// What is wrong, and what is expected.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "the list has more than \(limit >> 20) MB; split it"
    case .notJSON: "the list is not JSON"
    case .noItems: "the list has no \"items\"; expected {\"items\": [{\"id\": …, \"url\": …}]}"
    }
  }
}
