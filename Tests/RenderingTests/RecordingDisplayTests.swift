import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("A recording display records frames and textures")
@MainActor
struct RecordingDisplayTests {
  @Test("Texture counts add up, for any sequence of events", arguments: 1...10 as ClosedRange<UInt64>)
  func textureCountsAddUp(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let display = RecordingDisplay()
    var live: [(name: TextureID, bytes: Int)] = []
    var pendingDestructions = 0
    for _ in 0..<400 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let picture = try bitmap(.random(in: 1...9, using: &random), 2) { _, _ in .white }
        live.append((try display.makeTexture(from: picture), picture.byteCount))
      case 2 where !live.isEmpty:
        let released = live.remove(at: .random(in: 0..<live.count, using: &random))
        display.releaseTexture(released.name)
        pendingDestructions += 1
        #expect(display.bitmap(of: released.name) == nil)
      default:
        display.present()
        #expect(display.textureCounts.released - display.textureCounts.destroyed == pendingDestructions)
        display.endFrame()
        pendingDestructions = 0
      }
      #expect(display.textureCounts.live == live.count)
      #expect(display.textureCounts.released - display.textureCounts.destroyed == pendingDestructions)
      #expect(display.textureBytes == live.reduce(0) { $0 + $1.bytes })
      #expect(display.textureCounts.peakBytes >= display.textureBytes)
    }
    #expect(live.allSatisfy { display.bitmap(of: $0.name)?.byteCount == $0.bytes })
  }

  @Test("A limited number of frames is retained, the newest last")
  func framesAreBounded() {
    let display = RecordingDisplay(frameLimit: 2)
    let list = DisplayList()
    for width in 1...5 {
      list.removeAll()
      list.append(.fill(PixelRect(x: 0, y: 0, width: Int32(width), height: 1), .white))
      display.draw(list, background: .black)
      display.present()
    }
    #expect(display.frames.map { $0.commands[0].destination.width } == [4, 5])
    #expect(display.drawnFrames == 5 && display.presentedFrames == 5)
  }

  @Test("Drawing and releasing a stale texture is counted and harmless")
  func staleNames() throws {
    let display = RecordingDisplay(size: Size(width: 4, height: 4))
    let name = try display.makeTexture(from: bitmap(1, 1) { _, _ in .white })
    display.releaseTexture(name)
    display.releaseTexture(name)
    let list = DisplayList()
    list.append(
      DrawCommand(
        kind: .texture, texture: name, destination: PixelRect(x: 0, y: 0, width: 4, height: 4),
        source: PixelRect(x: 0, y: 0, width: 1, height: 1)))
    display.draw(list, background: .black)
    #expect(try display.readPixels().color(0, 0) == .black)
    #expect(display.textureCounts.staleCommands == 1 && display.textureCounts.invalidReleases == 1)
  }

  @Test("A simulated texture error is thrown as it is")
  func simulatedErrors() throws {
    let display = RecordingDisplay()
    let error = DisplayError(action: "make a texture", reason: "out of video memory")
    display.simulatedTextureError = { $0.size.width > 4 ? error : nil }
    _ = try display.makeTexture(from: bitmap(4, 1) { _, _ in .white })
    #expect(throws: error) { try display.makeTexture(from: bitmap(5, 1) { _, _ in .white }) }
    #expect(display.textureCounts.created == 1)
  }

  @Test("Losing all textures invalidates all identifiers")
  func losing() throws {
    let display = RecordingDisplay()
    let names = try (1...5).map { width in try display.makeTexture(from: bitmap(width, 1) { _, _ in .white }) }
    display.loseTextures()
    #expect(names.allSatisfy { display.bitmap(of: $0) == nil })
    #expect(display.textureBytes == 0 && display.textureCounts.live == 0)
  }

  @Test("The pixel size follows the scale, and a display without pixels cannot be read")
  func resizing() {
    let display = RecordingDisplay(size: Size(width: 100, height: 50), scale: DisplayScale(pixelsPerPoint: 1.5))
    #expect(display.info.pixelSize == PixelRect(x: 0, y: 0, width: 150, height: 75))
    #expect(throws: DisplayError.self) { try display.readPixels() }
    display.resize(to: .zero)
    display.draw(DisplayList(), background: .black)
    #expect(throws: DisplayError.self) { try display.readPixels() }
  }

  @Test("The null display counts frames and textures, and returns unique identifiers")
  func nullDisplay() throws {
    let display = NullDisplay()
    let picture = try bitmap(3, 3) { _, _ in .white }
    let first = try display.makeTexture(from: picture)
    let second = try display.makeTexture(from: picture)
    #expect(display.textureBytes == 72 && first != second)
    display.releaseTexture(first)
    display.releaseTexture(first)
    #expect(display.textureBytes == 36)
    let list = DisplayList()
    list.append(.fill(.zero, .white))
    display.draw(list, background: .black)
    display.present()
    #expect(display.drawnFrames == 1 && display.drawnCommands == 1 && display.presentedFrames == 1)
    #expect(throws: DisplayError.self) { try display.readPixels() }
  }
}
