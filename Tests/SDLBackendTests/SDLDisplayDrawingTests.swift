import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("A display draws display lists as specified")
  struct SDLDisplayDrawingTests {
    private let red = Color(hex: 0xFF0000)
    private let blue = Color(hex: 0x0000FF)

    @Test("The background is cleared, and fills are half open")
    func fills() throws {
      try withDisplay { display in
        let picture = try display.painted([.fill(.at(2, 1, 3, 2), red)], background: Color(hex: 0x102030))
        for y in 0..<24 {
          for x in 0..<32 {
            let isInside = (2..<5).contains(x) && (1..<3).contains(y)
            #expect(picture.color(x, y) == (isInside ? red : Color(hex: 0x102030)))
          }
        }
      }
    }

    @Test("Opaque copies keep every byte")
    func opaqueCopies() throws {
      try withDisplay { display in
        let source = try bitmap(20, 10) { x, y in Color(red: UInt8(x * 12), green: UInt8(y * 25), blue: UInt8(x ^ y)) }
        let name = try display.makeTexture(from: source)
        let picture = try display.painted([.copy(name, from: .at(0, 0, 20, 10), to: .at(5, 6, 20, 10))])
        for y in 0..<10 {
          for x in 0..<20 { #expect(picture.color(x + 5, y + 6) == source.color(x, y)) }
        }
        #expect(picture.color(4, 6) == .black && picture.color(25, 6) == .black && picture.color(5, 16) == .black)
      }
    }

    @Test("Blending mixes with the pixels below, and copying replaces them")
    func blending() throws {
      try withDisplay { display in
        let half = Color(red: 255, green: 255, blue: 255, alpha: 128)
        let name = try display.makeTexture(from: plain(8, 8, half))
        let all = PixelRect.at(0, 0, 8, 8)
        var fill = DrawCommand.fill(.at(20, 0, 4, 4), half)
        fill.isBlended = false
        let picture = try display.painted(
          [
            .copy(name, from: all, to: .at(0, 0, 8, 8), isBlended: true),
            .copy(name, from: all, to: .at(8, 0, 8, 8), isBlended: false),
            .copy(name, from: all, to: .at(0, 8, 8, 8), tint: Color(hex: 0xFF0000, alpha: 128), isBlended: true),
            .fill(.at(16, 0, 4, 4), half), fill,
          ], background: blue)
        expect(picture.color(0, 0), near: Color(red: 128, green: 128, blue: 255))
        expect(picture.color(8, 0), near: .white)
        expect(picture.color(0, 8), near: Color(red: 64, green: 0, blue: 191))
        expect(picture.color(16, 0), near: Color(red: 128, green: 128, blue: 255))
        expect(picture.color(20, 0), near: .white)
      }
    }

    @Test("A tint applies to its own command only")
    func tints() throws {
      try withDisplay { display in
        let name = try display.makeTexture(from: plain(4, 4, Color(hex: 0xFF8040)))
        let all = PixelRect.at(0, 0, 4, 4)
        let picture = try display.painted([
          .copy(name, from: all, to: .at(0, 0, 4, 4), tint: Color(hex: 0x80FF00)),
          .copy(name, from: all, to: .at(4, 0, 4, 4)),
          .copy(name, from: all, to: .at(8, 0, 4, 4), tint: Color(hex: 0xFFFFFF, alpha: 51), isBlended: true),
          .copy(name, from: all, to: .at(12, 0, 4, 4), isBlended: true),
        ])
        expect(picture.color(0, 0), near: Color(red: 128, green: 128, blue: 0))
        expect(picture.color(4, 0), near: Color(hex: 0xFF8040))
        expect(picture.color(8, 0), near: Color(red: 51, green: 26, blue: 13))
        expect(picture.color(12, 0), near: Color(hex: 0xFF8040))
      }
    }

    @Test("A clip applies until its end, within the clips around it, and not to the next frame")
    func clips() throws {
      try withDisplay { display in
        let everything = PixelRect.at(-100, -100, 400, 400)
        let picture = try display.painted([
          DrawCommand(kind: .clip, destination: .at(0, 0, 4, 24)), .fill(everything, red),
          DrawCommand(kind: .clip, destination: .at(2, 10, 0, 0)), .fill(everything, .white),
          DrawCommand(kind: .endClip), DrawCommand(kind: .endClip),
          DrawCommand(kind: .clip, destination: .at(30, 20, 90, 90)), .fill(everything, blue),
          DrawCommand(kind: .endClip), .fill(.at(15, 15, 1, 1), .white),
          DrawCommand(kind: .clip, destination: .at(0, 0, 1, 1)),
        ])
        #expect(picture.color(3, 23) == red && picture.color(4, 23) == .black)
        #expect(picture.color(31, 23) == blue && picture.color(29, 23) == .black && picture.color(15, 15) == .white)
        #expect(try display.painted([.fill(everything, red)]).color(20, 20) == red)
      }
    }

    @Test("Scaled copies keep their part of the source, their edges and their color")
    func scaling() throws {
      try withDisplay { display in
        let halves = try bitmap(8, 8) { x, _ in x < 4 ? red : blue }
        let name = try display.makeTexture(from: halves)
        let picture = try display.painted([
          .copy(name, from: .at(0, 0, 4, 8), to: .at(0, 0, 12, 24)),
          .copy(name, from: .at(4, 0, 4, 8), to: .at(16, 4, 2, 3)),
        ])
        #expect(picture.color(0, 0) == red && picture.color(11, 23) == red && picture.color(12, 12) == .black)
        #expect(picture.color(16, 4) == blue && picture.color(17, 6) == blue && picture.color(18, 4) == .black)
      }
    }

    @Test("A photograph that is zoomed to single pixels is drawn without memory for invisible parts")
    func deepZoom() throws {
      try withDisplay { display in
        // Squares of 16 pixels: enlarged 4,000 times, the screen is within one of them.
        let board = try bitmap(256, 256) { x, y in (x / 16 + y / 16) % 2 == 0 ? red : blue }
        let name = try display.makeTexture(from: board)
        for (column, row) in [(0, 0), (7, 8), (15, 15)] as [(Int32, Int32)] {
          let x = -(column * 16 + 8) * 4_000
          let y = -(row * 16 + 8) * 4_000
          let picture = try display.painted([
            .copy(name, from: .at(0, 0, 256, 256), to: .at(x, y, 256 * 4_000, 256 * 4_000))
          ])
          let expected = (column + row) % 2 == 0 ? red : blue
          #expect(picture.color(0, 0) == expected && picture.color(31, 23) == expected)
        }
      }
    }

    @Test("Released, empty and foreign textures draw nothing and are counted")
    func staleNames() throws {
      try withDisplay { display in
        let name = try display.makeTexture(from: plain(4, 4, .white))
        display.releaseTexture(name)
        let all = PixelRect.at(0, 0, 4, 4)
        let foreign = TextureID(slot: 4_000, generation: 9)
        let picture = try display.painted([
          .copy(name, from: all, to: all), .copy(.none, from: all, to: all), .copy(foreign, from: all, to: all),
        ])
        #expect(picture.color(0, 0) == .black)
        #expect(display.textureStatistics.staleCommands == 3)
      }
    }

    @Test("Pixels can be read before and after presenting")
    func readingAfterPresent() throws {
      try withDisplay { display in
        let before = try display.painted([.fill(.at(0, 0, 9, 9), red)])
        display.present()
        display.endFrame()
        #expect(try display.readPixels().contentDigest == before.contentDigest)
      }
    }

    @Test(
      "Any list of fills, exact copies and clips is painted like the reference, byte for byte",
      arguments: 1...25 as ClosedRange<UInt64>)
    func matchesTheReference(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let reference = RecordingDisplay(size: Size(width: 64, height: 48))
      try withDisplay(64, 48) { display in
        var names: [(TextureID, PixelSize)] = []
        for _ in 0..<6 {
          let isOpaque = Bool.random(using: &random)
          let picture = try bitmap(
            .random(in: 1...40, using: &random), .random(in: 1...40, using: &random), isOpaque: isOpaque
          ) { _, _ in Color.random(isOpaque: isOpaque, using: &random) }
          let name = try display.makeTexture(from: picture)
          #expect(try reference.makeTexture(from: picture) == name)
          names.append((name, picture.size))
        }
        let list = DisplayList()
        for _ in 0..<40 { list.append(.random(textures: names, using: &random)) }
        let background = Color.random(isOpaque: true, using: &random)
        display.draw(list, background: background)
        reference.draw(list, background: background)
        let difference = try display.readPixels().largestDifference(to: reference.readPixels())
        #expect(difference == 0, "\(list)")
      }
    }

    private func expect(_ color: Color, near expected: Color, sourceLocation: SourceLocation = #_sourceLocation) {
      let pairs = [(color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue)]
      let isNear = pairs.allSatisfy { abs(Int($0.0) - Int($0.1)) <= 2 }
      #expect(isNear, "\(color) is not \(expected)", sourceLocation: sourceLocation)
    }
  }
}

// MARK: - Random commands

extension Color {
  fileprivate static func random(isOpaque: Bool, using random: inout SeededGenerator) -> Color {
    Color(hex: .random(in: 0...0xFF_FFFF, using: &random), alpha: isOpaque ? 255 : .random(in: 0...255, using: &random))
  }
}

extension DrawCommand {
  /// Returns a random fill, clip, end of a clip, or copy that is not scaled, often partly off screen.
  fileprivate static func random(
    textures: [(TextureID, PixelSize)], using random: inout SeededGenerator
  ) -> DrawCommand {
    let x = Int32.random(in: -30...70, using: &random)
    let y = Int32.random(in: -30...50, using: &random)
    let rect = PixelRect.at(x, y, .random(in: 0...50, using: &random), .random(in: 0...50, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return DrawCommand(kind: .clip, destination: rect)
    case 1: return DrawCommand(kind: .endClip)
    case 2, 3: return .fill(rect, .random(isOpaque: Bool.random(using: &random), using: &random))
    default:
      let (name, size) = textures[Int.random(in: 0..<textures.count, using: &random)]
      let left = Int32.random(in: 0..<Int32(size.width), using: &random)
      let top = Int32.random(in: 0..<Int32(size.height), using: &random)
      let width = Int32.random(in: 1...(Int32(size.width) - left), using: &random)
      let height = Int32.random(in: 1...(Int32(size.height) - top), using: &random)
      let tint =
        Bool.random(using: &random)
        ? Color.white : .random(isOpaque: Bool.random(using: &random), using: &random)
      return .copy(
        name, from: .at(left, top, width, height), to: .at(x, y, width, height), tint: tint,
        isBlended: Bool.random(using: &random))
    }
  }
}
