public import VitrineGeometry
import VitrineRendering

/// Rounded clips, opacity and transforms of what a closure draws.
extension DrawContext {
  /// Calls a closure with drawing clipped to a rectangle with rounded corners, over any background.
  ///
  /// The corners cost a copy of their pixels in each frame that draws them. Over a plain color,
  /// ``roundCorners(of:radius:outside:)`` costs less.
  ///
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - radius: The corner radius in points, at most half of the shorter side.
  ///   - body: The closure, which draws the content.
  public func clipped(toRoundedRect rect: Rect, radius: Double, _ body: (DrawContext) -> Void) {
    let area = pixels(rect)
    let pixelRadius = min(scale.pixel(radius), min(area.width, area.height) / 2)
    guard pixelRadius > 0 else { return clipped(to: rect, body) }
    let layer = DrawCommand.layer(area, cornerRadius: pixelRadius)
    list.append(layer.begin)
    body(self)
    list.append(layer.end)
  }

  /// Calls a closure whose drawing is blended as a whole, so that what it draws over itself does not show through.
  ///
  /// A single rectangle, image or line of text is blended directly. Anything else costs a copy of the pixels that it
  /// covers in each frame that draws it.
  ///
  /// - Parameters:
  ///   - opacity: The opacity, 0 to 1; nothing is drawn for 0.
  ///   - body: The closure, which draws the content.
  public func withOpacity(_ opacity: Double, _ body: (DrawContext) -> Void) {
    let level = DrawContext.opacityLevel(opacity)
    guard level < 255 else { return body(self) }
    guard level > 0 else { return }
    let first = beginGroup()
    body(self)
    endGroup(from: first, opacity: level)
  }

  /// Returns an opacity of 0 to 1 as a number of 0 to 255.
  static func opacityLevel(_ opacity: Double) -> UInt8 { UInt8((max(0, min(1, opacity)) * 255).rounded()) }

  /// Begins commands that are blended as a whole, and returns the index of the first.
  func beginGroup() -> Int {
    list.append(DrawCommand.layer(.zero).begin)
    return list.count - 1
  }

  /// Ends commands that are blended as a whole.
  func endGroup(from first: Int, opacity level: UInt8) {
    switch list.count - first {
    case 1: list.truncate(to: first)
    case 2 where list.commands[first + 1].kind == .fill || list.commands[first + 1].kind == .texture:
      list.replaceCommand(at: first, with: list.commands[first + 1])
      list.truncate(to: first + 1)
      list.fade(from: first, by: level)
    default:
      let layer = DrawCommand.layer(list.extent(from: first + 1), opacity: level)
      list.replaceCommand(at: first, with: layer.begin)
      list.append(layer.end)
    }
  }

  /// Calls a closure whose drawing is transformed, in the coordinates of the view that draws.
  ///
  /// Translation moves everything by whole pixels. Scaling stretches what was drawn for the original size, and keeps
  /// edges on whole pixels. A rotation, a reflection or a shear paints the content into an image, which is transformed:
  /// it costs as much as painting the content without a graphics processor, whenever the content changes.
  ///
  /// - Parameters:
  ///   - transform: The transform. Nothing is drawn if it cannot be inverted.
  ///   - body: The closure, which draws the content.
  public func transformed(by transform: Transform, _ body: (DrawContext) -> Void) {
    guard transform != .identity else { return body(self) }
    guard transform.isFinite, transform.determinant != 0 else { return }
    guard transform.isUpright else { return drawTransformedImage(transform, body) }
    guard transform.a != 1 || transform.d != 1 else {
      return translated(by: Point(x: transform.tx, y: transform.ty), body)
    }
    let first = list.count
    body(self)
    let factor = scale.pixelsPerPoint
    let (x, y) = (Double(scale.pixel(origin.x)), Double(scale.pixel(origin.y)))
    list.transform(
      from: first, scaleX: transform.a, y: transform.d,
      translationX: x * (1 - transform.a) + transform.tx * factor,
      y: y * (1 - transform.d) + transform.ty * factor)
  }
}
