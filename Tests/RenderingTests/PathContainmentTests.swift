import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("Whether a path contains a point")
struct PathContainmentTests {
  @Test("A rectangle contains its left and upper edges only, in either direction")
  func edges() {
    let rect = Rect(x: 10, y: 20, width: 30, height: 40)
    let backward = Path(lines: [
      Point(x: 10, y: 20), Point(x: 10, y: 60), Point(x: 40, y: 60), Point(x: 40, y: 20),
    ])
    for path in [Path(rect), backward] {
      #expect(path.contains(Point(x: 10, y: 20)) && path.contains(Point(x: 39.9, y: 59.9)))
      #expect(path.contains(Point(x: 10, y: 40)) && path.contains(Point(x: 25, y: 20)))
      for point in [Point(x: 40, y: 40), Point(x: 25, y: 60), Point(x: 9.9, y: 40), Point(x: 25, y: 19.9)] {
        #expect(!path.contains(point))
      }
    }
  }

  @Test("A hole depends on the rule and on the directions")
  func rules() {
    var path = Path(Rect(x: 0, y: 0, width: 100, height: 100))
    path.addRect(Rect(x: 30, y: 30, width: 40, height: 40))
    let middle = Point(x: 50, y: 50)
    #expect(path.contains(middle) && !path.contains(middle, rule: .evenOdd))
    #expect(path.contains(Point(x: 10, y: 50), rule: .evenOdd))
    var ring = Path(Rect(x: 0, y: 0, width: 100, height: 100))
    ring.addArc(center: middle, radius: 20, startAngle: 0, endAngle: -2 * .pi, clockwise: false)
    // The arc begins with a line from the rectangle, along which it also ends.
    #expect(!ring.contains(middle) && ring.contains(Point(x: 50, y: 20)))
  }

  @Test("Curves: an ellipse agrees with its equation, and quadratic curves with cubic ones", arguments: 1...20)
  func curves(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rect = Rect(
      x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
      width: .random(in: 1...400, using: &random), height: .random(in: 1...400, using: &random))
    let ellipse = Path(ellipseIn: rect)
    for _ in 0..<200 {
      let point = Point(
        x: .random(in: rect.minX - 5...rect.maxX + 5, using: &random),
        y: .random(in: rect.minY - 5...rect.maxY + 5, using: &random))
      let (x, y) = ((point.x - rect.midX) / rect.width * 2, (point.y - rect.midY) / rect.height * 2)
      let distance = (x * x + y * y).squareRoot()
      let margin = 0.2 / min(rect.width, rect.height) + 0.001
      if (distance - 1).magnitude > margin { #expect(ellipse.contains(point) == (distance < 1), "\(rect), \(point)") }
    }
    let (end, control) = (Point(x: rect.maxX, y: rect.minY), Point(x: rect.midX, y: rect.maxY))
    var arch = Path()
    arch.move(to: rect.origin)
    arch.addQuadCurve(to: end, control: control)
    // The highest point of the curve is halfway to its control point.
    #expect(arch.contains(Point(x: rect.midX, y: rect.minY + rect.height * 0.5 - 0.1)))
    #expect(!arch.contains(Point(x: rect.midX, y: rect.minY + rect.height * 0.5 + 0.1)))
  }

  @Test("Nothing is in an empty path or a line, and no point without a place is in any")
  func nothing() {
    #expect(!Path().contains(.zero))
    #expect(!Path(lines: [Point(x: 0, y: 0), Point(x: 10, y: 10)]).contains(Point(x: 5, y: 5)))
    #expect(!Path(Rect(x: 0, y: 0, width: 9, height: 9)).contains(Point(x: .nan, y: 1)))
    var endless = Path()
    endless.move(to: .zero)
    endless.addCurve(to: Point(x: 1e308, y: -1), control1: Point(x: -1e308, y: 1e308), control2: Point(x: 1, y: 9))
    _ = endless.contains(Point(x: 1, y: 1))
  }
}
