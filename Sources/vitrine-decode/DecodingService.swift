import DecodingProtocol
import Geometry
import ImageDecoding
import ImageMetadata
import Rendering

/// Answers requests one after the other until the other end closes.
struct DecodingService {
  let socket: RequestSocket
  let slots: SharedSlots
  /// What confines the process.
  let layers: SandboxLayers
  private let interruption: InterruptionFlag

  init(socket: RequestSocket, slots: SharedSlots, layers: SandboxLayers) {
    self.socket = socket
    self.slots = slots
    self.layers = layers
    interruption = slots.interruption
  }

  /// Says "ready" and serves; false when the other end speaks another protocol.
  ///
  /// - Parameter microseconds: how long the process took to get ready.
  func run(readyAfter microseconds: UInt32) -> Bool {
    let greeting = DecodingReply(
      id: 0, status: .ok, workMicroseconds: microseconds, layers: layers, formatBits: formatBits)
    guard socket.send(greeting) else { return true }
    while let packet = socket.receive() {
      let clock = RequestTimer()
      var reply = makeReply(to: packet)
      reply.workMicroseconds = clock.microseconds
      guard socket.send(reply) else { return true }
      if packet.isComplete, packet.words[0] != WireFormat.magic { return false }
    }
    return true
  }

  private func makeDecoder(_ limits: ImageLimits) -> ImageDecoder {
    ImageDecoder(limits: limits, formats: layers.isSandbox ? .all : .trusted)
  }

  /// The formats that are decoded, as the decoder itself tells them.
  private var formatBits: UInt32 {
    guard let size = PixelSize(width: 1, height: 1) else { return 0 }
    let target = DecodingTarget(size: size, fit: .fill, background: Color(packed: 0))
    var bits: UInt32 = 0
    for format in ImageFormat.allCases {
      let header = ImageHeader(format: format, storedSize: size)
      guard (try? makeDecoder(.standard).placement(header, fileBytes: 1, target: target)) != nil else { continue }
      bits |= 1 << UInt32(format.rawValue)
    }
    return bits
  }

  private func makeReply(to packet: RequestSocket.Packet) -> DecodingReply {
    // Whatever came beside the record is closed again on every way out.
    let file = packet.descriptor >= 0 ? ImageFile(descriptor: packet.descriptor) : nil
    guard packet.isComplete, let request = DecodingRequest(words: packet.words) else {
      return DecodingReply(id: packet.isRecord ? packet.words[2] : 0, status: .badRequest)
    }
    guard let slot = slots[request.slot] else { return DecodingReply(id: request.id, status: .badRequest) }
    RequestTimer.wait(microseconds: request.delayMicroseconds)
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
    _ request: DecodingRequest, _ file: borrowing ImageFile, _ slot: UnsafeMutableRawBufferPointer
  ) -> DecodingReply {
    var reply = DecodingReply(id: request.id, status: .unreadable)
    let decoder = makeDecoder(request.limits)
    do throws(DecodingStatus) {
      let count = min(try file.byteCount(), Int(clamping: request.fileBytes))
      let header = try file.readHeader(fileBytes: count)
      setSourceInfo(from: header, in: &reply)
      let target = DecodingTarget(
        size: request.size, fit: FitMode(request.fit), background: Color(packed: request.background))
      try validatePlacement(decoder, header, fileBytes: count, target, slot)
      let image =
        request.representation == .embedded && header?.format != .heic
        ? try decodePreview(decoder, file, header, fileBytes: count, target, request, slot)
        : try decodeImage(decoder, file, header, fileBytes: count, target, request, slot)
      reply.status = .ok
      reply.width = UInt32(image.size.width)
      reply.height = UInt32(image.size.height)
      reply.byteCount = UInt32(image.size.bytesAtFourPerPixel)
      reply.isDamaged = image.isDamaged
    } catch {
      reply.status = error
    }
    return reply
  }

  /// What can be told before the file is read whole: a text or a giant costs its header alone.
  private func validatePlacement(
    _ decoder: ImageDecoder, _ header: ImageHeader?, fileBytes: Int, _ target: DecodingTarget,
    _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) {
    let placement: Placement
    do {
      placement = try decoder.placement(header, fileBytes: fileBytes, target: target)
    } catch {
      throw DecodingStatus(error)
    }
    guard placement.outputSize.bytesAtFourPerPixel <= slot.count else { throw .slotTooSmall }
  }

  /// Reads of a file what its preview is made of, and no more.
  private func decodePreview(
    _ decoder: ImageDecoder, _ file: borrowing ImageFile, _ header: ImageHeader?, fileBytes: Int,
    _ target: DecodingTarget, _ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> DecodedImage {
    let range: Range<Int>
    do {
      range = try decoder.previewRange(header, fileBytes: fileBytes)
    } catch {
      throw DecodingStatus(error)
    }
    let contents = try file.readContents(range)
    do {
      return try decoder.decodePreview(
        contents.bytes, of: header, fileBytes: fileBytes, target: target, interruption: interruption(of: request),
        into: slot)
    } catch {
      throw DecodingStatus(error)
    }
  }

  private func interruption(of request: DecodingRequest) -> DecodingInterruption {
    DecodingInterruption { [interruption] in interruption.isInterrupted(request.id) }
  }

  private func decodeImage(
    _ decoder: ImageDecoder, _ file: borrowing ImageFile, _ header: ImageHeader?, fileBytes: Int,
    _ target: DecodingTarget, _ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> DecodedImage {
    if let image = try decodePreviewFromRanges(decoder, file, header, fileBytes, target, request, slot) { return image }
    let contents = try file.readPixelContents(header?.format, fileBytes: fileBytes)
    do {
      return try decoder.decode(
        contents.bytes, header: header, target: target, rung: request.representation == .full ? .full : .embedded,
        interruption: interruption(of: request), into: slot)
    } catch {
      throw DecodingStatus(error)
    }
  }

  /// Reads of a HEIC what its preview is made of, and decodes that; nil where the whole file is needed.
  private func decodePreviewFromRanges(
    _ decoder: ImageDecoder, _ file: borrowing ImageFile, _ header: ImageHeader?, _ fileBytes: Int,
    _ target: DecodingTarget, _ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> DecodedImage? {
    // Its other bytes are noughts in memory: of a file that is too long none are wanted.
    guard fileBytes <= WireFormat.maximumFileBytes else { return nil }
    let ranges = try decoder.previewRanges(header, fileBytes: fileBytes) { place throws(DecodingStatus) in
      try file.readBytes(at: place, count: 16)
    }
    guard let ranges else { return nil }
    let contents = try file.readContents(ranges, fileBytes: fileBytes)
    do {
      return try decoder.decode(
        contents.bytes, header: header, target: target,
        rung: request.representation == .full ? .sufficientPreview : .embedded, interruption: interruption(of: request),
        into: slot)
    } catch .interrupted {
      throw DecodingStatus(.interrupted)
    } catch {
      return nil
    }
  }

  private func setSourceInfo(from header: ImageHeader?, in reply: inout DecodingReply) {
    reply.orientation = UInt32(header?.orientation.rawValue ?? 1)
    reply.sourceWidth = UInt32(header?.size?.width ?? 0)
    reply.sourceHeight = UInt32(header?.size?.height ?? 0)
  }
}

extension FitMode {
  /// A fit as a record names it.
  fileprivate init(_ fit: DecodingRequest.Fit) {
    self =
      switch fit {
      case .fill: .fill
      case .fit: .fit
      case .fillWithoutEnlarging: .fillWithoutEnlarging
      }
  }
}
