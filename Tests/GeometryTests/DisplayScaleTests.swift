import DataStructures
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
      let first = scale.pixelRect(Rect(x: left, y: 0, width: width, height: 10))
      let second = scale.pixelRect(Rect(x: left + width, y: 0, width: 3.3, height: 10))
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

  @Test("A coordinate becomes the nearest pixel, halves away from zero")
  func nearest() {
    var random = SplitMix64(seed: 11)
    for factor in [1.0, 1.25, 1.5, 2] {
      let scale = DisplayScale(pixelsPerPoint: factor)
      for _ in 0..<2_000 {
        let drawn = Double.random(in: -5_000...5_000, using: &random)
        for coordinate in [
          drawn, (drawn * 4).rounded() / 4, drawn.rounded() / factor, (drawn.rounded() + 0.5) / factor,
        ] {
          let expected = Int((coordinate * factor).rounded(.toNearestOrAwayFromZero))
          #expect(Int(scale.pixel(coordinate)) == expected)
          #expect(scale.contentPixel(coordinate) == expected)
        }
      }
    }
    #expect(DisplayScale.one.pixel(0.5.nextDown) == 0 && DisplayScale.one.pixel(-0.5) == -1)
  }

  @Test("Content may be longer than any screen")
  func content() {
    #expect(DisplayScale(pixelsPerPoint: 2).contentPixel(3e12 + 0.25) == 6_000_000_000_001)
    #expect(DisplayScale.one.contentPixel(1e300) == 1 << 52 && DisplayScale.one.contentPixel(-.infinity) == -1 << 52)
    #expect(DisplayScale.one.contentPixel(.nan) == 0)
  }

  @Test("A driver's nonsense counts as one pixel a point", arguments: [0, -1, Double.nan, .infinity])
  func nonsenseCountsAsOne(factor: Double) {
    #expect(DisplayScale(pixelsPerPoint: factor) == .one)
  }
}
