import Geometry
import Rendering
import Views

/// An angle that points to the right, and down once it has turned by a quarter.
final class DisclosureView: View {
  /// By how many degrees it is turned.
  var angle = 0.0 {
    didSet { if DisclosureView.step(angle) != DisclosureView.step(oldValue) { setNeedsDisplay() } }
  }
  /// The colour of its strokes.
  var tint = Color.white {
    didSet { if tint != oldValue { setNeedsDisplay() } }
  }
  private var lease = TextureLease()
  private var painted: (step: Int, side: Int)?

  init() {
    super.init()
    isInteractive = false
  }

  isolated deinit { lease.release() }

  /// It is painted anew every three degrees: finer than one sees at its size.
  private static func step(_ angle: Double) -> Int { Int((angle / 3).rounded()) }

  override func draw(in context: DrawContext) {
    let side = Int(context.pixels(bounds).width)
    let step = DisclosureView.step(angle)
    if painted?.step != step || painted?.side != side {
      painted = (step, side)
      lease.replace(with: DisclosureView.bitmap(side: side, angle: Double(step) * 3))
    }
    guard let bitmap = lease.bitmap, let texture = lease.texture(in: context.resources, createsIfNeeded: true) else {
      return
    }
    context.draw(texture, size: bitmap.size, at: .zero, isOpaque: false, tint: tint)
  }

  private static func bitmap(side: Int, angle: Double) -> Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    let (sine, cosine) = DisclosureView.sineAndCosine(degrees: angle)
    let unit = Double(side) / 16
    // Two strokes from the tip, before it is turned; in sixteenths of the side, about the middle.
    let strokes = [((-2.0, -4.0), (2.0, 0.0)), ((2.0, 0.0), (-2.0, 4.0))]
    return try? Bitmap(size: size, isOpaque: false) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      for y in 0..<side {
        for x in 0..<side {
          let (px, py) = ((Double(x) + 0.5) / unit - 8, (Double(y) + 0.5) / unit - 8)
          let (tx, ty) = (px * cosine + py * sine, py * cosine - px * sine)
          let away = strokes.map { distance((tx, ty), from: $0.0, to: $0.1) }.min() ?? .infinity
          let cover = max(0, min(1, (0.9 - away) * unit + 0.5))
          pixels[y * side + x] = UInt32(littleEndian: Color.white.opacity(cover).packed)
        }
      }
    }
  }

  /// Of a quarter turn at most, by their series: the same on every machine.
  private static func sineAndCosine(degrees: Double) -> (Double, Double) {
    let angle = degrees * .pi / 180
    var (sine, cosine, term) = (0.0, 0.0, 1.0)
    for power in 0..<12 {
      let sign = power % 4 < 2 ? 1.0 : -1.0
      if power % 2 == 0 { cosine += sign * term } else { sine += sign * term }
      term *= angle / Double(power + 1)
    }
    return (sine, cosine)
  }

  private static func distance(
    _ point: (Double, Double), from start: (Double, Double), to end: (Double, Double)
  ) -> Double {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1)
    let share = max(0, min(1, ((point.0 - start.0) * dx + (point.1 - start.1) * dy) / (dx * dx + dy * dy)))
    let (x, y) = (point.0 - start.0 - share * dx, point.1 - start.1 - share * dy)
    return (x * x + y * y).squareRoot()
  }
}
