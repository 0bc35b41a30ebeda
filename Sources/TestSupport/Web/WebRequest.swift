/// What somebody asked of a ``WebServer``.
public struct WebRequest: Hashable, Sendable {
  /// The path, with its query.
  public let path: String
  /// The lines after the first, by their names in small letters.
  public let headers: [String: String]

  /// Reads the head of a request; nothing where it is none.
  init?(_ head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    path = String(words[1])
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    self.headers = fields
  }
}
