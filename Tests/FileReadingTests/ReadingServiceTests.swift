import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineReadingProtocol
import VitrineTestSupport

@testable import VitrineReadingService

/// A socket to the reading program, which runs in this process when all requests were sent.
private final class Client {
  private var ends: [Int32] = [-1, -1]

  init() throws {
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
  }

  deinit {
    close(ends[0])
    close(ends[1])
  }

  /// Sends bytes as a request, with the descriptor of a file unless it is nil.
  func send(_ bytes: [UInt8], _ contents: [UInt8]?) throws {
    let file = try contents.map { try memory($0) } ?? -1
    defer { close(file) }
    try #require(bytes.withUnsafeBytes { platform_send_record(ends[0], $0.baseAddress, $0.count, file) } == bytes.count)
  }

  func send(_ operation: ReadingRequest.Operation, _ contents: [UInt8], byteCount: Int? = nil, id: UInt32) throws {
    var words = ReadingRequest(operation, fileBytes: UInt64(byteCount ?? contents.count), id: id).words
    try send(withUnsafeBytes(of: &words) { Array($0) }, contents)
  }

  /// Runs the program until it has answered all requests, with room for replies of a number of bytes.
  func run(replyBytes: Int32? = nil) -> Int32 {
    if var replyBytes { setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &replyBytes, 4) }
    shutdown(ends[0], Int32(SHUT_WR))
    return ReadingProgram.serve(ends[1], layers: [.memory])
  }

  /// Returns the next packet, or nil if there is none.
  func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: ReadingLaunch.maximumPacketBytes) { buffer, count in
      count = max(0, recv(ends[0], buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
    }
    return bytes.isEmpty ? nil : bytes
  }

  func receiveReply(id: UInt32) -> ReadingReply? { receive()?.withUnsafeBytes { ReadingReply($0, id: id) } }
}

/// Returns a file in memory.
private func memory(_ contents: [UInt8]) throws -> Int32 {
  let file = platform_open_memory("file")
  try #require(contents.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == contents.count)
  return file
}

/// A PNG file of 3 x 2 pixels with a text of a length.
private func png(text count: Int = 3) -> [UInt8] {
  func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + Array(name.utf8) + content + [0, 0, 0, 0]
  }
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0])
    + chunk("tEXt", Array("a\0".utf8) + [UInt8](repeating: 0x62, count: count)) + chunk("IDAT", [])
}

@Suite("The reading program")
struct ReadingServiceTests {
  @Test("Requests are answered in their order, after the greeting")
  func answers() throws {
    let client = try Client()
    try client.send(.header, png(), id: 1)
    try client.send(.photograph, png(), id: 2)
    try client.send(.texts, png(), id: 3)
    for (number, operation) in [ReadingRequest.Operation.header, .photograph, .texts].enumerated() {
      try client.send(operation, Array("no picture".utf8), id: UInt32(4 + number))
    }
    try client.send(.header, png(), byteCount: 1 << 20, id: 7)
    #expect(client.run() == 0)
    #expect(client.receive() == ReadingGreeting(layers: [.memory]).bytes)
    for id: UInt32 in [1, 2] {
      guard case .contents(let contents)? = client.receiveReply(id: id) else {
        Issue.record("\(id) is not answered")
        continue
      }
      #expect(contents.header?.size == PixelSize(width: 3, height: 2) && contents.settings == nil)
    }
    let texts = PixelSize(width: 3, height: 2).map {
      PNGDescription(size: $0, texts: [PNGDescription.Text(keyword: "a", value: "bbb")])
    }
    #expect(client.receiveReply(id: 3) == .contents(ReadingContents(texts: texts)))
    for id: UInt32 in 4...6 { #expect(client.receiveReply(id: id) == .notRecognized) }
    // It is shorter than it was.
    #expect(client.receiveReply(id: 7) == .unreadable(EIO))
    #expect(client.receive() == nil)
  }

  @Test("A list is answered by batches and its end, or by an error once it becomes shorter")
  func lists() throws {
    let entries = (0..<70).map { "{\"url\": \"\($0)\"}" }.joined(separator: ", ")
    let client = try Client()
    try client.send(.list, Array("{\"items\": [\(entries)]}".utf8), id: 1)
    try client.send(.list, Array("{\"items\": [\(entries), }".utf8), id: 2)
    try client.send(.list, Array("[]".utf8), id: 3)
    try client.send(.list, Array("{\"items\": [\(entries)]}".utf8), byteCount: 9_999, id: 4)
    #expect(client.run() == 0 && client.receive() != nil)
    var counts: [UInt32: [Int]] = [:]
    var ends: [UInt32: ReadingReply] = [:]
    while let packet = client.receive() {
      let id = UInt32(packet[0])
      if let batch = packet.withUnsafeBytes({ ListBatch($0, id: id) }) {
        counts[id, default: []].append(batch.entries.count)
      } else {
        ends[id] = packet.withUnsafeBytes { ReadingReply($0, id: id) }
      }
    }
    #expect(counts == [1: [64, 6], 2: [64, 6]])
    #expect(
      ends == [
        1: .listEnd(ListEnd()), 2: .listEnd(ListEnd(.notJSON)), 3: .listEnd(ListEnd(.noItems)), 4: .unreadable(EIO),
      ])
  }

  @Test(
    "A packet that is no request, or has no file, ends the program",
    arguments: [(127, true), (129, true), (128, false), (128, true)])
  func invalid(byteCount: Int, hasFile: Bool) throws {
    let client = try Client()
    var words = ReadingRequest(.header, fileBytes: 9).words
    // One of the right length and with a file is of another version.
    if byteCount == 128, hasFile { words[0] &+= 1 }
    let record = withUnsafeBytes(of: &words) { Array($0) } + [0]
    try client.send(Array(record.prefix(byteCount)), hasFile ? [1, 2, 3] : nil)
    #expect(client.run() == 65)
    #expect(client.receive() != nil && client.receive() == nil)
  }

  @Test("The program ends when nothing can be sent any more")
  func closed() throws {
    // Descriptors to which nothing can be written.
    #expect(ReadingProgram.serve(-1, layers: []) == 0)
    let client = try Client()
    // Longer than the smallest buffer of a socket.
    try client.send(.texts, png(text: 12_000), id: 1)
    try client.send(.header, png(), id: 2)
    #expect(client.run(replyBytes: 1) == 0)
    #expect(client.receive() != nil && client.receive() == nil)
  }

  @Test("The settings of the camera are read from EXIF data")
  func settings() throws {
    // A JPEG file of 3 x 2 pixels that states ISO 200.
    let tiff: [UInt8] =
      [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + [1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
      + [1, 0, 0x27, 0x88, 3, 0, 1, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0]
    let exif = Array("Exif\0\0".utf8) + tiff
    let file: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      + [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2]
    let client = try Client()
    try client.send(.photograph, file, id: 1)
    #expect(client.run() == 0 && client.receive() != nil)
    guard case .contents(let contents)? = client.receiveReply(id: 1) else {
      Issue.record("the photograph is not read")
      return
    }
    #expect(contents.header?.size == PixelSize(width: 3, height: 2) && contents.settings?.sensitivity == 200)
  }

  @Test("A file that cannot be read is answered by the number of the error")
  func unreadable() throws {
    let file = try memory([1, 2, 3])
    defer { close(file) }
    let writeOnly = open("/proc/self/fd/\(file)", O_WRONLY | O_CLOEXEC)
    var packets: [[UInt8]] = []
    let service = ReadingService { packet in
      packets.append(packet)
      return true
    }
    #expect(service.answer(ReadingRequest(.header, fileBytes: 3, id: 9), file: writeOnly))
    #expect(packets == [ReadingReply.unreadable(EBADF).bytes(id: 9)])
  }

  @Test("Nothing is read after an entry that is no JSON")
  func brokenList() throws {
    let entries = ["{\"url\": }"] + Array(repeating: "{\"url\": \"a\"}", count: 20_000)
    let client = try Client()
    // The missing end would be an error if it were read.
    let bytes = Array("{\"items\": [\(entries.joined(separator: ","))]}".utf8)
    try client.send(.list, bytes, byteCount: bytes.count + 1, id: 1)
    #expect(client.run() == 0 && client.receive() != nil)
    #expect(client.receiveReply(id: 1) == .listEnd(ListEnd(.notJSON)))
  }

  @Test("No batch is sent after one that could not be", arguments: [400, 63])
  func severalBatches(count: Int) throws {
    // Three batches of one part of the file, or two packets of the last batch.
    let text = String(repeating: "a", count: count == 63 ? 1_000 : 1)
    let entries = Array(repeating: "{\"url\": \"\(text)\"}", count: count).joined(separator: ",")
    let bytes = Array("{\"items\": [\(entries)]}".utf8)
    var (sent, whole) = (0, 0)
    for isOpen in [false, true] {
      let service = ReadingService { _ in
        if isOpen { whole += 1 } else { sent += 1 }
        return isOpen
      }
      let request = ReadingRequest(.list, fileBytes: UInt64(bytes.count))
      #expect(service.answer(request, file: try memory(bytes)) == isOpen)
    }
    #expect(sent == 1 && whole == (count == 63 ? 3 : 4))
  }

  @Test("A list is not read on when its client has gone", arguments: [0, 1, 2])
  func abandoned(sent: Int) throws {
    let entries = (0..<70).map { "{\"url\": \"\($0)\"}" }.joined(separator: ", ")
    let bytes = Array("{\"items\": [\(entries)]}".utf8)
    var count = 0
    let service = ReadingService { _ in
      count += 1
      return count <= sent
    }
    #expect(!service.answer(ReadingRequest(.list, fileBytes: UInt64(bytes.count)), file: try memory(bytes)))
    #expect(count == sent + 1)
  }
}
