import Geometry
import Rendering
import Testing

@Suite("The reference painter means what display lists mean")
@MainActor
struct ReferencePainterTests {
  private let display = RecordingDisplay(size: Size(width: 8, height: 6))

  private func painted(_ commands: [DrawCommand], background: Color = .black) throws -> Bitmap {
    let list = DisplayList()
    commands.forEach(list.append)
    display.draw(list, background: background)
    return try display.readPixels()
  }

  @Test("Fills are half open")
  func fillsAreHalfOpen() throws {
    let picture = try painted([.fill(PixelRect(x: 2, y: 1, width: 3, height: 2), .white)])
    for y in 0..<6 {
      for x in 0..<8 {
        let isInside = (2..<5).contains(x) && (1..<3).contains(y)
        #expect(picture.color(x, y) == (isInside ? .white : .black))
      }
    }
  }

  @Test("Blending mixes and copying replaces")
  func blending() throws {
    let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
    var command = DrawCommand.fill(PixelRect(x: 0, y: 0, width: 1, height: 1), half)
    let blended = try painted([command], background: Color(hex: 0x0000FF)).color(0, 0)
    command.isBlended = false
    let copied = try painted([command], background: Color(hex: 0x0000FF)).color(0, 0)
    #expect(blended == Color(red: 128, green: 0, blue: 127))
    #expect(copied == Color(red: 255, green: 0, blue: 0))
  }

  @Test("A clip holds until the next and is lifted by its end")
  func clips() throws {
    let all = PixelRect(x: -5, y: -5, width: 100, height: 100)
    let picture = try painted([
      DrawCommand(kind: .clip, destination: PixelRect(x: 0, y: 0, width: 2, height: 6)), .fill(all, .white),
      DrawCommand(kind: .clip, destination: PixelRect(x: 6, y: 0, width: 9, height: 1)), .fill(all, .white),
      DrawCommand(kind: .endClip), .fill(PixelRect(x: 7, y: 5, width: 1, height: 1), Color(hex: 0x00FF00)),
    ])
    #expect(picture.color(1, 5) == .white && picture.color(2, 5) == .black)
    #expect(picture.color(6, 0) == .white && picture.color(6, 1) == .black)
    #expect(picture.color(7, 5) == Color(hex: 0x00FF00))
  }

  @Test("Copies take the source's part, stretched and tinted")
  func copies() throws {
    let picture = try bitmap(4, 2) { x, y in Color(red: UInt8(x * 50), green: UInt8(y * 100), blue: 255) }
    let name = try display.makeTexture(from: picture)
    let result = try painted([
      DrawCommand(
        kind: .texture, texture: name, color: Color(red: 255, green: 255, blue: 0),
        destination: PixelRect(x: 0, y: 0, width: 4, height: 4), source: PixelRect(x: 2, y: 0, width: 2, height: 2))
    ])
    #expect(result.color(0, 0) == Color(red: 100, green: 0, blue: 0))
    #expect(result.color(3, 3) == Color(red: 150, green: 100, blue: 0))
    #expect(result.color(4, 4) == .black)
  }

  @Test("A source outside its bitmap draws only what there is")
  func sourceOutside() throws {
    let name = try display.makeTexture(from: bitmap(2, 2) { _, _ in .white })
    let whole = PixelRect(x: 0, y: 0, width: 8, height: 6)
    let source = PixelRect(x: -3, y: 0, width: 8, height: 6)
    let result = try painted([DrawCommand(kind: .texture, texture: name, destination: whole, source: source)])
    #expect(result.color(2, 0) == .black && result.color(3, 1) == .white && result.color(5, 0) == .black)
  }
}
