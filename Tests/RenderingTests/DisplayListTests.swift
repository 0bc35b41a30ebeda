import Geometry
import Rendering
import TestSupport
import Testing

@Suite("Display lists keep order and move as one")
struct DisplayListTests {
  private func command(_ random: inout SeededGenerator) -> DrawCommand {
    let rect = PixelRect(
      x: .random(in: -500...500, using: &random), y: .random(in: -500...500, using: &random),
      width: .random(in: 0...500, using: &random), height: .random(in: 0...500, using: &random))
    return .fill(rect, Color(packed: .random(in: 0...(.max), using: &random)))
  }

  @Test("A list behaves as an array would", arguments: 1...20 as ClosedRange<UInt64>)
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

  @Test("Filling with a colour that lets through blends, with another copies")
  func fillsBlendWhenNeeded() {
    #expect(!DrawCommand.fill(.zero, .white).isBlended)
    #expect(DrawCommand.fill(.zero, Color.white.opacity(0.5)).isBlended)
  }

  @Test("A list can be read")
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
