import Geometry

/// Which part of a picture is seen in a place that the picture covers, the middle of it kept.
struct PreviewCrop: Hashable, Sendable {
  /// The part's extent, in units of the picture's own.
  let width: Double
  let height: Double

  /// The part of a picture that a place of a shape shows; all where the picture's size is not known.
  init(shape: PreviewShape, picture: PixelSize?) { self.init(ratio: shape.ratio, picture: picture) }

  /// The part of a picture that a place of a size shows; all where the picture's size is not known.
  init(viewSize: PixelSize, picture: PixelSize?) {
    self.init(ratio: Double(viewSize.width) / Double(viewSize.height), picture: picture)
  }

  private init(ratio: Double, picture: PixelSize?) {
    let own = picture.map { Double($0.width) / Double($0.height) } ?? ratio
    width = min(1, ratio / own)
    height = min(1, own / ratio)
  }

  /// The share of the picture that it shows.
  var coverage: Double { width * height }
}
