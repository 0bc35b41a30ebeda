import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("The placement of an image is computed before it is decoded")
struct PlacementTests {
  private func size(_ width: Int, _ height: Int) throws -> PixelSize {
    try #require(PixelSize(width: width, height: height))
  }

  @Test("Filling keeps the middle and has exactly the target size")
  func fill() throws {
    let wide = Placement(
      stored: try size(400, 100), orientation: .up, target: try size(50, 50), fit: .fill)
    #expect(wide.outputSize == PixelSize(width: 50, height: 50))
    #expect(wide.window == Rect(x: 150, y: 0, width: 100, height: 100))
    let tall = Placement(
      stored: try size(100, 400), orientation: .up, target: try size(100, 50), fit: .fill)
    #expect(tall.window == Rect(x: 0, y: 175, width: 100, height: 50))
  }

  @Test("Filling enlarges small images")
  func fillEnlarges() throws {
    let placement = Placement(stored: try size(10, 20), orientation: .up, target: try size(40, 40), fit: .fill)
    #expect(placement.outputSize == PixelSize(width: 40, height: 40))
    #expect(placement.window == Rect(x: 0, y: 5, width: 10, height: 10))
  }

  @Test("Filling without enlarging equals filling, or shows the same part of the image at full size")
  func fillWithoutEnlarging() throws {
    func placed(_ width: Int, _ height: Int, into target: PixelSize, _ fit: FitMode) throws -> Placement {
      Placement(stored: try size(width, height), orientation: .up, target: target, fit: fit)
    }
    let target = try size(40, 20)
    for (width, height) in [(400, 100), (40, 20), (41, 2_000)] {
      #expect(
        try placed(width, height, into: target, .fillWithoutEnlarging) == placed(width, height, into: target, .fill))
    }
    let small = try placed(10, 30, into: target, .fillWithoutEnlarging)
    #expect(small.outputSize == PixelSize(width: 10, height: 5))
    #expect(small.window == Rect(x: 0, y: 12.5, width: 10, height: 5))
    // High enough but not wide enough: the requested shape, not all rows.
    let narrow = try placed(21, 900, into: target, .fillWithoutEnlarging)
    #expect(narrow.outputSize == PixelSize(width: 21, height: 11) && narrow.window.width == 21)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      func side() -> Int { Int.random(in: 1...300, using: &random) }
      let placement = try placed(side(), side(), into: try size(side(), side()), .fillWithoutEnlarging)
      #expect(placement.window.width >= Double(placement.outputSize.width) - 1e-9)
      #expect(placement.window.height >= Double(placement.outputSize.height) - 1e-9)
    }
  }

  @Test("Fitting shows the whole image and never enlarges it")
  func fit() throws {
    func output(_ width: Int, _ height: Int, _ orientation: Orientation = .up) throws -> PixelSize {
      let placement = Placement(
        stored: try size(width, height), orientation: orientation, target: try size(100, 50), fit: .fit)
      #expect(placement.window == Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
      return placement.outputSize
    }
    #expect(try output(400, 100) == PixelSize(width: 100, height: 25))
    #expect(try output(400, 100, .right) == PixelSize(width: 13, height: 50))
    #expect(try output(30, 20) == PixelSize(width: 30, height: 20))
    #expect(try output(30_000, 3) == PixelSize(width: 100, height: 1))
  }

  @Test("A rotated image is cropped as it is displayed, not as it is stored", arguments: Orientation.allCases)
  func orientation(orientation: Orientation) throws {
    let placement = Placement(
      stored: try size(300, 200), orientation: orientation, target: try size(50, 100), fit: .fill)
    let expected =
      orientation.isTransposed
      ? Rect(x: 0, y: 25, width: 300, height: 150) : Rect(x: 100, y: 0, width: 100, height: 200)
    #expect(placement.window == expected)
    #expect(placement.outputSize == PixelSize(width: 50, height: 100))
  }

  @Test("The window is inside the image for all sizes", arguments: 1...4)
  func windows(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<500 {
      func side() -> Int { 1 << Int.random(in: 0...14, using: &random) | Int.random(in: 0...1000, using: &random) + 1 }
      let stored = try size(side(), side())
      let target = try size(side(), side())
      let orientation = try #require(Orientation.allCases.randomElement(using: &random))
      for fit in [FitMode.fill, .fit, .fillWithoutEnlarging] {
        let placement = Placement(stored: stored, orientation: orientation, target: target, fit: fit)
        #expect(placement.window.minX >= 0 && placement.window.minY >= 0)
        #expect(placement.window.width > 0 && placement.window.height > 0)
        #expect(placement.window.maxX <= Double(stored.width) + 1e-9)
        #expect(placement.window.maxY <= Double(stored.height) + 1e-9)
        #expect(placement.outputSize.width <= target.width && placement.outputSize.height <= target.height)
      }
    }
  }
}

@Suite("Only the part of an image that a result needs is stored")
struct StoredRegionTests {
  @Test("A cropped image equals one that was stored whole", arguments: 1...4)
  func cropped(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let size = try #require(
        PixelSize(width: Int.random(in: 1...90, using: &random), height: Int.random(in: 1...90, using: &random)))
      let target = try #require(
        PixelSize(width: Int.random(in: 1...12, using: &random), height: Int.random(in: 1...12, using: &random)))
      let picture = TestPicture(width: size.width, height: size.height) { _, _ in
        Color(hex: UInt32.random(in: 0...0xFFFFFF, using: &random))
      }
      let orientation = try #require(Orientation.allCases.randomElement(using: &random))
      let placement = Placement(stored: size, orientation: orientation, target: target, fit: .fill)
      var cropped = try RowReducer(size, for: placement, backdrop: Backdrop(.black), interruption: .none)
      let reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
      var whole = try BoxReducer(source: size, reduction: reduction)
      for y in 0..<size.height {
        var row = Array(picture.bytes[y * size.width * 4..<(y + 1) * size.width * 4])
        whole.append(row)
        try cropped.append(&row, hasAlpha: false)
      }
      let expected = ReducedPicture(
        pixels: whole.finish(Backdrop(.black)), scaleX: 1 / Double(reduction.across),
        scaleY: 1 / Double(reduction.down),
        isDamaged: false)
      let reduced = try cropped.finish(isDamaged: false)
      try reduced.validate(for: placement, of: size)
      #expect(try draw(reduced, placement) == draw(expected, placement))
    }
  }

  private func draw(_ picture: consuming ReducedPicture, _ placement: Placement) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: placement.outputSize.bytesAtFourPerPixel)
    let pixels = try ScratchMemory<UInt8>(count: bytes.count)
    try picture.draw(placement, into: pixels.elements, interruption: .none)
    for index in bytes.indices { bytes[index] = pixels.elements[index] }
    return bytes
  }

  @Test("The stored region of the longest images has at most a few megabytes")
  func bounds() throws {
    let side = PixelSize.maximumSide
    for (width, height) in [(side, 900), (900, side), (side, side), (side, 1), (side, 8000)] {
      let size = try #require(PixelSize(width: width, height: height))
      let placement = Placement(
        stored: size, orientation: .up, target: try #require(PixelSize(width: 256, height: 256)), fit: .fill)
      let reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
      let region = StoredRegion(placement, of: size, reduction: reduction)
      let storedSize = try #require(region.size.map(reduction.reduced))
      #expect(storedSize.bytesAtFourPerPixel < 8 << 20)
      #expect(region.columns.lowerBound % reduction.across == 0 && region.rows.lowerBound % reduction.down == 0)
    }
  }
}
