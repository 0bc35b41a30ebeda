import VitrineImagePipeline

/// A validated absolute http or https URL.
///
/// libcurl parses it as it is later requested. Surrounding whitespace and the fragment are removed, and spaces and
/// non-ASCII characters in the path are escaped. The host is an ASCII name or an IP address. Internationalized names
/// must be in Punycode, as browsers copy them.
public struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The URL as it is sent over the network, including credentials.
  public let text: String
  /// Whether the scheme is https.
  public let isSecure: Bool
  /// The server.
  let origin: RemoteOrigin

  /// The maximum length in bytes, both before and after escaping.
  static let maximumBytes = 8_192

  /// Whether there can be URLs, because libcurl is installed.
  public static var isAvailable: Bool { CurlURL.isAvailable }

  /// Creates a URL, or returns nil if the text is not an http or https URL or is too long, or libcurl is not installed.
  ///
  /// Invalid characters are escaped, which takes three bytes each and counts towards the length.
  /// - Complexity: O(bytes).
  public init?(_ text: String) { self.init(text, base: nil) }

  /// Resolves a reference relative to this URL, or returns nil if the result is not an http or https URL.
  ///
  /// Implements RFC 3986, section 5.2.
  /// - Complexity: O(bytes).
  public func resolving(_ reference: String) -> RemoteURL? { RemoteURL(reference, base: self) }

  private init?(_ untrimmed: String, base: RemoteURL?) {
    guard let text = RemoteURL.trimmed(untrimmed) else { return nil }
    if let base, text.isEmpty {
      self = base
      return
    }
    // libcurl accepts any number of slashes.
    if base == nil || RemoteURL.hasScheme(text) {
      let slashes = text.drop { $0 != ":" }
      guard slashes.hasPrefix("://"), !slashes.hasPrefix(":///") else { return nil }
    }
    guard let url = CurlURL(text, base: base?.text), let scheme = url.part(.scheme),
      let origin = RemoteOrigin(host: url.part(.host), port: url.part(.port)), let text = url.part(.url),
      text.utf8.count <= RemoteURL.maximumBytes, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    switch scheme {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    self.text = text
    self.origin = origin
  }

  /// Whether the host's name identifies this machine or a server of a private network: a private IP address, a name
  /// without a dot or a name in a private domain.
  /// - Complexity: O(bytes of the name).
  public var isPrivate: Bool { origin.isPrivate }

  /// The URL without credentials, fragment and query, as in `RemoteImage.description`.
  public var description: String { RemoteImage(address: text).description }

  /// A hash of the URL that is equal in every run.
  public var digest: UInt64 { RemoteImage(address: text).digest }

  /// The URL without credentials.
  var withoutCredentials: String { CurlURL(text, base: nil)?.part(.urlWithoutCredentials) ?? text }

  /// Returns the text without surrounding whitespace and the fragment, or nil if it contains invalid characters or is
  /// too long.
  private static func trimmed(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = bytes.prefix { $0 != UInt8(ascii: "#") }
    guard bytes.count <= maximumBytes else { return nil }
    let isInvalid = bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    return isInvalid ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func hasScheme(_ text: String) -> Bool {
    text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }.endIndex
      == text.firstIndex(of: ":") && text.first?.isLetter == true
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

  /// Creates an origin from the parts of a parsed URL, or returns nil if they do not identify a server.
  init?(host: String?, port: String?) {
    guard let host = host?.lowercased(), (1...253).contains(host.utf8.count), let port = port.flatMap({ Int($0) }),
      port > 0
    else { return nil }
    let isAddress = host.hasPrefix("[") && IPAddress(String(host.dropFirst().dropLast())) != nil
    guard isAddress || host.utf8.allSatisfy({ RemoteOrigin.letters.contains($0) }) else { return nil }
    self.host = host
    self.port = port
  }

  private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
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
