import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The magnification and the place of a picture")
struct PictureZoomTests {
  private var zoom = PictureZoom()
  private var instant = FrameInstant.zero

  init() {
    zoom.setSizes(viewport: Size(width: 800, height: 600), picture: Size(width: 4_000, height: 2_000), at: .zero)
  }

  /// Shows frames until the picture rests.
  private mutating func rest() {
    repeat {
      zoom.prepareFrame(at: instant)
      instant = instant + .milliseconds(10)
    } while zoom.isMoving(at: instant)
    zoom.prepareFrame(at: instant)
  }

  private var frame: Rect { zoom.frame(at: instant) }

  /// Returns the point of the picture below a point of the viewer, in the picture's pixels.
  private func pixel(below point: Point) -> Point {
    let magnification = zoom.magnification(at: instant)
    return Point(x: (point.x - frame.minX) / magnification, y: (point.y - frame.minY) / magnification)
  }

  @Test("A picture is whole and in the center, never enlarged beyond its pixels")
  mutating func whole() {
    #expect(frame == Rect(x: 0, y: 100, width: 800, height: 400) && !zoom.isZoomed)
    zoom.setSizes(viewport: Size(width: 800, height: 600), picture: Size(width: 100, height: 50), at: instant)
    #expect(frame == Rect(x: 350, y: 275, width: 100, height: 50))
    zoom.setSizes(viewport: Size(width: 80, height: 600), picture: Size(width: 100, height: 50), at: instant)
    #expect(frame == Rect(x: 0, y: 280, width: 80, height: 40))
    zoom.setSizes(viewport: Size(width: 800, height: 600), picture: Size(width: 65_000, height: 1), at: instant)
    #expect(frame.width == 800 && frame.height == 1)
  }

  @Test("Its own pixels stay below the pointer, as far as the edges allow, and beginning with what was shown")
  mutating func ownPixels() {
    let point = Point(x: 200, y: 300)
    let before = pixel(below: point)
    zoom.toggle(around: point, at: instant)
    #expect(frame == Rect(x: 0, y: 100, width: 800, height: 400) && zoom.isMoving(at: instant))
    var widths: [Double] = []
    for _ in 0..<8 {
      zoom.prepareFrame(at: instant)
      widths.append(frame.width)
      instant = instant + .milliseconds(20)
    }
    #expect(widths == widths.sorted() && widths[1] > 800 && widths[7] < 4_000)
    rest()
    #expect(zoom.magnification(at: instant) == 1 && frame.width == 4_000 && frame.height == 2_000)
    #expect((pixel(below: point).x - before.x).magnitude < 0.01 && (pixel(below: point).y - before.y).magnitude < 0.01)
    zoom.toggle(around: Point(x: 0, y: 0), at: instant)
    rest()
    #expect(frame == Rect(x: 0, y: 100, width: 800, height: 400) && zoom.fitting == .whole)
    zoom.toggle(around: Point(x: 0, y: 100), at: instant)
    rest()
    #expect(frame.minX == 0 && frame.minY == 0, "a corner stays at the edge")
  }

  @Test("Steps stop at the picture's own pixels, at the whole picture and at the largest magnification")
  mutating func steps() {
    var magnifications: [Double] = []
    for steps in [1.0, 1, 1, 1, 1, 1, 1, 1, 1] {
      zoom.zoom(bySteps: steps, around: nil, at: instant)
      magnifications.append(zoom.targetMagnification)
    }
    #expect(magnifications.contains(1) && magnifications[0] == 0.25)
    zoom.zoom(bySteps: 1_000, around: nil, at: instant)
    rest()
    #expect(zoom.magnification(at: instant) == 16)
    zoom.zoom(bySteps: -20, around: nil, at: instant)
    #expect(zoom.targetMagnification == 1)
    zoom.zoom(bySteps: -20, around: nil, at: instant)
    rest()
    #expect(zoom.magnification(at: instant) == 0.2 && zoom.fitting == .whole && !zoom.isZoomed)
    zoom.zoom(bySteps: .nan, around: nil, at: instant)
    zoom.zoom(to: .infinity, around: nil, at: instant)
    #expect(zoom.targetMagnification == 0.2)
  }

  @Test("A change is reversed from where it is")
  mutating func reversal() {
    zoom.zoom(to: 1, around: nil, at: instant)
    zoom.prepareFrame(at: instant)
    instant = instant + .milliseconds(60)
    zoom.prepareFrame(at: instant)
    let shown = frame
    zoom.zoom(to: .whole, around: nil, at: instant)
    zoom.prepareFrame(at: instant)
    #expect((frame.width - shown.width).magnitude < 1e-6 && (frame.minX - shown.minX).magnitude < 1e-6)
    rest()
    #expect(frame.width == 800)
  }

  @Test("A drag moves the picture, resists beyond its edges and returns, and a flick goes on")
  mutating func drags() {
    zoom.zoom(to: 1, around: Point(x: 400, y: 300), at: instant)
    rest()
    let before = frame
    zoom.move(.hold, .hold, at: instant)
    zoom.move(.drag(by: 50), .drag(by: -20), at: instant)
    #expect(frame.minX == before.minX - 50 && frame.minY == before.minY + 20)
    zoom.move(.drag(by: -10_000), nil, at: instant)
    #expect(frame.minX > 0 && frame.minX < 800, "it is pulled beyond its edge by less than the viewer's width")
    zoom.move(.release, .release, at: instant)
    rest()
    #expect(frame.minX == 0)
    zoom.move(.hold, .hold, at: instant)
    for _ in 0..<5 {
      instant = instant + .milliseconds(10)
      zoom.move(.drag(by: 20), .drag(by: 0), at: instant)
    }
    let released = frame
    zoom.move(.release, .release, at: instant)
    rest()
    #expect(frame.minX < released.minX - 50)
  }

  @Test("A pinch follows the fingers, resists beyond the whole picture and returns to it")
  mutating func pinches() {
    let point = Point(x: 300, y: 320)
    let before = pixel(below: point)
    zoom.handle(PinchInput(phase: .began, location: point, scale: 1), at: instant)
    zoom.handle(PinchInput(phase: .moved, location: point, scale: 5), at: instant)
    #expect(zoom.magnification(at: instant) == 1 && (pixel(below: point).x - before.x).magnitude < 1e-6)
    zoom.handle(PinchInput(phase: .moved, location: point, scale: 0.5), at: instant)
    #expect(zoom.magnification(at: instant) < 0.2 && zoom.magnification(at: instant) > 0.1)
    zoom.handle(PinchInput(phase: .moved, location: point, scale: .nan), at: instant)
    zoom.handle(PinchInput(phase: .ended, location: point, scale: 0.5), at: instant)
    rest()
    #expect(frame == Rect(x: 0, y: 100, width: 800, height: 400) && zoom.fitting == .whole)
  }

  @Test("A resize keeps a fitting magnification, or else the magnification and the center")
  mutating func resizes() {
    zoom.zoom(to: .covering, around: nil, at: instant)
    rest()
    #expect(frame.height == 600 && frame.width == 1_200)
    zoom.setSizes(viewport: Size(width: 1_000, height: 400), picture: zoom.pictureSize, at: instant)
    #expect(frame.width == 1_000 && frame.height == 500)
    zoom.zoom(to: 1, around: nil, at: instant)
    rest()
    let before = pixel(below: Point(x: 500, y: 200))
    zoom.setSizes(viewport: Size(width: 300, height: 300), picture: zoom.pictureSize, at: instant)
    #expect(zoom.magnification(at: instant) == 1 && pixel(below: Point(x: 150, y: 150)) == before)
    zoom.setSizes(viewport: Size(width: 300, height: 300), picture: Size(width: 2_000, height: 1_000), at: instant)
    #expect(
      pixel(below: Point(x: 150, y: 150)) == Point(x: before.x / 2, y: before.y / 2), "another picture of a burst")
  }

  @Test("The navigator shows the visible part, and moves it")
  mutating func visiblePart() throws {
    #expect(zoom.visiblePart(at: instant) == nil)
    zoom.zoom(to: 1, around: nil, at: instant)
    rest()
    let part = try #require(zoom.visiblePart(at: instant))
    #expect(part == Rect(x: 0.4, y: 0.35, width: 0.2, height: 0.3))
    zoom.center(on: Point(x: 0.9, y: 0.5), at: instant)
    #expect(zoom.visiblePart(at: instant)?.minX == 0.8)
    zoom.center(on: Point(x: Double.nan, y: 0.5), at: instant)
    #expect(zoom.visiblePart(at: instant)?.minX == 0.8)
  }

  @Test("Random input never shows an area beside an enlarged picture at rest", arguments: 0..<20)
  mutating func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let point = Point(x: Double.random(in: 0...800, using: &random), y: Double.random(in: 0...600, using: &random))
      let distance = Double.random(in: -900...900, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: zoom.zoom(bySteps: Double.random(in: -4...4, using: &random), around: point, at: instant)
      case 1: zoom.toggle(around: point, at: instant)
      case 2: zoom.move(.wheel(distance: distance, kind: .notch), .advance(by: distance), at: instant)
      case 3:
        zoom.move(.hold, .hold, at: instant)
        zoom.move(.drag(by: distance), .drag(by: -distance), at: instant)
        zoom.move(.release, .release, at: instant)
      case 4: zoom.zoom(to: .covering, around: point, at: instant)
      case 5:
        zoom.setSizes(
          viewport: Size(width: Double.random(in: 1...900, using: &random), height: 500), picture: zoom.pictureSize,
          at: instant)
      case 6: zoom.center(on: Point(x: point.x / 800, y: point.y / 600), at: instant)
      default:
        zoom.handle(PinchInput(phase: .began, location: point, scale: 1), at: instant)
        zoom.handle(
          PinchInput(phase: .moved, location: point, scale: Double.random(in: 0.1...9, using: &random)), at: instant)
        zoom.handle(PinchInput(phase: .ended, location: point, scale: 1), at: instant)
      }
      zoom.prepareFrame(at: instant)
      instant = instant + .milliseconds(Double(Int.random(in: 0..<60, using: &random)))
      #expect(frame.width.isFinite && frame.minX.isFinite)
    }
    rest()
    let viewport = zoom.viewport
    for (start, end, length) in [(frame.minX, frame.maxX, viewport.width), (frame.minY, frame.maxY, viewport.height)] {
      if end - start >= length {
        #expect(start <= 1e-6 && end >= length - 1e-6)
      } else {
        #expect((start + end - length).magnitude < 1.001, "it is centered")
      }
    }
    #expect(zoom.magnification(at: instant) >= zoom.wholeMagnification * 0.999_999)
  }
}
