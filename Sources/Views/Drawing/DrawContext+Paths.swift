public import VitrineGeometry
import VitrinePathRasterization
public import VitrineRendering

/// Paths, lines, text and images.
///
/// They are painted once, with smoothed edges, and kept while they are drawn: drawing the same one again, also elsewhere,
/// only copies it. A path is placed at the whole pixel nearest to the view's origin, as the edges of filled rectangles
/// are. Without the library cairo no path is drawn.
extension DrawContext {
  /// Fills a path with a color.
  public func fill(_ path: Path, _ color: Color, rule: FillRule = .winding) {
    drawShape(PathShape(path, .fill(rule)), color)
  }

  /// Fills a path with a gradient, whose coordinates are those of the path.
  public func fill(_ path: Path, _ gradient: Gradient, rule: FillRule = .winding) {
    drawShape(PathShape(path, .fill(rule), gradient: gradient), .white)
  }

  /// Draws the outline of a path in a color, half of its width on each side.
  public func stroke(_ path: Path, _ color: Color, style: StrokeStyle = StrokeStyle()) {
    drawShape(PathShape(path, .stroke(style)), color)
  }

  /// Draws the outline of a path with a gradient, whose coordinates are those of the path.
  public func stroke(_ path: Path, _ gradient: Gradient, style: StrokeStyle = StrokeStyle()) {
    drawShape(PathShape(path, .stroke(style), gradient: gradient), .white)
  }

  /// Draws a straight line, half of its width on each side.
  ///
  /// A line without dashes along whole pixels is a filled rectangle.
  public func strokeLine(from start: Point, to end: Point, _ color: Color, style: StrokeStyle = StrokeStyle()) {
    guard color.alpha > 0, style.isDrawable else { return }
    if let rect = alignedRect(from: start, to: end, style) { return fill(rect, color) }
    let texture = drawnTextures.texture(for: .line(from: start, to: end, style: style)) {
      DrawContext.texture(of: PathShape(Path(lines: [start, end]), .stroke(style)), scale)
    }
    if let texture { draw(texture, at: .zero, color) }
  }

  /// Draws a line of text in a rectangle, truncated with an ellipsis if it does not fit, and centered vertically.
  ///
  /// For text that other drawing surrounds, such as the labels of a chart. A ``Label`` is a view of its own.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - rect: The rectangle in points.
  ///   - style: The typeface, weight and size.
  ///   - color: The color; for color emoji only its alpha applies.
  ///   - alignment: The horizontal alignment. Default: leading.
  ///   - lineBreakMode: The position of the ellipsis. Default: the end.
  ///   - angle: The clockwise rotation about the center of the rectangle, in radians. Emoji among letters are not turned,
  ///     and left out. Default: 0.
  /// - Returns: Whether the text was drawn, or is empty. False while another thread lays out a line that needs several
  ///   fonts, directions or colors: the view then calls ``View/setNeedsDisplay()`` to be drawn again.
  @discardableResult
  public func drawText(
    _ text: String, in rect: Rect, style: TextStyle, color: Color, alignment: Label.Alignment = .leading,
    lineBreakMode: LineBreakMode = .byTruncatingTail, angle: Double = 0
  ) -> Bool {
    guard !text.isEmpty, !rect.isEmpty, color.alpha > 0 else { return true }
    let layout = DrawnTextureCache.TextLayout(
      text: BytewiseText(text), style: style, size: rect.size, leadingShare: alignment.leadingShare,
      lineBreakMode: lineBreakMode, angle: angle)
    guard let texture = drawnTextures.texture(for: .text(layout), { makeTexture(of: layout, text) }) else {
      return false
    }
    let untinted = Color.white.opacity(Double(color.alpha) / 255)
    switch texture.layers {
    case .mask: draw(texture, at: rect.origin, color)
    case .colors: draw(texture, at: rect.origin, untinted)
    case .maskOverColors:
      draw(texture, part: 1, at: rect.origin, untinted)
      draw(texture, part: 0, at: rect.origin, color)
    case .maskAndColors:
      draw(texture, part: 0, at: rect.origin, color)
      draw(texture, part: 1, at: rect.origin, untinted)
    }
    return true
  }

  /// Draws an image in a rectangle, stretched smoothly if it has another size.
  ///
  /// Its texture is created immediately. ``ImageView`` displays photographs, whose textures are created within the time
  /// that a frame has for them.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - rect: The rectangle in points.
  ///   - opacity: The opacity, 0 to 1. Default: 1.
  public func draw(_ image: Bitmap, in rect: Rect, opacity: Double = 1) {
    let texture = drawnTextures.texture(for: .bitmap(ObjectIdentifier(image))) {
      DrawnTexture(image, frame: .zero)
    }
    guard let texture, let name = texture.texture(in: resources), opacity > 0 else { return }
    retain(texture)
    list.append(
      DrawCommand(
        kind: .texture, isBlended: !texture.isOpaque || opacity < 1, texture: name, color: Color.white.opacity(opacity),
        destination: pixels(rect), source: texture.size))
  }

  // MARK: - Implementation

  private func drawShape(_ shape: PathShape, _ color: Color) {
    guard color.alpha > 0, !shape.path.isEmpty else { return }
    let texture = drawnTextures.texture(for: .path(shape)) { DrawContext.texture(of: shape, scale) }
    if let texture { draw(texture, at: .zero, color) }
  }

  private static func texture(of shape: PathShape, _ scale: DisplayScale) -> DrawnTexture {
    let shape = PathRasterizer.rasterize(shape, scale: scale)
    return DrawnTexture(shape?.bitmap, frame: shape?.frame ?? .zero)
  }

  /// Draws a texture at its position relative to a point in the view's coordinates.
  ///
  /// - Parameter part: The number of the half to draw, from the top, or nil for the whole. Default: nil.
  func draw(_ texture: DrawnTexture, part: Int32? = nil, at point: Point, _ color: Color) {
    guard !texture.size.isEmpty, let name = texture.texture(in: resources) else { return }
    retain(texture)
    let (x, y) = (scale.pixel(point.x + origin.x), scale.pixel(point.y + origin.y))
    let frame = texture.frame
    var source = texture.size
    if let part { (source.y, source.height) = (frame.height &* part, frame.height) }
    list.append(
      DrawCommand(
        kind: .texture, isBlended: true, texture: name, color: color,
        destination: PixelRect(x: frame.x &+ x, y: frame.y &+ y, width: frame.width, height: frame.height),
        source: source))
  }

  /// Returns the rectangle that a line covers, if it covers whole pixels.
  private func alignedRect(from start: Point, to end: Point, _ style: StrokeStyle) -> Rect? {
    guard style.dash.isEmpty, style.lineCap == .butt, start.x == end.x || start.y == end.y, start != end else {
      return nil
    }
    let half = style.lineWidth / 2
    let (left, right) = (min(start.x, end.x), max(start.x, end.x))
    let (top, bottom) = (min(start.y, end.y), max(start.y, end.y))
    let rect =
      left == right
      ? Rect(x: left - half, y: top, width: style.lineWidth, height: bottom - top)
      : Rect(x: left, y: top - half, width: right - left, height: style.lineWidth)
    let (x, y) = (distanceToPixel(rect.minX), distanceToPixel(rect.minY))
    let isAligned = max(max(x, y), max(distanceToPixel(rect.maxX), distanceToPixel(rect.maxY))) < 1e-6
    // As a path would be: at the whole pixel nearest to the origin.
    let snapped = Point(x: scale.snapped(origin.x) - origin.x, y: scale.snapped(origin.y) - origin.y)
    return isAligned ? rect.offset(by: snapped) : nil
  }

  /// Returns the distance of a coordinate in points from the nearest edge of a pixel, in pixels.
  private func distanceToPixel(_ coordinate: Double) -> Double {
    let pixel = coordinate * scale.pixelsPerPoint
    return (pixel - pixel.rounded()).magnitude
  }

  /// Renders a line of text, or returns nil while another thread does.
  private func makeTexture(of layout: DrawnTextureCache.TextLayout, _ text: String) -> DrawnTexture? {
    let scale = scale
    let (width, height) = (scale.pixel(layout.size.width), scale.pixel(layout.size.height))
    guard let line = makeLine(of: layout, text, width: Int(width)) else { return nil }
    guard let bitmap = line.bitmap else { return DrawnTexture(nil, frame: .zero) }
    let lineHeight = Int32(line.layers == .maskAndColors ? bitmap.size.height / 2 : bitmap.size.height)
    let metrics = resources.text.metrics(layout.style, scale: scale)
    let used = scale.length(ofPixels: Int32(bitmap.size.width))
    let share = layout.leadingShare ?? (line.isRightToLeft ? 1 : 0)
    let x = scale.pixel((layout.size.width - used) * share)
    let y = scale.pixel((layout.size.height - scale.length(ofPixels: Int32(metrics.ascent + metrics.descent))) / 2)
    guard layout.angle != 0 else {
      let frame = PixelRect(x: x, y: y, width: Int32(bitmap.size.width), height: lineHeight)
      return DrawnTexture(bitmap, frame: frame, layers: line.layers)
    }
    let transform = Transform(translationX: Double(x), y: Double(y)).concatenating(
      Transform(rotationAngle: layout.angle).about(Point(x: Double(width) / 2, y: Double(height) / 2)))
    let upright = line.layers == .maskAndColors ? bitmap.upperHalf : bitmap
    let rotated = upright.flatMap { PathRasterizer.rasterize($0, transform: transform) }
    return DrawnTexture(
      rotated?.bitmap, frame: rotated?.frame ?? .zero, layers: line.layers == .colors ? .colors : .mask)
  }

  /// Returns a line of text without a bitmap if it is empty, or nil while another thread renders it.
  private func makeLine(
    of layout: DrawnTextureCache.TextLayout, _ text: String, width: Int
  ) -> (bitmap: Bitmap?, layers: RenderedLine.Layers, isRightToLeft: Bool)? {
    let (lines, style) = (resources.lines, layout.style)
    guard resources.text.needsLayout(text, style: style, scale: scale) else {
      let fitted = lines.truncatedText(
        text, style: style, scale: scale, width: width, truncation: layout.lineBreakMode)
      return (fitted.isEmpty ? nil : lines.bitmap(for: fitted, style: style, scale: scale), .mask, false)
    }
    let request = LineRequest(
      text: text, style: style, scale: scale, maximumWidth: width, truncation: layout.lineBreakMode)
    return lines.line(for: request, label: nil).map { ($0.bitmap, $0.layers, $0.isRightToLeft) }
  }
}

extension Bitmap {
  /// The upper half of the bitmap, or nil if the system has no memory.
  fileprivate var upperHalf: Bitmap? {
    guard let half = PixelSize(width: size.width, height: size.height / 2) else { return nil }
    let length = half.width * half.height * 4
    return try? Bitmap(size: half, isOpaque: isOpaque, order: order) { pixels in
      withPixels { pixels.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    }
  }
}

extension Label.Alignment {
  /// The part of the free width that is to the left of a line, or nil if the line's direction decides.
  fileprivate var leadingShare: Double? {
    switch self {
    case .natural: nil
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}
