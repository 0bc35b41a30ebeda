import VitrineRendering

/// The relevant fields of a response head, parsed line by line.
///
/// An informational response (100, 103) is replaced by the response that follows it.
struct ResponseHead: Hashable, Sendable {
  /// The status, or 0 before the status line.
  private(set) var status = 0
  /// Whether the empty line after the head was read.
  private(set) var isComplete = false
  /// The target of a redirect.
  private(set) var location: String?
  /// The validator of the content.
  private(set) var validator = RemoteValidator()
  /// The length of the body, if the server announces it.
  private(set) var contentLength: Int?
  /// Whether the body has a content encoding.
  private(set) var isEncoded = false
  /// Whether the response must not be stored on disk.
  private(set) var forbidsStoring = false
  private var retryAfter: String?
  private var date: String?
  private var byteCount = 0

  /// The maximum size of a head, in bytes, including informational responses.
  static let maximumBytes = 1 << 17

  /// Parses a line.
  ///
  /// - Returns: False if the head is too long or invalid.
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

  /// Returns the retry delay that the server requests, in seconds, or nil if it requests none.
  ///
  /// - Parameter now: Seconds since 1970. Used for a date if the response has no Date field.
  func retrySeconds(now: Int) -> Int? {
    guard let retryAfter else { return nil }
    if let seconds = Int(retryAfter) { return seconds >= 0 ? min(seconds, ResponseHead.maximumRetrySeconds) : nil }
    guard let date = HTTPDate.seconds(retryAfter) else { return nil }
    return min(max(0, date - (self.date.flatMap(HTTPDate.seconds) ?? now)), ResponseHead.maximumRetrySeconds)
  }

  /// One day.
  ///
  /// Longer delays are treated alike.
  private static let maximumRetrySeconds = 86_400
}

extension String {
  /// The string without surrounding whitespace.
  fileprivate var trimmingSpaces: String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 }) else {
      return ""
    }
    return String(self[first...last])
  }
}

/// A validator of stored content, which makes a request conditional.
struct RemoteValidator: Hashable, Sendable {
  /// The value of the ETag field.
  var eTag: String?
  /// The value of the Last-Modified field.
  var lastModified: String?

  /// Whether the server sent no validator.
  var isEmpty: Bool { eTag == nil && lastModified == nil }

  /// The header lines of a conditional request.
  var headerLines: [String] {
    if let eTag { return ["If-None-Match: \(eTag)"] }
    return lastModified.map { ["If-Modified-Since: \($0)"] } ?? []
  }

  /// Returns a field value if it can be sent back: printable ASCII of at most 256 bytes.
  static func sanitized(_ text: String) -> String? {
    let isValid = (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isValid ? text : nil
  }
}

extension RemoteValidator {
  /// Returns a number for cache keys: a hash of the validator and the size, or of the fallback if there is no
  /// validator.
  func version(byteCount: Int, fallback: UInt64) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(byteCount))
    if var text = eTag ?? lastModified {
      text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      digest.combine(fallback)
    }
    return digest.value
  }
}
