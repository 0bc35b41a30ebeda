import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("A photograph's cell shows a surface, the picture, or why there is none")
struct PhotoCellTests {
  /// A cell of 200 by 178 points on a stage of the same size: a picture of 200 by 150 over a caption.
  static func stage() -> (WindowHarness, PhotoCell) {
    let cell = PhotoCell()
    cell.frame = Rect(x: 0, y: 0, width: 200, height: 178)
    cell.name = "IMG.JPG"
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

  /// The frame's commands with textures called by their size.
  static func dump(_ stage: WindowHarness) -> [String] {
    stage.display.frames.last?.commands.map { command in
      guard command.kind == .texture else { return command.description }
      let to = command.destination
      return "\(command.source.width)x\(command.source.height) -> \(to.x),\(to.y) \(to.width)x\(to.height)"
    } ?? []
  }

  static let corners = [
    "8x8 -> 0,0 8x8", "8x8 -> 192,0 8x8", "8x8 -> 0,142 8x8", "8x8 -> 192,142 8x8",
  ]
  static let caption = "42x12 -> 2,158 42x12"

  @Test("At first a surface with round corners, and the name")
  func placeholder() {
    let (stage, cell) = Self.stage()
    stage.runUntilIdle()
    #expect(Self.dump(stage) == ["fill 0,0 200x150 #1e1f24ff"] + Self.corners + [Self.caption])
    #expect(cell.isWaiting)
  }

  @Test("The picture of the place's size pixel for pixel, in the second frame")
  func picture() throws {
    let (stage, cell) = Self.stage()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    stage.run(frames: 1)
    #expect(cell.isWaiting)
    #expect(Self.dump(stage).first == "fill 0,0 200x150 #1e1f24ff")
    #expect(stage.runUntilIdle() == 1)
    #expect(Self.dump(stage) == ["200x150 -> 0,0 200x150"] + Self.corners + [Self.caption])
    #expect(!cell.isWaiting)
  }

  @Test("A picture of the last size is stretched until the next one is there")
  func otherSize() throws {
    let (stage, cell) = Self.stage()
    cell.content = .picture(try Self.picture(160, 120), isDamaged: false)
    stage.runUntilIdle()
    cell.showPlaceholderIfEmpty()
    stage.runUntilIdle()
    #expect(Self.dump(stage).first == "160x120 -> 0,0 200x150")
    #expect(!cell.isWaiting)
  }

  @Test("A broken one shows the icon and the reason; a placeholder after it shows neither")
  func broken() {
    let (stage, cell) = Self.stage()
    cell.content = .broken("empty file")
    stage.runUntilIdle()
    #expect(
      Self.dump(stage) == ["fill 0,0 200x150 #1a1b1fff"] + Self.corners + [
        Self.caption, "40x40 -> 80,41 40x40", "60x12 -> 70,93 60x12",
      ])
    #expect(stage.drawnTexts(["empty file"], in: Theme.reasonStyle).count == 1)
    #expect(!cell.isWaiting)
    cell.content = .broken("not a picture")
    stage.runUntilIdle()
    #expect(stage.drawnTexts(["empty file", "not a picture"], in: Theme.reasonStyle).map(\.text) == ["not a picture"])
    cell.showPlaceholderIfEmpty()
    stage.runUntilIdle()
    #expect(Self.dump(stage) == ["fill 0,0 200x150 #1e1f24ff"] + Self.corners + [Self.caption])
    #expect(cell.isWaiting)
  }

  @Test("What was saved of a damaged picture says so, and a whole one after it does not")
  func damaged() throws {
    let (stage, cell) = Self.stage()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: true)
    stage.runUntilIdle()
    #expect(stage.drawnTexts(["damaged"], in: Theme.badgeStyle).map(\.text) == ["damaged"])
    #expect(!cell.isWaiting)
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    stage.runUntilIdle()
    #expect(stage.drawnTexts(["damaged"], in: Theme.badgeStyle).isEmpty)
  }

  @Test("What is prepared for reuse lets go of the picture")
  func reuse() throws {
    let (stage, cell) = Self.stage()
    cell.content = .picture(try Self.picture(200, 150), isDamaged: false)
    stage.runUntilIdle()
    cell.prepareForReuse()
    stage.runUntilIdle()
    #expect(Self.dump(stage).first == "fill 0,0 200x150 #1e1f24ff")
    #expect(cell.isWaiting)
    stage.resources.textures.idleByteLimit = 0
    stage.run(frames: 2)
    #expect(stage.display.textureCounts.released == 1)
  }

  @Test("A long name is cut in the middle and keeps its extension")
  func caption() {
    let (stage, cell) = Self.stage()
    let name = "A very long name of a photograph from the summer of a year.jpeg"
    cell.name = name
    stage.runUntilIdle()
    let cut = Truncation.middle.truncatedText(name, width: 196) { $0.count * 6 }
    #expect(cut.hasSuffix(".jpeg") && cut.hasPrefix("A very") && cut.count <= 32)
    let lines = stage.drawnTexts([cut], in: Theme.captionStyle)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.frame.x == 2 && $0.frame.maxX <= 198 })
  }

  @Test("However small the cell, nothing is drawn outside of it", arguments: [0.0, 3, 20, 40, 90])
  func small(side: Double) {
    let (stage, cell) = Self.stage()
    cell.frame = Rect(x: 0, y: 0, width: side, height: side)
    cell.content = .broken("not a picture")
    stage.runUntilIdle()
    for command in stage.display.frames.last?.commands ?? [] where command.kind == .fill {
      #expect(command.destination.maxX <= Int32(side) && command.destination.maxY <= Int32(side))
    }
  }

  @Test(
    "In a narrow or low place the icon stands alone in the middle, and nothing reaches over the edges",
    arguments: [(16.0, 150.0), (60, 60), (95, 200), (300, 20)])
  func narrow(width: Double, height: Double) {
    let (stage, cell) = Self.stage()
    cell.showsCaption = false
    cell.frame = Rect(x: 0, y: 0, width: width, height: height)
    cell.cornerRadius = 0
    cell.content = .broken("not a picture")
    stage.runUntilIdle()
    #expect(stage.drawnTexts(["not a picture"], in: Theme.reasonStyle).isEmpty)
    let icons = (stage.display.frames.last?.commands ?? []).filter { $0.kind == .texture }.map(\.destination)
    #expect(icons.count == 1)
    for icon in icons {
      #expect(icon.x >= 0 && icon.maxX <= Int32(width) && icon.y >= 0 && icon.maxY <= Int32(height))
      #expect(abs(Double(icon.x + icon.maxX) - width) <= 1 && abs(Double(icon.y + icon.maxY) - height) <= 1)
    }
  }

  @Test(
    "A picture smaller than the word that it is damaged goes without", arguments: [(91.0, 150.0), (92, 36), (92, 35)])
  func smallDamaged(width: Double, height: Double) throws {
    let (stage, cell) = Self.stage()
    cell.showsCaption = false
    cell.frame = Rect(x: 0, y: 0, width: width, height: height)
    cell.content = .picture(try Self.picture(Int(width), Int(height)), isDamaged: true)
    stage.runUntilIdle()
    let fits = width >= 92 && height >= 36
    #expect(stage.drawnTexts(["damaged"], in: Theme.badgeStyle).count == (fits ? 1 : 0))
    cell.frame = Rect(x: 0, y: 0, width: 200, height: 150)
    stage.runUntilIdle()
    #expect(stage.drawnTexts(["damaged"], in: Theme.badgeStyle).count == 1, "there is room again")
  }
}
