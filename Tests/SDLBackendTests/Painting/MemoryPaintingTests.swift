import CSDL2
import Geometry
import Rendering
import SDLBackend
import TestSupport
import Testing

extension SDLTests {
  @Suite("What is drawn into the window's memory is what the list says, in its order")
  struct MemoryPaintingTests {
    private static let window = PixelRect.at(0, 0, 320, 240)

    /// Textures of one colour, so that stretching changes nothing but places.
    private func plainPictures(
      on display: SDLDisplay, _ reference: RecordingDisplay, using random: inout SeededGenerator
    ) throws -> [(TextureID, PixelSize)] {
      try (0..<6).map { place in
        let color = Color.random(alpha: place < 4 ? 255 : .random(in: 0...255, using: &random), using: &random)
        let picture = try plain(.random(in: 1...180, using: &random), .random(in: 1...120, using: &random), color)
        let name = try display.makeTexture(from: picture)
        #expect(try reference.makeTexture(from: picture) == name)
        return (name, picture.size)
      }
    }

    private func command(
      _ pictures: [(TextureID, PixelSize)], isStretching: Bool, using random: inout SeededGenerator
    ) -> DrawCommand {
      let place = PixelRect.at(
        .random(in: -40...280, using: &random), .random(in: -40...200, using: &random),
        .random(in: 1...250, using: &random), .random(in: 1...180, using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return DrawCommand(kind: .clip, destination: place)
      case 1, 2: return DrawCommand(kind: .endClip)
      case 3, 4: return .fill(place, .random(alpha: Bool.random(using: &random) ? 255 : 90, using: &random))
      case 5: return .fill(MemoryPaintingTests.window, .random(alpha: 255, using: &random))
      default:
        let (name, size) = pictures[.random(in: 0..<pictures.count, using: &random)]
        var to = PixelRect.at(place.x, place.y, Int32(size.width), Int32(size.height))
        if isStretching, Bool.random(using: &random) { (to.width, to.height) = (place.width, place.height) }
        return .copy(
          name, from: size.rect, to: to,
          tint: .random(alpha: Bool.random(using: &random) ? 255 : 70, using: &random),
          isBlended: Bool.random(using: &random))
      }
    }

    @Test(
      "Lists that cover large parts again and again, with stretched copies between, are painted as by the reference",
      arguments: [false, true], 1...12 as ClosedRange<UInt64>)
    func order(isStretching: Bool, seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let reference = RecordingDisplay(size: Size(width: 320, height: 240))
      try withDisplay(320, 240) { display in
        let pictures = try plainPictures(on: display, reference, using: &random)
        for _ in 0..<4 {
          let list = DisplayList()
          for _ in 0..<24 { list.append(command(pictures, isStretching: isStretching, using: &random)) }
          let background = Color.random(alpha: 255, using: &random)
          display.draw(list, background: background)
          reference.draw(list, background: background)
          #expect(try display.readPixels().largestDifference(to: reference.readPixels()) == 0, "\(list)")
        }
      }
    }

    @Test("A texture whose name has ended covers nothing")
    func goneCover() throws {
      try withDisplay(320, 240) { display in
        let name = try display.makeTexture(from: plain(320, 240, .white))
        display.releaseTexture(name)
        let all = MemoryPaintingTests.window
        let picture = try display.painted([.copy(name, from: all, to: all)], background: Color(hex: 0x123456))
        #expect(picture.color(0, 0) == Color(hex: 0x123456) && picture.color(319, 239) == Color(hex: 0x123456))
      }
    }

    @Test("White ink is a texture as it is; a colour of its size is put into another, which is used again for the next")
    func inkThenColour() throws {
      try withDisplay(32, 24) { display in
        let part = PixelRect.at(0, 0, 9, 9)
        let blue = Color(hex: 0x0000FF, alpha: 254)
        for (color, expected) in [
          (Color(hex: 0xFFFFFF, alpha: 254), Color(hex: 0xFEFEFE)), (blue, Color(hex: 0x0000FE)),
          (Color(hex: 0x00FF00, alpha: 254), Color(hex: 0x00FE00)),
        ] {
          let name = try display.makeTexture(from: plain(9, 9, color))
          let picture = try display.painted([.copy(name, from: part, to: part, isBlended: true)])
          #expect(picture.color(0, 0) == expected && picture.color(8, 8) == expected)
          display.releaseTexture(name)
          display.present()
        }
        #expect(display.textureStatistics.shared == 1)
        #expect(display.textureStatistics.created == 1 && display.textureStatistics.reused == 1)
      }
    }

    @Test(
      "SDL's own drawing of each kind differs by one in a channel at most", arguments: 1...60 as ClosedRange<UInt64>)
    func likeSDL(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let isOpaque = Bool.random(using: &random)
      let isBlended = Bool.random(using: &random)
      let picture = try bitmap(17, 9, isOpaque: isOpaque) { _, _ in
        Color.random(alpha: isOpaque ? 255 : .randomChannel(using: &random), using: &random)
      }
      let tint = Color.random(alpha: isBlended ? .randomChannel(using: &random) : 255, using: &random)
      let background = Color.random(alpha: 255, using: &random)
      let fill = Color.random(alpha: .randomChannel(using: &random), using: &random)
      try withDisplay(32, 24) { display in
        let name = try display.makeTexture(from: picture)
        let ours = try display.painted(
          [
            .copy(name, from: picture.size.rect, to: .at(3, 2, 17, 9), tint: tint, isBlended: isBlended),
            .fill(.at(22, 3, 8, 20), fill),
          ], background: background)
        let painter = try SDLPainter(width: 32, height: 24, background: background)
        painter.copy(picture, to: .at(3, 2, 17, 9), tint: tint, isBlended: isBlended)
        painter.fill(.at(22, 3, 8, 20), fill)
        #expect(try ours.largestDifference(to: painter.pixels()) <= 3, "\(tint) \(fill) \(isBlended) \(isOpaque)")
      }
    }
  }
}
