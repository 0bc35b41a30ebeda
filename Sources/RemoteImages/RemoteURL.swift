import ImagePipeline

/// A validated absolute http or https URL.
///
/// Follows RFC 3986, but accepts surrounding whitespace, and escapes spaces and non-ASCII characters in the path. The
/// host is an ASCII name or an IP address. Internationalized names must be in Punycode, as browsers copy them.
public struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The URL as it is sent over the network, including credentials.
  public let text: String
  /// Whether the scheme is https.
  public let isSecure: Bool
  /// The server.
  let origin: RemoteOrigin
  private let credentials: String
  private let target: String

  /// The maximum length in bytes, both before and after escaping.
  static let maximumBytes = 8_192

  /// Creates a URL, or returns nil if the text is not an http or https URL or is too long.
  ///
  /// Invalid characters are escaped, which takes three bytes each and counts towards the length.
  /// - Complexity: O(bytes).
  public init?(_ text: String) {
    guard let bytes = RemoteURL.trimmed(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    switch String(decoding: bytes[..<colon], as: UTF8.self).lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    let rest = bytes[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?".utf8.contains($0) }
    let sign = authority.lastIndex(of: UInt8(ascii: "@"))
    let userBytes = sign.map { authority[..<$0] } ?? []
    guard let origin = RemoteOrigin(sign.map { authority[($0 + 1)...] } ?? authority, isSecure: isSecure) else {
      return nil
    }
    self.origin = origin
    credentials = userBytes.isEmpty ? "" : RemoteURL.escaped(userBytes) + "@"
    var target = RemoteURL.escaped(rest[authority.endIndex...])
    if !target.hasPrefix("/") { target = "/" + target }
    self.target = RemoteURL.removingDotSegments(target)
    self.text = (isSecure ? "https://" : "http://") + credentials + origin.text(isSecure: isSecure) + self.target
    guard self.text.utf8.count <= RemoteURL.maximumBytes else { return nil }
  }

  /// Resolves a reference relative to this URL, or returns nil if the result is not an http or https URL.
  ///
  /// Implements RFC 3986, section 5.2.
  /// - Complexity: O(bytes).
  public func resolving(_ reference: String) -> RemoteURL? {
    guard let bytes = RemoteURL.trimmed(reference) else { return nil }
    let relative = String(decoding: bytes, as: UTF8.self)
    if RemoteURL.hasScheme(bytes) { return RemoteURL(relative) }
    let scheme = isSecure ? "https:" : "http:"
    if relative.hasPrefix("//") { return RemoteURL(scheme + relative) }
    let root = scheme + "//" + credentials + origin.text(isSecure: isSecure)
    if relative.hasPrefix("/") { return RemoteURL(root + relative) }
    let path = target.prefix { $0 != "?" }
    if relative.isEmpty { return self }
    if relative.hasPrefix("?") { return RemoteURL(root + path + relative) }
    return RemoteURL(root + path[...(path.lastIndex(of: "/") ?? path.startIndex)] + relative)
  }

  /// Whether the host's name identifies this machine or a server of a private network: a private IP address, a name
  /// without a dot or a name in a private domain.
  /// - Complexity: O(bytes of the name).
  public var isPrivate: Bool { origin.isPrivate }

  /// The URL without credentials, fragment and query, as in ``RemoteImage/description``.
  public var description: String { RemoteImage(address: text).description }

  /// A hash of the URL that is equal in every run.
  public var digest: UInt64 { RemoteImage(address: text).digest }

  /// The URL without credentials.
  var withoutCredentials: String {
    (isSecure ? "https://" : "http://") + origin.text(isSecure: isSecure) + target
  }

  /// Returns the bytes without surrounding whitespace and the fragment, or nil if they contain invalid characters or
  /// are too long.
  private static func trimmed(_ text: String) -> ArraySlice<UInt8>? {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = bytes.prefix { $0 != UInt8(ascii: "#") }
    guard bytes.count <= maximumBytes else { return nil }
    return bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") } ? nil : bytes
  }

  private static func hasScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    let name = bytes.prefix { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    return bytes.dropFirst(name.count).first == UInt8(ascii: ":")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Percent-encodes the bytes that a URL must not contain.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7F || "\"<>^`{|}".utf8.contains(byte) {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Removes the dot segments of the path.
  ///
  /// The query is unchanged.
  private static func removingDotSegments(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let query = target[path.endIndex...]
    var result: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { result.append("") }
      case "..":
        if !result.isEmpty { result.removeLast() }
        if isLast { result.append("") }
      default: result.append(segment)
      }
    }
    return "/" + result.joined(separator: "/") + query
  }
}

// MARK: - Server

/// A server, identified by host and port.
///
/// Connections are limited per origin.
struct RemoteOrigin: Hashable, Sendable {
  /// The lowercase host name or IP address.
  ///
  /// An IPv6 address is in brackets.
  let host: String
  /// The port.
  let port: Int

  /// Parses the authority of a URL, without credentials.
  init?(_ bytes: ArraySlice<UInt8>, isSecure: Bool) {
    let name: ArraySlice<UInt8>
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      name = bytes[...end]
      let address = name.dropFirst().dropLast()
      guard address.contains(UInt8(ascii: ":")),
        address.allSatisfy({ RemoteOrigin.hexadecimal.contains($0) || ":.".utf8.contains($0) })
      else { return nil }
    } else {
      name = bytes.prefix { $0 != UInt8(ascii: ":") }
      guard name.allSatisfy({ RemoteOrigin.letters.contains($0) }) else { return nil }
    }
    guard (1...253).contains(name.count) else { return nil }
    let rest = bytes[name.endIndex...]
    host = String(decoding: name, as: UTF8.self).lowercased()
    if rest.count <= 1 {
      guard rest.first ?? UInt8(ascii: ":") == UInt8(ascii: ":") else { return nil }
      port = RemoteOrigin.defaultPort(isSecure: isSecure)
    } else {
      guard rest.first == UInt8(ascii: ":"), rest.count <= 6,
        rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), (1...65_535).contains(number)
      else { return nil }
      port = number
    }
  }

  /// Returns the origin as it is written in a URL.
  func text(isSecure: Bool) -> String {
    port == RemoteOrigin.defaultPort(isSecure: isSecure) ? host : "\(host):\(port)"
  }

  private static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

  private static let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
  private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
}

// MARK: - Private servers

extension RemoteOrigin {
  /// The host's IP address, or nil if the host is a name or an address in an unusual notation.
  var ipAddress: IPAddress? {
    IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
  }

  /// Whether the host's name identifies this machine or a server of a private network.
  ///
  /// This is true for private IP addresses, IP addresses in unusual notations, which programs parse differently, names
  /// without a dot, which only the local network resolves, and names in private domains. The address of any other name
  /// is checked when it is connected to.
  /// - Complexity: O(bytes).
  var isPrivate: Bool {
    if let ipAddress { return ipAddress.isPrivate }
    if host.hasPrefix("[") { return true }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let name = labels.last?.isEmpty ?? true ? labels.dropLast() : labels[...]
    guard name.count > 1, let last = name.last, !last.isEmpty else { return true }
    if last.allSatisfy(\.isNumber) || last.hasPrefix("0x") { return true }
    return RemoteOrigin.privateNames.contains(String(last)) || name.suffix(2).elementsEqual(["home", "arpa"])
  }

  private static let privateNames: Set<String> = [
    "localhost", "local", "localdomain", "lan", "home", "corp", "intranet", "private", "internal",
  ]
}

/// The servers that a request may reach.
///
/// A URL from the user may lead to any server. A URL from a public server must not lead to this machine or its network,
/// whose servers trust local clients and are unreachable from outside.
enum RemoteScope: Hashable, Sendable {
  /// Any server.
  case anyServer
  /// Public servers only.
  case publicOnly

  /// Returns whether a server may be contacted, judged by its name only.
  /// - Complexity: O(bytes of the name).
  func allows(_ origin: RemoteOrigin) -> Bool { self == .anyServer || !origin.isPrivate }
}
