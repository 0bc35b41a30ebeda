import CVitrineJPEG
import VitrineGeometry

/// A wrapper around libjpeg-turbo's decoder that reads by rows and by scans.
///
/// No other file calls the library. After an error the reader must not be used again.
struct JPEGRows: ~Copyable {
  /// The description that libjpeg read from a file's header.
  struct Frame: Hashable {
    var size: PixelSize
    /// Whether the pixels are CMYK rather than grey or three colours.
    var isCMYK: Bool
    /// Whether all coefficients are stored until the last scan has been read, as in progressive files.
    var hasMultipleScans: Bool
    /// The size of these coefficients in bytes.
    var coefficientBytes: Int
  }

  /// The longest side that libjpeg supports, in pixels.
  static let longestSide = 65_500

  /// The maximum number of rows decoded per call.
  static let maximumRowsPerRead = 8

  private let reader: OpaquePointer

  /// Creates a reader of a file, which must outlive it.
  ///
  /// The C functions are `jpeg_create_decompress` and `jpeg_mem_src`.
  init(_ file: UnsafeRawBufferPointer) throws(DecodingError) {
    let bytes = file.bindMemory(to: UInt8.self)
    guard let reader = jpeg_rows_open(bytes.baseAddress, bytes.count) else { throw .outOfMemory }
    self.reader = reader
  }

  deinit { jpeg_rows_close(reader) }

  /// Returns the size that libjpeg produces at a scale in eighths.
  static func scaled(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8) ?? size
  }

  /// Whether libjpeg has issued warnings so far: the file is truncated or corrupt.
  var isDamaged: Bool { jpeg_rows_warnings(reader) > 0 }

  /// Reads the header.
  ///
  /// The C function is `jpeg_read_header`.
  func frame() throws(DecodingError) -> Frame {
    var frame = jpeg_rows_frame()
    try check(jpeg_rows_header(reader, &frame))
    guard let size = PixelSize(width: Int(frame.width), height: Int(frame.height)) else {
      throw .damaged(detail: "the header has no size")
    }
    return Frame(
      size: size, isCMYK: frame.is_ink != 0, hasMultipleScans: frame.has_several_scans != 0,
      coefficientBytes: Int(clamping: frame.coefficient_bytes))
  }

  /// Starts decoding at a scale in eighths of the file's size, to R, G, B and 255, or to CMYK.
  ///
  /// The C function is `jpeg_start_decompress`.
  ///
  /// - Parameters:
  ///   - eighths: The scale, 1 to 8.
  ///   - storedSide: In files with several scans, the number of rows and columns of a block's coefficients to store.
  ///   - skipsCodes: Whether to skip the codes of coefficients that no pixel needs, in single-scan files with
  ///     Huffman codes. Worthwhile if a block becomes one pixel. The pixels are the same.
  /// - Returns: The size of the decoded pixels.
  func begin(eighths: Int, storedSide: Int, skipsCodes: Bool) throws(DecodingError) -> PixelSize {
    var width: UInt32 = 0
    var height: UInt32 = 0
    try check(
      jpeg_rows_begin(reader, Int32(eighths), Int32(storedSide), skipsCodes ? 1 : 0, &width, &height))
    guard let size = PixelSize(width: Int(width), height: Int(height)) else {
      throw .damaged(detail: "the header has no size")
    }
    return size
  }

  /// Reads a row of blocks of a file with several scans and returns what it completed.
  ///
  /// The C function is `jpeg_consume_input`.
  func readCoefficients() throws(DecodingError) -> ScanProgress {
    var step = JPEG_ROWS_MORE
    try check(jpeg_rows_read_coefficients(reader, &step))
    switch step {
    case JPEG_ROWS_END: return .end
    case JPEG_ROWS_SCAN_COMPLETE: return .scan
    default: return .row
    }
  }

  /// Starts the output of the scans read so far.
  ///
  /// The C function is `jpeg_start_output`.
  func beginOutput() throws(DecodingError) { try check(jpeg_rows_show_coefficients(reader)) }

  /// Skips rows, which is faster than reading them.
  ///
  /// The C function is `jpeg_skip_scanlines`.
  ///
  /// - Returns: False if the file must be read again without skipping codes.
  func skip(_ count: Int) throws(DecodingError) -> Bool {
    guard count > 0 else { return true }
    return try isSupported(jpeg_rows_skip(reader, UInt32(count)))
  }

  /// Reads up to ``maximumRowsPerRead`` rows.
  ///
  /// The C function is `jpeg_read_scanlines`.
  ///
  /// - Returns: The number of rows, at least one, or nil if the file must be read again without skipping codes.
  func read(
    into pixels: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, atMost count: Int
  ) throws(DecodingError) -> Int? {
    var done: UInt32 = 0
    guard try isSupported(jpeg_rows_read(reader, pixels, bytesPerRow, UInt32(count), &done)) else { return nil }
    guard done > 0 else { throw .damaged(detail: "fewer rows than the header says") }
    return Int(done)
  }

  private func check(_ status: jpeg_rows_status) throws(DecodingError) { _ = try isSupported(status) }

  /// Returns whether CJPEG's code reader supports the file's codes.
  private func isSupported(_ status: jpeg_rows_status) throws(DecodingError) -> Bool {
    switch status {
    case JPEG_ROWS_OK: return true
    case JPEG_ROWS_UNUSUAL: return false
    case JPEG_ROWS_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .damaged(detail: String(cString: jpeg_rows_message(reader)))
    }
  }
}

/// The progress of reading a multi-scan JPEG file.
enum ScanProgress: Hashable {
  /// A row of blocks of a scan.
  case row
  /// A scan.
  case scan
  /// The last scan.
  case end
}
