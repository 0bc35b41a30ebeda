import VitrineGeometry

/// The pixels of an enlarged picture to decode: all of them, or those around what is visible, at a scale of one half, a
/// quarter and so on.
nonisolated struct PictureDetail: Hashable, Sendable {
  /// The part of the picture, in its pixels, or nil for all of it.
  var region: PixelRect?
  /// The size of the decoded pixels.
  var size: PixelSize
  /// The number of times that the part was halved.
  var level = 0

  /// The longest side of the decoded pixels, which every renderer can draw.
  static let longestSide = 8192
  /// The share of what is visible that is decoded on each side of it, as far as there is room.
  private static let margins = [0.5, 0.25, 0.125, 0]

  /// Returns what to decode.
  ///
  /// - Parameters:
  ///   - picture: The size of the picture.
  ///   - window: The size of the window, at which the picture is available.
  ///   - visible: The visible part of the picture, of its width and its height.
  ///   - magnification: The number of pixels of the display per pixel of the picture.
  ///   - limit: The maximum number of decoded pixels.
  ///   - current: What was decoded last, which is kept as long as it is enough.
  /// - Returns: Nil if the picture at the size of the window is enough.
  /// - Complexity: O(log picture).
  static func wanted(
    of picture: PixelSize, in window: PixelSize, visible: Rect, magnification: Double, atMost limit: Int,
    keeping current: PictureDetail? = nil
  ) -> PictureDetail? {
    guard picture.width > window.width || picture.height > window.height else { return nil }
    if fits(picture, limit) { return PictureDetail(region: nil, size: picture) }
    let shown = pixels(of: visible, picture)
    var level = 0
    while level < 16, magnification * Double(2 << level) <= 1 { level += 1 }
    while level < 17 {
      let whole = halved(picture, level)
      if fits(whole, limit) { return PictureDetail(region: nil, size: whole, level: level) }
      if let current, current.level == level, let region = current.region, region.intersection(shown) == shown {
        return current
      }
      for margin in margins {
        let region = enlarged(shown, by: margin, level, picture)
        guard let pixels = PixelSize(width: Int(region.width), height: Int(region.height)) else { continue }
        let size = halved(pixels, level)
        if fits(size, limit) { return PictureDetail(region: region, size: size, level: level) }
      }
      level += 1
    }
    return nil
  }

  private static func fits(_ size: PixelSize, _ limit: Int) -> Bool {
    size.area <= limit && max(size.width, size.height) <= longestSide
  }

  private static func halved(_ size: PixelSize, _ level: Int) -> PixelSize {
    func half(_ side: Int) -> Int { max(1, (side + (1 << level) - 1) >> level) }
    return PixelSize(width: half(size.width), height: half(size.height)) ?? size
  }

  /// Returns the pixels of a part of the picture, at least one.
  private static func pixels(of part: Rect, _ picture: PixelSize) -> PixelRect {
    func range(_ start: Double, _ end: Double, _ count: Int) -> (Int32, Int32) {
      let first = min(max(0, Int((start * Double(count)).rounded(.down))), count - 1)
      let last = min(max(first + 1, Int((end * Double(count)).rounded(.up))), count)
      return (Int32(first), Int32(last - first))
    }
    let (x, width) = range(part.minX, part.maxX, picture.width)
    let (y, height) = range(part.minY, part.maxY, picture.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// Returns a part with a margin, whose edges are on whole pixels at every level.
  private static func enlarged(_ part: PixelRect, by margin: Double, _ level: Int, _ picture: PixelSize) -> PixelRect {
    let step = Int32(64) << Int32(min(level, 10))
    func range(_ start: Int32, _ count: Int32, _ limit: Int) -> (Int32, Int32) {
      let extra = Int32((Double(count) * margin).rounded(.up))
      let first = max(0, start - extra) / step * step
      let last = min(Int32(limit), (start + count + extra + step - 1) / step * step)
      return (first, last - first)
    }
    let (x, width) = range(part.x, part.width, picture.width)
    let (y, height) = range(part.y, part.height, picture.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
