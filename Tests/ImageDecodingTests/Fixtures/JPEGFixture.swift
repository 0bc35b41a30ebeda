import CVitrineTurboJPEG
import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata

/// Makes JPEG files.
enum JPEGFixture {
  static func file(_ picture: TestPicture, quality: Int = 95) throws -> [UInt8] {
    let size = try #require(PixelSize(width: picture.width, height: picture.height))
    return try picture.bytes.withUnsafeBytes { pixels in
      try JPEGEncoder.encode(pixels, size: size, quality: quality) { Array($0) }
    }
  }

  /// Returns a progressive file with the default script of libjpeg-turbo.
  ///
  /// Its coefficients are those of ``file(_:quality:)``.
  static func progressive(_ picture: TestPicture, quality: Int = 95) throws -> [UInt8] {
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(file) }
    let status = tjCompress2(
      handle, picture.bytes, Int32(picture.width), Int32(picture.width * 4), Int32(picture.height),
      Int32(TJPF_RGBX.rawValue), &file, &count, Int32(TJSAMP_420.rawValue), Int32(quality), TJFLAG_PROGRESSIVE)
    #expect(status == 0)
    return Array(UnsafeBufferPointer(start: file, count: Int(count)))
  }

  /// Returns the file with EXIF data that contains an orientation.
  static func oriented(_ file: [UInt8], _ orientation: Orientation) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + exif(orientation)
    return file.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + file.dropFirst(2)
  }

  /// Returns a TIFF directory of one entry.
  static func exif(_ orientation: Orientation) -> [UInt8] {
    Array("MM".utf8) + [
      0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0, 0, 0, 0, 0,
    ]
  }

  /// Returns a TIFF directory of one entry, and one that describes a preview.
  static func exif(_ orientation: Orientation, preview: [UInt8]) -> [UInt8] {
    func entry(_ tag: [UInt8], _ value: Int) -> [UInt8] {
      tag + [0, 4, 0, 0, 0, 1] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let next = 26
    var main = exif(orientation)
    main.replaceSubrange(main.count - 4..<main.count, with: [0, 0, 0, UInt8(next)])
    let start = next + 2 + 2 * 12 + 4
    return main + [0, 2] + entry([0x02, 0x01], start) + entry([0x02, 0x02], preview.count) + [0, 0, 0, 0] + preview
  }

  /// A CMYK image as Adobe's programs store it: eight columns each of cyan, magenta, yellow and half black, 32 by 8
  /// pixels.
  static let inks = bytes(
    """
    ffd8ffee000e41646f626500640000000002ffdb0043000201010101010201010102020202020403020202020504040304060506060605060606\
    070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affdb004301020202020202050303050a0706070a0a0a0a0a0a0a0a0a0a\
    0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0affc0001408000800200401110002110103\
    1101041100ffc4001f0000010501010101010100000000000000000102030405060708090a0bffc400b510000201030302040305050404000001\
    7d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637383\
    93a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8\
    a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffc4001f010003010\
    1010101010101010000000000000102030405060708090a0bffc400b51100020102040403040705040400010277000102031104052131061241\
    510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a5354555\
    65758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2\
    c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9faffda000e040100021103110400003f00f8bebf94cff7f\
    0fdfcafd28afe5b3fe15c2bf06ebfed30ff005602bc2ebfc033f543f9ff00afffd9
    """)

  /// Returns the bytes of hexadecimal digits.
  static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }
}

// MARK: - Entropy-coded bits

/// A bit writer that starts with the highest bit of each byte, as for the entropy-coded data of JPEG files.
struct EntropyBits {
  /// Whether a zero follows each byte of 255, as in JPEG.
  var usesByteStuffing = true
  private(set) var bytes: [UInt8] = []
  private var pending = 0
  private var count = 0

  /// Appends the lowest bits of a number, from the highest of them to the lowest.
  mutating func append(_ number: Int, count more: Int) {
    for shift in (0..<more).reversed() {
      pending = pending << 1 | number >> shift & 1
      count += 1
      if count == 8 { flushByte() }
    }
  }

  /// Fills the last byte with ones.
  mutating func pad() { while count > 0 { append(1, count: 1) } }

  /// Fills the last byte and appends the n-th restart marker.
  mutating func restart(_ number: Int) {
    pad()
    bytes += [0xFF, 0xD0 + UInt8(number & 7)]
  }

  private mutating func flushByte() {
    bytes.append(UInt8(pending & 255))
    if usesByteStuffing, pending & 255 == 255 { bytes.append(0) }
    pending = 0
    count = 0
  }
}
