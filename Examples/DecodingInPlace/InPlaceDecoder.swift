public import ImagePipeline
import ImageDecoding

/// Decodes a picture's bytes in the program that draws, on whichever thread it is asked: what no program is to do.
///
/// The one example that links the decoders uses it to show what that costs.
public struct InPlaceDecoder: PictureDecoder {
  private let bytes: [UInt8]

  /// Takes the bytes of a picture as it is stored.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// There is nothing to get ready.
  public func prepare() {}

  /// Decodes the bytes at the size that is asked for; whatever is wrong with them makes no picture.
  public func decode(_ request: ImageRequest) -> ImageOutcome {
    do {
      let target = DecodingTarget(size: request.key.size, fit: .fillWithoutEnlarging)
      let (bitmap, image) = try bytes.withUnsafeBytes { bytes in
        // What a sandbox would confine is not decoded where there is none.
        try ImageDecoder(formats: .trusted).bitmap(bytes, target: target)
      }
      return .success(.init(bitmap: bitmap, sourceSize: image.sourceSize, isDamaged: image.isDamaged))
    } catch {
      return .failure(.cannotPaint)
    }
  }
}
