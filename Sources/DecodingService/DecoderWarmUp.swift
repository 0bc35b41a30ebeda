import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageDecodingCore

/// The initialization of the decoders, before the sandbox is active and the first process is forked for a picture.
///
/// Libraries initialize themselves at their first image: they query the processor's features, random numbers or memory
/// sizes. Swift's runtime makes the descriptions of generic types when they are first used. Doing so in advance keeps
/// these calls out of the sandbox, and saves each process of a picture the work.
enum DecoderWarmUp {
  /// Decodes a small image with each decoder that needs it, on the way that the user's images take.
  ///
  /// Failures are ignored.
  ///
  /// - Parameter slot: The memory for the pixels, which is zeroed again.
  static func run(_ service: DecodingService, slot: UnsafeMutableRawBufferPointer) {
    // Seeds the hashes of this process.
    _ = Set([0])
    primeMemorySizeQuery()
    // Little CMS adds the time to colour profiles, for which the C library reads the time zone once.
    tzset()
    for (number, picture) in sampleImages.enumerated() {
      for fit in [DecodingRequest.Fit.fit, .fill] { decode(picture, fit, number, service) }
    }
    UnsafeMutableRawBufferPointer(rebasing: slot.prefix(1 << 16)).initializeMemory(as: UInt8.self, repeating: 0)
  }

  private static func decode(
    _ picture: [UInt8], _ fit: DecodingRequest.Fit, _ number: Int, _ service: DecodingService
  ) {
    let file = platform_memfd("sample", picture.count)
    guard file >= 0, let size = PixelSize(width: 20, height: 20) else { return }
    _ = picture.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    let request = DecodingRequest(
      id: UInt32(number + 1), operation: .decode, slot: 0, size: size, fit: fit, fileBytes: UInt64(picture.count))
    // The service closes the descriptor.
    let packet = RequestSocket.Packet(words: request.words, isRecord: true, isComplete: true, descriptor: file)
    _ = service.makeReply(to: packet).words
  }

  /// Makes the C library query the size of the machine's memory, which it does only at the first large `qsort`.
  private static func primeMemorySizeQuery() {
    var numbers = [Int32](repeating: 0, count: 1024)
    qsort(&numbers, numbers.count, MemoryLayout<Int32>.size) { _, _ in 0 }
  }

  /// The smallest image of each format whose decoder is a library.
  private static var sampleImages: [[UInt8]] {
    // The last one is no picture.
    var pictures = [png, lossyWebP, losslessWebP, [0]]
    if let jpeg { pictures.append(jpeg) }
    return pictures
  }

  /// Encoded here, so that the encoder is initialized too.
  private static var jpeg: [UInt8]? {
    // Larger than what is made of it, as photographs are, and of different colours.
    guard let size = PixelSize(width: 96, height: 64) else { return nil }
    let pixels = (0..<size.bytesAtFourPerPixel).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    return pixels.withUnsafeBytes { pixels in
      try? JPEGEncoder.encode(pixels, size: size, quality: 90) { file throws(DecodingError) in Array(file) }
    }
  }

  /// One pixel with eight bits per channel.
  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
    0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x38, 0x91, 0x62, 0x04, 0x00, 0x03, 0x56, 0x01, 0x5F, 0xD6,
    0xEA, 0x57, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// One pixel, encoded as a video key frame.
  private static let lossyWebP: [UInt8] = [
    0x52, 0x49, 0x46, 0x46, 0x38, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x20, 0x2C, 0x00,
    0x00, 0x00, 0xB0, 0x01, 0x00, 0x9D, 0x01, 0x2A, 0x01, 0x00, 0x01, 0x00, 0x02, 0xC0, 0x4C, 0x25, 0xA0, 0x02,
    0x74, 0xBA, 0x00, 0x00, 0x00, 0x00, 0x00, 0xEC, 0x8F, 0xC2, 0xB1, 0x4F, 0xF1, 0x6D, 0x23, 0xA1, 0x4C, 0x87,
    0xFF, 0x10, 0xE7, 0x10, 0x5B, 0x51, 0xD6, 0x20, 0x00, 0x00,
  ]

  /// One pixel, losslessly encoded.
  private static let losslessWebP: [UInt8] = [
    0x52, 0x49, 0x46, 0x46, 0x1E, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4C, 0x11, 0x00,
    0x00, 0x00, 0x2F, 0x00, 0x00, 0x00, 0x00, 0x07, 0x50, 0xB2, 0x22, 0x57, 0xA6, 0xFF, 0x81, 0x88, 0xE8, 0x7F,
    0x00, 0x00,
  ]
}
