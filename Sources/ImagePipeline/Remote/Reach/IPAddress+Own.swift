import Glibc

extension IPAddress {
  /// The numbers of this machine's interfaces, as of now; none where the kernel does not tell.
  ///
  /// Blocks for a few system calls. The C function is `getifaddrs`.
  static func localAddresses() -> Set<IPAddress> {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var numbers: Set<IPAddress> = []
    var next = first
    while let interface = next?.pointee {
      if let address = interface.ifa_addr, let number = IPAddress(UnsafeRawPointer(address)) { numbers.insert(number) }
      next = interface.ifa_next
    }
    return numbers
  }
}
