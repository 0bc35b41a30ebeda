import CDeflate

/// The door to libdeflate, which inflates what stands in memory whole, in half of zlib's time.
///
/// Nothing of it leaves this file.
enum LibDeflate {
  /// Inflates a zlib stream (RFC 1950) that fills the target to its last byte, and ends where the bytes end.
  ///
  /// The C function is `libdeflate_zlib_decompress_ex`.
  ///
  /// - Returns: false for every other stream, one with a wrong checksum among them, and where the memory is out.
  static func inflate(_ stream: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
    guard let input = stream.baseAddress, let output = target.baseAddress,
      let decompressor = libdeflate_alloc_decompressor()
    else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    var taken = 0
    let result = libdeflate_zlib_decompress_ex(
      decompressor, input, stream.count, output, target.count, &taken, nil)
    return result == LIBDEFLATE_SUCCESS && taken == stream.count
  }

  /// The checksum of PNG's chunks (ISO/IEC 15948, annex D).
  ///
  /// The C function is `libdeflate_crc32`.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.baseAddress.map { libdeflate_crc32(0, $0, bytes.count) } ?? 0
  }
}
