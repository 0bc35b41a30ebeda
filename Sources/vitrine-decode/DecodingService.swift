import DecodingProtocol
import Geometry
import ImageDecoding
import ImageMetadata
import Rendering

/// Answers requests one after the other until the other end closes.
struct DecodingService {
  let socket: RequestSocket
  let slots: SharedSlots
  private let decoder = ImageDecoder()

  /// How often a file that changes while it is read is read again.
  private static let mostReads = 3

  init(socket: RequestSocket, slots: SharedSlots) {
    self.socket = socket
    self.slots = slots
  }

  /// Says "ready" and serves; false when the other end speaks another protocol.
  func run() -> Bool {
    guard socket.send(DecodingReply(id: 0, status: .ok)) else { return true }
    while let packet = socket.receive() {
      let clock = WorkClock()
      var reply = answer(packet)
      reply.workMicroseconds = clock.microseconds
      guard socket.send(reply) else { return true }
      if packet.isWhole, packet.words[0] != Wire.magic { return false }
    }
    return true
  }

  private func answer(_ packet: RequestSocket.Packet) -> DecodingReply {
    // Whatever came beside the record is closed again on every way out.
    let file = packet.descriptor >= 0 ? PictureFile(descriptor: packet.descriptor) : nil
    guard packet.isWhole, let request = DecodingRequest(words: packet.words) else {
      return DecodingReply(id: packet.isWhole ? packet.words[2] : 0, status: .badRequest)
    }
    guard let slot = slots[request.slot] else { return DecodingReply(id: request.id, status: .badRequest) }
    WorkClock.wait(microseconds: request.delayMicroseconds)
    switch request.operation {
    case .encode:
      return encode(request, slot)
    case .decode:
      guard let file else { return DecodingReply(id: request.id, status: .badRequest) }
      return decode(request, file, slot)
    }
  }

  private func encode(_ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer) -> DecodingReply {
    var reply = DecodingReply(id: request.id, status: .ok)
    do {
      let count = try JPEGEncoder.encode(
        UnsafeRawBufferPointer(slot), size: request.size, quality: Int(request.quality)
      ) { file throws(DecodingError) in
        guard file.count <= slot.count else { throw .bufferTooSmall(needed: file.count) }
        slot.copyMemory(from: file)
        return file.count
      }
      reply.byteCount = UInt32(count)
      reply.width = UInt32(request.size.width)
      reply.height = UInt32(request.size.height)
    } catch {
      reply.status = DecodingStatus(error)
    }
    return reply
  }

  private func decode(
    _ request: DecodingRequest, _ file: borrowing PictureFile, _ slot: UnsafeMutableRawBufferPointer
  ) -> DecodingReply {
    var reply = DecodingReply(id: request.id, status: .unreadable)
    do {
      for _ in 0..<DecodingService.mostReads {
        let before = try file.version()
        let count = min(before.byteCount, Int(clamping: request.fileBytes))
        let header = try file.header(fileBytes: count)
        describe(header, in: &reply)
        let target = DecodingTarget(
          size: request.size, fit: request.fit == .fill ? .fill : .fit, background: Color(packed: request.background))
        try check(header, fileBytes: count, target, slot)
        let contents = try file.contents(count: count)
        guard contents.count == count, try file.version() == before else { continue }
        let image = try decoded(contents.bytes, header, target, slot)
        reply.status = .ok
        reply.width = UInt32(image.size.width)
        reply.height = UInt32(image.size.height)
        reply.byteCount = UInt32(image.size.bytesAtFourPerPixel)
        reply.isDamaged = image.isDamaged
        break
      }
    } catch {
      reply.status = error
    }
    return reply
  }

  /// What can be told before the file is read whole: a text or a giant costs its header alone.
  private func check(
    _ header: ImageHeader?, fileBytes: Int, _ target: DecodingTarget, _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) {
    let placement: Placement
    do {
      placement = try decoder.placement(header, fileBytes: fileBytes, target: target)
    } catch {
      throw DecodingStatus(error)
    }
    guard fileBytes <= Wire.largestFile else { throw .fileTooLarge }
    guard placement.outputSize.bytesAtFourPerPixel <= slot.count else { throw .slotTooSmall }
  }

  private func decoded(
    _ file: UnsafeRawBufferPointer, _ header: ImageHeader?, _ target: DecodingTarget,
    _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> DecodedImage {
    do {
      return try decoder.decode(file, header: header, target: target, into: slot)
    } catch {
      throw DecodingStatus(error)
    }
  }

  private func describe(_ header: ImageHeader?, in reply: inout DecodingReply) {
    reply.orientation = UInt32(header?.orientation.rawValue ?? 1)
    reply.sourceWidth = UInt32(header?.size?.width ?? 0)
    reply.sourceHeight = UInt32(header?.size?.height ?? 0)
  }
}
