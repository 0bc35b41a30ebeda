import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("A frame's number can be read from its pixels")
struct FrameStripeTests {
  /// The black and white of a frame, of fills alone, back to front.
  private static func pixels(_ commands: [DrawCommand], width: Int, height: Int) -> [[Bool?]] {
    var rows = [[Bool?]](repeating: [Bool?](repeating: nil, count: width), count: height)
    for command in commands where command.kind == .fill {
      let area = command.destination
      for y in max(0, Int(area.y))..<max(0, min(height, Int(area.maxY))) {
        for x in max(0, Int(area.x))..<max(0, min(width, Int(area.maxX))) {
          rows[y][x] = command.color == .white ? true : command.color == Color(hex: 0x000000) ? false : nil
        }
      }
    }
    return rows
  }

  /// The number in a row of pixels.
  private static func number(_ row: [Bool?], cell: Int) -> Int? {
    var cells: UInt32 = 0
    for place in 0..<FrameNumberStripe.cellCount {
      guard let isWhite = row[place * cell + cell / 2] else { return nil }
      cells = cells << 1 | (isWhite ? 1 : 0)
    }
    return FrameNumberStripe(cells: cells).number
  }

  @Test("Every number is read as itself, and after the last the first comes again")
  func numbers() {
    #expect((0..<FrameNumberStripe.numberCount).allSatisfy { FrameNumberStripe(number: $0).number == $0 })
    #expect(FrameNumberStripe(number: FrameNumberStripe.numberCount + 5).number == 5)
    // Written out: 10, sixteen bits, 1 ^ 2 ^ 3 ^ 4 ^ 1010.
    #expect(FrameNumberStripe(number: 0x1234).cells == 0b10_0001_0010_0011_0100_1110)
  }

  @Test("A stripe of which one cell is wrong is none")
  func damaged() {
    for number in [0, 1, 0x8000, 0xFFFF, 0x5A5A] {
      for cell in 0..<FrameNumberStripe.cellCount {
        #expect(FrameNumberStripe(cells: FrameNumberStripe(number: number).cells ^ 1 << UInt32(cell)).number == nil)
      }
    }
    #expect(FrameNumberStripe(cells: 0).number == nil && FrameNumberStripe(cells: (1 << 22) - 1).number == nil)
  }

  @Test("Each frame shows its own number at the top and at the bottom, also in another extent", arguments: [1.0, 2.0])
  func drawn(scale: Double) throws {
    let root = HostRootView(View())
    let stage = WindowHarness(
      root: root, size: Size(width: 240, height: 100), scale: DisplayScale(pixelsPerPoint: scale))
    root.showFrameNumbers(of: stage.loop)
    stage.run(frames: 20)
    stage.resize(to: Size(width: 300, height: 60))
    stage.run(frames: 20)
    let factor = Int(scale)
    #expect(stage.display.frames.count == 40)
    for (number, frame) in stage.display.frames.enumerated() {
      // The new extent is there with the frame that takes it in.
      let (width, height) = number < 20 ? (240, 100) : (300, 60)
      let rows = Self.pixels(frame.commands, width: width * factor, height: height * factor)
      #expect(Self.number(rows[4 * factor], cell: 8 * factor) == number)
      #expect(Self.number(rows[(height - 4) * factor], cell: 8 * factor) == number, "frame \(number)")
    }
  }

  @Test("Nothing of it is drawn unless asked for, it takes no input, and it asks for no frame")
  func off() {
    let root = HostRootView(View())
    let stage = WindowHarness(root: root, size: Size(width: 240, height: 100))
    stage.run(frames: 2)
    #expect(stage.lastFrameCommands.isEmpty)
    root.showFrameNumbers(of: stage.loop)
    root.showFrameNumbers(of: stage.loop)
    stage.runUntilIdle()
    #expect(root.subviews.count { $0 is FrameNumberStripeView } == 1)
    #expect(!(root.hitTest(Point(x: 4, y: 4)) is FrameNumberStripeView))
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 20_000)
    #expect(stage.display.presentedFrames == frames)
  }
}
