public import CollectionUI
import VitrineImageDecoding

/// A decoder that runs in the calling process, on the calling thread.
///
/// Programs should not decode this way: while a picture is decoded, the thread shows no frame. The destinations example links
/// the decoders only to show what that costs.
public enum InPlaceDecoder {
  /// Decodes an image so that it fills the given size, without enlarging it.
  ///
  /// - Parameters:
  ///   - bytes: The encoded image.
  ///   - size: The size to fill, in pixels.
  /// - Returns: The image, and whether the file is damaged and the image incomplete; or nil if it cannot be decoded.
  public static func decode(
    _ bytes: [UInt8], filling size: PixelSize
  ) -> (bitmap: Bitmap, isDamaged: Bool)? {
    let target = DecodingTarget(size: size, fit: .fillWithoutEnlarging)
    let decoded = try? bytes.withUnsafeBytes { bytes in
      // There is no sandbox in this process, so formats that need one are not decoded.
      try ImageDecoder(formats: .trusted).bitmap(bytes, target: target)
    }
    return decoded.map { ($0.bitmap, $0.image.isDamaged) }
  }
}
