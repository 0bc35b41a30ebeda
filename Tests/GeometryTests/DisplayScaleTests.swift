import Geometry
import Testing

@Suite("Points become pixels in one place")
struct DisplayScaleTests {
  @Test("Neighbours share an edge at every scale", arguments: [1.0, 1.25, 1.5, 2.0, 3.0])
  func neighboursShareAnEdge(factor: Double) {
    let scale = DisplayScale(pixelsPerPoint: factor)
    var left = 0.0
    for step in 1...200 {
      let width = 10.0 + Double(step) / 7
      let first = scale.pixels(Rect(x: left, y: 0, width: width, height: 10))
      let second = scale.pixels(Rect(x: left + width, y: 0, width: 3.3, height: 10))
      #expect(first.maxX == second.x)
      left += width
    }
  }

  @Test(
    "Coordinates off every screen are clamped, not trapped", arguments: [1e300, -1e300, .infinity, -.infinity, .nan])
  func extremesAreClamped(coordinate: Double) {
    let pixel = DisplayScale(pixelsPerPoint: 2).pixel(coordinate)
    #expect(abs(Int64(pixel)) == 1_000_000_000)
  }

  @Test("A driver's nonsense counts as one pixel a point", arguments: [0, -1, Double.nan, .infinity])
  func nonsenseCountsAsOne(factor: Double) {
    #expect(DisplayScale(pixelsPerPoint: factor) == .one)
  }
}
