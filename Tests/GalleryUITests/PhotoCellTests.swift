import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("A photo cell shows a placeholder, a picture, or the reason of a failure")
struct PhotoCellTests {
  /// Returns a cell of 200 by 178 points in a window of the same size, with a picture of 200 by 150 above a caption.
  static func makeHarness() -> (WindowHarness, PhotoCell) {
    let cell = PhotoCell()
    cell.frame = Rect(x: 0, y: 0, width: 200, height: 178)
    cell.setName("IMG.JPG", folder: nil)
    let root = View()
    root.addSubview(cell)
    return (WindowHarness(root: root, size: Size(width: 200, height: 178)), cell)
  }

  static func picture(_ width: Int, _ height: Int) throws -> Bitmap {
    let size = try #require(PixelSize(width: width, height: height))
    return try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: 0xFF33_6699)
    }
  }

  /// The frame's commands, with textures identified by their sizes.
  static func commands(of harness: WindowHarness) -> [String] {
    harness.display.frames.last?.commands.map { command in
      guard command.kind == .texture else { return command.description }
      let to = command.destination
      return "\(command.source.width)x\(command.source.height) -> \(to.x),\(to.y) \(to.width)x\(to.height)"
    } ?? []
  }

  static let corners = [
    "8x8 -> 0,0 8x8", "8x8 -> 192,0 8x8", "8x8 -> 0,142 8x8", "8x8 -> 192,142 8x8",
  ]
  static let caption = "42x12 -> 2,158 42x12"

  @Test("A new cell shows a placeholder with round corners, and the name")
  func placeholder() {
    let (harness, cell) = Self.makeHarness()
    harness.runUntilIdle()
    #expect(Self.commands(of: harness) == ["fill 0,0 200x150 #2b2c32ff"] + Self.corners + [Self.caption])
    #expect(cell.isWaiting)
  }

  @Test("A picture of the cell's size is drawn pixel by pixel in the first frame")
  func picture() throws {
    let (harness, cell) = Self.makeHarness()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    #expect(cell.isWaiting)
    harness.run(frames: 1)
    #expect(Self.commands(of: harness) == ["200x150 -> 0,0 200x150"] + Self.corners + [Self.caption])
    #expect(!cell.isWaiting)
  }

  @Test("A picture of the previous size is scaled until the new one is available")
  func otherSize() throws {
    let (harness, cell) = Self.makeHarness()
    cell.content = .picture(try Self.picture(160, 120), isDamaged: false)
    harness.runUntilIdle()
    cell.showPlaceholderIfEmpty()
    harness.runUntilIdle()
    #expect(Self.commands(of: harness).first == "160x120 -> 0,0 200x150")
    #expect(!cell.isWaiting)
  }

  @Test("A broken picture shows the icon and the reason, and a placeholder after it shows neither")
  func broken() {
    let (harness, cell) = Self.makeHarness()
    cell.content = .broken("empty file")
    harness.runUntilIdle()
    #expect(
      Self.commands(of: harness) == ["fill 0,0 200x150 #2b2c32ff"] + Self.corners + [
        Self.caption, "40x40 -> 80,41 40x40", "60x12 -> 70,93 60x12",
      ])
    #expect(harness.drawnTexts(["empty file"], in: Theme.reasonStyle).count == 1)
    #expect(!cell.isWaiting)
    cell.content = .broken("not a picture")
    harness.runUntilIdle()
    #expect(
      harness.drawnTexts(["empty file", "not a picture"], in: Theme.reasonStyle).map(\.text) == ["not a picture"])
    cell.showPlaceholderIfEmpty()
    harness.runUntilIdle()
    #expect(Self.commands(of: harness) == ["fill 0,0 200x150 #2b2c32ff"] + Self.corners + [Self.caption])
    #expect(cell.isWaiting)
  }

  @Test("A partially decoded picture has a badge, and a complete one after it has none")
  func damaged() throws {
    let (harness, cell) = Self.makeHarness()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: true)
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["damaged"], in: Theme.badgeStyle).map(\.text) == ["damaged"])
    #expect(!cell.isWaiting)
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["damaged"], in: Theme.badgeStyle).isEmpty)
  }

  @Test("A cell that enters the reuse pool releases its picture")
  func reusePool() throws {
    let (harness, cell) = Self.makeHarness()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    harness.runUntilIdle()
    cell.willEnterReusePool()
    harness.runUntilIdle()
    #expect(Self.commands(of: harness).first == "fill 0,0 200x150 #2b2c32ff")
    #expect(cell.isWaiting)
    harness.resources.textures.idleByteLimit = 0
    harness.run(frames: 2)
    #expect(harness.display.textureCounts.released == 1)
  }

  @Test("A long name is truncated in the middle and keeps its extension")
  func caption() {
    let (harness, cell) = Self.makeHarness()
    let name = "A very long name of a photograph from the summer of a year.jpeg"
    cell.setName(name, folder: nil)
    harness.runUntilIdle()
    let cut = LineBreakMode.byTruncatingMiddle.truncatedText(name, width: 196) { $0.count * 6 }
    #expect(cut.hasSuffix(".jpeg") && cut.hasPrefix("A very") && cut.count <= 32)
    let lines = harness.drawnTexts([cut], in: Theme.captionStyle)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.frame.x == 2 && $0.frame.maxX <= 198 })
  }

  @Test("Nothing is drawn outside the bounds, for any cell size", arguments: [0.0, 3, 20, 40, 90])
  func small(side: Double) {
    let (harness, cell) = Self.makeHarness()
    cell.frame = Rect(x: 0, y: 0, width: side, height: side)
    cell.content = .broken("not a picture")
    harness.runUntilIdle()
    for command in harness.display.frames.last?.commands ?? [] where command.kind == .fill {
      #expect(command.destination.maxX <= Int32(side) && command.destination.maxY <= Int32(side))
    }
  }

  @Test(
    "In a narrow or low cell, the icon is centered without a text, and stays within the bounds",
    arguments: [(16.0, 150.0), (60, 60), (95, 200), (300, 20)])
  func narrow(width: Double, height: Double) {
    let (harness, cell) = Self.makeHarness()
    cell.showsCaption = false
    cell.frame = Rect(x: 0, y: 0, width: width, height: height)
    cell.cornerRadius = 0
    cell.content = .broken("not a picture")
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["not a picture"], in: Theme.reasonStyle).isEmpty)
    let icons = (harness.display.frames.last?.commands ?? []).filter { $0.kind == .texture }.map(\.destination)
    #expect(icons.count == 1)
    for icon in icons {
      #expect(icon.x >= 0 && icon.maxX <= Int32(width) && icon.y >= 0 && icon.maxY <= Int32(height))
      #expect(abs(Double(icon.x + icon.maxX) - width) <= 1 && abs(Double(icon.y + icon.maxY) - height) <= 1)
    }
  }

  @Test("A picture that is smaller than the badge has none", arguments: [(91.0, 150.0), (92, 36), (92, 35)])
  func smallDamaged(width: Double, height: Double) throws {
    let (harness, cell) = Self.makeHarness()
    cell.showsCaption = false
    cell.frame = Rect(x: 0, y: 0, width: width, height: height)
    cell.content = .picture(try Self.picture(Int(width), Int(height)), isDamaged: true)
    harness.runUntilIdle()
    let fits = width >= 92 && height >= 36
    #expect(harness.drawnTexts(["damaged"], in: Theme.badgeStyle).count == (fits ? 1 : 0))
    cell.frame = Rect(x: 0, y: 0, width: 200, height: 150)
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["damaged"], in: Theme.badgeStyle).count == 1, "there is room again")
  }
}
