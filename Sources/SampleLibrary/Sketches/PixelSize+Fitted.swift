import Geometry

extension PixelSize {
  /// The largest size of this shape within a box, never larger than this.
  func fitted(into box: PixelSize) -> PixelSize {
    let isWider = width * box.height >= height * box.width
    let longest = isWider ? min(width, box.width) : min(height, box.height)
    let fitted =
      isWider
      ? PixelSize(width: longest, height: max(1, height * longest / width))
      : PixelSize(width: max(1, width * longest / height), height: longest)
    return fitted ?? box
  }
}
