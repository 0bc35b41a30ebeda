/// What names a state of what is at an address, so that the server can be asked whether it still holds.
struct RemoteValidator: Hashable, Sendable {
  /// The server's own name for it: ETag.
  var tag: String?
  /// When it was last changed, in the server's words: Last-Modified.
  var date: String?

  /// Whether the server can be asked.
  var isEmpty: Bool { tag == nil && date == nil }

  /// The lines that ask it.
  var headerLines: [String] {
    if let tag { return ["If-None-Match: \(tag)"] }
    return date.map { ["If-Modified-Since: \($0)"] } ?? []
  }

  /// A server's words where they can be repeated to it: printable ASCII, not too long.
  static func accepted(_ text: String) -> String? {
    let isFit = (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isFit ? text : nil
  }
}
