/// What stands before the bytes of an answer, as far as it matters here.
///
/// Told line by line. Where an answer is announced by others (100, 103), the last one counts.
struct ResponseHead: Hashable, Sendable {
  /// The status, 0 before there is one.
  private(set) var status = 0
  /// Whether the empty line was read that ends the head of an answer.
  private(set) var isComplete = false
  /// Where the answer is, instead of here.
  private(set) var location: String?
  /// What names this state of what is at the address.
  private(set) var validator = RemoteValidator()
  /// The bytes that are to follow, where that is said.
  private(set) var contentLength: Int?
  /// Whether the bytes that follow are packed in some way.
  private(set) var isEncoded = false
  /// Whether the answer is not to be kept on a disk.
  private(set) var forbidsStoring = false
  private var retryAfter: String?
  private var date: String?
  private var byteCount = 0

  /// The most bytes of a head, with all that announces it.
  static let maximumBytes = 1 << 17

  /// Takes a line in.
  ///
  /// - Returns: whether to go on: not so where it is too long, or no head at all.
  mutating func parse(line bytes: UnsafeRawBufferPointer) -> Bool {
    byteCount += bytes.count
    guard byteCount <= ResponseHead.maximumBytes else { return false }
    let line = String(decoding: bytes, as: UTF8.self).trimmingSpaces
    if line.hasPrefix("HTTP/") { return parseStatusLine(line) }
    if line.isEmpty {
      isComplete = status >= 200
      return status > 0
    }
    guard let colon = line.firstIndex(of: ":") else { return status > 0 }
    parseField(line[..<colon].lowercased(), String(line[line.index(after: colon)...]).trimmingSpaces)
    return status > 0
  }

  private mutating func parseStatusLine(_ line: String) -> Bool {
    let count = byteCount
    self = ResponseHead()
    byteCount = count
    let words = line.split(separator: " ")
    guard words.count > 1, words[1].utf8.count == 3, let number = Int(words[1]), (100...599).contains(number) else {
      return false
    }
    status = number
    return true
  }

  private mutating func parseField(_ name: String, _ value: String) {
    switch name {
    case "location": location = value
    case "retry-after": retryAfter = value
    case "date": date = value
    case "etag": validator.eTag = RemoteValidator.sanitized(value)
    case "last-modified": validator.lastModified = RemoteValidator.sanitized(value)
    case "content-length": contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case "content-encoding": isEncoded = !["", "identity"].contains(value.lowercased())
    case "cache-control": if value.lowercased().contains("no-store") { forbidsStoring = true }
    default: break
    }
  }

  /// In how many seconds the server asks to come back; nothing where it does not say.
  ///
  /// - Parameter now: seconds since 1970, for a server that says when and not what time it has.
  func retrySeconds(now: Int) -> Int? {
    guard let retryAfter else { return nil }
    if let seconds = Int(retryAfter) { return seconds >= 0 ? min(seconds, ResponseHead.longestPause) : nil }
    guard let then = HTTPDate.seconds(retryAfter) else { return nil }
    return min(max(0, then - (date.flatMap(HTTPDate.seconds) ?? now)), ResponseHead.longestPause)
  }

  /// A day: who says more is not waited for either.
  private static let longestPause = 86_400
}

extension String {
  /// Without the spaces and line ends around it.
  fileprivate var trimmingSpaces: String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 }) else {
      return ""
    }
    return String(self[first...last])
  }
}
