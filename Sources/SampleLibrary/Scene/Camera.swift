import Geometry

/// Where a picture is taken from: a level camera, looking along z, x to the right, y up, in metres.
struct Camera {
  /// The picture's extent in pixels.
  let size: PixelSize
  /// The row of the horizon, in pixels from the top; may lie between rows.
  let horizon: Float
  /// The distance at which one pixel is as wide as one metre is at that many metres.
  let focal: Float
  /// The eye above the zero of heights, in metres.
  let eye: Float

  /// Pixels across.
  var width: Int { size.width }

  /// Pixels down.
  var height: Int { size.height }

  /// A unit for things that keep their size in the picture: the root of its area, in pixels.
  var span: Float { Float(size.area).squareRoot() }

  /// The middle column.
  var middle: Float { Float(size.width) / 2 }

  /// The row at which a point of a height and a distance shows.
  @inline(__always) func row(height: Float, distance: Float) -> Float { horizon - focal * (height - eye) / distance }

  /// The column at which a direction shows, by its x at a distance of one.
  @inline(__always) func column(slope: Float) -> Float { middle + focal * slope }

  /// The direction of a column: x at a distance of one.
  @inline(__always) func slope(column: Float) -> Float { (column - middle) / focal }

  /// How far up a row looks: y at a distance of one.
  @inline(__always) func rise(row: Float) -> Float { (horizon - row) / focal }
}
