import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata
import VitrineRendering

/// A service that decodes one picture.
///
/// It is made before the process is forked that reads the picture.
final class DecodingService {
  private let slots: SharedSlots
  /// The active sandbox layers.
  private let layers: SandboxLayers
  private let decoders: FormatDecoders
  private let interruption: InterruptionFlag
  /// The animation whose frames are requested, or nil.
  private var animation: AnimatedFile?

  init(slots: SharedSlots, layers: SandboxLayers, decoders: FormatDecoders) {
    self.slots = slots
    self.layers = layers
    self.decoders = decoders
    interruption = slots.interruption
  }

  /// Answers one request, or those for all frames of an animation.
  ///
  /// - Returns: False if the other end uses another protocol version.
  func serve(_ socket: RequestSocket) -> Bool {
    repeat {
      guard let packet = socket.receive() else { return true }
      let clock = RequestTimer()
      var reply = makeReply(to: packet)
      reply.workMicroseconds = clock.microseconds
      guard socket.send(reply) else { return true }
      if packet.isComplete, packet.words[0] != WireFormat.magic { return false }
    } while animation != nil
    return true
  }

  private func makeDecoder(_ limits: ImageLimits) -> ImageDecoder {
    ImageDecoder(limits: limits, formats: layers.isSandbox ? nil : .trusted, decoders: decoders)
  }

  /// The formats that the decoder accepts, one bit each.
  var formatBits: UInt32 { makeDecoder(.standard).formats.rawValue }

  /// Checks that the decoder of a format is in this program.
  ///
  /// - Throws: ``DecodingStatus/otherProgram`` if it is in the one with all decoders.
  private func checkProgram(of format: ImageFormat?) throws(DecodingStatus) {
    guard let format, format.entry.decoding != .none, layers.isSandbox, !decoders.formats.contains(format) else {
      return
    }
    throw .otherProgram
  }

  /// Performs a request.
  ///
  /// - Parameter packet: The received packet, whose descriptor is closed.
  func makeReply(to packet: RequestSocket.Packet) -> DecodingReply {
    // An attached descriptor is closed on every return path.
    let file = packet.descriptor >= 0 ? ImageFile(descriptor: packet.descriptor) : nil
    guard packet.isComplete, let request = DecodingRequest(words: packet.words) else {
      return DecodingReply(id: packet.isRecord ? packet.words[2] : 0, status: .badRequest)
    }
    // Another picture has a process of its own.
    let isForThisPicture = animation == nil || request.operation == .animate && file == nil
    guard isForThisPicture, let slot = slots[request.slot] else {
      return DecodingReply(id: request.id, status: .badRequest)
    }
    RequestTimer.wait(microseconds: request.delayMicroseconds)
    switch request.operation {
    case .encode, .encodePNG:
      return encode(request, slot)
    case .makeColorTable:
      return makeColorTable(request, slot)
    case .decode:
      guard let file else { return DecodingReply(id: request.id, status: .badRequest) }
      return decode(request, file, slot)
    case .animate:
      var reply = DecodingReply(id: request.id, status: .badRequest)
      do throws(DecodingStatus) {
        if let file {
          animation = try AnimatedFile(
            file, fileBytes: request.fileBytes, limits: request.limits, checkProgram: checkProgram(of:))
        }
        guard let animation else { return reply }
        let frame = try animation.decodeFrame(
          request, makeDecoder(request.limits), interruption(of: request), into: slot)
        reply.setImage(frame.image)
        reply.frameMilliseconds = UInt32(clamping: frame.milliseconds)
      } catch {
        reply.status = error
      }
      return reply
    }
  }

  private func encode(_ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer) -> DecodingReply {
    var reply = DecodingReply(id: request.id, status: .ok)
    let pixels = UnsafeRawBufferPointer(slot)
    func copyToSlot(_ file: UnsafeRawBufferPointer) throws(DecodingError) -> Int {
      guard file.count <= slot.count else { throw .bufferTooSmall(needed: file.count) }
      slot.copyMemory(from: file)
      return file.count
    }
    do {
      let count: Int
      if request.operation == .encode {
        count = try JPEGEncoder.encode(pixels, size: request.size, quality: Int(request.quality), copyToSlot)
      } else {
        guard
          let texts = PNGTexts(
            pixels.dropFirst(request.size.bytesAtFourPerPixel).prefix(Int(clamping: request.fileBytes)))
        else { return DecodingReply(id: request.id, status: .badRequest) }
        count = try PNGEncoder.encode(pixels, size: request.size, texts: texts.entries, copyToSlot)
      }
      reply.byteCount = UInt32(count)
      reply.width = UInt32(request.size.width)
      reply.height = UInt32(request.size.height)
    } catch {
      reply.status = DecodingStatus(error)
    }
    return reply
  }

  private func makeColorTable(_ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer) -> DecodingReply {
    let count = Int(clamping: request.fileBytes)
    guard count <= slot.count, ColorTableFormat.byteCount <= slot.count else {
      return DecodingReply(id: request.id, status: .slotTooSmall)
    }
    guard let colors = DisplayColors(profile: Array(slot[..<count])),
      let grid = colors.grid(of: ColorTableFormat.levels)
    else { return DecodingReply(id: request.id, status: .unsupportedFormat) }
    var entry = 0
    for color in stride(from: 0, to: grid.count, by: 3) {
      for channel in 0..<4 {
        slot.storeBytes(
          of: (channel < 3 ? grid[color + channel] : 0).littleEndian, toByteOffset: entry + channel * 2, as: UInt16.self
        )
      }
      entry += ColorTableFormat.bytesPerEntry
    }
    return DecodingReply(id: request.id, status: .ok, byteCount: UInt32(ColorTableFormat.byteCount))
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
      try checkProgram(of: header?.format)
      let target = DecodingTarget(
        size: request.size, fit: FitMode(request.fit), background: Color(packed: request.background),
        secondBackground: request.secondBackground.map(Color.init(packed:)), region: request.region)
      try validatePlacement(decoder, header, fileBytes: count, target, slot)
      let image =
        request.representation == .embedded && header?.format.entry.decodesOwnPreview != true
        ? try decodePreview(decoder, file, header, fileBytes: count, target, request, slot)
        : try decodeImage(decoder, file, header, fileBytes: count, target, request, slot)
      reply.setImage(image)
    } catch {
      reply.status = error
    }
    return reply
  }

  /// Checks the header before the whole file is read, so that a text or a giant image costs only the reading of its
  /// header, and makes the memory of the result present.
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
    let outputBytes = placement.outputSize.bytesAtFourPerPixel
    guard outputBytes <= slot.count else { throw .slotTooSmall }
    platform_populate(slot.baseAddress, outputBytes)
  }

  /// Reads only the bytes of the preview, and decodes them.
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
    let contents = try file.readPixelContents(
      header?.format, fileBytes: fileBytes, atMost: request.limits.maximumFileBytes)
    do {
      return try decoder.decode(
        contents.bytes, header: header, target: target,
        representation: request.representation == .full ? .full : .embedded,
        interruption: interruption(of: request), into: slot)
    } catch {
      throw DecodingStatus(error)
    }
  }

  /// Reads only the ranges that a HEIC's preview needs, and decodes them.
  ///
  /// - Returns: The decoded image, or nil if the whole file is needed.
  private func decodePreviewFromRanges(
    _ decoder: ImageDecoder, _ file: borrowing ImageFile, _ header: ImageHeader?, _ fileBytes: Int,
    _ target: DecodingTarget, _ request: DecodingRequest, _ slot: UnsafeMutableRawBufferPointer
  ) throws(DecodingStatus) -> DecodedImage? {
    // The other bytes are zeros in memory, which must not exceed the maximum file size.
    guard fileBytes <= request.limits.maximumFileBytes else { return nil }
    let ranges = try decoder.previewRanges(header, fileBytes: fileBytes) { place throws(DecodingStatus) in
      try file.readBytes(at: place, count: 16)
    }
    guard let ranges else { return nil }
    let contents = try file.readContents(ranges, fileBytes: fileBytes)
    do {
      return try decoder.decode(
        contents.bytes, header: header, target: target,
        representation: request.representation == .full ? .sufficientPreview : .embedded,
        interruption: interruption(of: request),
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

// MARK: - Conversions

extension DecodingReply {
  /// Describes the pixels in the slot.
  fileprivate mutating func setImage(_ image: DecodedImage) {
    status = .ok
    width = UInt32(image.size.width)
    height = UInt32(image.size.height)
    byteCount = UInt32(image.size.bytesAtFourPerPixel)
    isDamaged = image.isDamaged
  }
}

extension FitMode {
  /// Creates a fit mode from that of a record.
  fileprivate init(_ fit: DecodingRequest.Fit) {
    self =
      switch fit {
      case .fill: .fill
      case .fit: .fit
      case .fillWithoutEnlarging: .fillWithoutEnlarging
      }
  }
}

extension DecodingStatus {
  /// Creates the status for a decoding error.
  init(_ error: DecodingError) {
    self =
      switch error {
      case .emptyFile: .emptyFile
      case .notAPicture: .notAPicture
      case .unsupported: .unsupportedFormat
      case .damaged: .damaged
      case .tooLarge: .tooLarge
      case .tooMuchMetadata: .tooMuchMetadata
      case .tooManyPasses: .tooManyPasses
      case .bufferTooSmall: .slotTooSmall
      case .outOfMemory: .outOfMemory
      case .noPreview: .noPreview
      case .interrupted: .interrupted
      case .decoderFault(.tooManyRows): .tooManyRows
      case .decoderFault(.tooFewRows): .tooFewRows
      case .decoderFault(.wrongSize): .wrongSize
      case .decoderFault(.wrongScale): .wrongScale
      }
  }
}

// MARK: - Timing

/// A timer of a request, which can also delay it.
struct RequestTimer {
  private let start = RequestTimer.now()

  /// The microseconds since the timer was created.
  var microseconds: UInt32 { UInt32(clamping: RequestTimer.now() - start) }

  /// Suspends the thread.
  ///
  /// The C function is `nanosleep`.
  static func wait(microseconds: UInt32) {
    guard microseconds > 0 else { return }
    var wanted = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    var left = timespec()
    while nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
