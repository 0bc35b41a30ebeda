/// What names a state of what is at an address, so that the server can be asked whether it still holds.
struct RemoteValidator: Hashable, Sendable {
  /// The server's own name for it: ETag.
  var eTag: String?
  /// When it was last changed, in the server's words: Last-Modified.
  var lastModified: String?

  /// Whether the server can be asked.
  var isEmpty: Bool { eTag == nil && lastModified == nil }

  /// The lines that ask it.
  var headerLines: [String] {
    if let eTag { return ["If-None-Match: \(eTag)"] }
    return lastModified.map { ["If-Modified-Since: \($0)"] } ?? []
  }

  /// A server's words where they can be repeated to it: printable ASCII, not too long.
  static func sanitized(_ text: String) -> String? {
    let isFit = (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isFit ? text : nil
  }
}
