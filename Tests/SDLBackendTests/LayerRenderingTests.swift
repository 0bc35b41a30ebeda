import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("Layers look the same in memory, with SDL, and as the reference paints them")
  struct LayerRenderingTests {
    private static let size = Size(width: 120, height: 90)

    /// Returns random commands within random layers and clips.
    private func scene(depth: Int, using random: inout SeededGenerator) -> [DrawCommand] {
      func rect() -> PixelRect {
        .at(
          .random(in: -30...100, using: &random), .random(in: -30...80, using: &random),
          .random(in: 0...100, using: &random), .random(in: 0...80, using: &random))
      }
      return (0..<4).flatMap { _ -> [DrawCommand] in
        switch depth > 0 ? Int.random(in: 0..<4, using: &random) : 3 {
        case 0:
          let clip = DrawCommand(kind: .clip, destination: rect())
          return [clip] + scene(depth: depth - 1, using: &random) + [DrawCommand(kind: .endClip)]
        case 1, 2:
          let layer = DrawCommand.layer(
            rect(), opacity: Bool.random(using: &random) ? 255 : .random(in: 0...255, using: &random),
            cornerRadius: Bool.random(using: &random) ? 0 : .random(in: 1...30, using: &random))
          return [layer.begin] + scene(depth: depth - 1, using: &random) + [layer.end]
        default:
          let isOpaque = Bool.random(using: &random)
          return [
            .fill(
              rect(),
              Color(
                hex: .random(in: 0...0xFF_FFFF, using: &random),
                alpha: isOpaque ? 255 : .random(in: 0...255, using: &random)))
          ]
        }
      }
    }

    private func reference(_ commands: [DrawCommand]) throws -> Bitmap {
      let size = try #require(PixelSize(width: Int(Self.size.width), height: Int(Self.size.height)))
      return try Bitmap(size: size, isOpaque: true) {
        ReferencePainter(size: size, pixels: $0, background: Color(hex: 0x406080)).paint(commands) { _ in nil }
      }
    }

    @Test("Random layers", arguments: TestScale.seeds(UInt64(1)...30))
    func randomLayers(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let scenes = (0..<4).map { _ in scene(depth: 3, using: &random) }
      for (renderer, tolerance) in [(RendererPreference.memory, 0), (.sdl, 6)] {
        try withDisplay(Self.size.width, Self.size.height, renderer) { display in
          for commands in scenes {
            let image = try display.painted(commands, background: Color(hex: 0x406080))
            let difference = image.largestDifference(to: try reference(commands))
            #expect(difference <= tolerance, "\(renderer)")
          }
        }
      }
    }

    @Test("A rounded picture over another one", arguments: [RendererPreference.memory, .sdl])
    func roundedPicture(renderer: RendererPreference) throws {
      let behind = try bitmap(120, 90) { x, y in Color(red: UInt8(x * 2), green: UInt8(y * 2), blue: 40) }
      let front = try bitmap(60, 50) { _, _ in Color(hex: 0xFFFFFF) }
      try withDisplay(Self.size.width, Self.size.height, renderer) { display in
        let (first, second) = (try display.makeTexture(from: behind), try display.makeTexture(from: front))
        let rect = PixelRect.at(20, 20, 60, 50)
        let layer = DrawCommand.layer(rect, cornerRadius: 12)
        let image = try display.painted([
          .copy(first, from: behind.size.rect, to: behind.size.rect), layer.begin,
          .copy(second, from: front.size.rect, to: rect), layer.end,
        ])
        #expect(image.color(20, 20) == behind.color(20, 20) && image.color(79, 69) == behind.color(79, 69))
        #expect(image.color(20, 40) == .white && image.color(50, 45) == .white && image.color(33, 20) == .white)
        #expect(image.color(90, 45) == behind.color(90, 45))
      }
    }

    @Test("Layers beyond the maximum depth are drawn without effect", arguments: [RendererPreference.memory, .sdl])
    func deepLayers(renderer: RendererPreference) throws {
      let layer = DrawCommand.layer(.at(0, 0, 40, 40), opacity: 250)
      let commands =
        Array(repeating: layer.begin, count: 40) + [.fill(.at(0, 0, 40, 40), .white)]
        + Array(repeating: layer.end, count: 41)
      try withDisplay(Self.size.width, Self.size.height, renderer) { display in
        let image = try display.painted(commands, background: Color(hex: 0x406080))
        #expect(image.largestDifference(to: try reference(commands)) <= 10)
        #expect(image.color(10, 10).red > 200)
      }
    }
  }
}
