import CVitrineTIFF
import VitrineDataStructures
import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// A wrapper around libtiff's decoder, opened at the first image of a file.
///
/// No other file calls the library. It reads from memory, prints nothing, and makes no single allocation larger than
/// ``maximumAllocationBytes``.
struct LibTIFF: ~Copyable {
  /// The description of the pixels in the first directory.
  struct Frame: Hashable {
    var size: PixelSize
    var bitsPerSample: Int
    var samplesPerPixel: Int
    var photometric: Int
    /// The compression scheme, a TIFF `Compression` value.
    var compression: Int
    /// Whether the samples of a pixel are contiguous.
    var isContiguous: Bool
    /// Whether pixels are stored in tiles rather than strips.
    var isTiled: Bool
    /// The number of rows of a strip or tile.
    var rowsPerPiece: Int
    /// The type of the sample after the colours: 0 unknown, 1 premultiplied alpha, 2 straight alpha.
    var alphaKind: Int
    /// The sample format: 1 unsigned integers, 2 signed integers, 3 floating-point numbers, 4 undefined.
    var sampleFormat: Int
    /// The inks: 1 is cyan, magenta, yellow and black.
    var inkSet: Int
    /// The width of a tile in pixels; 0 without tiles.
    var tileWidth: Int
    /// The height of a tile in pixels, even if the image has fewer rows; 0 without tiles.
    var tileHeight: Int

    /// Whether the samples are grey with straight alpha.
    var hasStraightGrey: Bool { photometric <= 1 && alphaKind == 2 }

    /// Whether libtiff converts such pixels to RGBA correctly.
    var isConvertedByLibTIFF: Bool {
      let logarithmic = [32_844, 32_845]
      if logarithmic.contains(photometric) { return true }
      guard sampleFormat == 1 || sampleFormat == 4, [1, 2, 4, 8, 16].contains(bitsPerSample) else { return false }
      switch photometric {
      case 2: return bitsPerSample >= 8
      case 3: return samplesPerPixel == 1
      case 5: return bitsPerSample == 8
      default: return true
      }
    }
  }

  private let file: OpaquePointer
  private let source: UnsafeMutablePointer<ByteStream>

  /// The maximum number of bytes that libtiff may allocate at once.
  static let maximumAllocationBytes = 64 << 20

  /// Opens a file, which must outlive the returned value.
  ///
  /// The C functions are `TIFFClientOpenExt` and those of its options.
  static func open(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> LibTIFF {
    guard let options = TIFFOpenOptionsAlloc() else { throw .outOfMemory }
    defer { TIFFOpenOptionsFree(options) }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(maximumAllocationBytes))
    // Failures are reported by the return values; messages are discarded.
    TIFFOpenOptionsSetErrorHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
    TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
    let source = UnsafeMutablePointer<ByteStream>.allocate(capacity: 1)
    source.initialize(to: ByteStream(bytes))
    let file = TIFFClientOpenExt(
      "", "r", source, { tmsize_t(LibTIFF.read($0, $1, Int($2))) }, { _, _, _ in -1 }, { LibTIFF.seek($0, $1, $2) },
      { _ in 0 },
      { toff_t(LibTIFF.stream($0).pointee.count) }, { LibTIFF.map($0, $1, $2) }, { _, _, _ in }, options
    )
    guard let file else {
      source.deinitialize(count: 1)
      source.deallocate()
      throw .damaged(detail: "libtiff finds no picture")
    }
    return LibTIFF(file: file, source: source)
  }

  private init(file: OpaquePointer, source: UnsafeMutablePointer<ByteStream>) {
    self.file = file
    self.source = source
  }

  deinit {
    TIFFClose(file)
    source.deinitialize(count: 1)
    source.deallocate()
  }

  // MARK: - Callbacks

  /// Returns the stream of a file, which libtiff passes to each callback.
  private static func stream(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ByteStream> {
    guard let data else { failPrecondition("libtiff must pass the stream") }
    return data.assumingMemoryBound(to: ByteStream.self)
  }

  private static func read(_ data: UnsafeMutableRawPointer?, _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    guard let target else { return 0 }
    return stream(data).pointee.read(into: target, count: count)
  }

  /// Moves to an offset from the start.
  ///
  /// The file is mapped, so that the decoder of old JPEG data alone moves, and never from another place.
  static func seek(_ data: UnsafeMutableRawPointer?, _ offset: toff_t, _ from: Int32) -> toff_t {
    guard from == SEEK_SET, let place = Int(exactly: offset) else { return .max }
    _ = stream(data).pointee.seek(to: place)
    return offset
  }

  private static func map(
    _ data: UnsafeMutableRawPointer?, _ base: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ count: UnsafeMutablePointer<toff_t>?
  ) -> Int32 {
    let file = stream(data).pointee.all
    base?.pointee = UnsafeMutableRawPointer(mutating: file.baseAddress)
    count?.pointee = toff_t(file.count)
    return 1
  }

  // MARK: - Directory

  /// Reads the description of the pixels.
  ///
  /// The C functions are `TIFFGetFieldDefaulted` and `TIFFIsTiled`.
  func frame() throws(DecodingError) -> Frame {
    guard let size = PixelSize(width: number(TIFFTAG_IMAGEWIDTH), height: number(TIFFTAG_IMAGELENGTH)) else {
      throw .damaged(detail: "no size")
    }
    let isTiled = TIFFIsTiled(file) != 0
    let rows = number(isTiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP)
    var extraCount: UInt16 = 0
    var extra: UnsafePointer<UInt16>?
    _ = ctiff_get_extra_samples(file, &extraCount, &extra)
    let alphaKind = extraCount > 0 ? extra.map { Int($0.pointee) } : nil
    return Frame(
      size: size, bitsPerSample: short(TIFFTAG_BITSPERSAMPLE), samplesPerPixel: short(TIFFTAG_SAMPLESPERPIXEL),
      photometric: photometric, compression: short(TIFFTAG_COMPRESSION),
      isContiguous: short(TIFFTAG_PLANARCONFIG) == 1, isTiled: isTiled,
      rowsPerPiece: max(1, min(rows, size.height)),
      alphaKind: alphaKind ?? 0,
      sampleFormat: short(TIFFTAG_SAMPLEFORMAT), inkSet: short(TIFFTAG_INKSET),
      tileWidth: isTiled ? number(TIFFTAG_TILEWIDTH) : 0, tileHeight: isTiled ? rows : 0)
  }

  /// Returns the colour profile, or nil if there is none or it exceeds the given number of bytes.
  func profile(maximumBytes: Int) -> [UInt8]? {
    var count: UInt32 = 0
    var bytes: UnsafeRawPointer?
    guard ctiff_get_bytes(file, UInt32(TIFFTAG_ICCPROFILE), &count, &bytes) != 0, let bytes, count > 0,
      Int(count) <= maximumBytes
    else { return nil }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  // MARK: - Pixels

  /// Decodes rows as R, G, B and premultiplied alpha, in stored order.
  ///
  /// The C functions are `TIFFRGBAImageBegin`, `TIFFRGBAImageGet` and `TIFFRGBAImageEnd`.
  ///
  /// - Returns: Whether all rows could be decoded.
  func readPixels(
    rows: Range<Int>, width: Int, into pixels: UnsafeMutablePointer<UInt8>
  ) throws(DecodingError) -> Bool {
    var image = TIFFRGBAImage()
    var message = [CChar](repeating: 0, count: 1024)
    guard TIFFRGBAImageBegin(&image, file, 1, &message) != 0 else {
      throw .unsupported(
        .tiff, detail: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    defer { TIFFRGBAImageEnd(&image) }
    // As stored; the resampler applies the orientation.
    image.req_orientation = image.orientation
    image.row_offset = Int32(rows.lowerBound)
    return pixels.withMemoryRebound(to: UInt32.self, capacity: width * rows.count) { raster in
      TIFFRGBAImageGet(&image, raster, UInt32(width), UInt32(rows.count)) != 0
    }
  }

  /// Requests RGB for rows that are stored as JPEG.
  func requestRGBFromJPEG() -> Bool { ctiff_want_rgb_of_jpeg(file) != 0 }

  /// The length of a stored row in bytes.
  ///
  /// The C function is `TIFFScanlineSize64`.
  var bytesPerRow: Int { Int(clamping: TIFFScanlineSize64(file)) }

  /// Decodes one row as stored.
  ///
  /// Rows must be read in order.
  ///
  /// The C function is `TIFFReadScanline`.
  func readRow(_ y: Int, into row: UnsafeMutablePointer<UInt8>) -> Bool {
    TIFFReadScanline(file, row, UInt32(y), 0) > 0
  }

  /// The length of a row of a stored tile in bytes.
  ///
  /// The C function is `TIFFTileRowSize64`.
  var bytesPerTileRow: Int { Int(clamping: TIFFTileRowSize64(file)) }

  /// Decodes one strip as stored and returns whether it is complete.
  ///
  /// The C function is `TIFFReadEncodedStrip`.
  func readStrip(_ index: Int, into samples: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    TIFFReadEncodedStrip(file, UInt32(truncatingIfNeeded: index), samples, tmsize_t(count)) == count
  }

  /// Decodes one tile as stored and returns whether it is complete.
  ///
  /// The C function is `TIFFReadEncodedTile`.
  func readTile(_ index: Int, into samples: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    TIFFReadEncodedTile(file, UInt32(truncatingIfNeeded: index), samples, tmsize_t(count)) == count
  }

  /// Returns the palette, reduced from 16 bits per channel, or nil if there is none.
  func palette(count: Int) -> [SIMD4<UInt8>]? {
    var red: UnsafePointer<UInt16>?
    var green: UnsafePointer<UInt16>?
    var blue: UnsafePointer<UInt16>?
    guard ctiff_get_palette(file, &red, &green, &blue) != 0, let red, let green, let blue else { return nil }
    // Some writers store 8-bit values. Like libtiff, assume so if no value exceeds 255.
    let hasShortNumbers = (0..<count).allSatisfy { red[$0] < 256 && green[$0] < 256 && blue[$0] < 256 }
    let shift: UInt16 = hasShortNumbers ? 0 : 8
    return (0..<count).map { index in
      SIMD4(
        UInt8(truncatingIfNeeded: red[index] >> shift), UInt8(truncatingIfNeeded: green[index] >> shift),
        UInt8(truncatingIfNeeded: blue[index] >> shift), 255)
    }
  }

  /// The photometric interpretation, or libtiff's default in its RGBA conversion if the file does not specify one.
  private var photometric: Int {
    var value: UInt16 = 0
    if ctiff_get_u16(file, UInt32(TIFFTAG_PHOTOMETRIC), &value) != 0 { return Int(value) }
    let faxes = [COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4].map { Int($0) }
    if short(TIFFTAG_SAMPLESPERPIXEL) >= 3 { return Int(PHOTOMETRIC_RGB) }
    let isFax = faxes.contains(short(TIFFTAG_COMPRESSION))
    return Int(isFax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK)
  }

  private func number(_ tag: Int32) -> Int {
    var value: UInt32 = 0
    // 0 if the file has no value.
    _ = ctiff_get_u32(file, UInt32(tag), &value)
    return Int(value)
  }

  private func short(_ tag: Int32) -> Int {
    var value: UInt16 = 0
    _ = ctiff_get_u16(file, UInt32(tag), &value)
    return Int(value)
  }
}
