import CVitrineCairo
package import VitrineGeometry
package import VitrineRendering

/// A path and the way to paint it.
package struct PathShape: Hashable, Sendable {
  /// The part of a path that is painted.
  package enum Operation: Hashable, Sendable {
    /// The inside.
    case fill(FillRule)
    /// The outline.
    case stroke(StrokeStyle)
  }

  /// The path, in points.
  package var path: Path
  /// The part that is painted.
  package var operation: Operation
  /// The colors, or nil for white, which is tinted when it is drawn.
  package var gradient: Gradient?

  /// Creates a shape.
  package init(_ path: Path, _ operation: Operation, gradient: Gradient? = nil) {
    self.path = path
    self.operation = operation
    self.gradient = gradient
  }
}

/// The pixels of a shape, and where they belong.
package struct RasterizedShape {
  /// The pixels, with straight alpha.
  package let bitmap: Bitmap
  /// The rectangle that the bitmap covers, in pixels from the path's origin.
  ///
  /// It is larger than the bitmap if the shape is too large to be painted in full resolution.
  package let frame: PixelRect

  /// Creates a shape.
  package init(bitmap: Bitmap, frame: PixelRect) {
    self.bitmap = bitmap
    self.frame = frame
  }
}

/// A painter of paths into bitmaps, with cairo.
///
/// All edges are smoothed. Without cairo, and without memory, there is no bitmap.
package enum PathRasterizer {
  /// The maximum number of pixels of a bitmap; larger shapes are painted smaller.
  package static let maximumArea = 4 << 20
  /// The largest coordinate in pixels, within the numbers that cairo represents.
  private static let maximumCoordinate = 4_000_000.0

  /// Whether cairo is installed.
  package static var isAvailable: Bool { ccairo_load() == 1 }

  /// Paints a shape.
  ///
  /// - Parameters:
  ///   - shape: The shape, in points.
  ///   - scale: The number of pixels per point.
  /// - Returns: The pixels, or nil if there are none, if a coordinate is not finite or out of range, or without cairo.
  /// - Complexity: O(pixels of the shape's bounds).
  package static func rasterize(_ shape: PathShape, scale: DisplayScale) -> RasterizedShape? {
    guard let frame = frame(of: shape, scale: scale) else { return nil }
    let factor = min(1, (Double(maximumArea) / Double(frame.area)).squareRoot())
    let (width, height) = (Double(frame.width) * factor, Double(frame.height) * factor)
    guard let size = PixelSize(width: max(1, Int(width.rounded(.up))), height: max(1, Int(height.rounded(.up)))) else {
      return nil
    }
    // Exactly the frame, so that a shape in full resolution is not resampled.
    let (across, down) = (
      Double(size.width) / Double(frame.width), Double(size.height) / Double(frame.height)
    )
    let pixelsPerPoint = scale.pixelsPerPoint
    let matrix = Transform(scaleX: pixelsPerPoint, y: pixelsPerPoint)
      .concatenating(Transform(translationX: -Double(frame.x), y: -Double(frame.y)))
      .concatenating(Transform(scaleX: across, y: down))
    let bitmap =
      shape.gradient == nil
      ? paintCoverage(of: shape, matrix, size) : paintColors(size) { paint(shape, matrix, in: $0) }
    return bitmap.map { RasterizedShape(bitmap: $0, frame: frame) }
  }

  /// Paints a transformed image.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - transform: The transform of the image's pixels.
  /// - Returns: The pixels, whose frame is that of the transformed image, or nil if there are none or without cairo.
  /// - Complexity: O(pixels of both).
  package static func rasterize(_ image: Bitmap, transform: Transform) -> RasterizedShape? {
    guard isAvailable, transform.isFinite, transform.determinant != 0 else { return nil }
    let bounds = Rect(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height))
      .applying(transform)
    guard let frame = frame(left: bounds.minX, top: bounds.minY, right: bounds.maxX, bottom: bounds.maxY),
      frame.area <= maximumArea, let size = PixelSize(width: Int(frame.width), height: Int(frame.height)),
      let premultiplied = try? premultiplied(image)
    else { return nil }
    let matrix = transform.concatenating(Transform(translationX: -Double(frame.x), y: -Double(frame.y)))
    let bitmap = paintColors(size) { context in
      ccairo_set_matrix(context, matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty)
      premultiplied.withPixels { pixels in
        // cairo only reads an image that it paints.
        let start = UnsafeMutablePointer(mutating: pixels.baseAddress?.assumingMemoryBound(to: UInt8.self))
        ccairo_paint_image(
          context, start, CAIRO_FORMAT_ARGB32, Int32(image.size.width), Int32(image.size.height),
          Int32(premultiplied.bytesPerRow))
      }
    }
    return bitmap.map { RasterizedShape(bitmap: $0, frame: frame) }
  }

  // MARK: - Extent

  /// Returns the pixels that a shape covers, in pixels from the path's origin.
  private static func frame(of shape: PathShape, scale: DisplayScale) -> PixelRect? {
    guard isAvailable, isDrawable(shape, scale: scale) else { return nil }
    var pixel: UInt8 = 0
    guard let context = ccairo_create(&pixel, CAIRO_FORMAT_A8, 1, 1, ccairo_stride(CAIRO_FORMAT_A8, 1)) else {
      return nil
    }
    let factor = scale.pixelsPerPoint
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    ccairo_set_matrix(context, factor, 0, 0, factor, 0, 0)
    addPath(of: shape, to: context)
    switch shape.operation {
    case .fill: ccairo_fill_extents(context, &left, &top, &right, &bottom)
    case .stroke: ccairo_stroke_extents(context, &left, &top, &right, &bottom)
    }
    guard ccairo_destroy(context) == 1 else { return nil }
    return frame(left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
  }

  private static func isDrawable(_ shape: PathShape, scale: DisplayScale) -> Bool {
    if case .stroke(let style) = shape.operation, !style.isDrawable { return false }
    let bounds = shape.path.controlPointBounds
    let farthest = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY].map(\.magnitude).max() ?? 0
    // Not a number compares as false.
    return !shape.path.isEmpty && farthest * scale.pixelsPerPoint < maximumCoordinate
      && bounds.width + bounds.height >= 0
  }

  /// Returns the whole pixels around a rectangle, or nil if it is empty or out of range.
  private static func frame(left: Double, top: Double, right: Double, bottom: Double) -> PixelRect? {
    // Numbers from a rotation can miss a whole pixel by a rounding error.
    let slack = 1.0 / 256
    let (x, y) = ((left + slack).rounded(.down), (top + slack).rounded(.down))
    let (endX, endY) = ((right - slack).rounded(.up), (bottom - slack).rounded(.up))
    guard right > left, bottom > top, endX > x, endY > y,
      [x, y, endX, endY].allSatisfy({ $0.magnitude < 2 * maximumCoordinate })
    else { return nil }
    return PixelRect(x: Int32(x), y: Int32(y), width: Int32(endX - x), height: Int32(endY - y))
  }

  // MARK: - Painting

  private static func paint(_ shape: PathShape, _ matrix: Transform, in context: OpaquePointer) {
    ccairo_set_matrix(context, matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty)
    if let gradient = shape.gradient {
      let pattern =
        switch gradient.shape {
        case .linear(let from, let to): ccairo_linear(from.x, from.y, to.x, to.y)
        case .radial(let center, let radius): ccairo_radial(center.x, center.y, radius)
        }
      for stop in gradient.stops {
        let color = stop.color
        ccairo_add_stop(
          pattern, stop.location, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
          Double(color.alpha) / 255)
      }
      ccairo_set_source(context, pattern)
    } else {
      ccairo_set_opaque_source(context)
    }
    addPath(of: shape, to: context)
    switch shape.operation {
    case .fill: ccairo_fill(context)
    case .stroke: ccairo_stroke(context)
    }
  }

  private static func addPath(of shape: PathShape, to context: OpaquePointer) {
    var current = Point.zero
    for element in shape.path.elements {
      switch element {
      case .move(let point):
        ccairo_move_to(context, point.x, point.y)
        current = point
      case .line(let point):
        ccairo_line_to(context, point.x, point.y)
        current = point
      case .quadCurve(let point, let control):
        // The same curve as a cubic one: its control points are two thirds of the way to that of the quadratic one.
        ccairo_curve_to(
          context, current.x + (control.x - current.x) * 2 / 3, current.y + (control.y - current.y) * 2 / 3,
          point.x + (control.x - point.x) * 2 / 3, point.y + (control.y - point.y) * 2 / 3, point.x, point.y)
        current = point
      case .curve(let point, let control1, let control2):
        ccairo_curve_to(context, control1.x, control1.y, control2.x, control2.y, point.x, point.y)
        current = point
      case .close: ccairo_close_path(context)
      }
    }
    switch shape.operation {
    case .fill(let rule):
      ccairo_set_fill_rule(context, rule == .evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    case .stroke(let style):
      let cap =
        switch style.lineCap {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
      let join =
        switch style.lineJoin {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
      // cairo refuses dashes without any length.
      let dashes = style.dash.contains { $0 > 0 } ? style.dash : []
      ccairo_set_stroke(
        context, style.lineWidth, cap, join, style.miterLimit, dashes, Int32(dashes.count), style.dashPhase)
    }
  }

  /// Paints a shape in white, with one byte a pixel.
  private static func paintCoverage(of shape: PathShape, _ matrix: Transform, _ size: PixelSize) -> Bitmap? {
    let bytesPerRow = Int(ccairo_stride(CAIRO_FORMAT_A8, Int32(size.width)))
    guard bytesPerRow >= size.width else { return nil }
    var coverage = [UInt8](repeating: 0, count: bytesPerRow * size.height)
    let isPainted = coverage.withUnsafeMutableBufferPointer { bytes in
      guard
        let context = ccairo_create(
          bytes.baseAddress, CAIRO_FORMAT_A8, Int32(size.width), Int32(size.height), Int32(bytesPerRow))
      else { return false }
      paint(shape, matrix, in: context)
      return ccairo_destroy(context) == 1
    }
    guard isPainted else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for row in 0..<size.height {
        for column in 0..<size.width {
          words[row * size.width + column] = 0x00FF_FFFF | UInt32(coverage[row * bytesPerRow + column]) << 24
        }
      }
    }
  }

  /// Returns what a closure paints in colors.
  private static func paintColors(_ size: PixelSize, _ body: (OpaquePointer) -> Void) -> Bitmap? {
    struct RefusedError: Error {}
    return try? Bitmap(size: size, isOpaque: false, order: .blueFirst) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      words.update(repeating: 0)
      let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard
        let context = ccairo_create(
          start, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height), Int32(size.width * 4))
      else { throw RefusedError() }
      body(context)
      guard ccairo_destroy(context) == 1 else { throw RefusedError() }
      for index in words.indices { words[index] = straightened(words[index]) }
    }
  }

  /// Returns a pixel whose colors are not multiplied by alpha.
  @inline(__always)
  private static func straightened(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha > 0, alpha < 255 else { return alpha == 0 ? 0x00FF_FFFF : pixel }
    func channel(_ shift: UInt32) -> UInt32 { min(255, ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha) << shift }
    return channel(0) | channel(8) | channel(16) | alpha << 24
  }

  /// Returns an image in cairo's order, with colors multiplied by alpha.
  private static func premultiplied(_ image: Bitmap) throws -> Bitmap {
    let ordered = try image.converted(to: .blueFirst)
    return try Bitmap(size: image.size, isOpaque: image.isOpaque, order: .blueFirst) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      ordered.withPixels { source in
        let texels = source.bindMemory(to: UInt32.self)
        for index in words.indices {
          let pixel = texels[index]
          let alpha = image.isOpaque ? 255 : pixel >> 24
          func channel(_ shift: UInt32) -> UInt32 { (((pixel >> shift & 0xFF) * alpha + 127) / 255) << shift }
          words[index] = channel(0) | channel(8) | channel(16) | alpha << 24
        }
      }
    }
  }
}
