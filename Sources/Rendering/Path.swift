import Glibc
public import VitrineGeometry

/// A shape of lines and curves, in points.
///
/// A path is a value. Keep one that is drawn repeatedly, so that drawing it again only looks it up.
public struct Path: Hashable, Sendable {
  /// A part of a path.
  public enum Element: Hashable, Sendable {
    /// Begins a subpath at a point.
    case move(to: Point)
    /// A straight line from the current point.
    case line(to: Point)
    /// A quadratic curve from the current point.
    case quadCurve(to: Point, control: Point)
    /// A cubic curve from the current point.
    case curve(to: Point, control1: Point, control2: Point)
    /// A straight line to the beginning of the subpath, joined to it.
    case close
  }

  /// The parts, in order.
  public private(set) var elements: [Element] = []
  private var start = Point.zero
  /// A digest of the elements, so that looking a path up does not read them all.
  private var digest: UInt64 = 0
  /// The end of the last element.
  public private(set) var currentPoint: Point?

  /// Creates an empty path.
  public init() {}

  /// Creates a path with a rectangle.
  public init(_ rect: Rect) { addRect(rect) }

  /// Creates a path with the largest ellipse in a rectangle.
  public init(ellipseIn rect: Rect) { addEllipse(in: rect) }

  /// Creates a path with a rectangle with rounded corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerRadius: The radius in points, at most half of the shorter side.
  public init(roundedRect rect: Rect, cornerRadius: Double) { addRoundedRect(rect, cornerRadius: cornerRadius) }

  /// Creates a path of straight lines through points, which is empty for fewer than two.
  public init(lines points: [Point]) {
    guard points.count > 1, let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  /// Whether the path has no elements.
  public var isEmpty: Bool { elements.isEmpty }

  // MARK: - Lines and curves

  /// Begins a subpath at a point.
  public mutating func move(to point: Point) {
    append(.move(to: point))
    (start, currentPoint) = (point, point)
  }

  /// Adds a straight line from the current point, or begins a subpath if there is none.
  public mutating func addLine(to point: Point) {
    guard currentPoint != nil else { return move(to: point) }
    append(.line(to: point))
    currentPoint = point
  }

  /// Adds a quadratic curve from the current point, or from its control point if there is none.
  public mutating func addQuadCurve(to point: Point, control: Point) {
    if currentPoint == nil { move(to: control) }
    append(.quadCurve(to: point, control: control))
    currentPoint = point
  }

  /// Adds a cubic curve from the current point, or from its first control point if there is none.
  public mutating func addCurve(to point: Point, control1: Point, control2: Point) {
    if currentPoint == nil { move(to: control1) }
    append(.curve(to: point, control1: control1, control2: control2))
    currentPoint = point
  }

  /// Adds a line to the beginning of the subpath, joined to it.
  public mutating func closeSubpath() {
    guard currentPoint != nil, elements.last != .close else { return }
    append(.close)
    currentPoint = start
  }

  private mutating func append(_ element: Element) {
    elements.append(element)
    combine(element)
  }

  private mutating func combine(_ element: Element) {
    func combine(_ coordinate: Double, _ kind: UInt64) {
      // Adding zero makes equal numbers equal in their bits.
      digest = (digest ^ (coordinate + 0).bitPattern ^ kind) &* 0x9E37_79B9_7F4A_7C15
      digest ^= digest >> 29
    }
    func combine(_ point: Point, _ kind: UInt64) {
      combine(point.x, kind)
      combine(point.y, kind)
    }
    switch element {
    case .move(let point): combine(point, 1)
    case .line(let point): combine(point, 2)
    case .quadCurve(let point, let control):
      combine(point, 3)
      combine(control, 3)
    case .curve(let point, let control1, let control2):
      combine(point, 4)
      combine(control1, 4)
      combine(control2, 4)
    case .close: combine(.zero, 5)
    }
  }

  /// Hashes a digest that the path maintains.
  ///
  /// - Complexity: O(1).
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Whether two paths have the same elements.
  public static func == (path: Path, other: Path) -> Bool {
    path.digest == other.digest && path.elements == other.elements
  }

  // MARK: - Shapes

  /// Adds a rectangle as a closed subpath.
  public mutating func addRect(_ rect: Rect) {
    move(to: rect.origin)
    addLine(to: Point(x: rect.maxX, y: rect.minY))
    addLine(to: Point(x: rect.maxX, y: rect.maxY))
    addLine(to: Point(x: rect.minX, y: rect.maxY))
    closeSubpath()
  }

  /// Adds the largest ellipse in a rectangle as a closed subpath.
  public mutating func addEllipse(in rect: Rect) {
    let center = Point(x: rect.midX, y: rect.midY)
    move(to: Point(x: rect.maxX, y: center.y))
    addEllipticArc(
      center: center, radii: Size(width: rect.width / 2, height: rect.height / 2), from: 0, sweep: 2 * .pi)
    closeSubpath()
  }

  /// Adds a rectangle with rounded corners as a closed subpath.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerRadius: The radius in points, at most half of the shorter side.
  public mutating func addRoundedRect(_ rect: Rect, cornerRadius: Double) {
    let radius = max(0, min(cornerRadius, rect.width / 2, rect.height / 2))
    guard radius > 0 else { return addRect(rect) }
    let radii = Size(width: radius, height: radius)
    let corners: [(x: Double, y: Double, angle: Double)] = [
      (rect.maxX - radius, rect.minY + radius, -0.5), (rect.maxX - radius, rect.maxY - radius, 0),
      (rect.minX + radius, rect.maxY - radius, 0.5), (rect.minX + radius, rect.minY + radius, 1),
    ]
    move(to: Point(x: rect.minX + radius, y: rect.minY))
    for corner in corners {
      let center = Point(x: corner.x, y: corner.y)
      addLine(to: Path.point(of: corner.angle * .pi, center, radii))
      addEllipticArc(center: center, radii: radii, from: corner.angle * .pi, sweep: .pi / 2)
    }
    closeSubpath()
  }

  /// Adds an arc of a circle, and a line to its beginning if there is a current point.
  ///
  /// - Parameters:
  ///   - center: The center of the circle.
  ///   - radius: The radius in points.
  ///   - startAngle: The angle at which it begins in radians: 0 is to the right, π/2 below.
  ///   - endAngle: The angle at which it ends in radians.
  ///   - clockwise: Whether it proceeds clockwise as seen on the screen. Default: true.
  public mutating func addArc(
    center: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool = true
  ) {
    guard radius.isFinite, radius >= 0, startAngle.isFinite, endAngle.isFinite else { return }
    let radii = Size(width: radius, height: radius)
    let begin = Path.point(of: startAngle, center, radii)
    if currentPoint == nil { move(to: begin) } else { addLine(to: begin) }
    var sweep = endAngle - startAngle
    if sweep.magnitude >= 2 * .pi {
      sweep = clockwise ? 2 * .pi : -2 * .pi
    } else if clockwise, sweep < 0 {
      sweep += 2 * .pi
    } else if !clockwise, sweep > 0 {
      sweep -= 2 * .pi
    }
    addEllipticArc(center: center, radii: radii, from: startAngle, sweep: sweep)
  }

  /// Adds cubic curves for an arc that begins at the current point, one for each quarter turn or less.
  ///
  /// The distance to the arc is less than 0.03 % of its radius.
  private mutating func addEllipticArc(center: Point, radii: Size, from start: Double, sweep: Double) {
    let count = max(1, Int((sweep.magnitude / (.pi / 2) - 1e-9).rounded(.up)))
    let step = sweep / Double(count)
    let handle = 4.0 / 3 * tan(step / 4)
    for index in 0..<count {
      let (from, to) = (start + step * Double(index), start + step * Double(index + 1))
      let (first, last) = (Path.point(of: from, center, radii), Path.point(of: to, center, radii))
      addCurve(
        to: last,
        control1: Point(x: first.x - radii.width * sin(from) * handle, y: first.y + radii.height * cos(from) * handle),
        control2: Point(x: last.x + radii.width * sin(to) * handle, y: last.y - radii.height * cos(to) * handle))
    }
  }

  private static func point(of angle: Double, _ center: Point, _ radii: Size) -> Point {
    Point(x: center.x + radii.width * cos(angle), y: center.y + radii.height * sin(angle))
  }

  /// Adds the elements of another path.
  public mutating func addPath(_ path: Path) {
    for element in path.elements { append(element) }
    (start, currentPoint) = (path.start, path.currentPoint ?? currentPoint)
  }

  // MARK: - Geometry

  /// Returns the path with all points transformed.
  public func applying(_ transform: Transform) -> Path {
    var path = Path()
    for element in elements {
      switch element {
      case .move(let point): path.append(.move(to: point.applying(transform)))
      case .line(let point): path.append(.line(to: point.applying(transform)))
      case .quadCurve(let point, let control):
        path.append(.quadCurve(to: point.applying(transform), control: control.applying(transform)))
      case .curve(let point, let control1, let control2):
        path.append(
          .curve(
            to: point.applying(transform), control1: control1.applying(transform),
            control2: control2.applying(transform)))
      case .close: path.append(.close)
      }
    }
    path.start = start.applying(transform)
    path.currentPoint = currentPoint?.applying(transform)
    return path
  }

  /// The smallest rectangle that contains all points and control points; empty at the origin for an empty path.
  ///
  /// - Complexity: O(elements).
  public var controlPointBounds: Rect {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    func include(_ point: Point) {
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
    for element in elements {
      switch element {
      case .move(let point), .line(let point): include(point)
      case .quadCurve(let point, let control):
        include(point)
        include(control)
      case .curve(let point, let control1, let control2):
        include(point)
        include(control1)
        include(control2)
      case .close: break
      }
    }
    return left <= right && top <= bottom ? Rect(x: left, y: top, width: right - left, height: bottom - top) : .zero
  }
}
