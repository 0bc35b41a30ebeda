public import VitrineGeometry
public import VitrineRendering

/// A drawing context that converts the views' points to pixels and records commands.
///
/// No other code on the path to the screen converts points to pixels.
@MainActor  // Explicit, because other modules that see the isolated deinit do not know this module's default isolation.
public final class DrawContext {
  /// The commands, back to front.
  public let list: DisplayList
  /// The resources for drawing.
  public let resources: RenderResources
  /// The number of pixels per point.
  public var scale: DisplayScale { state.pointee.scale }
  /// The origin of the view that draws, in points of the list's coordinates.
  public var origin: Point { state.pointee.origin }

  /// The resources' shapes, stored here because access through two references would count both each time.
  let shapes: ShapeCache
  /// The resources' paths, lines and images, for the same reason.
  let drawnTextures: DrawnTextureCache
  /// The textures of a recorded drawing, which must retain them, or nil if the list is drawn once.
  @exclusivity(unchecked) private var retainedTextures: [DrawnTexture]?

  private struct State: BitwiseCopyable {
    var scale: DisplayScale
    var origin: Point
  }

  /// The state lives in separate memory without run-time exclusivity checks, because every view draws through it.
  private let state: UnsafeMutablePointer<State>

  /// Creates a context that records commands in a list.
  public init(list: DisplayList, resources: RenderResources, origin: Point = .zero) {
    self.list = list
    self.resources = resources
    shapes = resources.shapes
    drawnTextures = resources.drawnTextures
    state = .allocate(capacity: 1)
    state.initialize(to: State(scale: resources.scale, origin: origin))
  }

  /// Creates a context that records a drawing that is displayed in several frames.
  ///
  /// The drawing must retain the ``takeRetainedTextures()`` as long as it is displayed.
  package convenience init(recordingIn list: DisplayList, resources: RenderResources) {
    self.init(list: list, resources: resources)
    retainedTextures = []
  }

  isolated deinit { state.deallocate() }

  /// Whether there are textures that a recorded drawing must retain.
  package var hasRetainedTextures: Bool { retainedTextures?.isEmpty == false }

  /// Returns the textures that a recorded drawing must retain, usually none.
  package func takeRetainedTextures() -> [AnyObject] {
    guard let textures = retainedTextures, !textures.isEmpty else { return [] }
    retainedTextures = []
    return textures
  }

  /// Retains a texture if the drawing is recorded.
  func retain(_ texture: DrawnTexture) { retainedTextures?.append(texture) }

  /// Begins another frame in the same list.
  func beginFrame() {
    list.removeAll()
    drawnTextures.beginFrame()
    state.pointee.scale = resources.scale
  }

  /// Calls a closure with the origin moved by a vector.
  public func translated(by vector: Point, _ body: (DrawContext) -> Void) {
    let before = origin
    state.pointee.origin = before + vector
    body(self)
    state.pointee.origin = before
  }

  /// Returns the pixels of a rectangle in the coordinates of the view that draws.
  public func pixels(_ rect: Rect) -> PixelRect { scale.pixelRect(rect.offset(by: origin)) }

  /// Fills a rectangle.
  public func fill(_ rect: Rect, _ color: Color) {
    let target = pixels(rect)
    guard !target.isEmpty, color.alpha > 0 else { return }
    list.append(.fill(target, color))
  }

  /// Calls a closure with drawing clipped to a rectangle.
  public func clipped(to rect: Rect, _ body: (DrawContext) -> Void) {
    list.append(DrawCommand(kind: .clip, destination: pixels(rect)))
    body(self)
    list.append(DrawCommand(kind: .endClip))
  }

  /// Draws a texture at its pixel size, with its top-left corner at a point.
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

  /// Draws a part of a texture at its pixel size, blended, with its top-left corner at a point.
  func draw(_ texture: TextureID, part: PixelRect, at corner: Point, tint: Color) {
    let x = scale.pixel(corner.x + origin.x)
    let y = scale.pixel(corner.y + origin.y)
    list.append(
      DrawCommand(
        kind: .texture, isBlended: true, texture: texture, color: tint,
        destination: PixelRect(x: x, y: y, width: part.width, height: part.height), source: part))
  }

  /// Draws a texture stretched to a rectangle, smoothly unless its pixels are shown as squares.
  public func draw(
    _ texture: TextureID, size: PixelSize, stretchedOver rect: Rect, isOpaque: Bool, tint: Color = .white,
    showsPixels: Bool = false
  ) {
    list.append(
      DrawCommand(
        kind: .texture, isBlended: !isOpaque, texture: texture, color: tint, destination: pixels(rect),
        source: PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height)), showsPixels: showsPixels))
  }

  /// Fills a rectangle with rounded corners.
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

  /// Fills a ring around a rectangle that is going to be covered; its corners are filled up to those of the ring.
  ///
  /// - Parameters:
  ///   - rect: The rectangle inside the ring.
  ///   - width: The width of the ring in points; nothing is drawn if it is less than a pixel.
  ///   - cornerRadius: The corner radius of the rectangle; the outer radius of the ring is larger by its width.
  ///   - color: The color of the ring.
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

  /// Rounds the corners of drawn content by painting the area outside them in the background color.
  public func roundCorners(of rect: Rect, radius: Double, outside color: Color) {
    let area = pixels(rect)
    let pixelRadius = min(Int(scale.pixel(radius)), Int(min(area.width, area.height)) / 2)
    guard pixelRadius > 0,
      let texture = shapes.disc(radius: pixelRadius, isInverted: true, in: resources)
    else { return }
    drawCorners(of: area, radius: Int32(pixelRadius), texture: texture, color: color)
  }

  /// Draws the quarters of a texture of 2 × radius pixels per side in the corners of an area.
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

// MARK: - Shadows

extension DrawContext {
  /// Draws the soft shadow of a rectangle with rounded corners on the content already drawn.
  ///
  /// The shadow is drawn around the rectangle and not below it, except in its corners; the rectangle must then be drawn
  /// over it. The shadow has the given color next to the lower edge, and fades outward with the square of the distance.
  /// Drawing it repeatedly with different opacities creates no new resources.
  ///
  /// - Parameters:
  ///   - rect: The rectangle that casts the shadow.
  ///   - radius: The corner radius of the rectangle, in points.
  ///   - extent: The extent of the shadow, in points.
  ///   - verticalOffset: The vertical offset of the shadow, in points, at most its extent.
  ///   - color: The color of the shadow where it is darkest.
  /// - Complexity: O(`extent`) commands, and as many pixels as the shadow covers.
  public func drawShadow(of rect: Rect, radius: Double, extent: Double, verticalOffset: Double, _ color: Color) {
    let area = pixels(rect)
    guard !area.isEmpty, color.alpha > 0, extent > 0 else { return }
    let limit = Int(min(area.width, area.height)) / 2
    let offset = min(max(0, Int(scale.pixel(verticalOffset))), limit)
    let shape = ShadowShape(
      radius: min(max(0, Int(scale.pixel(radius))), limit - offset), reach: max(1, Int(scale.pixel(extent))),
      verticalOffset: offset)
    let (inner, outer, low) = (Int32(shape.innerLength), Int32(shape.reach), Int32(shape.verticalOffset))
    let lower = PixelRect(x: area.x, y: area.y + low, width: area.width, height: area.height)
    if let texture = shapes.shadow(shape, in: resources) {
      let around = PixelRect(
        x: lower.x - outer, y: lower.y - outer, width: lower.width + 2 * outer, height: lower.height + 2 * outer)
      drawCorners(of: around, radius: Int32(shape.side), texture: texture, color: color)
    }
    // Between the corners the shadow is uniform: one line per pixel of distance.
    let (across, down) = (lower.width - 2 * inner, lower.height - 2 * inner)
    func line(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32, _ color: Color) {
      if width > 0, height > 0 { list.append(.fill(PixelRect(x: x, y: y, width: width, height: height), color)) }
    }
    for distance in -low..<outer {
      let faded = color.opacity(shape.darkness(at: Double(distance) + 0.5))
      guard faded.alpha > 0 else { break }
      line(lower.x + inner, lower.maxY + distance, across, 1, faded)
      guard distance >= 0 else { continue }
      line(lower.x - distance - 1, lower.y + inner, 1, down, faded)
      line(lower.maxX + distance, lower.y + inner, 1, down, faded)
      // The part below the rectangle is not visible.
      if distance >= low { line(lower.x + inner, lower.y - distance - 1, across, 1, faded) }
    }
  }
}
