import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("Clips and layers of display lists")
struct LayerTests {
  private let size = PixelSize(width: 40, height: 30)

  private func painted(_ commands: [DrawCommand], background: Color = .black) throws -> Bitmap {
    let size = try #require(size)
    return try Bitmap(size: size, isOpaque: true) {
      ReferencePainter(size: size, pixels: $0, background: background).paint(commands) { _ in nil }
    }
  }

  private func within(_ layer: (begin: DrawCommand, end: DrawCommand), _ commands: [DrawCommand]) -> [DrawCommand] {
    [layer.begin] + commands + [layer.end]
  }

  @Test("A clip within another one is limited to it, and its end restores the outer one")
  func nestedClips() throws {
    func clip(_ rect: PixelRect) -> DrawCommand { DrawCommand(kind: .clip, destination: rect) }
    let all = PixelRect.at(0, 0, 40, 30)
    let image = try painted([
      clip(.at(5, 5, 10, 10)), clip(.at(10, 0, 30, 30)), .fill(all, Color(hex: 0xFF0000)), DrawCommand(kind: .endClip),
      .fill(.at(0, 5, 40, 2), Color(hex: 0x00FF00)), DrawCommand(kind: .endClip), DrawCommand(kind: .endClip),
      .fill(.at(30, 20, 2, 2), .white),
    ])
    #expect(
      image.color(12, 10) == Color(hex: 0xFF0000) && image.color(9, 10) == .black && image.color(15, 10) == .black)
    #expect(image.color(5, 5) == Color(hex: 0x00FF00) && image.color(4, 5) == .black && image.color(15, 5) == .black)
    #expect(image.color(31, 21) == .white, "more ends than clips")
  }

  @Test("A layer is blended as a whole: what it draws over itself does not show through")
  func opacity() throws {
    let image = try painted(
      within(
        DrawCommand.layer(.at(0, 0, 20, 20), opacity: 128),
        [.fill(.at(0, 0, 20, 20), Color(hex: 0xFF0000)), .fill(.at(5, 5, 30, 5), Color(hex: 0x0000FF))]),
      background: .white)
    #expect(image.color(1, 1) == Color(red: 255, green: 127, blue: 127))
    #expect(image.color(6, 6) == Color(red: 127, green: 127, blue: 255))
    #expect(image.color(20, 6) == .white, "clipped to the layer")
  }

  @Test("An opaque layer has rounded corners over any background")
  func corners() throws {
    let rows = (0..<30).map { DrawCommand.fill(.at(0, $0, 40, 1), Color(hex: 0x080808 * UInt32($0))) }
    let rect = PixelRect.at(4, 3, 30, 24)
    let image = try painted(
      rows + within(DrawCommand.layer(rect, cornerRadius: 8), [.fill(rect, Color(hex: 0xFF0000))]))
    for (x, y) in [(4, 3), (33, 3), (4, 26), (33, 26), (3, 15)] {
      #expect(image.color(x, y) == Color(hex: 0x080808 * UInt32(y)))
    }
    for (x, y) in [(4, 11), (12, 3), (20, 15), (33, 18)] { #expect(image.color(x, y) == Color(hex: 0xFF0000)) }
    #expect((1...254).contains(image.color(6, 5).red) && image.color(6, 5) == image.color(6, 5))
    for x in 4..<12 { #expect(image.color(x, 4).red == image.color(37 - x, 4).red, "symmetric") }
  }

  @Test("A layer within a layer is blended with what that shows")
  func nestedLayers() throws {
    let inner = within(DrawCommand.layer(.at(0, 0, 10, 10), opacity: 51), [.fill(.at(0, 0, 10, 10), .white)])
    let image = try painted(
      within(
        DrawCommand.layer(.at(0, 0, 20, 20), opacity: 128), [.fill(.at(0, 0, 20, 20), Color(hex: 0xFF0000))] + inner))
    #expect(image.color(15, 15) == Color(red: 128, green: 0, blue: 0))
    #expect(image.color(5, 5) == Color(red: 128, green: 26, blue: 26))
  }

  @Test("A layer is scaled with its radius, moved, and faded as a whole")
  func listOperations() {
    let list = DisplayList()
    let layer = DrawCommand.layer(.at(10, 10, 20, 20), opacity: 200, cornerRadius: 4)
    for command in within(layer, [.fill(.at(10, 10, 20, 20), .white)]) { list.append(command) }
    list.scale(from: 0, by: 2, about: Point(x: 10, y: 10))
    #expect(list.commands[0] == DrawCommand.layer(.at(10, 10, 40, 40), opacity: 200, cornerRadius: 8).begin)
    let other = DisplayList()
    other.append(list, movedByX: 5, y: 0, opacity: 128)
    #expect(
      other.description == """
        beginLayer 15,10 40x40 opacity 100 radius 8
        fill 15,10 40x40 #ffffffff
        endLayer 15,10 40x40 opacity 100 radius 8
        """)
    other.transform(from: 0, scaleX: 0.5, y: 1, translationX: 0.5, y: -3)
    #expect(other.commands[1].destination == .at(8, 7, 20, 40))
    #expect(other.commands[2].source.width == 4)
  }
}
