public import Geometry
import ImageDecoding
public import Rendering

/// Decodes a picture's bytes in the program that draws, on whichever thread it is asked: what no program is to do.
///
/// The one example that links the decoders uses it to show what that costs.
public enum InPlaceDecoder {
  /// Decodes a picture to fill a place; never enlarges it.
  ///
  /// - Parameters:
  ///   - bytes: the picture as it is stored.
  ///   - size: the place in pixels.
  /// - Returns: its pixels, and whether they are what could be saved of damaged bytes; nothing where there are none.
  public static func picture(
    of bytes: [UInt8], filling size: PixelSize
  ) -> (bitmap: Bitmap, isDamaged: Bool)? {
    let target = DecodingTarget(size: size, fit: .fillWithoutEnlarging)
    let decoded = try? bytes.withUnsafeBytes { bytes in
      // What a sandbox would confine is not decoded where there is none.
      try ImageDecoder(formats: .trusted).bitmap(bytes, target: target)
    }
    return decoded.map { ($0.bitmap, $0.image.isDamaged) }
  }
}
