import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@Suite("Moving pixels and redrawing parts gives the same frame as a full redraw")
struct FrameComparisonTests {
  private let output = PixelRect(x: 0, y: 0, width: 96, height: 72)

  /// Returns a scene with the given number of images, and the painter of its frames.
  private func paintedScene(
    of count: Int, using random: inout SeededGenerator
  ) throws -> (scene: RandomScene, painter: IncrementalPainter) {
    let bitmaps = try pictures(count, using: &random)
    let names = bitmaps.keys.sorted { $0.rawValue < $1.rawValue }
    let scene = RandomScene(
      output: output,
      pictures: try names.map { .init(name: $0, size: try #require(bitmaps[$0]).size) }, using: &random)
    return (scene, try IncrementalPainter(output: output, bitmaps: bitmaps))
  }

  private func pictures(_ count: Int, using random: inout SeededGenerator) throws -> [TextureID: Bitmap] {
    var allocator = TextureIDAllocator()
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
      guard let name = allocator.makeID() else { continue }
      bitmaps[name] = picture
    }
    return bitmaps
  }

  @Test("Any sequence of scenes is painted exactly, byte for byte", arguments: TestScale.seeds(UInt64(1)...80))
  func anyScenes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (scene, painter) = try paintedScene(of: 8, using: &random)
    for frame in 0..<25 {
      let isEqual = painter.paintNextFrame(scene.commands, background: scene.background)
      #expect(isEqual, "frame \(frame): \(painter.change), \(painter.damage)")
      guard isEqual else { return }
      scene.advance(using: &random)
    }
  }

  @Test("Many frames are moved, and many are redrawn in parts without a move")
  func movesAndPartialRedraws() throws {
    var (moved, parts, whole) = (0, 0, 0)
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (scene, painter) = try paintedScene(of: 12, using: &random)
      for _ in 0..<20 {
        #expect(painter.paintNextFrame(scene.commands, background: scene.background))
        switch painter.change {
        case .whole: whole += 1
        case .parts(nil): parts += 1
        case .parts: moved += 1
        }
        scene.advance(using: &random)
      }
    }
    #expect(moved > 100 && parts > 50, "moved \(moved), parts \(parts), whole \(whole)")
  }

  // MARK: - Pages as a collection view draws them

  /// Returns the commands for rows of cells over a background, under a clip, with a fixed header and a scroll thumb
  /// that moves independently.
  private func page(_ names: [TextureID], offset: Int32, hasHeader: Bool = true) -> [DrawCommand] {
    var commands: [DrawCommand] = [
      .fill(output, Color(hex: 0x181818)),
      DrawCommand(kind: .clip, destination: PixelRect(x: 0, y: 6, width: 96, height: 66)),
    ]
    for index in names.indices {
      let (row, column) = (Int32(index / 4), Int32(index % 4))
      let y = 6 + row * 20 - offset
      guard y < 72, y + 18 > 6 else { continue }
      let cell = PixelRect(x: column * 24, y: y, width: 20, height: 18)
      commands.append(.fill(cell, Color(hex: 0x303030)))
      commands.append(
        DrawCommand(
          kind: .texture, texture: names[index], destination: PixelRect(x: cell.x, y: y, width: 20, height: 15),
          source: PixelRect(x: 0, y: 0, width: 20, height: 15)))
    }
    if hasHeader {
      commands.append(.fill(PixelRect(x: 92, y: 6 + offset / 5, width: 3, height: 9), .white.opacity(0.4)))
    }
    commands.append(DrawCommand(kind: .endClip))
    if hasHeader { commands.append(.fill(PixelRect(x: 0, y: 0, width: 96, height: 6), Color(hex: 0x00_40_80))) }
    return commands
  }

  private func makeTextures(_ count: Int) throws -> (names: [TextureID], bitmaps: [TextureID: Bitmap]) {
    var random = SeededGenerator(seed: 7)
    var allocator = TextureIDAllocator()
    var bitmaps: [TextureID: Bitmap] = [:]
    let names = (0..<count).compactMap { _ in allocator.makeID() }
    for name in names {
      bitmaps[name] = try bitmap(20, 15) { _, _ in Color(hex: .random(in: 0...0xFF_FFFF, using: &random)) }
    }
    return (names, bitmaps)
  }

  @Test(
    "A steady scroll moves pixels and draws little more than the new rows",
    arguments: [1, 3, -2, 7] as [Int32])
  func steadyScroll(step: Int32) throws {
    let (names, bitmaps) = try makeTextures(200)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    for frame in 0..<60 {
      let offset = 420 + Int32(frame) * step
      #expect(painter.paintNextFrame(page(names, offset: offset)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = painter.change else {
        Issue.record("frame \(frame) of step \(step) is \(painter.change)")
        return
      }
      #expect(move.x == 0 && move.y == -step)
      // The new strip, and the thumb at its frame and at the position to which the old one was moved.
      #expect(painter.damagedArea <= 96 * Int(abs(step)) + 2 * 3 * (9 + Int(abs(step)) + 2))
    }
  }

  @Test("Images that are replaced while the content scrolls are redrawn in parts, however many they are")
  func replacedWhileScrolling() {
    var allocator = TextureIDAllocator()
    let names = (0..<3_200).compactMap { _ in allocator.makeID() }
    let output = PixelRect(x: 0, y: 0, width: 1_600, height: 1_200)
    /// Returns forty cells in each of forty rows, of which three hundred show another image from the second frame on.
    func list(_ frame: Int32) -> DisplayList {
      let list = DisplayList()
      list.append(DrawCommand(kind: .clip, destination: output))
      for index in 0..<1_600 as Range<Int32> {
        let name = frame > 0 && (600..<900).contains(index) ? names[1_600 + Int(index)] : names[Int(index)]
        list.append(
          DrawCommand(
            kind: .texture, texture: name,
            destination: PixelRect(x: index % 40 * 40, y: index / 40 * 40 - frame * 3, width: 20, height: 20),
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

  @Test("Moving content moves the whole area of its clip")
  func margins() throws {
    let (names, bitmaps) = try makeTextures(80)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    let column = { (offset: Int32) -> [DrawCommand] in
      names.indices.map { index in
        DrawCommand(
          kind: .texture, texture: names[index],
          destination: PixelRect(x: 37, y: Int32(index) * 18 - offset, width: 20, height: 15),
          source: PixelRect(x: 0, y: 0, width: 20, height: 15))
      }
    }
    for frame in 0..<40 as Range<Int32> {
      #expect(painter.paintNextFrame(column(300 + frame * 4)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = painter.change else {
        Issue.record("frame \(frame) is \(painter.change)")
        return
      }
      #expect(move.region == output && move.target == PixelRect(x: 0, y: 0, width: 96, height: 68))
      #expect(painter.damage == [PixelRect(x: 0, y: 68, width: 96, height: 4)])
    }
  }

  @Test("Content with separate clips moves with the rest")
  func separateClips() throws {
    let (names, bitmaps) = try makeTextures(80)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    let columns = { (offset: Int32) -> [DrawCommand] in
      let pictures = { (x: Int32, first: Int) in
        (0..<40).map { index in
          DrawCommand(
            kind: .texture, texture: names[first + index],
            destination: PixelRect(x: x, y: Int32(index) * 18 - offset, width: 20, height: 15),
            source: PixelRect(x: 0, y: 0, width: 20, height: 15))
        }
      }
      return pictures(37, 0)
        + pictures(70, 40).flatMap {
          [DrawCommand(kind: .clip, destination: $0.destination), $0, DrawCommand(kind: .endClip)]
        }
    }
    for frame in 0..<40 as Range<Int32> {
      #expect(painter.paintNextFrame(columns(300 + frame * 4)))
      guard frame > 0 else { continue }
      guard case .parts(let move?) = painter.change else {
        Issue.record("frame \(frame) is \(painter.change)")
        return
      }
      #expect(move.region == output)
    }
  }

  @Test("An unchanged frame redraws nothing, and a local change redraws only its area")
  func smallChanges() throws {
    let (names, bitmaps) = try makeTextures(24)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    #expect(painter.paintNextFrame(page(names, offset: 10)))
    #expect(painter.change == .whole)
    #expect(painter.paintNextFrame(page(names, offset: 10)))
    #expect(painter.change == .parts(nil) && painter.damage.isEmpty)
    var changed = page(names, offset: 10)
    changed.append(.fill(PixelRect(x: 30, y: 30, width: 4, height: 5), .white))
    #expect(painter.paintNextFrame(changed))
    #expect(painter.change == .parts(nil) && painter.damage == [PixelRect(x: 30, y: 30, width: 4, height: 5)])
    #expect(painter.paintNextFrame(page(names, offset: 10)))
    #expect(painter.change == .parts(nil) && painter.damage == [PixelRect(x: 30, y: 30, width: 4, height: 5)])
  }

  @Test("Another size or background color, and lost pixels, redraw the whole frame")
  func wholeFrames() throws {
    let (names, bitmaps) = try makeTextures(24)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    #expect(painter.paintNextFrame(page(names, offset: 0)))
    #expect(painter.paintNextFrame(page(names, offset: 0), background: .white) && painter.change == .whole)
    painter.invalidate()
    #expect(painter.paintNextFrame(page(names, offset: 0), background: .white) && painter.change == .whole)
    let comparison = FrameComparison()
    let list = DisplayList()
    let small = PixelRect(x: 0, y: 0, width: 10, height: 10)
    #expect(comparison.compare(list, background: .black, output: output) == .whole)
    #expect(comparison.compare(list, background: .black, output: small) == .whole)
    #expect(comparison.compare(list, background: .black, output: small) == .parts(nil))
    #expect(comparison.compare(list, background: .black, output: .zero) == .whole)
  }

  @Test("A copy that is scaled is redrawn with all of its visible part, or not at all")
  func scaledCopies() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (scene, painter) = try paintedScene(of: 6, using: &random)
      for _ in 0..<20 {
        #expect(painter.paintNextFrame(scene.commands, background: scene.background))
        var clips = [output]
        for command in scene.commands {
          let clip = clips[clips.count - 1]
          switch command.kind {
          case .clip, .beginLayer: clips.append(clip.intersection(command.destination))
          case .endClip, .endLayer: clips.removeLast()
          case .fill, .texture: break
          }
          guard command.kind == .texture, command.source.width != command.destination.width else { continue }
          let visible = clip.intersection(command.destination)
          for part in painter.damage {
            let shared = part.intersection(visible)
            #expect(shared.isEmpty || shared == visible)
          }
        }
        scene.advance(using: &random)
      }
    }
  }

  @Test("A jump redraws the whole frame, for any number of items")
  func jumps() throws {
    let (names, bitmaps) = try makeTextures(400)
    let painter = try IncrementalPainter(output: output, bitmaps: bitmaps)
    #expect(painter.paintNextFrame(page(names, offset: 0)))
    #expect(painter.paintNextFrame(page(names, offset: 1_500)) && painter.change == .whole)
  }
}

// MARK: - Pixel moves

@Suite("Pixels move as if all were read before any is written")
struct PixelMoveTests {
  @Test(
    "A move within a region changes only the pixels to which a pixel moves",
    arguments: 1...200 as ClosedRange<UInt64>)
  func moves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (17, 13)
    let left = Int32.random(in: 0...10, using: &random)
    let top = Int32.random(in: 0...8, using: &random)
    let region = PixelRect(
      x: left, y: top, width: .random(in: 1...(17 - left), using: &random),
      height: .random(in: 1...(13 - top), using: &random))
    let (x, y) = (Int32.random(in: -9...9, using: &random), Int32.random(in: -9...9, using: &random))
    let before = (0..<UInt32(width * height)).map { $0 }
    var expected = before
    for row in region.y..<region.maxY {
      for column in region.x..<region.maxX {
        let from = (x: column - x, y: row - y)
        guard from.x >= region.x, from.x < region.maxX, from.y >= region.y, from.y < region.maxY else { continue }
        expected[Int(row) * width + Int(column)] = before[Int(from.y) * width + Int(from.x)]
      }
    }
    var moved = before
    let move = PixelMove(within: region, byX: x, y: y)
    moved.withUnsafeMutableBytes { pixels in
      if let start = pixels.baseAddress { move?.movePixels(in: start, bytesPerRow: width * 4) }
    }
    #expect(moved == expected)
    #expect((move == nil) == (abs(x) >= region.width || abs(y) >= region.height))
  }
}

// MARK: - Incremental painter

/// A painter that paints each frame twice with the reference painter, from scratch and from the previous frame.
private final class IncrementalPainter {
  /// The change of the last frame.
  private(set) var change = FrameChange.whole
  /// The rectangles that were redrawn in the last frame.
  private(set) var damage: [PixelRect] = []

  private let output: PixelRect
  private let size: PixelSize
  private let comparison = FrameComparison()
  private let bitmaps: [TextureID: Bitmap]
  private var incremental: [UInt32]

  /// Creates a painter for frames of the given output.
  init(output: PixelRect, bitmaps: [TextureID: Bitmap] = [:]) throws {
    self.output = output
    self.bitmaps = bitmaps
    size = try #require(PixelSize(width: Int(output.width), height: Int(output.height)))
    incremental = Array(repeating: 0, count: size.area)
  }

  /// The number of redrawn pixels.
  ///
  /// Those of overlapping rectangles are counted twice.
  var damagedArea: Int { damage.reduce(0) { $0 + Int($1.width) * Int($1.height) } }

  /// Paints the next frame in both ways, and returns whether the results are equal byte for byte.
  func paintNextFrame(_ commands: [DrawCommand], background: Color = .black) -> Bool {
    let list = DisplayList()
    commands.forEach(list.append)
    change = comparison.compare(list, background: background, output: output)
    damage = Array(comparison.damage)
    var whole = incremental
    whole.withUnsafeMutableBytes { pixels in
      ReferencePainter(size: size, pixels: pixels, background: background).paint(commands) { bitmaps[$0] }
    }
    switch change {
    case .whole: incremental = whole
    case .parts(let move):
      incremental.withUnsafeMutableBytes { pixels in
        if let start = pixels.baseAddress { move?.movePixels(in: start, bytesPerRow: size.width * 4) }
        let painter = ReferencePainter(size: size, pixels: pixels)
        for part in damage { painter.repaint(part, background: background, commands) { bitmaps[$0] } }
      }
    }
    return incremental == whole
  }

  /// Invalidates the pixels of the last frame.
  func invalidate() { comparison.invalidate() }
}
