/// A server: where connections go, and what may have only so many of them.
struct RemoteOrigin: Hashable, Sendable {
  /// The name in small letters, or a number; brackets stand around one with colons.
  let host: String
  /// The port.
  let port: Int

  /// Reads what stands between the slashes and the path, without a name and password.
  init?(_ bytes: ArraySlice<UInt8>, isSecure: Bool) {
    let name: ArraySlice<UInt8>
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      name = bytes[...end]
      let number = name.dropFirst().dropLast()
      guard number.contains(UInt8(ascii: ":")),
        number.allSatisfy({ RemoteOrigin.hexadecimal.contains($0) || ":.".utf8.contains($0) })
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

  /// As it stands in an address.
  func text(isSecure: Bool) -> String {
    port == RemoteOrigin.defaultPort(isSecure: isSecure) ? host : "\(host):\(port)"
  }

  private static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

  private static let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
  private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
}
