import Testing
import VitrineDataStructures
import VitrineGeometry

@Suite("DisplayScale")
struct DisplayScaleTests {
  @Test("Adjacent rectangles share an edge at every scale", arguments: [1.0, 1.25, 1.5, 2.0, 3.0])
  func adjacentRectanglesShareEdges(factor: Double) {
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
    "Out-of-range coordinates are clamped and do not trap", arguments: [1e300, -1e300, .infinity, -.infinity, .nan])
  func clampsOutOfRange(coordinate: Double) {
    let pixel = DisplayScale(pixelsPerPoint: 2).pixel(coordinate)
    #expect(abs(Int64(pixel)) == 1_000_000_000)
  }

  @Test("Coordinates are rounded to the nearest pixel, halves away from zero")
  func roundsToNearestPixel() {
    var random = SplitMix64(seed: 11)
    for factor in [1.0, 1.25, 1.5, 2] {
      let scale = DisplayScale(pixelsPerPoint: factor)
      for _ in 0..<2_000 {
        let value = Double.random(in: -5_000...5_000, using: &random)
        for coordinate in [
          value, (value * 4).rounded() / 4, value.rounded() / factor, (value.rounded() + 0.5) / factor,
        ] {
          let expected = Int((coordinate * factor).rounded(.toNearestOrAwayFromZero))
          #expect(Int(scale.pixel(coordinate)) == expected)
          #expect(scale.contentPixel(coordinate) == expected)
        }
      }
    }
    #expect(DisplayScale.one.pixel(0.5.nextDown) == 0 && DisplayScale.one.pixel(-0.5) == -1)
  }

  @Test("Content coordinates may exceed the range of screen coordinates")
  func contentCoordinates() {
    #expect(DisplayScale(pixelsPerPoint: 2).contentPixel(3e12 + 0.25) == 6_000_000_000_001)
    #expect(DisplayScale.one.contentPixel(1e300) == 1 << 52 && DisplayScale.one.contentPixel(-.infinity) == -1 << 52)
    #expect(DisplayScale.one.contentPixel(.nan) == 0)
  }

  @Test("An invalid scale counts as one pixel per point", arguments: [0, -1, Double.nan, .infinity])
  func invalidScaleCountsAsOne(factor: Double) {
    #expect(DisplayScale(pixelsPerPoint: factor) == .one)
  }
}
