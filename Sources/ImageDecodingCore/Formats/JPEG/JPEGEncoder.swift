import CVitrineTurboJPEG
public import VitrineGeometry

/// An encoder for JPEG files with 4:2:0 chroma subsampling, which wraps libjpeg-turbo's encoder.
public enum JPEGEncoder {
  /// Encodes pixels and passes the file's bytes to a closure.
  ///
  /// The bytes are valid only during the call.
  ///
  /// The C functions are `tjInitCompress` and `tjCompress2`.
  ///
  /// - Parameters:
  ///   - pixels: Bytes R, G, B and one that is ignored, rows from the top without padding.
  ///   - size: The size in pixels.
  ///   - quality: The quality, clamped to 1 to 100.
  ///   - body: A closure that receives the file's bytes.
  /// - Throws: ``DecodingError/bufferTooSmall(needed:)`` if there are fewer pixels than the size requires,
  ///   ``DecodingError/tooLarge(_:)`` if a side exceeds 65,500 pixels, ``DecodingError/outOfMemory``, or the closure's
  ///   error.
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
      // All arguments are valid, so only the allocation and sides over 65,500 can fail.
      throw size.width > 65_500 || size.height > 65_500 ? .tooLarge(size) : .outOfMemory
    }
    return try body(UnsafeRawBufferPointer(start: file, count: Int(count)))
  }
}
