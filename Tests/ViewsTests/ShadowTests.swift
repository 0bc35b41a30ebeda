import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("The shadow that a rectangle throws")
struct ShadowTests {
  /// Draws nothing but the shadow, on white.
  final class Shadow: View {
    static let thrower = Rect(x: 60, y: 50, width: 120, height: 40)
    var depth = 0.5 {
      didSet { setNeedsDisplay() }
    }

    override func draw(in context: DrawContext) {
      context.drawShadow(of: Shadow.thrower, radius: 8, reach: 16, drop: 4, Color.black.opacity(depth))
    }
  }

  private func stage(_ shadow: Shadow, scale: Double) -> WindowHarness {
    let stage = WindowHarness(
      root: shadow, size: Size(width: 240, height: 160), scale: DisplayScale(pixelsPerPoint: scale))
    stage.window.backgroundColor = .white
    stage.run(frames: 1)
    return stage
  }

  @Test("It is darkest below the rectangle and fades outwards, the same to both sides", arguments: [1, 2])
  func shape(scale: Int) throws {
    let picture = try stage(Shadow(), scale: Double(scale)).display.readPixels()
    func light(_ x: Int, _ y: Int) -> Int { picture.light(x, y) }
    let middle = 120 * scale
    let column = ((90 * scale)..<(112 * scale)).map { light(middle, $0) }
    #expect(
      zip(column, column.dropFirst()).allSatisfy { $0 <= $1 } && column.last == 255 && (127..<140).contains(column[0]))
    let (beside, above) = (light(60 * scale - 1, 70 * scale), light(middle, 50 * scale - 1))
    #expect(column[0] < beside && beside < above && above < 255)
    #expect(light(middle, 70 * scale) == 255, "nothing beneath")
    #expect(light(middle, 37 * scale) == 255 && light(middle, 49 * scale) < 255, "higher above than below")
    for y in stride(from: 30 * scale, to: 112 * scale, by: 3) {
      for way in 0..<(18 * scale) { #expect(light(60 * scale - 1 - way, y) == light(180 * scale + way, y)) }
    }
  }

  @Test("Corners and sides are one: nowhere around it a step is seen", arguments: [1, 2])
  func seams(scale: Int) throws {
    let picture = try stage(Shadow(), scale: Double(scale)).display.readPixels()
    let thrower = Shadow.thrower
    func isAround(_ x: Int, _ y: Int) -> Bool {
      let point = Point(x: (Double(x) + 0.5) / Double(scale), y: (Double(y) + 0.5) / Double(scale))
      return !thrower.contains(point)
    }
    var most = 0
    for y in 1..<(159 * scale) {
      for x in 1..<(239 * scale) where isAround(x, y) {
        for (left, up) in [(1, 0), (0, 1)] where isAround(x - left, y - up) {
          most = max(most, abs(picture.light(x, y) - picture.light(x - left, y - up)))
        }
      }
    }
    // The square falls by an eighth of a point's way at most, from 128 on.
    #expect(most <= 16 / scale + 1 && most > 3)
  }

  @Test("Drawn with another opacity it takes no new texture")
  func fading() {
    let shadow = Shadow()
    let stage = stage(shadow, scale: 1)
    let made = stage.display.textureCounts.created
    for step in 0..<20 {
      shadow.depth = Double(step) / 20
      stage.run(frames: 1)
    }
    #expect(stage.display.textureCounts.created == made && made > 0)
  }
}

extension Bitmap {
  /// How light a pixel is, 0 to 255.
  fileprivate func light(_ x: Int, _ y: Int) -> Int { withPixels { Int($0[(y * size.width + x) * 4]) } }
}
