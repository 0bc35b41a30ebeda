import Glibc

/// An IP address.
enum IPAddress: Hashable, Sendable {
  /// An IPv4 address.
  case v4(UInt32)
  /// An IPv6 address, as two halves.
  case v6(high: UInt64, low: UInt64)

  /// Parses an address in the usual notation without brackets, or returns nil for anything else.
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

  /// Reads a socket address, or returns nil if it is not an IP address.
  ///
  /// - Parameter address: A complete `sockaddr_in` or `sockaddr_in6` if the address family is one of theirs.
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

  /// Whether the address belongs to this machine or a private network, or is not a public unicast address.
  ///
  /// Addresses that embed others (6to4, Teredo, IPv4 in IPv6, a network's own NAT64) count as private, because their
  /// destination is unknown. The address in the well-known NAT64 prefix is checked through ``translated``.
  var isPrivate: Bool {
    switch translated {
    case .v4(let value): IPAddress.reservedBlocks.contains { value >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
    case .v6(let high, _):
      // Public addresses are in 2000::/3, except 2001::/23 (which includes Teredo), the documentation prefixes and
      // 6to4.
      high >> 61 != 1 || high >> 41 == 0x2001_0000 >> 9 || high >> 32 == 0x2001_0DB8 || high >> 48 == 0x2002
        || high >> 44 == 0x3FFF0
    }
  }

  /// The IPv4 address that is embedded in the well-known NAT64 prefix 64:ff9b::/96, or else the address itself.
  ///
  /// IPv6-only networks use the prefix to reach IPv4 servers.
  var translated: IPAddress {
    guard case .v6(0x0064_FF9B_0000_0000, let low) = self, low >> 32 == 0 else { return self }
    return .v4(UInt32(low))
  }

  /// The IPv4 blocks that are not public: those of the special-purpose address registry, the 6to4 relay, multicast and
  /// the reserved block 240.0.0.0/4.
  private static let reservedBlocks: [(prefix: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
    (0xCB00_7100, 24), (0xE000_0000, 3),
  ]

  /// Returns whether the first bits equal those of another address.
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

extension IPAddress {
  /// Returns the current addresses of this machine's network interfaces, or an empty set if the system call fails.
  ///
  /// Blocks for a few system calls. The C function is `getifaddrs`.
  static func localAddresses() -> Set<IPAddress> {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: Set<IPAddress> = []
    var next = first
    while let interface = next?.pointee {
      if let address = interface.ifa_addr, let ipAddress = IPAddress(UnsafeRawPointer(address)) {
        addresses.insert(ipAddress)
      }
      next = interface.ifa_next
    }
    return addresses
  }
}
