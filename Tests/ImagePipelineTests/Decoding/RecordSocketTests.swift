import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
@testable import VitrineImagePipeline
import VitrineTestSupport

/// A socket, and the words of the record that tests send.
private final class Connection {
  private let pair: SocketPair

  init() throws { pair = try RecordSocket.makePair() }

  var childEnd: Int32 { pair.childEnd.number }
  var isReadable: Bool { pair.parentEnd.isReadable }

  static let record: WireWords = {
    var words = WireWords()
    for index in 0..<WireFormat.wordCount { words[index] = UInt32(index) << 24 | 9 }
    return words
  }()

  /// Sends bytes as the decoding process.
  func send(_ bytes: [UInt8], file: Int32 = -1) -> Bool {
    platform_send_record(childEnd, bytes, bytes.count, file) == bytes.count
  }

  /// Sends the record as the program.
  func sendRecord(file: Int32?) -> Bool { pair.parentEnd.send(Connection.record, file: file) }

  /// Receives a packet as the program, and returns its kind.
  func receive() -> String {
    switch pair.parentEnd.receive() {
    case .record(let words): words == Connection.record ? "record" : "other record"
    case .malformed: "malformed"
    case .closed: "closed"
    }
  }

  func shutDown() { shutdown(childEnd, Int32(SHUT_RDWR)) }
}

@Suite("The program's end of the socket to a decoding process")
struct RecordSocketTests {
  private var recordBytes: [UInt8] { withUnsafeBytes(of: Connection.record) { Array($0) } }

  @Test("Whole records are received; shorter and longer packets, and descriptors, are malformed")
  func packets() throws {
    let pair = try Connection()
    #expect(!pair.isReadable)
    #expect(pair.send(recordBytes) && pair.isReadable)
    #expect(pair.receive() == "record")
    for count in Array(1..<WireFormat.byteCount) + [WireFormat.byteCount + 1, 5_000] {
      #expect(pair.send([UInt8](repeating: 3, count: count)))
      #expect(pair.receive() == "malformed", "\(count)")
    }
    // No reply has a descriptor. It is closed.
    let before = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(before) }
    #expect(pair.send(recordBytes, file: before))
    #expect(pair.receive() == "malformed")
    #expect(pair.send(recordBytes) && pair.receive() == "record")
    pair.shutDown()
    #expect(pair.isReadable && pair.receive() == "closed")
  }

  @Test("Records are sent with a file or without, until the other end is closed")
  func sending() throws {
    let pair = try Connection()
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    for attached in [nil, file] as [Int32?] {
      #expect(pair.sendRecord(file: attached))
      var words = WireWords()
      var (received, truncated): (Int32, Int32) = (-1, 0)
      let count = withUnsafeMutableBytes(of: &words) {
        platform_receive_record(pair.childEnd, $0.baseAddress, $0.count, &received, &truncated)
      }
      #expect(
        count == WireFormat.byteCount && words == Connection.record && truncated == 0
          && (received >= 0) == (attached != nil))
      if received >= 0 { close(received) }
    }
    pair.shutDown()
    #expect(!pair.sendRecord(file: nil))
  }

  @Test("Random packets are never taken for other records", arguments: TestScale.seeds(1...4))
  func randomPackets(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pair = try Connection()
    for _ in 0..<200 {
      let isRecord = Bool.random(using: &random)
      let bytes =
        isRecord
        ? recordBytes
        : (0..<Int.random(in: 1...127, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(pair.send(bytes))
      #expect(pair.receive() == (isRecord ? "record" : "malformed"))
    }
  }

  @Test("All that a process has written to the memory is erased", arguments: [0, 1, 4096, 100_000])
  func erasure(count: Int) throws {
    let launch = try #require(DecodingLaunch(slotCount: 1, slotBytes: 1 << 17))
    let slot = try SharedSlot(launch)
    for written in [0..<count, 0..<launch.slotBytes, launch.slotBytes - 5_000..<launch.slotBytes] {
      UnsafeMutableRawBufferPointer(rebasing: slot.bytes[written]).initializeMemory(as: UInt8.self, repeating: 7)
      slot.interruption.pointee = 9
      let isErased = slot.erase(count)
      let isZero = slot.bytes.allSatisfy { $0 == 0 } && slot.interruption.pointee == 0
      #expect(isErased && isZero)
    }
  }
}
