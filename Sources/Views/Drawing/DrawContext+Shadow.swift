public import Geometry
public import Rendering

extension DrawContext {
  /// Draws the soft shadow that a rectangle with round corners throws on what is drawn there already, which lies below it.
  ///
  /// Around the rectangle and not beneath it, but for its corners: the rectangle itself is to be drawn over it. The shadow has
  /// its colour next to the rectangle on the lower side, and fades outwards with the square of the way. Drawn again and again
  /// with another opacity it takes nothing new.
  ///
  /// - Parameters:
  ///   - rect: what throws it.
  ///   - radius: that of its corners, in points.
  ///   - reach: how far the shadow reaches, in points.
  ///   - drop: how much lower the shadow lies, in points, at most its reach.
  ///   - color: the shadow's colour where it is darkest.
  /// - Complexity: O(``reach``) commands, and as many pixels as the shadow has.
  public func drawShadow(of rect: Rect, radius: Double, reach: Double, drop: Double, _ color: Color) {
    let area = pixels(rect)
    guard !area.isEmpty, color.alpha > 0, reach > 0 else { return }
    let most = Int(min(area.width, area.height)) / 2
    let fall = min(max(0, Int(scale.pixel(drop))), most)
    let shade = ShadowShape(
      radius: min(max(0, Int(scale.pixel(radius))), most - fall), reach: max(1, Int(scale.pixel(reach))),
      verticalOffset: fall)
    let (inner, outer, low) = (Int32(shade.innerLength), Int32(shade.reach), Int32(shade.verticalOffset))
    let lower = PixelRect(x: area.x, y: area.y + low, width: area.width, height: area.height)
    if let texture = shapes.shadow(shade, in: resources) {
      let around = PixelRect(
        x: lower.x - outer, y: lower.y - outer, width: lower.width + 2 * outer, height: lower.height + 2 * outer)
      drawCorners(of: around, radius: Int32(shade.side), texture: texture, color: color)
    }
    // Between the corners it is the same all along: a line for each pixel outwards.
    let (across, down) = (lower.width - 2 * inner, lower.height - 2 * inner)
    func line(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32, _ color: Color) {
      if width > 0, height > 0 { list.append(.fill(PixelRect(x: x, y: y, width: width, height: height), color)) }
    }
    for way in -low..<outer {
      let faded = color.opacity(shade.darkness(at: Double(way) + 0.5))
      guard faded.alpha > 0 else { break }
      line(lower.x + inner, lower.maxY + way, across, 1, faded)
      guard way >= 0 else { continue }
      line(lower.x - way - 1, lower.y + inner, 1, down, faded)
      line(lower.maxX + way, lower.y + inner, 1, down, faded)
      // What lies beneath the rectangle above is not seen.
      if way >= low { line(lower.x + inner, lower.y - way - 1, across, 1, faded) }
    }
  }
}
