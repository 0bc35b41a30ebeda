import Geometry
import ImageMetadata
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Only the part of a picture that a result looks at is kept")
struct RegionTests {
  @Test("A cut picture is that of a picture that was kept whole", arguments: 1...4)
  func cut(seed: Int) throws {
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
      var cut = try RowReducer(size, for: placement, backdrop: Backdrop(.black), interruption: .none)
      let reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
      var whole = try BoxReducer(source: size, reduction: reduction)
      for y in 0..<size.height {
        var row = Array(picture.bytes[y * size.width * 4..<(y + 1) * size.width * 4])
        whole.append(row)
        try cut.append(&row, hasAlpha: false)
      }
      let expected = ReducedPicture(
        pixels: whole.finish(Backdrop(.black)), scaleX: 1 / Double(reduction.across),
        scaleY: 1 / Double(reduction.down),
        isDamaged: false)
      #expect(try draw(cut.finish(isDamaged: false), placement) == draw(expected, placement))
    }
  }

  private func draw(_ picture: consuming ReducedPicture, _ placement: Placement) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: placement.outputSize.bytesAtFourPerPixel)
    let pixels = try ScratchMemory<UInt8>(count: bytes.count)
    try picture.draw(placement, into: pixels.elements, interruption: .none)
    for index in bytes.indices { bytes[index] = pixels.elements[index] }
    return bytes
  }

  @Test("What is kept of the longest pictures fits a few megabytes")
  func bounds() throws {
    let side = PixelSize.maximumSide
    for (width, height) in [(side, 900), (900, side), (side, side), (side, 1), (side, 8000)] {
      let size = try #require(PixelSize(width: width, height: height))
      let placement = Placement(
        stored: size, orientation: .up, target: try #require(PixelSize(width: 256, height: 256)), fit: .fill)
      let reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
      let region = StoredRegion(placement, of: size, reduction: reduction)
      let kept = try #require(region.size.map(reduction.reduced))
      #expect(kept.bytesAtFourPerPixel < 8 << 20)
      #expect(region.columns.lowerBound % reduction.across == 0 && region.rows.lowerBound % reduction.down == 0)
    }
  }
}
