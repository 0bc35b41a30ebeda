import CVitrineWebP
import VitrineGeometry
import VitrineImageMetadata

/// A wrapper around libwebp's decoder.
///
/// No other file calls the library.
enum LibWebP {
  /// The destination of decoded pixels: a part of a larger image.
  struct Canvas {
    /// A pointer to the first pixel.
    var start: UnsafeMutablePointer<UInt8>
    /// The number of bytes from one row to the next.
    var bytesPerRow: Int
    /// The size in pixels.
    var size: PixelSize
    /// Whether the image is larger than the size, so that libwebp must scale it.
    var isReduced: Bool
  }

  /// Reads the size of an image in pixels.
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

  /// Decodes a whole image into R, G, B, A.
  ///
  /// The C function is `WebPDecode`.
  static func decode(_ file: UnsafeRawBufferPointer, into canvas: Canvas) throws(DecodingError) {
    var config = try configuration(canvas)
    let bytes = file.bindMemory(to: UInt8.self)
    let status = WebPDecode(bytes.baseAddress, bytes.count, &config)
    WebPFreeDecBuffer(&config.output)
    try check(status)
  }

  /// Decodes the first rows of a truncated image.
  ///
  /// The C functions are `WebPIDecode` and `WebPIUpdate`.
  ///
  /// - Returns: The number of decoded rows of the canvas.
  static func decodeTruncated(_ file: UnsafeRawBufferPointer, into canvas: Canvas) throws(DecodingError) -> Int {
    var config = try configuration(canvas)
    let bytes = file.bindMemory(to: UInt8.self)
    // The decoder stores the address of the configuration, which must therefore stay valid until the decoder is
    // deleted.
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
