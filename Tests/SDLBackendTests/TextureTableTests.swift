import CVitrineSDL2
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("Textures have unique identifiers, are reused, and are destroyed between frames")
  struct TextureTableTests {
    private func frame(_ display: SDLDisplay) {
      display.draw(DisplayList(), background: .black)
      display.present()
      display.endFrame()
    }

    @Test("A released texture of the same size is reused under another identifier")
    func reuse() throws {
      try withDisplay { display in
        let first = try display.makeTexture(from: plain(10, 10, .white))
        display.releaseTexture(first)
        #expect(display.pooledTextureBytes == 0)
        frame(display)
        #expect(display.pooledTextureBytes == 400)
        let second = try display.makeTexture(from: plain(10, 10, Color(hex: 0x00FF00)))
        #expect(second != first && display.pooledTextureBytes == 0)
        let statistics = display.textureStatistics
        #expect(statistics.created == 1 && statistics.reused == 1)
        let part = PixelRect.at(0, 0, 10, 10)
        #expect(try display.painted([.copy(second, from: part, to: part)]).color(0, 0) == Color(hex: 0x00FF00))
        #expect(try display.painted([.copy(first, from: part, to: part)]).color(0, 0) == .black)
      }
    }

    @Test(
      "A bitmap in the display's order, and white ink in any, is shared as a texture, drawn the same and released"
    )
    func shared() throws {
      try withDisplay { display in
        #expect(display.preferredChannelOrder == .blueFirst)
        let part = PixelRect.at(0, 0, 13, 9)
        for isOpaque in [true, false] {
          let plain = try bitmap(13, 9, isOpaque: isOpaque) { x, y in
            Color(red: UInt8(x * 19), green: UInt8(y * 28), blue: 40, alpha: isOpaque ? 255 : UInt8(x * 10))
          }
          let command = { (name: TextureID, tint: Color) in
            DrawCommand.copy(
              name, from: part, to: .at(2, 3, 26, 18), tint: tint, isBlended: !isOpaque || tint.alpha < 255)
          }
          let copied = try display.makeTexture(from: plain)
          let before = display.textureStatistics.shared
          weak var retained: Bitmap?
          let shared: TextureID
          do {
            let converted = try plain.converted(to: .blueFirst)
            retained = converted
            shared = try display.makeTexture(from: converted)
          }
          #expect(display.textureStatistics.shared == before + 1 && retained != nil)
          for tint in [Color.white, Color(hex: 0x80FF40, alpha: 120)] {
            let expected = try display.painted([command(copied, tint)], background: Color(hex: 0x204060))
            let painted = try display.painted([command(shared, tint)], background: Color(hex: 0x204060))
            #expect(painted.contentDigest == expected.contentDigest)
          }
          display.releaseTexture(shared)
          frame(display)
          #expect(retained == nil)
        }
        let type = try bitmap(13, 9, isOpaque: false) { x, y in Color(hex: 0xFFFFFF, alpha: UInt8(x * 19)) }
        let name = try display.makeTexture(from: type)
        #expect(display.textureStatistics.shared == 3)
        let ink = Color(hex: 0x3060C0)
        let painted = try display.painted([.copy(name, from: part, to: part, tint: ink, isBlended: true)])
        #expect(painted.color(12, 0).blue > 150 && painted.color(12, 0).blue > painted.color(12, 0).red)
      }
    }

    @Test("Trimming destroys released textures and pooled textures between frames")
    func trimmed() throws {
      try withDisplay { display in
        let names = try (0..<6).map { try display.makeTexture(from: plain(20 + $0, 20, Color(hex: 0x102030))) }
        names[..<3].forEach(display.releaseTexture)
        frame(display)
        names[3..<5].forEach(display.releaseTexture)
        #expect(display.pooledTextureBytes > 0)
        display.trimCaches()
        #expect(display.pooledTextureBytes == 0 && display.textureStatistics.destroyed == 5)
        let part = PixelRect.at(0, 0, 20, 20)
        #expect(try display.painted([.copy(names[5], from: part, to: part)]).color(0, 0) == Color(hex: 0x102030))
      }
    }

    @Test("A reused texture has none of the tint, blending and opacity of its previous use")
    func reuseResetsState() throws {
      try withDisplay { display in
        let part = PixelRect.at(0, 0, 10, 10)
        let first = try display.makeTexture(from: plain(10, 10, Color(hex: 0xFFFF80, alpha: 200)))
        _ = try display.painted([
          .copy(first, from: part, to: part, tint: Color(hex: 0xFF0000, alpha: 9), isBlended: true)
        ])
        display.releaseTexture(first)
        frame(display)
        let second = try display.makeTexture(from: plain(10, 10, Color(hex: 0xFFFF80, alpha: 0)))
        let picture = try display.painted([.copy(second, from: part, to: part, isBlended: true)])
        #expect(picture.color(0, 0) == .black)
        #expect(display.textureStatistics.reused == 1)
      }
    }

    @Test("A texture for opaque bitmaps is not reused for one with transparency, and has its own pixels")
    func kinds() throws {
      try withDisplay { display in
        let part = PixelRect.at(0, 0, 10, 10)
        let opaque = try display.makeTexture(from: plain(10, 10, Color(hex: 0x123456)))
        display.releaseTexture(opaque)
        frame(display)
        let clear = try display.makeTexture(from: plain(10, 10, Color(hex: 0x654321, alpha: 0)))
        #expect(display.textureStatistics.reused == 0)
        let again = try display.makeTexture(from: plain(10, 10, Color(hex: 0x345678)))
        #expect(display.textureStatistics.reused == 1)
        let picture = try display.painted([
          .copy(again, from: part, to: part), .copy(clear, from: part, to: part, isBlended: true),
        ])
        #expect(picture.color(0, 0) == Color(hex: 0x345678))
      }
    }

    @Test("A texture that is released before a frame is not destroyed during it")
    func destroysAfterPresent() throws {
      try withDisplay { display in
        let large = try plain(2_000, 1_000, .white)
        let name = try display.makeTexture(from: large)
        #expect(display.textureBytes == large.byteCount)
        display.releaseTexture(name)
        #expect(display.textureBytes == 0)
        display.draw(DisplayList(), background: .black)
        #expect(display.textureStatistics.destroyed == 0)
        display.present()
        display.endFrame()
        #expect(display.textureStatistics.destroyed == 1 && display.pooledTextureBytes == 0)
      }
    }

    @Test("The number of textures that are destroyed in one frame is limited, and all are destroyed in the end")
    func destructionIsSpread() throws {
      try withDisplay { display in
        // Too large for the pool, each with another size.
        let names = try (0..<20).map { try display.makeTexture(from: plain(1_600 + $0, 1_000, .white)) }
        names.forEach(display.releaseTexture)
        var destroyedCounts: [Int] = []
        for _ in 0..<4 {
          let before = display.textureStatistics.destroyed
          frame(display)
          destroyedCounts.append(display.textureStatistics.destroyed - before)
        }
        #expect(destroyedCounts == [16, 4, 0, 0])
      }
    }

    @Test(
      "The bytes add up and no identifier is reused, for any sequence of events",
      arguments: TestScale.seeds(UInt64(1)...5))
    func bytesAddUp(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      try withDisplay { display in
        var live: [(name: TextureID, color: Color, bytes: Int)] = []
        var identifiers: Set<TextureID> = []
        for step in 0..<400 {
          switch Int.random(in: 0..<5, using: &random) {
          case 0, 1, 2:
            let color = Color(hex: .random(in: 0...0xFF_FFFF, using: &random))
            let picture = try plain(.random(in: 1...4, using: &random), .random(in: 1...4, using: &random), color)
            let name = try display.makeTexture(from: picture)
            #expect(identifiers.insert(name).inserted)
            live.append((name, color, picture.byteCount))
          case 3 where !live.isEmpty:
            let released = live.remove(at: .random(in: 0..<live.count, using: &random))
            display.releaseTexture(released.name)
            display.releaseTexture(released.name)
          default: frame(display)
          }
          #expect(display.textureBytes == live.reduce(0) { $0 + $1.bytes })
          guard step % 20 == 0 else { continue }
          for texture in live {
            let picture = try display.painted([.copy(texture.name, from: .at(0, 0, 1, 1), to: .at(0, 0, 1, 1))])
            #expect(picture.color(0, 0) == texture.color)
          }
        }
      }
    }

    @Test(
      "A reset of the renderer invalidates all identifiers and is reported",
      arguments: [SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET])
    func reset(kind: SDL_EventType) throws {
      try withDisplay { display in
        let name = try display.makeTexture(from: plain(4, 4, .white))
        let released = try display.makeTexture(from: plain(4, 4, .white))
        display.releaseTexture(released)
        var event = SDL_Event()
        event.type = kind.rawValue
        #expect(SDL_PushEvent(&event) == 1)
        #expect(display.events.hasPendingEvents)
        var events: [InputEvent] = []
        display.events.poll(into: &events)
        #expect(events.map(\.kind) == [.texturesLost])
        #expect(display.textureBytes == 0 && display.pooledTextureBytes == 0)
        let part = PixelRect.at(0, 0, 4, 4)
        #expect(try display.painted([.copy(name, from: part, to: part)]).color(0, 0) == .black)
        frame(display)
        let again = try display.makeTexture(from: plain(4, 4, .white))
        #expect(again != name)
        #expect(try display.painted([.copy(again, from: part, to: part)]).color(0, 0) == .white)
      }
    }
  }
}

// MARK: - Texture pool

@Suite("Released textures are retained in a bounded pool")
struct TexturePoolTests {
  @Test("A pool behaves like a list", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesAList(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pool = TexturePool(maximumTextures: 12, maximumBytes: 600)
    var model: [(size: PixelSize, isOpaque: Bool, name: TextureID)] = []
    var next = 1
    for _ in 0..<500 {
      let size = try #require(
        PixelSize(width: .random(in: 1...5, using: &random), height: .random(in: 1...5, using: &random)))
      let isOpaque = Bool.random(using: &random)
      if Bool.random(using: &random) {
        let name = TextureID(slot: next, generation: 1)
        next += 1
        pool.insert(name, size: size, isOpaque: isOpaque)
        model.append((size, isOpaque, name))
      } else {
        let index = model.lastIndex { $0.size == size && $0.isOpaque == isOpaque }
        let expected = index.map { model.remove(at: $0).name }
        let texture = pool.removeTexture(of: size, isOpaque: isOpaque)
        #expect(texture == expected)
      }
      let bytes = model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel }
      #expect(pool.exceedsLimits == (model.count > 12 || bytes > 600))
      while pool.exceedsLimits {
        let oldest = pool.removeOldest()
        #expect(oldest == model.removeFirst().name)
      }
      #expect(pool.count == model.count)
      #expect(pool.byteCount == model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel })
    }
  }

  @Test("An empty pool returns nil")
  func empty() throws {
    var pool = TexturePool(maximumTextures: 1, maximumBytes: 1)
    let size = try #require(PixelSize(width: 1, height: 1))
    let texture = pool.removeTexture(of: size, isOpaque: true)
    let oldest = pool.removeOldest()
    #expect(texture == nil && oldest == nil && !pool.exceedsLimits)
    pool.insert(TextureID(slot: 1, generation: 1), size: size, isOpaque: true)
    pool.removeAll()
    #expect(pool.count == 0 && pool.byteCount == 0)
  }
}
