import Geometry
import Rendering
import TestSupport
import Testing

@Suite("What is moved and drawn in parts is the frame as drawn whole")
struct FrameComparisonTests {
  private let output = PixelRect(x: 0, y: 0, width: 96, height: 72)

  /// A scene of so many pictures, and what paints its frames.
  private func paintedScene(
    of count: Int, using random: inout SeededGenerator
  ) throws -> (scene: RandomScene, frames: PaintedFrames) {
    let bitmaps = try pictures(count, using: &random)
    let names = bitmaps.keys.sorted { $0.rawValue < $1.rawValue }
    let scene = RandomScene(
      output: output,
      pictures: try names.map { .init(name: $0, size: try #require(bitmaps[$0]).size) }, using: &random)
    return (scene, try PaintedFrames(output: output, bitmaps: bitmaps))
  }

  private func pictures(_ count: Int, using random: inout SeededGenerator) throws -> [TextureID: Bitmap] {
    var names = TextureIDAllocator()
    var bitmaps: [TextureID: Bitmap] = [:]
    for _ in 0..<count {
      let isOpaque = Bool.random(using: &random)
      let picture = try bitmap(
        .random(in: 1...24, using: &random), .random(in: 1...24, using: &random), isOpaque: isOpaque
      ) { _, _ in
        Color(
          hex: .random(in: 0...0xFF_FFFF, using: &random),
          alpha: isOpaque ? 255 : .random(in: 0...255, using: &random))
      }
      guard let name = names.makeID() else { continue }
      bitmaps[name] = picture
    }
    return bitmaps
  }

  @Test("Any course of scenes is right to the byte", arguments: 1...80 as ClosedRange<UInt64>)
  func anyScenes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (scene, frames) = try paintedScene(of: 8, using: &random)
    for frame in 0..<25 {
      let isRight = frames.next(scene.commands, background: scene.background)
      #expect(isRight, "frame \(frame): \(frames.change), \(frames.damage)")
      guard isRight else { return }
      scene.advance(using: &random)
    }
  }

  @Test("Of many scenes a good part is moved, and a good part drawn in parts without a move")
  func waysAreTaken() throws {
    var (moved, parts, whole) = (0, 0, 0)
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (scene, frames) = try paintedScene(of: 12, using: &random)
      for _ in 0..<20 {
        #expect(frames.next(scene.commands, background: scene.background))
        switch frames.change {
        case .whole: whole += 1
        case .parts(nil): parts += 1
        case .parts: moved += 1
        }
        scene.advance(using: &random)
      }
    }
    #expect(moved > 100 && parts > 50, "moved \(moved), parts \(parts), whole \(whole)")
  }

  // MARK: A page as a collection view draws it

  /// Cells in rows over a floor, under a clip, with a header that stays and a thumb that goes its own way.
  private func page(_ names: [TextureID], offset: Int32, headed: Bool = true) -> [DrawCommand] {
    var commands: [DrawCommand] = [
      .fill(output, Color(hex: 0x181818)),
      DrawCommand(kind: .clip, destination: PixelRect(x: 0, y: 6, width: 96, height: 66)),
    ]
    for place in names.indices {
      let (row, column) = (Int32(place / 4), Int32(place % 4))
      let y = 6 + row * 20 - offset
      guard y < 72, y + 18 > 6 else { continue }
      let cell = PixelRect(x: column * 24, y: y, width: 20, height: 18)
      commands.append(.fill(cell, Color(hex: 0x303030)))
      commands.append(
        DrawCommand(
          kind: .texture, texture: names[place], destination: PixelRect(x: cell.x, y: y, width: 20, height: 15),
          source: PixelRect(x: 0, y: 0, width: 20, height: 15)))
    }
    if headed { commands.append(.fill(PixelRect(x: 92, y: 6 + offset / 5, width: 3, height: 9), .white.opacity(0.4))) }
    commands.append(DrawCommand(kind: .endClip))
    if headed { commands.append(.fill(PixelRect(x: 0, y: 0, width: 96, height: 6), Color(hex: 0x00_40_80))) }
    return commands
  }

  private func stock(_ count: Int) throws -> (names: [TextureID], bitmaps: [TextureID: Bitmap]) {
    var random = SeededGenerator(seed: 7)
    var names = TextureIDAllocator()
    var bitmaps: [TextureID: Bitmap] = [:]
    let made = (0..<count).compactMap { _ in names.makeID() }
    for name in made {
      bitmaps[name] = try bitmap(20, 15) { _, _ in Color(hex: .random(in: 0...0xFF_FFFF, using: &random)) }
    }
    return (made, bitmaps)
  }

  @Test(
    "A steady scroll is moved: little more than the rows that come into view is drawn",
    arguments: [1, 3, -2, 7] as [Int32])
  func steadyScroll(step: Int32) throws {
    let (names, bitmaps) = try stock(200)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    for frame in 0..<60 {
      let offset = 420 + Int32(frame) * step
      #expect(frames.next(page(names, offset: offset)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = frames.change else {
        Issue.record("frame \(frame) of step \(step) is \(frames.change)")
        return
      }
      #expect(move.x == 0 && move.y == -step)
      // The strip, and the thumb at its place and where it was moved to.
      #expect(frames.damagedArea <= 96 * Int(abs(step)) + 2 * 3 * (9 + Int(abs(step)) + 2))
    }
  }

  @Test("Pictures that take the place of others while the content scrolls are drawn in parts, however many they are")
  func replacedWhileScrolling() {
    var made = TextureIDAllocator()
    let names = (0..<3_200).compactMap { _ in made.makeID() }
    let output = PixelRect(x: 0, y: 0, width: 1_600, height: 1_200)
    /// Forty cells in each of forty rows, of which three hundred show another picture from the second frame on.
    func list(_ frame: Int32) -> DisplayList {
      let list = DisplayList()
      list.append(DrawCommand(kind: .clip, destination: output))
      for place in 0..<1_600 as Range<Int32> {
        let name = frame > 0 && (600..<900).contains(place) ? names[1_600 + Int(place)] : names[Int(place)]
        list.append(
          DrawCommand(
            kind: .texture, texture: name,
            destination: PixelRect(x: place % 40 * 40, y: place / 40 * 40 - frame * 3, width: 20, height: 20),
            source: PixelRect(x: 0, y: 0, width: 20, height: 20)))
      }
      list.append(DrawCommand(kind: .endClip))
      return list
    }
    let comparison = FrameComparison()
    #expect(comparison.compare(list(0), background: .black, output: output) == .whole)
    guard case .parts(let move?) = comparison.compare(list(1), background: .black, output: output) else {
      Issue.record("The second frame is not moved.")
      return
    }
    #expect(move.y == -3)
  }

  @Test("Content that moves takes all of its clip along")
  func margins() throws {
    let (names, bitmaps) = try stock(80)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    let column = { (offset: Int32) -> [DrawCommand] in
      names.indices.map { place in
        DrawCommand(
          kind: .texture, texture: names[place],
          destination: PixelRect(x: 37, y: Int32(place) * 18 - offset, width: 20, height: 15),
          source: PixelRect(x: 0, y: 0, width: 20, height: 15))
      }
    }
    for frame in 0..<40 as Range<Int32> {
      #expect(frames.next(column(300 + frame * 4)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = frames.change else {
        Issue.record("frame \(frame) is \(frames.change)")
        return
      }
      #expect(move.region == output && move.target == PixelRect(x: 0, y: 0, width: 96, height: 68))
      #expect(frames.damage == [PixelRect(x: 0, y: 68, width: 96, height: 4)])
    }
  }

  @Test("What moves under a clip of its own moves with the rest")
  func ownClips() throws {
    let (names, bitmaps) = try stock(80)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    let columns = { (offset: Int32) -> [DrawCommand] in
      let pictures = { (x: Int32, first: Int) in
        (0..<40).map { place in
          DrawCommand(
            kind: .texture, texture: names[first + place],
            destination: PixelRect(x: x, y: Int32(place) * 18 - offset, width: 20, height: 15),
            source: PixelRect(x: 0, y: 0, width: 20, height: 15))
        }
      }
      return pictures(37, 0)
        + pictures(70, 40).flatMap {
          [DrawCommand(kind: .clip, destination: $0.destination), $0, DrawCommand(kind: .endClip)]
        }
    }
    for frame in 0..<40 as Range<Int32> {
      #expect(frames.next(columns(300 + frame * 4)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = frames.change else {
        Issue.record("frame \(frame) is \(frames.change)")
        return
      }
      #expect(move.region == output)
    }
  }

  @Test("The same frame again needs nothing, and a change in one place only that")
  func smallChanges() throws {
    let (names, bitmaps) = try stock(24)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    #expect(frames.next(page(names, offset: 10)))
    #expect(frames.change == .whole)
    #expect(frames.next(page(names, offset: 10)))
    #expect(frames.change == .parts(nil) && frames.damage.isEmpty)
    var changed = page(names, offset: 10)
    changed.append(.fill(PixelRect(x: 30, y: 30, width: 4, height: 5), .white))
    #expect(frames.next(changed))
    #expect(frames.change == .parts(nil) && frames.damage == [PixelRect(x: 30, y: 30, width: 4, height: 5)])
    #expect(frames.next(page(names, offset: 10)))
    #expect(frames.change == .parts(nil) && frames.damage == [PixelRect(x: 30, y: 30, width: 4, height: 5)])
  }

  @Test("Another extent or colour behind, and a loss of the pixels, make a frame whole")
  func wholeFrames() throws {
    let (names, bitmaps) = try stock(24)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    #expect(frames.next(page(names, offset: 0)))
    #expect(frames.next(page(names, offset: 0), background: .white) && frames.change == .whole)
    frames.forget()
    #expect(frames.next(page(names, offset: 0), background: .white) && frames.change == .whole)
    let comparison = FrameComparison()
    let list = DisplayList()
    let small = PixelRect(x: 0, y: 0, width: 10, height: 10)
    #expect(comparison.compare(list, background: .black, output: output) == .whole)
    #expect(comparison.compare(list, background: .black, output: small) == .whole)
    #expect(comparison.compare(list, background: .black, output: small) == .parts(nil))
    #expect(comparison.compare(list, background: .black, output: .zero) == .whole)
  }

  @Test("A copy that is not pixel for pixel is drawn with all that shows of it, or not at all")
  func stretchedCopies() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (scene, frames) = try paintedScene(of: 6, using: &random)
      for _ in 0..<20 {
        #expect(frames.next(scene.commands, background: scene.background))
        var clip = output
        for command in scene.commands {
          if command.kind == .clip { clip = output.intersection(command.destination) }
          if command.kind == .endClip { clip = output }
          guard command.kind == .texture, command.source.width != command.destination.width else { continue }
          let visible = clip.intersection(command.destination)
          for part in frames.damage {
            let shared = part.intersection(visible)
            #expect(shared.isEmpty || shared == visible)
          }
        }
        scene.advance(using: &random)
      }
    }
  }

  @Test("A jump to another place is drawn whole, however many items there are")
  func jumps() throws {
    let (names, bitmaps) = try stock(400)
    let frames = try PaintedFrames(output: output, bitmaps: bitmaps)
    #expect(frames.next(page(names, offset: 0)))
    #expect(frames.next(page(names, offset: 1_500)) && frames.change == .whole)
  }
}
