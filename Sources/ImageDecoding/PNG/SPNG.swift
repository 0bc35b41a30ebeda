import CSPNG
import Geometry

/// The door to libspng.
///
/// Nothing of it leaves this file.
struct SPNG: ~Copyable {
  /// What libspng read from a file's header.
  struct Frame: Hashable {
    var size: PixelSize
    var isInterlaced: Bool
    /// Whether a pixel may be anything but opaque.
    var hasAlpha: Bool
    /// Whether the file has red, green and blue in bytes and nothing beside them, which come as they are.
    var isPlainColor: Bool

    /// The bytes of a pixel in the rows: red, green, blue, and alpha unless there is none.
    var bytesPerPixel: Int { isPlainColor ? 3 : 4 }
  }

  /// A row that was decoded.
  struct Row: Hashable {
    /// The row in the picture.
    var y: Int
    /// The pass of an interlaced picture, from 0.
    var pass: Int
    /// Whether it was the last.
    var isLast: Bool
  }

  private let context: OpaquePointer
  private let source: UnsafeMutablePointer<PNGChunkFilter>

  /// Bytes that a palette or another small chunk may take, at most.
  private static let mostChunkBytes = 4 << 20

  /// Makes a decoder of a file, which must outlive it, and so must the pixels.
  ///
  /// The C functions are `spng_ctx_new`, `spng_set_image_limits`, `spng_set_chunk_limits`, `spng_set_crc_action` and
  /// `spng_set_png_stream`.
  ///
  /// - Parameter pixels: the file's pixels, where they are inflated already: every checksum was compared then.
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
    try check(spng_set_chunk_limits(context, mostChunkBytes, mostChunkBytes))
    try check(spng_set_png_stream(context, { SPNG.feed($1, $2, $3) }, decoder.source))
    return decoder
  }

  private init(context: OpaquePointer, _ filter: PNGChunkFilter) {
    self.context = context
    source = .allocate(capacity: 1)
    source.initialize(to: filter)
  }

  /// Hands libspng the bytes that it asks for.
  private static func feed(
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

  /// Whether libspng was handed a colour profile, which it may have choked on.
  var hasSeenProfile: Bool { source.pointee.hasProfile }

  /// The colour profile, inflated to at most ``mostChunkBytes``.
  ///
  /// The C function is `spng_get_iccp`.
  var colors: PictureColors {
    var profile = spng_iccp()
    guard spng_get_iccp(context, &profile) == 0, let bytes = profile.profile else { return .standard }
    return .profile(Array(UnsafeRawBufferPointer(start: bytes, count: profile.profile_len)))
  }

  /// Begins with the rows, to come as R, G, B, A, or without A where the file has no more.
  ///
  /// The C function is `spng_decode_image`.
  func begin() throws(DecodingError) {
    let format = try frame().isPlainColor ? SPNG_FMT_RGB8 : SPNG_FMT_RGBA8
    let flags = Int32(SPNG_DECODE_PROGRESSIVE.rawValue | SPNG_DECODE_TRNS.rawValue)
    try SPNG.check(spng_decode_image(context, nil, 0, Int32(format.rawValue), flags))
  }

  /// Decodes the next row, of an interlaced picture the pixels of one pass alone.
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

  /// Reads what follows the pixels, and with it their last checksum.
  ///
  /// The C function is `spng_decode_chunks`.
  func finish() throws(DecodingError) { try SPNG.check(spng_decode_chunks(context)) }

  /// Whether a chunk that libspng did not get to see had a wrong checksum.
  var hasFaultyChunk: Bool { source.pointee.hasFaultyChunk }

  private static func check(_ status: Int32) throws(DecodingError) {
    switch spng_errno(rawValue: status) {
    case SPNG_OK: return
    case SPNG_EMEM: throw .outOfMemory
    case SPNG_EUSER_WIDTH, SPNG_EUSER_HEIGHT: throw .tooLarge(nil)
    default: throw .damaged(detail: String(cString: spng_strerror(status)))
    }
  }
}
