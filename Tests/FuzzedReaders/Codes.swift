import CVitrineJPEG
import VitrineDataStructures

/// Decodes the bytes as a JPEG file at one eighth of its size, with and without skipping codes, and compares the
/// results.
func compareSkippedCodes(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  // libjpeg reads ahead, and warns of a missing end marker that it did not need. The marker added here avoids that.
  let file = Array(UnsafeBufferPointer(start: start, count: count)) + [0xFF, 0xD9]
  let image = EighthSizeImage(of: file, skipsCodes: true)
  // Files that deviate from the standard are decoded by libjpeg alone.
  if image.status == JPEG_ROWS_UNUSUAL { return }
  let reference = EighthSizeImage(of: file, skipsCodes: false)
  checkPrecondition(image == reference, "an image must be the same with codes skipped")
}

/// The pixels of a JPEG file at one eighth of its size, or the error of decoding it.
private struct EighthSizeImage: Equatable {
  private(set) var status = JPEG_ROWS_OK
  private var pixels: [UInt8] = []
  private var warnings = 0

  /// A limit on the pixels; more take too long for a fuzzer.
  private static let maximumPixels = 1 << 18
  private static let rowsPerRead = 8

  init(of file: [UInt8], skipsCodes: Bool) {
    file.withUnsafeBufferPointer { bytes in
      guard let reader = jpeg_rows_open(bytes.baseAddress, bytes.count) else {
        status = JPEG_ROWS_OUT_OF_MEMORY
        return
      }
      defer { jpeg_rows_close(reader) }
      read(reader, skipsCodes)
      warnings = jpeg_rows_warnings(reader)
    }
  }

  private mutating func read(_ reader: OpaquePointer, _ skipsCodes: Bool) {
    var frame = jpeg_rows_frame()
    status = jpeg_rows_header(reader, &frame)
    guard status == JPEG_ROWS_OK, frame.has_several_scans == 0,
      UInt64(frame.width) * UInt64(frame.height) <= UInt64(EighthSizeImage.maximumPixels)
    else { return }
    var width: UInt32 = 0
    var height: UInt32 = 0
    status = jpeg_rows_begin(reader, 1, 8, skipsCodes ? 1 : 0, &width, &height)
    guard status == JPEG_ROWS_OK else { return }
    let bytesPerRow = Int(width) * 4
    var row = 0
    while status == JPEG_ROWS_OK, row < height {
      var strip = [UInt8](repeating: 0, count: bytesPerRow * EighthSizeImage.rowsPerRead)
      var rowsRead: UInt32 = 0
      status = jpeg_rows_read(reader, &strip, bytesPerRow, UInt32(Int(height) - row), &rowsRead)
      guard rowsRead > 0 else { return }
      pixels += strip.prefix(Int(rowsRead) * bytesPerRow)
      row += Int(rowsRead)
    }
  }
}
