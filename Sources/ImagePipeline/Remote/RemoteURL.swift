import Rendering

/// The address of something on the web: absolute, http or https, and checked.
///
/// Of RFC 3986, with what people paste made good: spaces around it, spaces and letters of other alphabets within the path.
/// A host is one of the network's names, in ASCII, or a number: names in other letters have such a form, which the
/// address bar of a browser gives when it is copied.
public struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The address as it goes over the network, a name and password among it where it has some.
  public let text: String
  /// Whether what goes back and forth is kept from others.
  public let isSecure: Bool
  /// The server.
  let origin: RemoteOrigin
  private let credentials: String
  private let target: String

  /// The longest address in bytes, as it is given and as it goes over the network.
  static let maximumBytes = 8_192

  /// Checks an address; nil where it is none of the web's, or too long.
  ///
  /// What may not stand in an address is escaped and takes three bytes each; that counts towards the length.
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
    guard let place = RemoteOrigin(sign.map { authority[($0 + 1)...] } ?? authority, isSecure: isSecure) else {
      return nil
    }
    origin = place
    credentials = userBytes.isEmpty ? "" : RemoteURL.escaped(userBytes) + "@"
    var target = RemoteURL.escaped(rest[authority.endIndex...])
    if !target.hasPrefix("/") { target = "/" + target }
    self.target = RemoteURL.removingDotSegments(target)
    self.text = (isSecure ? "https://" : "http://") + credentials + place.text(isSecure: isSecure) + self.target
    guard self.text.utf8.count <= RemoteURL.maximumBytes else { return nil }
  }

  /// The address that a reference found at this one leads to; nothing where it leads out of the web.
  ///
  /// RFC 3986, section 5.2.
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

  /// Whether its server's name says that it is this machine or near it: a number of a private network, a name without a dot, or
  /// one that ends as such networks' names do.
  /// - Complexity: O(bytes of the name).
  public var isPrivate: Bool { origin.isPrivate }

  /// The address for people and logs: no name and password, and of a query, which may be a key to something, only that
  /// there is one.
  public var description: String {
    let path = target.prefix { $0 != "?" }
    return (isSecure ? "https://" : "http://") + origin.text(isSecure: isSecure) + path
      + (path.endIndex == target.endIndex ? "" : "?…")
  }

  /// A number for the address, the same in every run.
  public var digest: UInt64 {
    var digest = ContentDigest()
    var text = text
    text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
    return digest.value
  }

  /// The address without the name and password.
  var withoutCredentials: String {
    (isSecure ? "https://" : "http://") + origin.text(isSecure: isSecure) + target
  }

  /// The bytes between spaces, before the fragment; nothing where there are ones that no address has, or too many.
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

  /// Bytes that may not stand in an address, as a percent sign and two digits.
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

  /// A path with its steps to itself and back taken; a query after it stays as it is.
  private static func removingDotSegments(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let query = target[path.endIndex...]
    var steps: [Substring] = []
    let given = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (place, step) in given.enumerated() {
      let isLast = place == given.count - 1
      switch step {
      case ".": if isLast { steps.append("") }
      case "..":
        if !steps.isEmpty { steps.removeLast() }
        if isLast { steps.append("") }
      default: steps.append(step)
      }
    }
    return "/" + steps.joined(separator: "/") + query
  }
}
