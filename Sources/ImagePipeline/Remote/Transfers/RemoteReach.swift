import Glibc

/// Which servers may be asked.
///
/// An address that a user gave may lead anywhere. One that a public server gave may not lead to this machine or its
/// neighbours, which trust those who are near, and which nobody outside could ask.
enum RemoteReach: Hashable, Sendable {
  /// Any server.
  case anywhere
  /// Servers that everybody can ask.
  case publicAlone

  /// Whether a connection to a numeric address may be used.
  func admits(_ address: String) -> Bool { self == .anywhere || !RemoteReach.isPrivate(address) }

  /// Whether a numeric address is this machine's, its network's, or none that the internet knows; also of what is no address.
  ///
  /// The C function is `inet_pton`.
  static func isPrivate(_ address: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return isPrivate(UInt32(bigEndian: four.s_addr)) }
    var six = in6_addr()
    guard inet_pton(AF_INET6, address, &six) == 1 else { return true }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10..<12].elementsEqual([0xFF, 0xFF]) {
      return isPrivate(bytes[12...].reduce(0) { $0 << 8 | UInt32($1) })
    }
    // Only 2000::/3 is the internet's.
    return bytes[0] & 0xE0 != 0x20
  }

  private static func isPrivate(_ number: UInt32) -> Bool {
    switch number >> 24 {
    case 0, 10, 127, 224...: true
    case 100: number >> 22 == 0x191
    case 169: number >> 16 == 0xA9FE
    case 172: number >> 20 == 0xAC1
    case 192: number >> 16 == 0xC0A8 || number >> 8 == 0xC00000
    case 198: number >> 17 == 0x6309
    default: false
    }
  }
}
