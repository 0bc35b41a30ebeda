import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering

/// The decoding process, which turns files into pixels and pixels into files.
///
/// See `DecodingLaunch` for its launch parameters.
///
/// It ends with `_exit`, because no exit handlers should run in a process that has read untrusted files.
@main
enum VitrineDecode {
  /// The exit statuses.
  private enum ExitStatus {
    static let done: Int32 = 0
    static let usage: Int32 = 64
    static let protocolFault: Int32 = 65
    static let setUp: Int32 = 71
  }

  static func main() {
    let clock = RequestTimer()
    guard let launch = DecodingLaunch(arguments: CommandLine.arguments) else { _exit(ExitStatus.usage) }
    var layers: SandboxLayers = []
    guard ProcessSandbox.exitWithParent(&layers), let slots = SharedSlots(launch) else { _exit(ExitStatus.setUp) }
    DecoderWarmUp.run(ImageDecoder())
    layers.formUnion(ProcessSandbox.activate(launch))
    let service = DecodingService(
      socket: RequestSocket(descriptor: WireFormat.socketDescriptor), slots: slots, layers: layers)
    _exit(service.run(startupMicroseconds: clock.microseconds) ? ExitStatus.done : ExitStatus.protocolFault)
  }
}

/// The sandbox that the process activates before it reads a file.
private enum ProcessSandbox {
  /// The limit of the address space in addition to the shared memory, in bytes.
  ///
  /// An image that needs more fails instead of swapping.
  private static let addressSpace: UInt64 = 768 << 20
  private static let descriptors: UInt64 = 16

  /// Ends the process with its parent.
  ///
  /// - Returns: False if the parent has already exited.
  static func exitWithParent(_ layers: inout SandboxLayers) -> Bool {
    let parent = getppid()
    if platform_die_with_parent() == 0 { layers.insert(.parent) }
    return getppid() == parent
  }

  /// Activates the sandbox, irreversibly.
  ///
  /// The C function is `platform_confine`.
  ///
  /// - Returns: The active layers.
  static func activate(_ launch: DecodingLaunch) -> SandboxLayers {
    SandboxLayers(
      rawValue: platform_confine(
        UInt32(PLATFORM_LAYERS_OF_ONESELF), addressSpace + UInt64(launch.sharedBytes), descriptors,
        launch.forbiddenCalls == .kill ? 1 : 0))
  }
}

/// The initialization of the decoders, before the sandbox is active.
///
/// Libraries initialize themselves at their first image: they query the processor's features, random numbers or memory
/// sizes. Doing so in advance keeps these calls out of the sandbox and saves time at the user's first image.
private enum DecoderWarmUp {
  /// Decodes an image of a few pixels with each decoder that needs it.
  ///
  /// Failures are ignored.
  static func run(_ decoder: ImageDecoder) {
    // Seeds the hashes of this process.
    _ = Set([0])
    primeMemorySizeQuery()
    // Little CMS adds the time to colour profiles, for which the C library reads the time zone once.
    tzset()
    guard let size = PixelSize(width: 1, height: 1) else { return }
    let target = DecodingTarget(size: size, fit: .fill, background: Color(packed: 0))
    for picture in sampleImages {
      picture.withUnsafeBytes { _ = try? decoder.bitmap($0, target: target) }
    }
  }

  /// Makes the C library query the size of the machine's memory, which it does only at the first large `qsort`.
  private static func primeMemorySizeQuery() {
    var numbers = [Int32](repeating: 0, count: 1024)
    qsort(&numbers, numbers.count, MemoryLayout<Int32>.size) { _, _ in 0 }
  }

  /// The smallest image of each format whose decoder is a library.
  private static var sampleImages: [[UInt8]] {
    var pictures = [png, lossyWebP, losslessWebP]
    if let jpeg { pictures.append(jpeg) }
    return pictures
  }

  /// Encoded here, so that the encoder is initialized too.
  private static var jpeg: [UInt8]? {
    guard let size = PixelSize(width: 8, height: 8) else { return nil }
    let pixels = [UInt8](repeating: 128, count: size.bytesAtFourPerPixel)
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
