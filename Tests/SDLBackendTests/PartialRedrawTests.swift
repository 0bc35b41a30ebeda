import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("A partial redraw gives the same frame as a full one")
  struct PartialRedrawTests {
    private let size = Size(width: 96, height: 72)
    private let output = PixelRect.at(0, 0, 96, 72)

    private func withDisplay<Result>(
      _ redraw: RedrawPolicy, _ body: (SDLDisplay) throws -> Result
    ) throws -> Result {
      let display = try SDLDisplay(
        configuration: SDLDisplayConfiguration(
          title: "Tests", size: size, isHeadless: true, renderer: .memory, redraw: redraw))
      defer { display.close() }
      return try body(display)
    }

    private func draw(_ commands: [DrawCommand], _ background: Color = .black, on display: SDLDisplay) {
      let list = DisplayList()
      commands.forEach(list.append)
      display.draw(list, background: background)
      display.present()
      display.endFrame()
    }

    private func makePictures(_ display: SDLDisplay, using random: inout SeededGenerator) throws -> [RandomScene
      .Picture]
    {
      try (0..<8).map { _ in
        let isOpaque = Bool.random(using: &random)
        let picture = try bitmap(
          .random(in: 1...24, using: &random), .random(in: 1...24, using: &random), isOpaque: isOpaque
        ) { _, _ in
          Color(
            hex: .random(in: 0...0xFF_FFFF, using: &random),
            alpha: isOpaque ? 255 : .random(in: 0...255, using: &random))
        }
        return RandomScene.Picture(name: try display.makeTexture(from: picture), size: picture.size)
      }
    }

    /// Draws a sequence of random frames and returns the digests of their pixels and how they were drawn.
    private func drawScenes(
      seed: UInt64, frames: Int, on display: SDLDisplay
    ) throws -> (digests: [UInt64], statistics: RedrawStatistics) {
      var random = SeededGenerator(seed: seed)
      var scene = RandomScene(output: output, pictures: try makePictures(display, using: &random), using: &random)
      var digests: [UInt64] = []
      for _ in 0..<frames {
        draw(scene.commands, scene.background, on: display)
        digests.append(try display.readPixels().contentDigest)
        scene.advance(using: &random)
      }
      return (digests, display.redrawStatistics)
    }

    @Test("Any sequence of scenes is drawn exactly, byte for byte", arguments: TestScale.seeds(UInt64(1)...40))
    func anyScenes(seed: UInt64) throws {
      let whole = try withDisplay(.whole) { try drawScenes(seed: seed, frames: 30, on: $0) }
      let parts = try withDisplay(.damage) { try drawScenes(seed: seed, frames: 30, on: $0) }
      #expect(whole.digests == parts.digests)
      #expect(whole.statistics.movedFrames == 0 && whole.statistics.partialFrames == 0)
    }

    @Test("Many frames are moved, and many are redrawn in parts without a move")
    func movesAndPartialRedraws() throws {
      var (moved, partial) = (0, 0)
      for seed in 1...10 as ClosedRange<UInt64> {
        let (_, statistics) = try withDisplay(.damage) { try drawScenes(seed: seed, frames: 30, on: $0) }
        moved += statistics.movedFrames
        partial += statistics.partialFrames
      }
      #expect(moved > 60 && partial > 30, "moved \(moved), partial \(partial)")
    }

    /// Returns a pixel of the last frame.
    private func pixel(on display: SDLDisplay) throws -> Color { try display.readPixels().color(50, 10) }

    /// Returns commands that draw the rows of one image, moved by an offset.
    private func rows(_ name: TextureID, offset: Int32) -> [DrawCommand] {
      (0..<12).map { .copy(name, from: .at(0, $0 * 12, 96, 12), to: .at(0, $0 * 12 - offset, 96, 12)) }
    }

    private func withRows(_ body: (SDLDisplay, TextureID) throws -> Void) throws {
      try withDisplay(.damage) { display in
        let picture = try bitmap(96, 144) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: UInt8(x ^ y)) }
        try body(display, display.makeTexture(from: picture))
      }
    }

    @Test("A scroll moves pixels and draws little more than the new rows")
    func scroll() throws {
      try withRows { display, name in
        for frame in 0..<20 as Range<Int32> {
          draw(rows(name, offset: frame * 3), on: display)
          let picture = try display.readPixels()
          for y in [0, 35, 68, 69, 71] {
            let row = UInt8(y) + UInt8(frame) * 3
            #expect(picture.color(50, y) == Color(red: 50, green: row, blue: 50 ^ row))
          }
        }
        #expect(display.redrawStatistics.wholeFrames == 1 && display.redrawStatistics.movedFrames == 19)
        #expect(display.redrawStatistics.damagedPixels == 19 * 3 * 96)
      }
    }

    @Test("Drawing an unchanged frame again draws no pixels")
    func sameFrame() throws {
      try withRows { display, name in
        for _ in 0..<3 { draw(rows(name, offset: 5), on: display) }
        #expect(display.redrawStatistics.partialFrames == 2 && display.redrawStatistics.damagedPixels == 0)
      }
    }

    @Test("A released texture leaves its area empty, in that frame and the next")
    func releasedTexture() throws {
      try withRows { display, name in
        draw(rows(name, offset: 0), on: display)
        let before = try pixel(on: display)
        #expect(before == Color(red: 50, green: 10, blue: 50 ^ 10))
        display.releaseTexture(name)
        for frame in 1...2 {
          draw(rows(name, offset: 0), on: display)
          let spot = try pixel(on: display)
          #expect(spot == .black)
          // Half of the twelve rows are below the window. A stale identifier is counted there too.
          #expect(display.textureStatistics.staleCommands == 12 * frame)
        }
        #expect(display.redrawStatistics.wholeFrames == 3)
      }
    }

    @Test("A new size, full screen and events that may lose the pixels redraw the whole frame")
    func invalidation() throws {
      try withRows { display, name in
        var events: [InputEvent] = []
        @MainActor func isWhole(_ cause: String, _ change: () -> Void) throws {
          draw(rows(name, offset: 1), on: display)
          draw(rows(name, offset: 1), on: display)
          change()
          display.events.poll(into: &events)
          let before = display.redrawStatistics.wholeFrames
          draw(rows(name, offset: 1), on: display)
          #expect(display.redrawStatistics.wholeFrames == before + 1, "\(cause)")
          let spot = try pixel(on: display)
          #expect(spot == Color(red: 50, green: 11, blue: 50 ^ 11), "\(cause)")
        }
        try isWhole("resized") { display.windowFrame = Rect(x: 0, y: 0, width: 90, height: 60) }
        try isWhole("there and back") {
          display.windowFrame = Rect(x: 0, y: 0, width: 50, height: 60)
          display.windowFrame = Rect(x: 0, y: 0, width: 90, height: 60)
        }
        try isWhole("full screen") { display.toggleFullScreen() }
        try isWhole("back to the window") { display.toggleFullScreen() }
        try isWhole("exposed") { display.injectEvent(.exposed) }
        try isWhole("shown again") { display.injectEvent(.shown) }
      }
    }

    @Test("Lost textures are no longer on screen")
    func lostTextures() throws {
      try withRows { display, name in
        draw(rows(name, offset: 0), on: display)
        display.injectEvent(.texturesLost)
        var events: [InputEvent] = []
        display.events.poll(into: &events)
        draw([], on: display)
        let spot = try pixel(on: display)
        #expect(spot == .black)
        #expect(display.redrawStatistics.wholeFrames == 2)
      }
    }
  }
}
