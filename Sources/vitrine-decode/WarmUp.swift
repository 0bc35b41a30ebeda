import Geometry
import Glibc
import ImageDecoding
import ImageMetadata
import Rendering

/// Has each decoder do its set-up while the process may still do what it likes.
///
/// What libraries do once, at their first picture (ask for the processor's abilities, for random numbers, for memory), is
/// done before the box is closed, and no first picture of a user's waits for it.
enum WarmUp {
  /// Decodes a picture of a few pixels with each decoder that needs it; whether it can is no matter here.
  static func run(_ decoder: ImageDecoder) {
    // The seed of this process's hashes is drawn once.
    _ = Set([0])
    sortOnce()
    guard let size = PixelSize(width: 1, height: 1) else { return }
    let target = DecodingTarget(size: size, fit: .fill, background: Color(packed: 0))
    for picture in pictures {
      picture.withUnsafeBytes { _ = try? decoder.bitmap($0, target: target) }
    }
  }

  /// Has the C library sort more than a kilobyte, as libtiff does with a file's tags: at the first such time it asks how
  /// much memory the machine has, which is not allowed later.
  ///
  /// The C function is `qsort`.
  private static func sortOnce() {
    var numbers = Array((0..<1024).reversed())
    numbers.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      qsort(start, 1024, MemoryLayout<Int>.size) { left, right in
        let (first, second) = (left?.load(as: Int.self) ?? 0, right?.load(as: Int.self) ?? 0)
        return first < second ? -1 : first > second ? 1 : 0
      }
    }
  }

  /// The smallest picture of each format whose decoder is a library.
  private static var pictures: [[UInt8]] {
    var pictures = [png, lossyWebP, losslessWebP]
    if let jpeg { pictures.append(jpeg) }
    return pictures
  }

  /// Made here, so that the encoder is set up too.
  private static var jpeg: [UInt8]? {
    guard let size = PixelSize(width: 8, height: 8) else { return nil }
    let pixels = [UInt8](repeating: 128, count: size.bytesAtFourPerPixel)
    return pixels.withUnsafeBytes { pixels in
      try? JPEGEncoder.encode(pixels, size: size, quality: 90) { file throws(DecodingError) in Array(file) }
    }
  }

  /// One pixel in eight bits a channel.
  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
    0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x38, 0x91, 0x62, 0x04, 0x00, 0x03, 0x56, 0x01, 0x5F, 0xD6,
    0xEA, 0x57, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// One pixel, coded as a key frame of video is.
  private static let lossyWebP: [UInt8] = [
    0x52, 0x49, 0x46, 0x46, 0x38, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x20, 0x2C, 0x00,
    0x00, 0x00, 0xB0, 0x01, 0x00, 0x9D, 0x01, 0x2A, 0x01, 0x00, 0x01, 0x00, 0x02, 0xC0, 0x4C, 0x25, 0xA0, 0x02,
    0x74, 0xBA, 0x00, 0x00, 0x00, 0x00, 0x00, 0xEC, 0x8F, 0xC2, 0xB1, 0x4F, 0xF1, 0x6D, 0x23, 0xA1, 0x4C, 0x87,
    0xFF, 0x10, 0xE7, 0x10, 0x5B, 0x51, 0xD6, 0x20, 0x00, 0x00,
  ]

  /// One pixel, without loss.
  private static let losslessWebP: [UInt8] = [
    0x52, 0x49, 0x46, 0x46, 0x1E, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4C, 0x11, 0x00,
    0x00, 0x00, 0x2F, 0x00, 0x00, 0x00, 0x00, 0x07, 0x50, 0xB2, 0x22, 0x57, 0xA6, 0xFF, 0x81, 0x88, 0xE8, 0x7F,
    0x00, 0x00,
  ]
}
