public import VitrineGeometry

/// The rule that decides which points are inside a path that overlaps itself.
public enum FillRule: UInt8, Hashable, Sendable {
  /// Points around which the path winds in one direction more often than in the other.
  case winding
  /// Points around which the path winds an odd number of times.
  case evenOdd
}

/// The width, ends, corners and dashes of a stroke.
public struct StrokeStyle: Hashable, Sendable {
  /// The shape of the ends of a line.
  public enum LineCap: UInt8, Hashable, Sendable {
    /// The line ends at its last point.
    case butt
    /// A half disc around the last point.
    case round
    /// A half square around the last point.
    case square
  }

  /// The shape of the corners of a line.
  public enum LineJoin: UInt8, Hashable, Sendable {
    /// A sharp corner, up to the ``StrokeStyle/miterLimit``.
    case miter
    /// A disc around the corner.
    case round
    /// A corner that is cut off.
    case bevel
  }

  /// The width in points.
  public var lineWidth: Double
  /// The shape of the ends, also of dashes.
  public var lineCap: LineCap
  /// The shape of the corners.
  public var lineJoin: LineJoin
  /// The length of a sharp corner above which it is cut off, as a multiple of the width.
  public var miterLimit: Double
  /// The lengths of dashes and gaps in points, alternating; empty for a solid line.
  public var dash: [Double]
  /// The distance into the dashes at which the line begins, in points.
  public var dashPhase: Double

  /// Creates a style.
  public init(
    lineWidth: Double = 1, lineCap: LineCap = .butt, lineJoin: LineJoin = .miter, miterLimit: Double = 10,
    dash: [Double] = [], dashPhase: Double = 0
  ) {
    self.lineWidth = lineWidth
    self.lineCap = lineCap
    self.lineJoin = lineJoin
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashPhase = dashPhase
  }

  /// Whether anything can be drawn: the width is positive, and no number is infinite.
  package var isDrawable: Bool {
    guard lineWidth > 0, lineWidth.isFinite, miterLimit.isFinite, dashPhase.isFinite else { return false }
    for length in dash where !(length >= 0 && length.isFinite) { return false }
    return true
  }
}

/// Colors that blend into each other along a line or around a point.
public struct Gradient: Hashable, Sendable {
  /// A color at a location.
  public struct Stop: Hashable, Sendable {
    /// The color.
    public var color: Color
    /// The location, from 0 at the beginning to 1 at the end.
    public var location: Double

    /// Creates a stop.
    public init(_ color: Color, at location: Double) {
      self.color = color
      self.location = location
    }
  }

  /// The shape of a gradient, in the coordinates of the path that it fills.
  public enum Shape: Hashable, Sendable {
    /// From one point to another. The colors of the ends continue beyond them.
    case linear(from: Point, to: Point)
    /// From a center outward to a radius in points. The last color continues beyond it.
    case radial(center: Point, radius: Double)
  }

  /// The shape.
  public var shape: Shape
  /// The colors, in the order of their locations.
  public var stops: [Stop]

  /// Creates a gradient with stops.
  public init(_ shape: Shape, stops: [Stop]) {
    self.shape = shape
    self.stops = stops
  }

  /// Creates a gradient whose colors have equal distances.
  public init(_ shape: Shape, colors: [Color]) {
    let last = Double(max(1, colors.count - 1))
    self.init(shape, stops: colors.enumerated().map { Stop($1, at: Double($0) / last) })
  }

  /// Whether all colors are opaque.
  package var isOpaque: Bool { stops.allSatisfy { $0.color.alpha == 255 } }
}
