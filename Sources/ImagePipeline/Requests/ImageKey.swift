public import Geometry

/// Names a bitmap: which picture, in which version, at which size.
public struct ImageKey: Hashable, Sendable {
  /// The item and its version in one number: the caller gives another one when the file behind the item changes.
  public var source: UInt64
  /// The size in pixels.
  public var size: PixelSize
  /// How the picture fills the size.
  public var fit: ImageFit

  /// Makes a name.
  public init(source: UInt64, size: PixelSize, fit: ImageFit = .fill) {
    self.source = source
    self.size = size
    self.fit = fit
  }
}
