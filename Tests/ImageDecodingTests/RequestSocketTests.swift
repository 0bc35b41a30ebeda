import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineTestSupport

@testable import VitrineDecodingService

@Suite("The socket and the memory of a decoding process")
struct RequestSocketTests {
  /// Both ends of a socket, which are closed at the end of a test.
  private struct Ends: ~Copyable {
    let process: Int32
    let client: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      (process, client) = (ends[0], ends[1])
    }

    /// Sends bytes as the client.
    func send(_ bytes: [UInt8], file: Int32 = -1) -> Int { platform_send_record(client, bytes, bytes.count, file) }

    deinit {
      close(process)
      close(client)
    }
  }

  private let record: WireWords = {
    var words = WireWords()
    for index in 0..<WireFormat.wordCount { words[index] = UInt32(index) << 24 | 7 }
    return words
  }()

  private var recordBytes: [UInt8] { withUnsafeBytes(of: record) { Array($0) } }

  @Test("A packet of a record's length is a record, and its words are unchanged")
  func wholeRecord() throws {
    let ends = try Ends()
    #expect(ends.send(recordBytes) == WireFormat.byteCount)
    let packet = try #require(RequestSocket(descriptor: ends.process).receive())
    #expect(packet.words == record && packet.isRecord && packet.isComplete && packet.descriptor == -1)
  }

  @Test("Packets of any other length are no record")
  func otherLengths() throws {
    let ends = try Ends()
    for count in Array(1..<WireFormat.byteCount) + [WireFormat.byteCount + 1, 4096] {
      #expect(ends.send([UInt8](repeating: 1, count: count)) == count)
      let packet = try #require(RequestSocket(descriptor: ends.process).receive())
      // The rest of a longer packet is lost.
      #expect(packet.isRecord == (count > WireFormat.byteCount) && !packet.isComplete, "\(count)")
    }
  }

  @Test("An attached descriptor is received, and no other process inherits it")
  func descriptors() throws {
    let ends = try Ends()
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(ends.send(recordBytes, file: file) == WireFormat.byteCount)
    let packet = try #require(RequestSocket(descriptor: ends.process).receive())
    #expect(packet.isComplete && packet.descriptor >= 0 && packet.descriptor != file)
    #expect(fcntl(packet.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    close(packet.descriptor)
  }

  @Test("Random packets are records or none, and nothing is left of the one before", arguments: TestScale.seeds(1...4))
  func randomPackets(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let ends = try Ends()
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(ends.send(bytes) == bytes.count)
      let packet = try #require(RequestSocket(descriptor: ends.process).receive())
      let received = withUnsafeBytes(of: packet.words) { Array($0) }
      let count = min(bytes.count, WireFormat.byteCount)
      #expect(received.prefix(count).elementsEqual(bytes.prefix(count)))
      #expect(received.dropFirst(count).allSatisfy { $0 == 0 })
      #expect(packet.isComplete == (bytes.count == WireFormat.byteCount))
    }
  }

  @Test("Replies are sent as records, and not to a socket that is closed")
  func replies() throws {
    let ends = try Ends()
    let reply = DecodingReply(id: 7, status: .damaged)
    #expect(RequestSocket(descriptor: ends.process).send(reply))
    let packet = try #require(RequestSocket(descriptor: ends.client).receive())
    #expect(packet.isComplete && DecodingReply(words: packet.words) == reply)
    #expect(!RequestSocket(descriptor: -1).send(reply))
    shutdown(ends.client, Int32(SHUT_RDWR))
    #expect(RequestSocket(descriptor: ends.process).receive() == nil)
  }

  @Test("The slots are mapped if the memory is large enough, and their descriptor is closed")
  func slots() throws {
    let launch = try #require(DecodingLaunch(slotCount: 2, slotBytes: 4096))
    let memory = platform_memfd("slots", launch.sharedBytes)
    try #require(memory >= 0)
    let slots = try #require(SharedSlots(launch, descriptor: memory))
    for index in [UInt32(0), 1] {
      let slot = try #require(slots[index])
      #expect(slot.count == 4096 && slot.allSatisfy { $0 == 0 })
      slot[4095] = UInt8(index + 1)
    }
    #expect(slots[0]?[4095] == 1 && slots[2] == nil && slots[.max] == nil)
    #expect(slots.interruption.isInterrupted(0) && !slots.interruption.isInterrupted(1))
    let small = platform_memfd("slots", launch.sharedBytes - 4096)
    #expect(SharedSlots(launch, descriptor: small) == nil)
    close(small)
    #expect(SharedSlots(launch, descriptor: -1) == nil)
    // A file that is open for reading cannot be mapped for writing.
    let empty = try #require(DecodingLaunch(slotCount: 1, slotBytes: 4))
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    #expect(SharedSlots(empty, descriptor: file) == nil)
    close(file)
  }
}
