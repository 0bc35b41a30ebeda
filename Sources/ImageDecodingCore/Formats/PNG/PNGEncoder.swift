import CVitrineSPNG
import Glibc
public import VitrineGeometry

/// An encoder for opaque PNG files with texts, which wraps libspng's encoder.
public enum PNGEncoder {
  /// A keyword of 1 to 79 bytes and its text of at least one, both in Latin-1.
  public typealias Text = (keyword: [UInt8], text: [UInt8])

  /// Encodes pixels and passes the file's bytes to a closure.
  ///
  /// The bytes are valid only during the call. The texts precede the pixels, so that they can be read first.
  ///
  /// The C functions are `spng_set_ihdr`, `spng_set_text`, `spng_encode_row` and `spng_get_png_buffer`.
  ///
  /// - Parameters:
  ///   - pixels: Bytes R, G, B and one that is ignored, rows from the top without padding.
  ///   - size: The size in pixels.
  ///   - texts: The texts.
  ///   - body: A closure that receives the file's bytes.
  /// - Throws: ``DecodingError/bufferTooSmall(needed:)`` if there are fewer pixels than the size requires,
  ///   ``DecodingError/damaged(detail:)`` for a text that cannot be written, ``DecodingError/outOfMemory``, or the
  ///   closure's error.
  /// - Complexity: O(pixels).
  public static func encode<Result>(
    _ pixels: UnsafeRawBufferPointer, size: PixelSize, texts: [Text],
    _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    guard pixels.count >= size.bytesAtFourPerPixel else { throw .bufferTooSmall(needed: size.bytesAtFourPerPixel) }
    var texts = try entries(of: texts)
    defer { for text in texts { free(text.text) } }
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { throw .outOfMemory }
    defer { spng_ctx_free(context) }
    var header = spng_ihdr()
    (header.width, header.height, header.bit_depth) = (UInt32(size.width), UInt32(size.height), 8)
    header.color_type = UInt8(SPNG_COLOR_TYPE_TRUECOLOR.rawValue)
    try SPNG.check(spng_set_ihdr(context, &header))
    try SPNG.check(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
    if !texts.isEmpty { try SPNG.check(spng_set_text(context, &texts, UInt32(texts.count))) }
    try encodeRows(pixels, size, in: context)
    var (count, error): (Int, Int32) = (0, 0)
    guard let file = spng_get_png_buffer(context, &count, &error) else { throw .outOfMemory }
    defer { free(file) }
    return try body(UnsafeRawBufferPointer(start: file, count: count))
  }

  /// Returns the texts as libspng reads them; it copies none of them, so they must be freed after the file is encoded.
  private static func entries(of texts: [Text]) throws(DecodingError) -> [spng_text] {
    var entries: [spng_text] = []
    for (keyword, text) in texts {
      guard (1...79).contains(keyword.count), !text.isEmpty, !keyword.contains(0), !text.contains(0),
        let copy = malloc(text.count + 1)
      else {
        for entry in entries { free(entry.text) }
        throw .damaged(detail: "a text that cannot be written")
      }
      copy.copyMemory(from: text + [0], byteCount: text.count + 1)
      var entry = spng_text()
      withUnsafeMutableBytes(of: &entry.keyword) { $0.copyBytes(from: keyword) }
      entry.type = Int32(SPNG_TEXT.rawValue)
      entry.length = text.count
      entry.text = copy.assumingMemoryBound(to: CChar.self)
      entries.append(entry)
    }
    return entries
  }

  private static func encodeRows(
    _ pixels: UnsafeRawBufferPointer, _ size: PixelSize, in context: OpaquePointer
  ) throws(DecodingError) {
    let flags = Int32(SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue)
    try SPNG.check(spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), flags))
    var row = [UInt8](repeating: 0, count: size.width * 3)
    for y in 0..<size.height {
      let source = UnsafeRawBufferPointer(rebasing: pixels[(y * size.width * 4)...])
      for x in 0..<size.width {
        (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = (source[x * 4], source[x * 4 + 1], source[x * 4 + 2])
      }
      let status = spng_encode_row(context, row, row.count)
      if status != SPNG_EOI.rawValue { try SPNG.check(status) }
    }
  }
}
