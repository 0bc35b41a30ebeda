import Glibc
import Testing
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Private addresses")
struct IPAddressTests {
  private static let privateAddresses = [
    "127.0.0.1", "127.255.0.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "192.0.0.9", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.7", "203.0.113.1",
    "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fd00::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:1.1.1.1", "::127.0.0.1",
    "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::c0a8:101", "64:ff9b::1:101:101",
    "64:ff9b:1::1", "64:ff9b:1::101:101", "2001::1", "2001:0:1234::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::",
    "2002:101:101::1", "3fff::1", "5f00::1", "100::1",
  ]
  private static let publicAddresses = [
    "1.1.1.1", "9.255.255.255", "11.0.0.1", "126.0.0.1", "128.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1",
    "192.0.1.1", "100.63.0.1", "100.128.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
    "64:ff9b::1.1.1.1", "64:ff9b::808:808",
    "2606:4700::1", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2a00:1450::1", "3ffe::1",
  ]

  @Test("Addresses outside the public internet are private")
  func addresses() throws {
    for text in IPAddressTests.privateAddresses { #expect(try #require(IPAddress(text)).isPrivate, "\(text)") }
    for text in IPAddressTests.publicAddresses { #expect(!(try #require(IPAddress(text)).isPrivate), "\(text)") }
    for text in ["", "a", "1", "1.2.3", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4.5", "::1%1", "[::1]"] {
      #expect(IPAddress(text) == nil, "\(text)")
    }
  }

  @Test("Host names are private if they are addresses in any notation or names of the local network")
  func hostNames() throws {
    let privateHosts =
      IPAddressTests.privateAddresses.map { $0.contains(":") ? "[\($0)]" : $0 } + [
        "0x7f.1", "017700000001", "2130706433", "127.1", "0177.0.0.1", "0x7F000001", "8.8.8.8.",
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "nas.local", "nas.local.", "x.localdomain", "router.lan",
        "box.home", "box.home.arpa", "git.corp", "www.intranet", "a.private", "metadata.google.internal", "printer",
        "router.", "a..", ".",
      ]
    for host in privateHosts {
      let url = try #require(RemoteURL("http://\(host)/"), "\(host)")
      #expect(url.isPrivate, "\(host)")
      #expect(!RemoteScope.publicOnly.allows(url.origin) && RemoteScope.anyServer.allows(url.origin))
    }
    for host in IPAddressTests.publicAddresses.map({ $0.contains(":") ? "[\($0)]" : $0 }) + [
      "example.com", "example.com.", "a.b.example", "local.example", "localhost.example", "home.arpa.example",
      "1.1", "1.0x1", "127.0.0.1.example", "0x7f.example", "xn--bcher-kva.example", "mylocal.example", "arpa.com",
      "1.e164.arpa",
    ] {
      #expect(!(try #require(RemoteURL("http://\(host)/")).isPrivate), "\(host)")
    }
  }

  @Test("Addresses match in their leading bits")
  func matchingBits() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let number = UInt32.random(in: 0 ... .max, using: &random)
      let bit = Int.random(in: 0..<32, using: &random)
      let other = IPAddress.v4(number ^ 1 << UInt32(31 - bit))
      #expect((0...32).allSatisfy { IPAddress.v4(number).matches(other, bits: $0) == ($0 <= bit) })
      let (high, low) = (UInt64.random(in: 0 ... .max, using: &random), UInt64(number))
      let position = Int.random(in: 0..<128, using: &random)
      let six = IPAddress.v6(
        high: position < 64 ? high ^ 1 << UInt64(63 - position) : high,
        low: position < 64 ? low : low ^ 1 << UInt64(127 - position))
      #expect((0...128).allSatisfy { IPAddress.v6(high: high, low: low).matches(six, bits: $0) == ($0 <= position) })
    }
    #expect(
      !IPAddress.v4(0).matches(.v6(high: 0, low: 0), bits: 0) && !IPAddress.v4(0).matches(.v4(0), bits: 33))
  }
}

@Suite("Addresses of connections")
struct ConnectionAddressTests {
  private func receiver(
    _ scope: RemoteScope = .publicOnly, isLocalAddress: @escaping (IPAddress) -> Bool = { _ in false }
  ) -> TransferReceiver {
    let url = remoteURL(1, "a")
    let attempt = TransferAttempt(
      number: 1, request: RemoteRequest(url), url: url, scope: scope, validator: RemoteValidator(), maximumBytes: 1_000,
      byteAllowance: 1_000)
    return TransferReceiver(
      attempt, store: DownloadStore(disk: nil, memory: MemoryDownloadStore(byteLimit: 1_000)),
      isLocalAddress: isLocalAddress)
  }

  @Test("A host with private addresses only is refused, one with public addresses too may still answer")
  func mixed() throws {
    let privateAddress = try #require(IPAddress("10.0.0.1"))
    let publicAddress = try #require(IPAddress("1.1.1.1"))
    let refused = receiver()
    #expect(!refused.allowsConnection(to: privateAddress) && !refused.allowsConnection(to: nil))
    #expect(refused.outcome(.unreachable) == .failed(.privateAddress))
    for order in [[privateAddress, publicAddress], [publicAddress, privateAddress]] {
      let mixed = receiver()
      #expect(order.map { mixed.allowsConnection(to: $0) } == order.map { $0 == publicAddress })
      #expect(mixed.outcome(.unreachable) == .failed(.unreachable))
    }
  }

  @Test("Addresses of this machine are private, also translated ones and those in public ranges")
  func localAddresses() throws {
    let own = try #require(IPAddress("1.1.1.1"))
    for text in ["1.1.1.1", "64:ff9b::1.1.1.1"] {
      let number = try #require(IPAddress(text))
      #expect(receiver().allowsConnection(to: number) && !receiver { $0 == own }.allowsConnection(to: number))
      let user = receiver(.anyServer) { $0 == own }
      #expect(
        user.allowsConnection(to: number) && user.allowsRequest(to: number) && !user.isAtPublicServer,
        "requests of the user are not restricted")
      let other = receiver(.anyServer)
      #expect(other.allowsRequest(to: number) && other.isAtPublicServer)
      #expect(!receiver { $0 == own }.allowsRequest(to: number))
    }
  }

  @Test("The loopback address is among the local addresses")
  func interfaces() throws {
    #expect(IPAddress.localAddresses().contains(try #require(IPAddress("127.0.0.1"))))
  }

  @Test("A socket address is read at any offset that is a multiple of four", arguments: [0, 4, 8, 12])
  func socketAddresses(offset: Int) throws {
    let number = try #require(IPAddress("2606:4700:1:2:3:4:5:6"))
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    #expect(inet_pton(AF_INET6, "2606:4700:1:2:3:4:5:6", &address.sin6_addr) == 1)
    let read = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { bytes in
      bytes.storeBytes(of: address, toByteOffset: offset, as: sockaddr_in6.self)
      return bytes.baseAddress.flatMap { IPAddress($0 + offset) }
    }
    #expect(read == number)
  }
}
