import CWebP
import Geometry
import ImageMetadata

/// The door to libwebp's decoder.
///
/// Nothing of it leaves this file.
enum LibWebP {
  /// Where the pixels go: part of a larger picture.
  struct Canvas {
    /// The first pixel.
    var start: UnsafeMutablePointer<UInt8>
    /// From a row to the next.
    var bytesPerRow: Int
    /// The extent.
    var size: PixelSize
    /// Whether the picture is larger than that, and libwebp has to average it.
    var isReduced: Bool
  }

  /// Reads the extent in pixels.
  ///
  /// The C function is `WebPGetFeatures`.
  static func size(of file: UnsafeRawBufferPointer) throws(DecodingError) -> PixelSize {
    var features = WebPBitstreamFeatures()
    let bytes = file.bindMemory(to: UInt8.self)
    try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
    guard let size = PixelSize(width: Int(features.width), height: Int(features.height)) else {
      throw .damaged(detail: "no size")
    }
    return size
  }

  /// Decodes a whole picture into R, G, B, A.
  ///
  /// The C function is `WebPDecode`.
  static func decode(_ file: UnsafeRawBufferPointer, into canvas: Canvas) throws(DecodingError) {
    var config = try configuration(canvas)
    let bytes = file.bindMemory(to: UInt8.self)
    let status = WebPDecode(bytes.baseAddress, bytes.count, &config)
    WebPFreeDecBuffer(&config.output)
    try check(status)
  }

  /// Decodes the first rows of a picture that is cut off.
  ///
  /// The C functions are `WebPIDecode` and `WebPIUpdate`.
  ///
  /// - Returns: how many rows of the canvas there are.
  static func decodeBeginning(_ file: UnsafeRawBufferPointer, into canvas: Canvas) throws(DecodingError) -> Int {
    var config = try configuration(canvas)
    let bytes = file.bindMemory(to: UInt8.self)
    // The decoder keeps the configuration's address, so that must stay where it is until the decoder is gone.
    return withUnsafeMutablePointer(to: &config) { config in
      guard let decoder = WebPIDecode(nil, 0, config) else { return 0 }
      defer { WebPIDelete(decoder) }
      _ = WebPIUpdate(decoder, bytes.baseAddress, bytes.count)
      var rows: Int32 = 0
      guard WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil else { return 0 }
      return max(0, min(Int(rows), canvas.size.height))
    }
  }

  private static func configuration(_ canvas: Canvas) throws(DecodingError) -> WebPDecoderConfig {
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else {
      throw .unsupported(.webp, detail: "another version of libwebp")
    }
    config.options.use_scaling = canvas.isReduced ? 1 : 0
    config.options.scaled_width = Int32(canvas.size.width)
    config.options.scaled_height = Int32(canvas.size.height)
    config.output.colorspace = MODE_RGBA
    config.output.is_external_memory = 1
    config.output.u.RGBA.rgba = canvas.start
    config.output.u.RGBA.stride = Int32(canvas.bytesPerRow)
    config.output.u.RGBA.size = (canvas.size.height - 1) * canvas.bytesPerRow + canvas.size.width * 4
    return config
  }

  private static func check(_ status: VP8StatusCode) throws(DecodingError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported(.webp, detail: "a feature that libwebp has not")
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .damaged(detail: "the file is cut off")
    default: throw .damaged(detail: "libwebp: status \(status.rawValue)")
    }
  }
}
