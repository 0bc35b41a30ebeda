public import Geometry
public import Rendering

/// Where views draw: points in, commands in pixels out.
///
/// Points become pixels here and nowhere else on the way to the screen.
@MainActor  // Said aloud: an isolated deinit that other modules see does not know this module's default.
public final class DrawContext {
  /// The commands, back to front.
  public let list: DisplayList
  /// What drawing needs beside commands.
  public let resources: RenderResources
  /// Pixels a point.
  public var scale: DisplayScale { state.pointee.scale }
  /// Where the drawing view's corner lies, in points of the list's coordinates.
  public var origin: Point { state.pointee.origin }

  /// The resources' shapes, at hand: what is a constant of a constant is counted at each use.
  let shapes: ShapeCache

  private struct State: BitwiseCopyable {
    var scale: DisplayScale
    var origin: Point
    /// What is drawn is seen within it alone.
    var clip: PixelRect?
  }

  /// Never other memory: nobody need check at run time who has it, as every view draws through it.
  private let state: UnsafeMutablePointer<State>

  /// Makes a context over a list.
  public init(list: DisplayList, resources: RenderResources, origin: Point = .zero) {
    self.list = list
    self.resources = resources
    shapes = resources.shapes
    state = .allocate(capacity: 1)
    state.initialize(to: State(scale: resources.scale, origin: origin))
  }

  isolated deinit { state.deallocate() }

  /// Begins another frame in the same list.
  func beginFrame() {
    list.removeAll()
    state.pointee.scale = resources.scale
  }

  /// Draws with the origin moved.
  public func translated(by vector: Point, _ body: (DrawContext) -> Void) {
    let before = origin
    state.pointee.origin = before + vector
    body(self)
    state.pointee.origin = before
  }

  /// The pixels of a rectangle in the drawing view's coordinates.
  public func pixels(_ rect: Rect) -> PixelRect { scale.pixelRect(rect.offset(by: origin)) }

  /// Fills a rectangle.
  public func fill(_ rect: Rect, _ color: Color) {
    let target = pixels(rect)
    guard !target.isEmpty, color.alpha > 0 else { return }
    list.append(.fill(target, color))
  }

  /// Draws only within a rectangle.
  public func clipped(to rect: Rect, _ body: (DrawContext) -> Void) {
    let outer = state.pointee.clip
    var area = pixels(rect)
    if let outer { area = area.intersection(outer) }
    state.pointee.clip = area
    list.append(DrawCommand(kind: .clip, destination: area))
    body(self)
    state.pointee.clip = outer
    if let outer {
      list.append(DrawCommand(kind: .clip, destination: outer))
    } else {
      list.append(DrawCommand(kind: .endClip))
    }
  }

  /// Copies a texture, pixel for pixel, its corner at a point.
  public func draw(
    _ texture: TextureID, size: PixelSize, at corner: Point, isOpaque: Bool, tint: Color = .white
  ) {
    let x = scale.pixel(corner.x + origin.x)
    let y = scale.pixel(corner.y + origin.y)
    let extent = PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height))
    list.append(
      DrawCommand(
        kind: .texture, isBlended: !isOpaque, texture: texture, color: tint,
        destination: PixelRect(x: x, y: y, width: extent.width, height: extent.height), source: extent))
  }

  /// Draws a texture stretched over a rectangle, for what is not there at its size yet.
  public func draw(
    _ texture: TextureID, size: PixelSize, stretchedOver rect: Rect, isOpaque: Bool, tint: Color = .white
  ) {
    list.append(
      DrawCommand(
        kind: .texture, isBlended: !isOpaque, texture: texture, color: tint, destination: pixels(rect),
        source: PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height))))
  }

  /// Fills a rectangle with round corners.
  public func fillRounded(_ rect: Rect, radius: Double, _ color: Color) {
    let area = pixels(rect)
    let pixelRadius = min(Int(scale.pixel(radius)), Int(min(area.width, area.height)) / 2)
    guard !area.isEmpty else { return }
    guard pixelRadius > 0,
      let texture = shapes.disc(radius: pixelRadius, isInverted: false, in: resources)
    else {
      list.append(.fill(area, color))
      return
    }
    drawCorners(of: area, radius: Int32(pixelRadius), texture: texture, color: color)
    let inset = Int32(pixelRadius)
    let middle = PixelRect(x: area.x + inset, y: area.y, width: area.width - 2 * inset, height: area.height)
    if middle.width > 0 { list.append(.fill(middle, color)) }
    if area.height > 2 * inset {
      list.append(.fill(PixelRect(x: area.x, y: area.y + inset, width: inset, height: area.height - 2 * inset), color))
      list.append(
        .fill(
          PixelRect(x: area.maxX - inset, y: area.y + inset, width: inset, height: area.height - 2 * inset), color))
    }
  }

  /// Fills a ring around a rectangle, for what covers the rectangle itself: its corners are filled up to the ring's own.
  ///
  /// - Parameters:
  ///   - rect: what the ring goes around.
  ///   - width: how wide it is, in points; no ring where that is less than a pixel.
  ///   - cornerRadius: how round the rectangle's corners are; the ring's own are as much rounder as it is wide.
  public func fillRing(around rect: Rect, width: Double, cornerRadius: Double, _ color: Color) {
    let inner = pixels(rect)
    let area = pixels(
      Rect(x: rect.minX - width, y: rect.minY - width, width: rect.width + 2 * width, height: rect.height + 2 * width))
    let radius = Int32(min(Int(scale.pixel(cornerRadius + width)), Int(min(area.width, area.height)) / 2))
    guard !area.isEmpty, area.width > inner.width, color.alpha > 0 else { return }
    guard radius > 0, let texture = shapes.disc(radius: Int(radius), isInverted: false, in: resources) else {
      list.append(.fill(area, color))
      return
    }
    drawCorners(of: area, radius: radius, texture: texture, color: color)
    let (across, down) = (area.width - 2 * radius, area.height - 2 * radius)
    let (left, top) = (min(radius, inner.x - area.x), min(radius, inner.y - area.y))
    let (right, bottom) = (min(radius, area.maxX - inner.maxX), min(radius, area.maxY - inner.maxY))
    let strips = [
      PixelRect(x: area.x + radius, y: area.y, width: across, height: top),
      PixelRect(x: area.x + radius, y: area.maxY - bottom, width: across, height: bottom),
      PixelRect(x: area.x, y: area.y + radius, width: left, height: down),
      PixelRect(x: area.maxX - right, y: area.y + radius, width: right, height: down),
    ]
    for strip in strips where !strip.isEmpty { list.append(.fill(strip, color)) }
  }

  /// Rounds the corners of something already drawn, by painting what lies outside them in the colour behind.
  public func roundCorners(of rect: Rect, radius: Double, outside color: Color) {
    let area = pixels(rect)
    let pixelRadius = min(Int(scale.pixel(radius)), Int(min(area.width, area.height)) / 2)
    guard pixelRadius > 0,
      let texture = shapes.disc(radius: pixelRadius, isInverted: true, in: resources)
    else { return }
    drawCorners(of: area, radius: Int32(pixelRadius), texture: texture, color: color)
  }

  /// Draws the quarters of a texture of 2 × radius pixels a side in the corners of an area.
  func drawCorners(of area: PixelRect, radius: Int32, texture: TextureID, color: Color) {
    for corner in 0..<4 {
      let (isRight, isLower) = (corner & 1 == 1, corner & 2 == 2)
      list.append(
        DrawCommand(
          kind: .texture, isBlended: true, texture: texture, color: color,
          destination: PixelRect(
            x: isRight ? area.maxX - radius : area.x, y: isLower ? area.maxY - radius : area.y,
            width: radius, height: radius),
          source: PixelRect(x: isRight ? radius : 0, y: isLower ? radius : 0, width: radius, height: radius)))
    }
  }
}
