import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Which addresses of a name are connected to")
struct OpenedAddressTests {
  private func intake(
    _ reach: RemoteScope = .publicOnly, isOwn: @escaping (IPAddress) -> Bool = { _ in false }
  ) -> TransferReceiver {
    let url = remoteURL(1, "a")
    let order = TransferAttempt(
      number: 1, request: RemoteRequest(url), url: url, scope: reach, validator: RemoteValidator(), maximumBytes: 1_000,
      byteAllowance: 1_000)
    return TransferReceiver(
      order, store: DownloadStore(disk: nil, memory: MemoryDownloadStore(byteLimit: 1_000)), isOwn: isOwn)
  }

  @Test("a name that leads to near numbers alone is refused; one that leads to others too may answer later")
  func mixed() throws {
    let near = try #require(IPAddress("10.0.0.1"))
    let far = try #require(IPAddress("1.1.1.1"))
    let refused = intake()
    #expect(!refused.allowsConnection(to: near) && !refused.allowsConnection(to: nil))
    #expect(refused.outcome(.unreachable) == .failed(.privateAddress))
    for order in [[near, far], [far, near]] {
      let mixed = intake()
      #expect(order.map { mixed.allowsConnection(to: $0) } == order.map { $0 == far })
      #expect(mixed.outcome(.unreachable) == .failed(.unreachable))
    }
  }

  @Test("this machine's own numbers are near, translated ones too, also where everybody can ask them")
  func own() throws {
    let own = try #require(IPAddress("1.1.1.1"))
    for text in ["1.1.1.1", "64:ff9b::1.1.1.1"] {
      let number = try #require(IPAddress(text))
      #expect(intake().allowsConnection(to: number) && !intake { $0 == own }.allowsConnection(to: number))
      let given = intake(.anyServer) { $0 == own }
      #expect(
        given.allowsConnection(to: number) && given.allowsRequest(to: number) && !given.isAtPublicServer,
        "a user may ask anything")
      let other = intake(.anyServer)
      #expect(other.allowsRequest(to: number) && other.isAtPublicServer)
      #expect(!intake { $0 == own }.allowsRequest(to: number))
    }
  }

  @Test("the kernel tells of this machine's numbers")
  func interfaces() throws {
    #expect(IPAddress.localAddresses().contains(try #require(IPAddress("127.0.0.1"))))
  }

  @Test("what a socket is connected to is read where it lies, at any multiple of four", arguments: [0, 4, 8, 12])
  func places(offset: Int) throws {
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
