import CJPEG

/// A JPEG file's pixels at an eighth, or how reading them ended.
struct Eighth: Equatable {
  private(set) var status = JPEG_ROWS_OK
  private var pixels: [UInt8] = []
  private var warnings = 0

  /// More pixels take too long for a fuzzer.
  private static let mostPixels = 1 << 18
  private static let rowsAtOnce = 8

  init(of file: [UInt8], passesOverCodes: Bool) {
    file.withUnsafeBufferPointer { bytes in
      guard let reader = jpeg_rows_open(bytes.baseAddress, bytes.count) else {
        status = JPEG_ROWS_OUT_OF_MEMORY
        return
      }
      defer { jpeg_rows_close(reader) }
      read(reader, passesOverCodes)
      warnings = jpeg_rows_warnings(reader)
    }
  }

  private mutating func read(_ reader: OpaquePointer, _ passesOverCodes: Bool) {
    var frame = jpeg_rows_frame()
    status = jpeg_rows_header(reader, &frame)
    guard status == JPEG_ROWS_OK, frame.has_several_scans == 0,
      UInt64(frame.width) * UInt64(frame.height) <= UInt64(Eighth.mostPixels)
    else { return }
    var width: UInt32 = 0
    var height: UInt32 = 0
    status = jpeg_rows_begin(reader, 1, 8, passesOverCodes ? 1 : 0, &width, &height)
    guard status == JPEG_ROWS_OK else { return }
    let bytesPerRow = Int(width) * 4
    var row = 0
    while status == JPEG_ROWS_OK, row < height {
      var strip = [UInt8](repeating: 0, count: bytesPerRow * Eighth.rowsAtOnce)
      var done: UInt32 = 0
      status = jpeg_rows_read(reader, &strip, bytesPerRow, UInt32(Int(height) - row), &done)
      guard done > 0 else { return }
      pixels += strip.prefix(Int(done) * bytesPerRow)
      row += Int(done)
    }
  }
}
