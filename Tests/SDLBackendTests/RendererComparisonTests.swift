import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("SDL textures and painting in memory draw the same pixels within rounding")
  struct RendererComparisonTests {
    /// The largest difference of a channel, of 255, by the number of commands in the scene.
    ///
    /// Painting in memory rounds a layer to the nearest value. SDL truncates the product with a tint, the product with
    /// an alpha, and the two products of a blend, each by less than 1. Only the part of a difference that shows through
    /// a layer remains, so that it does not grow with each layer.
    private static let tolerances = [1: 3, 2: 4, 12: 6]
    private static let size = Size(width: 160, height: 120)
    private static let output = PixelRect.at(0, 0, 160, 120)

    private func painted(
      _ renderer: RendererPreference, seed: UInt64, layers: Int, isStretching: Bool
    ) throws -> [Bitmap] {
      var random = SeededGenerator(seed: seed)
      var frames: [Bitmap] = []
      try withDisplay(Self.size.width, Self.size.height, renderer) { display in
        #expect(display.rendererName == renderer.rawValue)
        let pictures = try (0..<8).map { index in
          let isOpaque = index < 4
          let picture = try bitmap(
            .random(in: 1...70, using: &random), .random(in: 1...50, using: &random), isOpaque: isOpaque
          ) { _, _ in .random(isOpaque: isOpaque || Bool.random(using: &random), using: &random) }
          // Decoders produce either order.
          let ordered = try picture.converted(to: index % 2 == 0 ? .redFirst : .blueFirst)
          return (try display.makeTexture(from: ordered), picture.size)
        }
        for _ in 0..<4 {
          let list = DisplayList()
          for _ in 0..<layers { list.append(.random(pictures, isStretching, using: &random)) }
          display.draw(list, background: .random(isOpaque: true, using: &random))
          display.present()
          display.endFrame()
          frames.append(try display.readPixels())
        }
      }
      return frames
    }

    @Test(
      "Random scenes of fills, clips and copies, scaled, tinted and blended, are equal within rounding",
      arguments: [false, true], TestScale.seeds(UInt64(1)...20))
    func scenes(isStretching: Bool, seed: UInt64) throws {
      for (layers, tolerance) in Self.tolerances {
        let memory = try painted(.memory, seed: seed, layers: layers, isStretching: isStretching)
        let sdl = try painted(.sdl, seed: seed, layers: layers, isStretching: isStretching)
        for (ours, theirs) in zip(memory, sdl) {
          #expect(ours.largestDifference(to: theirs) <= tolerance, "\(layers)")
        }
      }
    }

    @Test("Opaque copies, scaled or not, and fills are equal byte for byte")
    func opaque() throws {
      let colors = try bitmap(40, 30) { x, y in Color(red: UInt8(x * 6), green: UInt8(y * 8), blue: UInt8(x ^ y)) }
      var frames: [UInt64] = []
      for renderer in [RendererPreference.memory, .sdl] {
        try withDisplay(Self.size.width, Self.size.height, renderer) { display in
          let name = try display.makeTexture(from: colors)
          let all = colors.size.rect
          frames.append(
            try display.painted([
              .fill(.at(3, 4, 90, 80), Color(hex: 0x336699)), .copy(name, from: all, to: .at(60, 5, 40, 30)),
              .copy(name, from: all, to: .at(-20, 40, 133, 71)), .copy(name, from: all, to: .at(100, 60, 11, 50)),
              .copy(name, from: .at(7, 7, 9, 4), to: .at(30, -700, 3_000, 1_500), isBlended: true),
            ]).contentDigest)
        }
      }
      #expect(frames[0] == frames[1])
    }

    @Test("A texture with the same scale in every frame is scaled once, and follows its own changes")
    func cachedScaledCopies() throws {
      try withDisplay(Self.size.width, Self.size.height, .sdl) { display in
        let name = try display.makeTexture(from: plain(8, 8, .white))
        let commands = { (y: Int32) in [DrawCommand.copy(name, from: .at(0, 0, 8, 8), to: .at(0, y, 64, 64))] }
        #expect(try display.painted(commands(0)).color(63, 63) == .white)
        #expect(try display.painted(commands(9)).color(63, 72) == .white)
        #expect(try display.painted([]).color(1, 1) == .black)
        display.releaseTexture(name)
        display.present()
        display.endFrame()
        let next = try display.makeTexture(from: plain(8, 8, Color(hex: 0x0000FF)))
        #expect(display.textureStatistics.reused == 1)
        let picture = try display.painted([.copy(next, from: .at(0, 0, 8, 8), to: .at(0, 0, 64, 64))])
        #expect(picture.color(40, 40) == Color(hex: 0x0000FF))
      }
    }
  }
}

extension Color {
  fileprivate static func random(isOpaque: Bool, using random: inout SeededGenerator) -> Color {
    Color(hex: .random(in: 0...0xFF_FFFF, using: &random), alpha: isOpaque ? 255 : .random(in: 0...255, using: &random))
  }
}

extension DrawCommand {
  /// Returns a random command, often partly off screen, with a source that is sometimes outside the texture.
  fileprivate static func random(
    _ pictures: [(TextureID, PixelSize)], _ isStretching: Bool, using random: inout SeededGenerator
  ) -> DrawCommand {
    let rect = PixelRect.at(
      .random(in: -60...160, using: &random), .random(in: -50...120, using: &random),
      .random(in: 0...150, using: &random), .random(in: 0...110, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return DrawCommand(kind: .clip, destination: rect)
    case 1: return DrawCommand(kind: .endClip)
    case 2, 3: return .fill(rect, .random(isOpaque: Bool.random(using: &random), using: &random))
    default:
      let (name, size) = pictures[.random(in: 0..<pictures.count, using: &random)]
      var source = size.rect
      if Bool.random(using: &random) {
        source = .at(
          .random(in: -5..<Int32(size.width), using: &random), .random(in: -5..<Int32(size.height), using: &random),
          .random(in: 1...60, using: &random), .random(in: 1...40, using: &random))
      }
      var target = PixelRect.at(rect.x, rect.y, source.width, source.height)
      if isStretching, Bool.random(using: &random) { (target.width, target.height) = (rect.width, rect.height) }
      if isStretching, Int.random(in: 0..<8, using: &random) == 0 {
        // Larger than the screen, so that only the visible part is scaled.
        target = .at(rect.x - 4_000, rect.y - 3_000, 9_000, 7_000)
      }
      let isTinted = Bool.random(using: &random)
      return .copy(
        name, from: source, to: target,
        tint: isTinted ? .random(isOpaque: Bool.random(using: &random), using: &random) : .white,
        isBlended: Bool.random(using: &random))
    }
  }
}
