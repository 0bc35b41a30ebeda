import Testing
import VitrineGeometry
import VitrineRendering

@testable import VitrineGalleryUI

@Suite("The zoom changes by one visible step at a time")
struct GalleryZoomTests {
  @Test(
    "Every layout starts in the middle of its levels, which are ordered by size",
    arguments: GalleryLayoutKind.allCases)
  func order(kind: GalleryLayoutKind) {
    let levels = ZoomLevels(of: kind)
    #expect(levels.steps.indices.contains(levels.defaultLevel) && levels.defaultLevel > 0)
    #expect(levels.defaultLevel < levels.steps.count - 1)
    let lengths = levels.steps.map { step in
      switch step {
      case .columns(let count): -Double(count)
      case .width(let length), .height(let length): length
      }
    }
    #expect(lengths == lengths.sorted() && Set(lengths).count == lengths.count)
  }

  @Test("Each step of a grid changes the number of columns, in any width, up to the last one")
  func visibleSteps() {
    for kind in [GalleryLayoutKind.grid, .mosaic] {
      let levels = ZoomLevels(of: kind)
      for width in stride(from: 200.0, through: 4_000, by: 37) {
        var level = 0
        var columns = levels.steps[0].columns(in: width, spacing: 12)
        while true {
          let next = levels.level(from: level, by: 1, in: width, spacing: 12)
          guard next != level else { break }
          let nextColumns = levels.steps[next].columns(in: width, spacing: 12)
          #expect(nextColumns < columns, "\(width)")
          #expect(levels.level(from: next, by: -1, in: width, spacing: 12) < next)
          (level, columns) = (next, nextColumns)
        }
        #expect(levels.steps.last.map { $0.columns(in: width, spacing: 12) } == columns)
      }
    }
  }

  /// Zooms and returns the new step, or nil if it is unchanged.
  private static func zoomed(_ zoom: inout GalleryZoom, by distance: Int, in width: Double = 1_000) -> ZoomStep? {
    zoom.zoom(by: distance, in: width) ? zoom.currentStep : nil
  }

  @Test("A grid starts with the requested number of columns, and each step changes it by one")
  func columns() {
    var zoom = GalleryZoom(.grid, columns: 7)
    #expect(zoom.currentStep == .columns(7))
    #expect(Self.zoomed(&zoom, by: 1) == .columns(6))
    #expect(Self.zoomed(&zoom, by: -3) == .columns(9))
    var isReset = zoom.reset()
    #expect(isReset)
    #expect(zoom.currentStep == .columns(7))
    isReset = zoom.reset()
    #expect(!isReset)
    #expect(Self.zoomed(&zoom, by: 1_000) == .columns(1))
    #expect(Self.zoomed(&zoom, by: 1) == nil)
    #expect(GalleryZoom(.grid, columns: 64).currentStep == .columns(64))
    #expect(GalleryZoom(.list, columns: 3).currentStep == GalleryZoom(.list).currentStep)
  }

  @Test("Heights change step by step to both ends, in any width")
  func heights() {
    var zoom = GalleryZoom(.justified)
    let first = zoom.currentStep
    #expect(Self.zoomed(&zoom, by: 1, in: 10) != first)
    #expect(Self.zoomed(&zoom, by: -1, in: 10) == first)
    #expect(Self.zoomed(&zoom, by: -99, in: 10) == ZoomLevels(of: .justified).steps.first)
    #expect(Self.zoomed(&zoom, by: -1, in: 10) == nil)
  }

  @Test("Whole notches of a wheel are steps, fractions add up to steps, and a change of direction starts from zero")
  func wheel() {
    func steps(_ notches: [Double]) -> [Int] {
      var wheel = ZoomWheel()
      return notches.map { wheel.steps(of: $0) }
    }
    #expect(steps([1, -2]) == [1, -2])
    #expect(steps([Double](repeating: 0.1, count: 20)).reduce(0, +) == 2)
    #expect(steps([0.9, -0.9, -0.2]) == [0, 0, -1])
    #expect(steps([.nan, .infinity, 1e300, -25]) == [0, 0, 10, -10])
  }

  @Test(
    "Spreading fingers enlarge and pinching fingers shrink, and fingers near a threshold do not alternate between steps"
  )
  func pinch() {
    func steps(_ scales: [Double]) -> [Int] {
      var pinch = ZoomPinch()
      return scales.enumerated().map { index, scale in
        pinch.steps(of: PinchInput(phase: index == 0 ? .began : .moved, location: .zero, scale: scale))
      }
    }
    #expect(steps([1, 1.1, 1.23, 1.3, 1.5, 1.2, 1]) == [0, 0, 1, 0, 1, -1, -1])
    #expect(steps([1, 1.23, 1.21, 1.23, 1.21, 1.0]) == [0, 1, 0, 0, 0, -1])
    #expect(steps([1, 0.5]) == [0, -3])
    #expect(steps([1, .nan, .infinity, 0, -3, 1e300, 1e-300]) == [0, 0, 0, 0, 0, 12, -12])
  }
}
