public import Geometry
public import Rendering

/// A picture at the size it was asked for.
public struct DecodedImage: Sendable {
  /// The pixels.
  public let bitmap: Bitmap
  /// The picture's own size in pixels after orientation, where the file told it.
  public let sourceSize: PixelSize?
  /// Whether the file was cut off or damaged, or changed while it was read: the bitmap is what could be saved of it.
  public let isDamaged: Bool
  /// How good it is: below ``ImageRung/full`` it stands in for the picture itself.
  public let rung: ImageRung

  /// Makes an image.
  public init(bitmap: Bitmap, sourceSize: PixelSize? = nil, isDamaged: Bool = false, rung: ImageRung = .full) {
    self.bitmap = bitmap
    self.sourceSize = sourceSize
    self.isDamaged = isDamaged
    self.rung = rung
  }
}

/// How a decode ended.
public typealias ImageOutcome = Result<DecodedImage, ImageFailure>

extension ImageOutcome {
  /// The bytes of pixels that the outcome holds.
  var pixelBytes: Int {
    switch self {
    case .success(let image): image.bitmap.byteCount
    case .failure: 0
    }
  }
}

extension DecodedImage {
  /// The same image, said to be this good.
  func of(_ rung: ImageRung) -> DecodedImage {
    DecodedImage(bitmap: bitmap, sourceSize: sourceSize, isDamaged: isDamaged, rung: rung)
  }

  /// The same image, said to be damaged.
  var markedDamaged: DecodedImage { DecodedImage(bitmap: bitmap, sourceSize: sourceSize, isDamaged: true, rung: rung) }
}
