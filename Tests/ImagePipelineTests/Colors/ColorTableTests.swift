import Foundation
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImagePipeline

@Suite("Color tables")
struct ColorTableTests {
  /// A display that is described by X, Y and Z of its primaries and the power of its curve.
  struct Display: Sendable {
    var primaries: [[Double]]
    var power: Double

    var profile: [UInt8] { ICCProfileWriter(primaries: primaries, curve: .gamma(power)).bytes }

    /// Returns the light of each channel, 0 to 1, for a color of sRGB.
    func light(of color: Color) -> [Double] {
      let light = [color.red, color.green, color.blue].map { level -> Double in
        let level = Double(level) / 255
        return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
      }
      let xyz = (0..<3).map { axis in (0..<3).reduce(0) { $0 + light[$1] * ICCProfileWriter.standard[$1][axis] } }
      // Cramer's rule.
      let whole = Display.determinant(primaries)
      return (0..<3).map { channel in
        var columns = primaries
        columns[channel] = xyz
        return min(1, max(0, Display.determinant(columns) / whole))
      }
    }

    /// Returns the levels for a color of sRGB, 0 to 255.
    func levels(of color: Color) -> [Double] { light(of: color).map { pow($0, 1 / power) * 255 } }

    private static func determinant(_ columns: [[Double]]) -> Double {
      (0..<3).reduce(0) { sum, row in
        let (next, last) = ((row + 1) % 3, (row + 2) % 3)
        return sum + columns[0][row] * (columns[1][next] * columns[2][last] - columns[1][last] * columns[2][next])
      }
    }
  }

  private static func table(of display: Display) throws -> ColorTable {
    let profile = try #require(ColorProfile(bytes: display.profile))
    return try DecodingProcess(RealHelper.setup(), stop: nil).colorTable(of: profile)
  }

  /// Returns a bitmap of the given colors in one row, with different alpha in each pixel.
  private static func bitmap(_ colors: [Color], order: ChannelOrder = .redFirst) throws -> Bitmap {
    try Bitmap(size: pixels(colors.count, 1), isOpaque: false, order: order) { bytes in
      for (index, color) in colors.enumerated() {
        let channels = [color.red, color.green, color.blue]
        for (place, level) in (order == .redFirst ? channels : channels.reversed()).enumerated() {
          bytes[index * 4 + place] = level
        }
        bytes[index * 4 + 3] = UInt8(truncatingIfNeeded: index)
      }
    }
  }

  /// Returns the colors of a row, and checks that alpha is what ``bitmap(_:order:)`` wrote.
  private static func colors(of bitmap: Bitmap) -> [[Int]] {
    bitmap.withPixels { bytes in
      (0..<bitmap.size.width).map { index in
        #expect(bytes[index * 4 + 3] == UInt8(truncatingIfNeeded: index))
        let levels = (0..<3).map { Int(bytes[index * 4 + $0]) }
        return bitmap.order == .redFirst ? levels : levels.reversed()
      }
    }
  }

  /// Random colors: any, dark, gray, and at the surface of the cube.
  private static func randomColors(_ count: Int, seed: UInt64) -> [Color] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      func level() -> UInt8 {
        switch index % 4 {
        case 0: UInt8.random(in: 0...24, using: &random)
        case 1 where random.chance(oneIn: 2): random.chance(oneIn: 2) ? 0 : 255
        default: UInt8.random(in: 0...255, using: &random)
        }
      }
      let red = level()
      return index % 4 == 3 ? Color(red: red, green: red, blue: red) : Color(red: red, green: level(), blue: level())
    }
  }

  @Test(
    "On displays that show all colors of sRGB, colors differ by at most one level from computed ones",
    arguments: [
      Display(primaries: ICCProfileWriter.wide, power: 2.2), Display(primaries: ICCProfileWriter.wide, power: 1.8),
      Display(primaries: ICCProfileWriter.exchanged, power: 2.2),
      Display(primaries: ICCProfileWriter.standard, power: 2.4),
      Display(primaries: ICCProfileWriter.standard, power: 1),
    ], [ChannelOrder.redFirst, .blueFirst])
  func exact(display: Display, order: ChannelOrder) throws {
    let table = try ColorTableTests.table(of: display)
    let source = ColorTableTests.randomColors(TestScale.count(200_000, short: 20_000), seed: 7)
    let shown = ColorTableTests.colors(of: try table.converted(ColorTableTests.bitmap(source, order: order)))
    var worst = (difference: 0.0, color: Color.black)
    for (color, levels) in zip(source, shown) {
      for (level, (expected, light)) in zip(levels, zip(display.levels(of: color), display.light(of: color))) {
        // Profiles round primaries, so that a channel with almost no light gets a little more or less, which near zero is
        // some levels. That is not visible beside a bright channel.
        let shownLight = pow(Double(level) / 255, display.power)
        if abs(shownLight - light) < 0.000_3, levels.contains(where: { $0 > 64 }) { continue }
        let difference = abs(Double(level) - expected)
        if difference > worst.difference { worst = (difference, color) }
      }
    }
    // One level, and half of one because of rounding.
    #expect(worst.difference < 1.5, "\(worst)")
  }

  @Test("On a display that shows fewer colors, the light of a channel is off by at most a twentieth")
  func narrow() throws {
    let display = Display(primaries: ICCProfileWriter.narrow, power: 2.2)
    let table = try ColorTableTests.table(of: display)
    let source = ColorTableTests.randomColors(20_000, seed: 9)
    let shown = ColorTableTests.colors(of: try table.converted(ColorTableTests.bitmap(source)))
    var isClipped = false
    for (color, levels) in zip(source, shown) {
      let light = display.light(of: color)
      isClipped = isClipped || light.contains(0) && color != .black
      for (level, expected) in zip(levels, light) {
        #expect(abs(pow(Double(level) / 255, display.power) - expected) < 0.05, "\(color)")
      }
    }
    #expect(isClipped)
  }

  /// Returns the bytes of a table whose entries are made of their levels.
  private func bytes(_ entry: ([UInt16]) -> [UInt16]) -> [UInt8] {
    let levels = ColorTableFormat.levels.map { UInt16($0) * 257 }
    var bytes: [UInt8] = []
    for blue in levels {
      for green in levels {
        for red in levels {
          bytes += (entry([red, green, blue]) + [0]).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        }
      }
    }
    return bytes
  }

  @Test("A table that changes nothing keeps every level and random colors")
  func identity() throws {
    let table = try #require(bytes { $0 }.withUnsafeBytes { ColorTable($0) })
    let grays = (0...255).map { Color(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    let colors = grays + ColorTableTests.randomColors(5_000, seed: 1)
    let shown = ColorTableTests.colors(of: try table.converted(ColorTableTests.bitmap(colors)))
    #expect(shown == colors.map { [Int($0.red), Int($0.green), Int($0.blue)] })
  }

  @Test("A table of other channels moves each to its place")
  func rotation() throws {
    let table = try #require(bytes { [$0[1], $0[2], 65_535 - $0[0]] }.withUnsafeBytes { ColorTable($0) })
    let colors = ColorTableTests.randomColors(5_000, seed: 2)
    let shown = ColorTableTests.colors(of: try table.converted(ColorTableTests.bitmap(colors, order: .blueFirst)))
    for (color, levels) in zip(colors, shown) {
      let expected = [Int(color.green), Int(color.blue), 255 - Int(color.red)]
      #expect(zip(levels, expected).allSatisfy { abs($0 - $1) <= 1 })
    }
  }

  @Test("A table of another size is refused")
  func size() {
    let bytes = [UInt8](repeating: 0, count: ColorTableFormat.byteCount + 1)
    bytes.withUnsafeBytes { bytes in
      #expect(ColorTable(bytes) == nil)
      #expect(ColorTable(UnsafeRawBufferPointer(rebasing: bytes.dropLast(2))) == nil)
      #expect(ColorTable(UnsafeRawBufferPointer(rebasing: bytes.dropLast())) != nil)
    }
  }

  @Test("The process refuses unusable profiles, and decodes afterwards")
  func refusal() throws {
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    for bytes in [[1, 2, 3], ICCProfileWriter().bytes, ICCProfileWriter(isGrey: true).bytes] {
      let profile = try #require(ColorProfile(bytes: bytes))
      #expect(throws: DecodingProcessError.refused(.unsupportedFormat)) { try process.colorTable(of: profile) }
    }
    let wide = try #require(ColorProfile(bytes: ICCProfileWriter(primaries: ICCProfileWriter.wide).bytes))
    _ = try process.colorTable(of: wide)
    #expect(ColorProfile(bytes: []) == nil)
    #expect(ColorProfile(bytes: [UInt8](repeating: 0, count: ColorProfile.maximumByteCount + 1)) == nil)
  }
}
