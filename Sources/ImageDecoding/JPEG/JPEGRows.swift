import CJPEG
import Geometry

/// The door to libjpeg-turbo's decoder, by rows and by scans.
///
/// Nothing of it leaves this file. After an error it is of no further use.
struct JPEGRows: ~Copyable {
  /// What libjpeg read from a file's header.
  struct Frame: Hashable {
    var size: PixelSize
    /// Whether the pixels are four inks rather than grey or three colours.
    var isInk: Bool
    /// Whether all coefficients are kept until the last scan has come, as in progressive files.
    var hasSeveralScans: Bool
    /// The bytes that these coefficients take.
    var coefficientBytes: Int
  }

  /// The longest side that libjpeg reads.
  static let longestSide = 65_500

  /// Rows that are decoded at once, at most.
  static let rowsAtOnce = 8

  private let reader: OpaquePointer

  /// Makes a decoder of a file, which must outlive it.
  ///
  /// The C functions are `jpeg_create_decompress` and `jpeg_mem_src`.
  init(_ file: UnsafeRawBufferPointer) throws(DecodingError) {
    let bytes = file.bindMemory(to: UInt8.self)
    guard let reader = jpeg_rows_open(bytes.baseAddress, bytes.count) else { throw .outOfMemory }
    self.reader = reader
  }

  deinit { jpeg_rows_close(reader) }

  /// The extent that libjpeg makes of a size at so many eighths.
  static func scaled(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8) ?? size
  }

  /// Whether libjpeg had to guess so far: the file is cut off or faulty.
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
      size: size, isInk: frame.is_ink != 0, hasSeveralScans: frame.has_several_scans != 0,
      coefficientBytes: Int(clamping: frame.coefficient_bytes))
  }

  /// Gets ready for pixels at some eighths of the file's size: R, G, B and 255, or four inks.
  ///
  /// The C function is `jpeg_start_decompress`.
  ///
  /// - Parameters:
  ///   - eighths: the scale, 1 to 8.
  ///   - keptSide: in files of several scans, of how many rows and columns of a block's coefficients memory is kept.
  ///   - passesOverCodes: whether codes of coefficients that no pixel needs are passed over, in files of one scan whose
  ///     codes are Huffman's: worth it where a block becomes one pixel. The pixels are the same.
  /// - Returns: the extent of these pixels.
  func begin(eighths: Int, keptSide: Int, passesOverCodes: Bool) throws(DecodingError) -> PixelSize {
    var width: UInt32 = 0
    var height: UInt32 = 0
    try check(
      jpeg_rows_begin(reader, Int32(eighths), Int32(keptSide), passesOverCodes ? 1 : 0, &width, &height))
    guard let size = PixelSize(width: Int(width), height: Int(height)) else {
      throw .damaged(detail: "the header has no size")
    }
    return size
  }

  /// Reads a row of blocks of a file of several scans; returns what that completed.
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

  /// Makes the pixels of the scans that have come the ones that are read.
  ///
  /// The C function is `jpeg_start_output`.
  func showCoefficients() throws(DecodingError) { try check(jpeg_rows_show_coefficients(reader)) }

  /// Passes over rows, which costs less than to read them.
  ///
  /// The C function is `jpeg_skip_scanlines`.
  ///
  /// - Returns: whether that went well; if not, the file is to be read anew, and no codes passed over.
  func skip(_ count: Int) throws(DecodingError) -> Bool {
    guard count > 0 else { return true }
    return try isUsual(jpeg_rows_skip(reader, UInt32(count)))
  }

  /// Reads up to ``rowsAtOnce`` rows; returns how many, at least one.
  ///
  /// The C function is `jpeg_read_scanlines`.
  ///
  /// - Returns: nothing where the file is to be read anew, and no codes passed over.
  func read(
    into pixels: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, atMost count: Int
  ) throws(DecodingError) -> Int? {
    var done: UInt32 = 0
    guard try isUsual(jpeg_rows_read(reader, pixels, bytesPerRow, UInt32(count), &done)) else { return nil }
    guard done > 0 else { throw .damaged(detail: "fewer rows than the header says") }
    return Int(done)
  }

  private func check(_ status: jpeg_rows_status) throws(DecodingError) { _ = try isUsual(status) }

  /// Whether our own reader of codes knew what it met.
  private func isUsual(_ status: jpeg_rows_status) throws(DecodingError) -> Bool {
    switch status {
    case JPEG_ROWS_OK: return true
    case JPEG_ROWS_UNUSUAL: return false
    case JPEG_ROWS_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .damaged(detail: String(cString: jpeg_rows_message(reader)))
    }
  }
}
