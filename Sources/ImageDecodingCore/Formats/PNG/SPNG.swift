import CVitrineSPNG
import VitrineGeometry

/// A wrapper around libspng.
///
/// Only this file and `PNGEncoder` call the library.
struct SPNG: ~Copyable {
  /// The description that libspng read from a file's header.
  struct Frame: Hashable {
    var size: PixelSize
    var isInterlaced: Bool
    /// Whether pixels may be transparent.
    var hasAlpha: Bool
    /// Whether the file has plain 8-bit RGB, which needs no conversion.
    var isPlainColor: Bool

    /// The bytes per pixel of decoded rows: red, green, blue, and alpha unless the file has plain RGB.
    var bytesPerPixel: Int { isPlainColor ? 3 : 4 }
  }

  /// The position of a decoded row.
  struct Row: Hashable {
    /// The index of the row in the image.
    var y: Int
    /// The index of the interlace pass, from 0.
    var pass: Int
    /// Whether this is the last row.
    var isLast: Bool
  }

  private let context: OpaquePointer
  private let source: UnsafeMutablePointer<PNGChunkFilter>

  /// The maximum size in bytes of a palette or another small chunk.
  private static let maximumChunkBytes = 4 << 20

  /// Creates a decoder of a file, which must outlive it, as must the pixels.
  ///
  /// The C functions are `spng_ctx_new`, `spng_set_image_limits`, `spng_set_chunk_limits`, `spng_set_crc_action` and
  /// `spng_set_png_stream`.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - withProfile: Whether to decode the colour profile.
  ///   - pixels: The file's pixels, if they are already inflated. Their checksums have then been verified.
  static func open(
    _ file: UnsafeRawBufferPointer, withProfile: Bool, pixels: StoredStream?
  ) throws(DecodingError) -> SPNG {
    let flags = pixels == nil ? 0 : Int32(SPNG_CTX_IGNORE_ADLER32.rawValue)
    guard let context = spng_ctx_new(flags) else { throw .outOfMemory }
    let decoder = SPNG(context: context, PNGChunkFilter(file, withProfile: withProfile, pixels: pixels))
    if pixels != nil {
      try check(spng_set_crc_action(context, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue)))
    }
    let side = UInt32(PixelSize.maximumSide)
    try check(spng_set_image_limits(context, side, side))
    try check(spng_set_chunk_limits(context, maximumChunkBytes, maximumChunkBytes))
    try check(spng_set_png_stream(context, { SPNG.readSource($1, $2, $3) }, decoder.source))
    return decoder
  }

  private init(context: OpaquePointer, _ filter: PNGChunkFilter) {
    self.context = context
    source = .allocate(capacity: 1)
    source.initialize(to: filter)
  }

  /// Passes the bytes that libspng requests.
  private static func readSource(
    _ source: UnsafeMutableRawPointer?, _ target: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    guard let source, let target else { return SPNG_IO_ERROR.rawValue }
    let filter = source.assumingMemoryBound(to: PNGChunkFilter.self)
    let isFull = filter.pointee.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
    return isFull ? 0 : SPNG_IO_EOF.rawValue
  }

  deinit {
    spng_ctx_free(context)
    source.deinitialize(count: 1)
    source.deallocate()
  }

  /// Reads everything before the pixels.
  ///
  /// The C functions are `spng_get_ihdr` and `spng_get_trns`.
  func frame() throws(DecodingError) -> Frame {
    var header = spng_ihdr()
    try SPNG.check(spng_get_ihdr(context, &header))
    guard let size = PixelSize(width: Int(header.width), height: Int(header.height)) else { throw .tooLarge(nil) }
    var transparency = spng_trns()
    let alphaBit: UInt8 = 4
    let hasAlpha = header.color_type & alphaBit != 0 || spng_get_trns(context, &transparency) == 0
    let isInterlaced = header.interlace_method != 0
    let isColor = header.color_type == UInt8(SPNG_COLOR_TYPE_TRUECOLOR.rawValue) && header.bit_depth == 8
    return Frame(
      size: size, isInterlaced: isInterlaced, hasAlpha: hasAlpha,
      isPlainColor: isColor && !hasAlpha && !isInterlaced)
  }

  /// Whether libspng received a colour profile, which may be the reason of a failure.
  var hasReceivedProfile: Bool { source.pointee.hasProfile }

  /// The colour profile, inflated to at most ``maximumChunkBytes``.
  ///
  /// The C function is `spng_get_iccp`.
  var colors: PictureColors {
    var profile = spng_iccp()
    guard spng_get_iccp(context, &profile) == 0, let bytes = profile.profile else { return .standard }
    return .profile(Array(UnsafeRawBufferPointer(start: bytes, count: profile.profile_len)))
  }

  /// Starts decoding rows as R, G, B, A, or as R, G, B if the file has plain RGB.
  ///
  /// The C function is `spng_decode_image`.
  func begin() throws(DecodingError) {
    let format = try frame().isPlainColor ? SPNG_FMT_RGB8 : SPNG_FMT_RGBA8
    let flags = Int32(SPNG_DECODE_PROGRESSIVE.rawValue | SPNG_DECODE_TRNS.rawValue)
    try SPNG.check(spng_decode_image(context, nil, 0, Int32(format.rawValue), flags))
  }

  /// Decodes the next row; of an interlaced image, only the pixels of one pass.
  ///
  /// The C functions are `spng_get_row_info` and `spng_decode_scanline`.
  func nextRow(into target: UnsafeMutablePointer<UInt8>, byteCount: Int) throws(DecodingError) -> Row {
    var info = spng_row_info()
    try SPNG.check(spng_get_row_info(context, &info))
    let status = spng_decode_scanline(context, target, byteCount)
    let isLast = status == Int32(SPNG_EOI.rawValue)
    if !isLast { try SPNG.check(status) }
    return Row(y: Int(info.row_num), pass: Int(info.pass), isLast: isLast)
  }

  /// Reads the chunks after the pixels, and the last checksum of the pixels.
  ///
  /// The C function is `spng_decode_chunks`.
  func finish() throws(DecodingError) { try SPNG.check(spng_decode_chunks(context)) }

  /// Whether a chunk that was filtered out had a wrong checksum.
  var hasFaultyChunk: Bool { source.pointee.hasFaultyChunk }

  static func check(_ status: Int32) throws(DecodingError) {
    switch spng_errno(rawValue: status) {
    case SPNG_OK: return
    case SPNG_EMEM: throw .outOfMemory
    case SPNG_EUSER_WIDTH, SPNG_EUSER_HEIGHT: throw .tooLarge(nil)
    default: throw .damaged(detail: String(cString: spng_strerror(status)))
    }
  }
}
