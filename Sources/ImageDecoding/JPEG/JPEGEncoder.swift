import CTurboJPEG
public import Geometry

/// Writes JPEG files, with chroma at half the resolution: the door to libjpeg-turbo's encoder.
public enum JPEGEncoder {
  /// Makes a file of pixels, and lets a body read its bytes; they live no longer than the call.
  ///
  /// The C functions are `tjInitCompress` and `tjCompress2`.
  ///
  /// - Parameters:
  ///   - pixels: bytes R, G, B and one that does not count, rows from the top without padding.
  ///   - size: the extent in pixels.
  ///   - quality: 1 to 100; others are brought within.
  ///   - body: reads the file's bytes.
  /// - Throws: ``DecodingError/bufferTooSmall(needed:)`` where there are fewer pixels than the size says,
  ///   ``DecodingError/outOfMemory``, or what the body throws.
  /// - Complexity: O(pixels).
  public static func encode<Result>(
    _ pixels: UnsafeRawBufferPointer, size: PixelSize, quality: Int,
    _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    guard pixels.count >= size.bytesAtFourPerPixel else { throw .bufferTooSmall(needed: size.bytesAtFourPerPixel) }
    guard let handle = tjInitCompress() else { throw .outOfMemory }
    defer { tjDestroy(handle) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(file) }
    let source = pixels.bindMemory(to: UInt8.self)
    let status = tjCompress2(
      handle, source.baseAddress, Int32(size.width), Int32(size.width * 4), Int32(size.height),
      Int32(TJPF_RGBX.rawValue), &file, &count, Int32(TJSAMP_420.rawValue), Int32(max(1, min(100, quality))), 0)
    guard status == 0, let file else {
      // Every argument is checked, so what is left to fail is memory and sides past 65,500.
      throw size.width > 65_500 || size.height > 65_500 ? .tooLarge(size) : .outOfMemory
    }
    return try body(UnsafeRawBufferPointer(start: file, count: Int(count)))
  }
}
