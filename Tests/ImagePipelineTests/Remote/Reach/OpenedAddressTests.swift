import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Which addresses of a name are connected to")
struct OpenedAddressTests {
  private func intake(
    _ reach: RemoteReach = .publicAlone, isOwn: @escaping (IPAddress) -> Bool = { _ in false }
  ) -> TransferIntake {
    let url = remoteURL(1, "a")
    let order = TransferOrder(
      number: 1, request: RemoteRequest(url), url: url, reach: reach, validator: RemoteValidator(), mostBytes: 1_000,
      room: 1_000)
    return TransferIntake(
      order, store: BodyStore(disk: nil, memory: MemoryBodyStore(byteLimit: 1_000)), isOwn: isOwn)
  }

  @Test("a name that leads to near numbers alone is refused; one that leads to others too may answer later")
  func mixed() throws {
    let near = try #require(IPAddress("10.0.0.1"))
    let far = try #require(IPAddress("1.1.1.1"))
    let refused = intake()
    #expect(!refused.opens(near) && !refused.opens(nil))
    #expect(refused.ending(.unreachable) == .failed(.privateAddress))
    for order in [[near, far], [far, near]] {
      let mixed = intake()
      #expect(order.map { mixed.opens($0) } == order.map { $0 == far })
      #expect(mixed.ending(.unreachable) == .failed(.unreachable))
    }
  }

  @Test("this machine's own numbers are near, translated ones too, also where everybody can ask them")
  func own() throws {
    let own = try #require(IPAddress("1.1.1.1"))
    for text in ["1.1.1.1", "64:ff9b::1.1.1.1"] {
      let number = try #require(IPAddress(text))
      #expect(intake().opens(number) && !intake { $0 == own }.opens(number))
      let given = intake(.anywhere) { $0 == own }
      #expect(given.opens(number) && given.asks(number) && !given.isAtPublicServer, "a user may ask anything")
      let other = intake(.anywhere)
      #expect(other.asks(number) && other.isAtPublicServer)
      #expect(!intake { $0 == own }.asks(number))
    }
  }

  @Test("the kernel tells of this machine's numbers")
  func interfaces() throws {
    #expect(IPAddress.own().contains(try #require(IPAddress("127.0.0.1"))))
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
