import Testing

@testable import ImageDecoding

@Suite("Pictures for bright displays")
struct BrightDisplayColorTests {
  private func grey(_ level: Float, transfer: Int, primaries: Int = 9) throws -> Int {
    let colors = try #require(BrightDisplayColors(primaries: primaries, transfer: transfer))
    let shown = colors.convert(SIMD3(repeating: level * 255))
    // White of either kind of primaries is that of sRGB.
    #expect(abs(Int(shown.0) - Int(shown.1)) <= 1 && abs(Int(shown.0) - Int(shown.2)) <= 1)
    return Int(shown.1)
  }

  @Test("PQ: dark light stays what it is, 1,000 candela are white, and what lies between never falls")
  func perceptualQuantizer() throws {
    #expect(try grey(0, transfer: 16) == 0)
    // 1 and 20 candela of 203: 0.0049 and 0.0985 of white, 0.0600 and 0.3487 in sRGB.
    #expect(abs(try grey(0.1499, transfer: 16) - 15) <= 1)
    #expect(abs(try grey(0.3608, transfer: 16) - 89) <= 1)
    // Paper white, 203 candela, leaves room above it; BT.2390's spline makes 159 of it, 0.78 of white.
    #expect(abs(try grey(0.5807, transfer: 16) - 228) <= 2)
    #expect(try grey(0.7518, transfer: 16) == 255 && grey(1, transfer: 16) == 255)
    let levels = try stride(from: Float(0), through: 1, by: 0.01).map { try grey($0, transfer: 16) }
    #expect(levels == levels.sorted())
  }

  @Test("HLG: half of the signal is a dark grey of a display of 1,000 candela, its end white")
  func hybridLogGamma() throws {
    // 1/12 of the scene's light, to the 1.2nd power: 50.7 candela, 0.25 of white.
    #expect(abs(try grey(0.5, transfer: 18) - 137) <= 2)
    #expect(try grey(0, transfer: 18) == 0 && grey(1, transfer: 18) == 255)
  }

  @Test("A bright colour keeps its hue, and other transfers are none of these")
  func colors() throws {
    let colors = try #require(BrightDisplayColors(primaries: 1, transfer: 16))
    let (red, green, blue) = colors.convert(SIMD3(0.75, 0.5, 0.25) * 255)
    #expect(red == 255 && green > blue && green < 200)
    #expect(BrightDisplayColors(primaries: 1, transfer: 13) == nil)
    #expect(
      PictureColors(primaries: 9, transfer: 16).bright != nil
        && PictureColors(primaries: 12, transfer: 13).bright == nil)
  }
}
