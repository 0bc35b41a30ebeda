import CVitrineSDL2
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("Painting in memory draws the commands of a display list in their order")
  struct PlanePainterTests {
    private static let window = PixelRect.at(0, 0, 320, 240)

    /// Returns textures of one color, so that scaling changes nothing but positions.
    private func makePlainTextures(
      on display: SDLDisplay, _ reference: RecordingDisplay, using random: inout SeededGenerator
    ) throws -> [(TextureID, PixelSize)] {
      try (0..<6).map { index in
        let color = Color.random(alpha: index < 4 ? 255 : .random(in: 0...255, using: &random), using: &random)
        let picture = try plain(.random(in: 1...180, using: &random), .random(in: 1...120, using: &random), color)
        let name = try display.makeTexture(from: picture)
        #expect(try reference.makeTexture(from: picture) == name)
        return (name, picture.size)
      }
    }

    private func command(
      _ pictures: [(TextureID, PixelSize)], isStretching: Bool, using random: inout SeededGenerator
    ) -> DrawCommand {
      let rect = PixelRect.at(
        .random(in: -40...280, using: &random), .random(in: -40...200, using: &random),
        .random(in: 1...250, using: &random), .random(in: 1...180, using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return DrawCommand(kind: .clip, destination: rect)
      case 1, 2: return DrawCommand(kind: .endClip)
      case 3, 4: return .fill(rect, .random(alpha: Bool.random(using: &random) ? 255 : 90, using: &random))
      case 5: return .fill(PlanePainterTests.window, .random(alpha: 255, using: &random))
      default:
        let (name, size) = pictures[.random(in: 0..<pictures.count, using: &random)]
        var to = PixelRect.at(rect.x, rect.y, Int32(size.width), Int32(size.height))
        if isStretching, Bool.random(using: &random) { (to.width, to.height) = (rect.width, rect.height) }
        return .copy(
          name, from: size.rect, to: to,
          tint: .random(alpha: Bool.random(using: &random) ? 255 : 70, using: &random),
          isBlended: Bool.random(using: &random))
      }
    }

    @Test(
      "Lists that cover large parts repeatedly, with scaled copies in between, are painted like the reference",
      arguments: [false, true], TestScale.seeds(UInt64(1)...12))
    func order(isStretching: Bool, seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let reference = RecordingDisplay(size: Size(width: 320, height: 240))
      try withDisplay(320, 240) { display in
        let pictures = try makePlainTextures(on: display, reference, using: &random)
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

    @Test("A released texture covers nothing")
    func releasedOccluder() throws {
      try withDisplay(320, 240) { display in
        let name = try display.makeTexture(from: plain(320, 240, .white))
        display.releaseTexture(name)
        let all = PlanePainterTests.window
        let picture = try display.painted([.copy(name, from: all, to: all)], background: Color(hex: 0x123456))
        #expect(picture.color(0, 0) == Color(hex: 0x123456) && picture.color(319, 239) == Color(hex: 0x123456))
      }
    }

    @Test("White ink is shared as a texture, and a colored bitmap of its size uses another one, which is then reused")
    func inkThenColor() throws {
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
          display.endFrame()
        }
        #expect(display.textureStatistics.shared == 1)
        #expect(display.textureStatistics.created == 1 && display.textureStatistics.reused == 1)
      }
    }

    @Test(
      "SDL's own drawing of each kind differs within rounding", arguments: 1...60 as ClosedRange<UInt64>)
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

// MARK: - Occluders

@Suite("Parts that later commands cover are left out of a fill")
struct OccluderListTests {
  private let occluders = OccluderList()

  @Test(
    "The visible parts are all that no later command covers, each pixel once",
    arguments: TestScale.seeds(UInt64(1)...100)
  )
  func parts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var added: [(rect: PixelRect, command: Int)] = []
    for command in 0..<Int.random(in: 0...20, using: &random) {
      let rect = PixelRect.at(
        .random(in: -40...200, using: &random), .random(in: -40...200, using: &random),
        .random(in: 1...160, using: &random), .random(in: 1...160, using: &random))
      occluders.add(rect, by: command)
      if rect.width * rect.height >= OccluderList.minimumArea { added.append((rect, command)) }
    }
    let rect = PixelRect.at(
      .random(in: -10...20, using: &random), .random(in: -10...20, using: &random), 190, 180)
    let command = Int.random(in: -1...20, using: &random)
    let size = 256
    var painted = [UInt8](repeating: 0, count: size * size)
    occluders.forEachVisiblePart(of: rect, behind: command) { part in
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX { painted[(Int(y) + 20) * size + Int(x) + 20] += 1 }
      }
    }
    var expected = [UInt8](repeating: 0, count: size * size)
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX {
        let isCovered = added.contains { occluder in
          occluder.command > command && x >= occluder.rect.x && x < occluder.rect.maxX && y >= occluder.rect.y
            && y < occluder.rect.maxY
        }
        expected[(Int(y) + 20) * size + Int(x) + 20] = isCovered ? 0 : 1
      }
    }
    #expect(painted == expected)
  }

  @Test("Rectangles beyond the maximum are ignored, and an empty list covers nothing")
  func bounds() {
    let rect = PixelRect.at(0, 0, 100, 100)
    var count = 0
    occluders.forEachVisiblePart(of: rect, behind: -1) { part in
      #expect(part == rect)
      count += 1
    }
    for _ in 0..<OccluderList.maximumOccluders { occluders.add(.at(500, 0, 100, 100), by: 0) }
    occluders.add(rect, by: 1)
    occluders.forEachVisiblePart(of: rect, behind: -1) { part in
      #expect(part == rect)
      count += 1
    }
    #expect(count == 2)
    occluders.removeAll()
    occluders.add(rect, by: 1)
    occluders.forEachVisiblePart(of: rect, behind: 0) { _ in count += 1 }
    #expect(count == 2)
    occluders.forEachVisiblePart(of: rect, behind: 1) { _ in count += 1 }
    #expect(count == 3)
  }
}

// MARK: - SDL reference

/// SDL's software renderer on a surface, with a texture for each bitmap.
private final class SDLPainter {
  private let surface: UnsafeMutablePointer<SDL_Surface>
  private let renderer: OpaquePointer

  /// Creates a surface that is filled with a color.
  init(width: Int32, height: Int32, background: Color) throws {
    surface = try #require(
      SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_RGB888.rawValue))
    renderer = try #require(SDL_CreateSoftwareRenderer(surface))
    SDL_SetRenderDrawColor(renderer, background.red, background.green, background.blue, 255)
    SDL_RenderClear(renderer)
  }

  isolated deinit {
    SDL_DestroyRenderer(renderer)
    SDL_FreeSurface(surface)
  }

  /// Draws a bitmap pixel for pixel.
  func copy(_ bitmap: Bitmap, to rect: PixelRect, tint: Color, isBlended: Bool) {
    let texture = SDL_CreateTexture(
      renderer, SDL_PIXELFORMAT_RGBA32.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue), rect.width, rect.height)
    bitmap.withPixels { _ = SDL_UpdateTexture(texture, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    SDL_SetTextureColorMod(texture, tint.red, tint.green, tint.blue)
    SDL_SetTextureAlphaMod(texture, tint.alpha)
    SDL_SetTextureBlendMode(texture, isBlended ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
    var target = SDL_Rect(x: rect.x, y: rect.y, w: rect.width, h: rect.height)
    SDL_RenderCopy(renderer, texture, nil, &target)
    SDL_DestroyTexture(texture)
  }

  /// Blends a color over a rectangle.
  func fill(_ rect: PixelRect, _ color: Color) {
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND)
    SDL_SetRenderDrawColor(renderer, color.red, color.green, color.blue, color.alpha)
    var target = SDL_Rect(x: rect.x, y: rect.y, w: rect.width, h: rect.height)
    SDL_RenderFillRect(renderer, &target)
  }

  /// Returns the pixels of the surface.
  func pixels() throws -> Bitmap {
    let size = try #require(PixelSize(width: Int(surface.pointee.w), height: Int(surface.pointee.h)))
    return try Bitmap(size: size, isOpaque: true) { memory in
      SDL_RenderReadPixels(
        renderer, nil, SDL_PIXELFORMAT_RGBA32.rawValue, memory.baseAddress, Int32(size.width * 4))
      for alpha in stride(from: 3, to: memory.count, by: 4) { memory[alpha] = 255 }
    }
  }
}
