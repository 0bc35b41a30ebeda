import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("Display lists keep their order and are moved as a whole")
struct DisplayListTests {
  private func command(_ random: inout SeededGenerator) -> DrawCommand {
    let rect = PixelRect(
      x: .random(in: -500...500, using: &random), y: .random(in: -500...500, using: &random),
      width: .random(in: 0...500, using: &random), height: .random(in: 0...500, using: &random))
    return .fill(rect, Color(packed: .random(in: 0...(.max), using: &random)))
  }

  @Test("A list behaves like an array", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = DisplayList(capacity: 1)
    var model: [DrawCommand] = []
    for _ in 0..<300 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        list.removeAll()
        model.removeAll()
      case 1:
        let length = Int.random(in: -3...(model.count + 3), using: &random)
        list.truncate(to: length)
        model = Array(model.prefix(max(0, length)))
      case 2, 3:
        let other = DisplayList()
        let added = (0..<Int.random(in: 0...60, using: &random)).map { _ in command(&random) }
        added.forEach(other.append)
        list.append(other, movedByX: 3, y: -7)
        model += added.map {
          var moved = $0
          moved.destination.x += 3
          moved.destination.y -= 7
          return moved
        }
      default:
        let added = command(&random)
        list.append(added)
        model.append(added)
      }
      #expect(list.count == model.count)
    }
    #expect(Array(list.commands) == model)
  }

  @Test("A list may be appended to itself")
  func appendsItself() {
    let list = DisplayList(capacity: 16)
    for index in 0..<16 { list.append(.fill(PixelRect(x: Int32(index), y: 0, width: 1, height: 1), .white)) }
    list.append(list, movedByX: 100, y: 0)
    #expect(list.commands.map(\.destination.x) == Array(0..<16) + Array(100..<116))
  }

  @Test("Filling with a translucent color blends, and filling with an opaque color copies")
  func fillsBlendWhenNeeded() {
    #expect(!DrawCommand.fill(.zero, .white).isBlended)
    #expect(DrawCommand.fill(.zero, Color.white.opacity(0.5)).isBlended)
  }

  @Test("A list has a readable description")
  func isReadable() {
    let list = DisplayList()
    let part = PixelRect(x: 1, y: 2, width: 3, height: 4)
    list.append(DrawCommand(kind: .clip, destination: part))
    list.append(.fill(part, Color(hex: 0x00FF0A, alpha: 8)))
    list.append(
      DrawCommand(
        kind: .texture, texture: TextureID(slot: 5, generation: 2), color: .black, destination: part, source: .zero))
    list.append(DrawCommand(kind: .endClip))
    #expect(
      list.description == """
        clip 1,2 3x4
        fill 1,2 3x4 #00ff0a08 blended
        texture 5.2 0,0 0x0 -> 1,2 3x4 tint #000000ff
        endClip
        """)
  }
}

@Suite("The reference painter paints display lists as specified")
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

  @Test("Blending mixes, and copying replaces")
  func blending() throws {
    let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
    var command = DrawCommand.fill(PixelRect(x: 0, y: 0, width: 1, height: 1), half)
    let blended = try painted([command], background: Color(hex: 0x0000FF)).color(0, 0)
    command.isBlended = false
    let copied = try painted([command], background: Color(hex: 0x0000FF)).color(0, 0)
    #expect(blended == Color(red: 128, green: 0, blue: 127))
    #expect(copied == Color(red: 255, green: 0, blue: 0))
  }

  @Test("A clip applies until its end")
  func clips() throws {
    let all = PixelRect(x: -5, y: -5, width: 100, height: 100)
    let picture = try painted([
      DrawCommand(kind: .clip, destination: PixelRect(x: 0, y: 0, width: 2, height: 6)), .fill(all, .white),
      DrawCommand(kind: .endClip),
      DrawCommand(kind: .clip, destination: PixelRect(x: 6, y: 0, width: 9, height: 1)), .fill(all, .white),
      DrawCommand(kind: .endClip), .fill(PixelRect(x: 7, y: 5, width: 1, height: 1), Color(hex: 0x00FF00)),
    ])
    #expect(picture.color(1, 5) == .white && picture.color(2, 5) == .black)
    #expect(picture.color(6, 0) == .white && picture.color(6, 1) == .black)
    #expect(picture.color(7, 5) == Color(hex: 0x00FF00))
  }

  @Test("Copies use a part of the source, scaled and tinted")
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

  @Test("A source outside its bitmap draws only the part that exists")
  func sourceOutside() throws {
    let name = try display.makeTexture(from: bitmap(2, 2) { _, _ in .white })
    let whole = PixelRect(x: 0, y: 0, width: 8, height: 6)
    let source = PixelRect(x: -3, y: 0, width: 8, height: 6)
    let result = try painted([DrawCommand(kind: .texture, texture: name, destination: whole, source: source)])
    #expect(result.color(2, 0) == .black && result.color(3, 1) == .white && result.color(5, 0) == .black)
  }
}
