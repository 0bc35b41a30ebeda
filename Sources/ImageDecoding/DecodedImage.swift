public import Geometry
public import ImageMetadata

/// What became of a picture, beside its pixels.
public struct DecodedImage: Hashable, Sendable {
  /// The extent of the result in pixels.
  public var size: PixelSize
  /// The picture's own extent as it is looked at.
  public var sourceSize: PixelSize
  /// The orientation that was applied.
  public var orientation: Orientation
  /// Whether the file is cut off or faulty, and the result is what could be saved of it.
  public var isDamaged: Bool
}
