public import Geometry
public import Rendering

/// What a picture is to become.
public struct DecodingTarget: Hashable, Sendable {
  /// The size in pixels, of the picture as it is looked at.
  public var size: PixelSize
  /// How the picture fills the size.
  public var fit: FitMode
  /// The colour behind transparent pixels, and where a damaged file has none; its own alpha does not count.
  public var background: Color

  /// Makes a target.
  public init(size: PixelSize, fit: FitMode = .fill, background: Color = .black) {
    self.size = size
    self.fit = fit
    self.background = background
  }
}
