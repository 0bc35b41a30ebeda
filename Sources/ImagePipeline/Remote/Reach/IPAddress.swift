import Glibc

/// A number of the internet's that connections go to.
enum IPAddress: Hashable, Sendable {
  /// Of version 4.
  case v4(UInt32)
  /// Of version 6: its halves.
  case v6(high: UInt64, low: UInt64)

  /// Reads the usual spelling, without brackets; nothing where it is another, or a name.
  ///
  /// The C function is `inet_pton`.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = .v4(UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(six)
    } else {
      return nil
    }
  }

  /// Reads what sockets are connected to; nothing where that is no network.
  ///
  /// - Parameter address: at least as many bytes as a `sockaddr_in` or `sockaddr_in6` where its family says so.
  init?(_ address: UnsafeRawPointer) {
    switch Int32(address.load(as: sa_family_t.self)) {
    case AF_INET: self = .v4(UInt32(bigEndian: address.load(as: sockaddr_in.self).sin_addr.s_addr))
    case AF_INET6: self.init(address.load(as: sockaddr_in6.self).sin6_addr)
    default: return nil
    }
  }

  private init(_ address: in6_addr) {
    // The type's alignment is 4.
    let (high, low) = withUnsafeBytes(of: address) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self = .v6(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Whether it is this machine's, its network's, or none that everybody can ask.
  ///
  /// Numbers that stand for others by a rule of translation (6to4, Teredo, version 4 within version 6, a network's own NAT64)
  /// are near: where they lead is not theirs to say. The common NAT64 is judged by ``translated``.
  var isPrivate: Bool {
    switch translated {
    case .v4(let number): IPAddress.reservedBlocks.contains { number >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
    case .v6(let high, _):
      // Only 2000::/3 is the internet's; in it are 2001::/23 (Teredo among it), examples, and 6to4.
      high >> 61 != 1 || high >> 41 == 0x2001_0000 >> 9 || high >> 32 == 0x2001_0DB8 || high >> 48 == 0x2002
        || high >> 44 == 0x3FFF0
    }
  }

  /// The number of version 4 that 64:ff9b::/96 stands for, by which networks without that version reach what has no other;
  /// otherwise the number itself.
  var translated: IPAddress {
    guard case .v6(0x0064_FF9B_0000_0000, let low) = self, low >> 32 == 0 else { return self }
    return .v4(UInt32(low))
  }

  /// Of version 4, what the registry of special numbers keeps from the internet, 6to4's relay, groups, and the last block.
  private static let reservedBlocks: [(prefix: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
    (0xCB00_7100, 24), (0xE000_0000, 3),
  ]

  /// Whether the first bits are those of another.
  func matches(_ other: IPAddress, bits: Int) -> Bool {
    switch (self, other) {
    case (.v4(let own), .v4(let other)):
      return (0...32).contains(bits) && (bits == 0 || (own ^ other) >> UInt32(32 - bits) == 0)
    case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
      guard (0...128).contains(bits) else { return false }
      let first = min(bits, 64)
      let isSameFirst = first == 0 || (high ^ otherHigh) >> UInt64(64 - first) == 0
      return isSameFirst && (bits <= 64 || (low ^ otherLow) >> UInt64(128 - bits) == 0)
    default: return false
    }
  }
}
