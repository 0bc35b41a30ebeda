public import Rendering

/// Something that makes JPEG files of bitmaps.
///
/// An encoder is made and used on one thread; it need not be safe on several.
public protocol JPEGEncoding {
  /// Makes a file.
  ///
  /// - Parameters:
  ///   - bitmap: the pixels; alpha is dropped.
  ///   - quality: 1 to 100.
  /// - Returns: the file's bytes, from SOI to EOI.
  /// - Throws: where it cannot be made.
  func encode(_ bitmap: Bitmap, quality: Int) throws -> [UInt8]
}
