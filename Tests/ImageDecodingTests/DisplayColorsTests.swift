import Testing
import VitrineDecodingProtocol
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore
@testable import VitrineImagePipeline

@Suite("Colors of displays")
struct DisplayColorsTests {
  /// Returns the colors of a display for the corners of sRGB, as levels of eight bits, or nil if there are none.
  private func cornerColors(_ profile: [UInt8]) -> [[Int]]? {
    DisplayColors(profile: profile)?.grid(of: [0, 255]).map { grid in
      stride(from: 0, to: grid.count, by: 3).map { start in
        grid[start..<start + 3].map { (Int($0) * 255 + 32_767) / 65_535 }
      }
    }
  }

  @Test("Red varies fastest, then green, and each color has the display's levels")
  func exchanged() throws {
    let corners = try #require(cornerColors(ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes))
    let expected = (0..<8).map { [$0 >> 1 & 1, $0 & 1, $0 >> 2 & 1].map { $0 * 255 } }
    #expect(zip(corners, expected).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) <= 1 } }, "\(corners)")
  }

  @Test("The colors of Display P3 are those that its standard states")
  func wide() throws {
    let corners = try #require(cornerColors(ICCProfileWriter(primaries: ICCProfileWriter.wide).bytes))
    // CSS Color 4: color(display-p3 0.9175 0.2003 0.1386) is the red of sRGB.
    for (color, expected) in [(1, [234, 51, 35]), (2, [117, 251, 76]), (4, [0, 0, 245]), (7, [255, 255, 255])] {
      #expect(zip(corners[color], expected).allSatisfy { abs($0 - $1) <= 1 }, "\(corners[color])")
    }
  }

  @Test("Curves change grays, which remain gray")
  func curve() throws {
    let colors = try #require(DisplayColors(profile: ICCProfileWriter(curve: .gamma(1)).bytes))
    let grid = try #require(colors.grid(of: [0, 188, 255]))
    let middle = grid[13 * 3..<13 * 3 + 3].map { Double($0) / 65_535 }
    // Level 188 of sRGB is half of the light.
    #expect(middle.allSatisfy { abs($0 - 0.5) < 0.005 }, "\(middle)")
  }

  @Test("sRGB, grays, and invalid bytes are no colors of a display")
  func unusable() {
    #expect(DisplayColors(profile: ICCProfileWriter().bytes) == nil)
    #expect(DisplayColors(profile: ICCProfileWriter(curve: .table).bytes) == nil)
    #expect(DisplayColors(profile: []) == nil)
    #expect(cornerColors(ICCProfileWriter(isGrey: true).bytes) == nil)
    let valid = ICCProfileWriter(primaries: ICCProfileWriter.wide).bytes
    #expect(cornerColors(Array(valid.prefix(200))) == nil)
    #expect(cornerColors(valid) != nil)
  }

  @Test("Damaged profiles do not end the process", arguments: TestScale.seeds(0..<200))
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = ICCProfileWriter(primaries: ICCProfileWriter.wide, curve: seed % 2 == 0 ? .table : .parametric).bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: 0..<min(bytes.count, 400), using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    if random.chance(oneIn: 3) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    let corners = cornerColors(bytes)
    #expect(corners == nil || corners?.count == 8)
  }

  @Test("The levels of a table rise from the darkest to the brightest")
  func levels() {
    let levels = ColorTableFormat.levels
    #expect(levels.count == ColorTableFormat.side && levels.first == 0 && levels.last == 255)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "Interpolated colors differ by at most one level from those of Little CMS",
    arguments: [
      ICCProfileWriter(primaries: ICCProfileWriter.wide), .init(primaries: ICCProfileWriter.wide, curve: .gamma(1.8)),
      .init(primaries: ICCProfileWriter.wide, curve: .gamma(2.2)), .init(curve: .gamma(2.4)), .init(curve: .gamma(1)),
      .init(primaries: ICCProfileWriter.exchanged),
    ])
  func interpolation(writer: ICCProfileWriter) throws {
    var bytes: [UInt8] = []
    let grid = try #require(DisplayColors(profile: writer.bytes)?.grid(of: ColorTableFormat.levels))
    for start in stride(from: 0, to: grid.count, by: 3) {
      for number in grid[start..<start + 3] + [0] { bytes += [UInt8(number & 255), UInt8(number >> 8)] }
    }
    let table = try #require(bytes.withUnsafeBytes { ColorTable($0) })
    var random = SeededGenerator(seed: 3)
    let count = 30_000
    var colors = (0..<count * 3).map { index -> UInt16 in
      let isDark = index / 3 % 3 == 0
      return UInt16.random(in: isDark ? 0...24 : 0...255, using: &random) * 257
    }
    let source = try Bitmap(size: pixels(count, 1), isOpaque: true) { target in
      for index in 0..<count {
        for channel in 0..<4 {
          target[index * 4 + channel] = channel < 3 ? UInt8(colors[index * 3 + channel] >> 8) : 255
        }
      }
    }
    #expect(LittleCMS.convert(&colors, to: writer.bytes))
    try table.converted(source).withPixels { shown in
      var worst = 0
      for index in 0..<count {
        for channel in 0..<3 {
          let expected = (Int(colors[index * 3 + channel]) + 128) / 257
          worst = max(worst, abs(Int(shown[index * 4 + channel]) - expected))
        }
      }
      #expect(worst <= 1)
    }
  }
}
