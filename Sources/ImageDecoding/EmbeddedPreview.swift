import Geometry

/// A small picture that stands for a large one in the same file.
struct EmbeddedPreview: Hashable {
  /// The preview's extent as stored.
  let size: PixelSize
  /// The large picture's extent as stored.
  let picture: PixelSize

  /// How much the shapes may differ: previews of cameras have black bars where theirs is another, and some are left over
  /// from before the picture was cropped.
  private static let tolerance = 0.02

  /// For a preview of the same shape; nothing for others.
  init?(_ size: PixelSize?, of picture: PixelSize) {
    guard let size else { return nil }
    // A pixel's rounding on a side counts as none.
    let wanted = Double(picture.width) / Double(picture.height)
    let least = (Double(size.width) - 1) / (Double(size.height) + 1) / (1 + EmbeddedPreview.tolerance)
    let most = (Double(size.width) + 1) / max(1, Double(size.height) - 1) * (1 + EmbeddedPreview.tolerance)
    guard wanted >= least, wanted <= most, size.area <= picture.area else { return nil }
    self.size = size
    self.picture = picture
  }

  /// Whether it has as many pixels as the result in each direction.
  func hasPixels(for placement: Placement) -> Bool {
    let across = Double(size.width) / Double(picture.width)
    let down = Double(size.height) / Double(picture.height)
    return placement.ratioX * across >= 1 && placement.ratioY * down >= 1
  }

  /// Where the preview's pixels go when they stand for those of the picture.
  func placement(for placement: Placement) -> Placement {
    placement.scaled(
      across: Double(size.width) / Double(picture.width), down: Double(size.height) / Double(picture.height))
  }
}
