import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImageMetadata
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("The gallery's layouts show every picture at its cell's size, and zoom with a photograph in place")
struct LayoutTests {
  static func gallery(
    _ layout: GalleryLayoutKind, count: Int = 300, grouping: GalleryGrouping = .none,
    size: Size = Size(width: 640, height: 480)
  ) throws -> Gallery {
    var generator = SeededGenerator(seed: 7)
    let feed = FakeFeed()
    let sizes = [(40, 30), (30, 40), (60, 30), (30, 30)]
    feed.write(
      feed.photos(count),
      FakeFeed.headers(
        0,
        (0..<count).map { number in
          let size = sizes.randomElement(using: &generator) ?? (1, 1)
          return GroupingTests.taken(Int64(number * 5), width: size.0, height: size.1)
        }), FakeFeed.end)
    let gallery = try Gallery(feed, size: size, layout: layout, grouping: grouping)
    gallery.stage.runUntilIdle()
    return gallery
  }

  static func expectSharp(_ gallery: Gallery, _ note: String = "") {
    #expect(!gallery.pictures.isEmpty, "\(note)")
    for cell in gallery.pictures {
      let area = gallery.stage.resources.scale.pixelRect(
        cell.pictureArea.offset(by: gallery.screen.grid.origin(of: cell)))
      guard case .picture(let bitmap, _) = cell.content else {
        #expect(Bool(false), "a cell without its picture \(note)")
        continue
      }
      #expect(bitmap.size.width == Int(area.width) && bitmap.size.height == Int(area.height), "\(note)")
    }
  }

  @Test(
    "Every picture on screen has exactly its place's pixels, at rest, resized and zoomed",
    arguments: GalleryLayoutKind.allCases, [1.0, 1.5])
  func sharp(kind: GalleryLayoutKind, pixelsPerPoint: Double) throws {
    let gallery = try Self.gallery(kind, grouping: .month)
    gallery.stage.resize(
      to: Size(width: 640, height: 480), scale: DisplayScale(pixelsPerPoint: pixelsPerPoint))
    gallery.stage.runUntilIdle()
    Self.expectSharp(gallery)
    gallery.stage.resize(to: Size(width: 517, height: 400))
    gallery.stage.runUntilIdle()
    Self.expectSharp(gallery, "resized")
    gallery.type("+", milliseconds: 0)
    gallery.stage.runUntilIdle()
    Self.expectSharp(gallery, "zoomed")
    gallery.screen.grid.scroll(to: 2_000, animated: false)
    gallery.stage.runUntilIdle()
    Self.expectSharp(gallery, "scrolled")
    #expect(gallery.screen.isFullyShown)
  }

  @Test("In rows that keep shapes every cell but the tallest and widest has its picture's shape")
  func justified() throws {
    let gallery = try Self.gallery(.justified)
    for cell in gallery.pictures {
      let item = try #require(cell.item)
      let shape = Double(gallery.library.aspectRatios[item])
      #expect(abs(cell.frame.width - shape * cell.frame.height) <= shape + 1)
    }
    let rows = Set(gallery.pictures.map(\.frame.minY)).sorted()
    for row in rows.dropLast() {
      let ends = gallery.pictures.filter { $0.frame.minY == row }.map(\.frame.maxX)
      #expect(ends.max() == 640 - Metrics.margin)
    }
  }

  @Test("Shapes that are read later reshape their rows, and leave what is seen first where it is")
  func laterShapes() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(400))
    let gallery = try Gallery(feed, layout: .justified)
    gallery.stage.runUntilIdle()
    gallery.screen.grid.scroll(to: 3_000, animated: false)
    gallery.stage.runUntilIdle()
    let first = try #require(gallery.pictures.first { gallery.screen.grid.origin(of: $0).y >= 0 }?.item)
    func top() throws -> Double {
      let path = try #require(gallery.screen.dataSource.indexPath(for: first))
      return try #require(gallery.screen.grid.frameOfItem(at: path)).minY - gallery.screen.grid.contentOffset
    }
    let length = gallery.screen.grid.contentLength
    for start in stride(from: 0, to: 400, by: 80) {
      feed.write(FakeFeed.headers(UInt32(start), (0..<80).map { _ in GroupingTests.taken(1, width: 30, height: 40) }))
      gallery.stage.window.setNeedsFrame()
      gallery.stage.runUntilIdle()
      #expect(try abs(top()) <= 480)
    }
    #expect(gallery.screen.grid.contentLength < length * 0.8, "upright pictures take less room in a row")
    let shown = gallery.pictures.dropLast(6)
    #expect(shown.allSatisfy { abs($0.frame.width / $0.frame.height - 0.75) < 0.02 })
    Self.expectSharp(gallery)
  }

  @Test("Ctrl and the wheel keep the photograph under the pointer under it", arguments: GalleryLayoutKind.allCases)
  func wheel(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind, count: 2_000, grouping: .month)
    let grid = gallery.screen.grid
    grid.scroll(to: (grid.contentLength / 2).rounded(), animated: false)
    gallery.stage.runUntilIdle()
    let cell = try #require(gallery.pictures.dropFirst(gallery.pictures.count / 2).first)
    let item = try #require(cell.item)
    let corner = grid.origin(of: cell)
    let point = Point(x: corner.x + 12, y: corner.y + (cell.frame.height / 3).rounded())
    let offset = grid.contentOffset
    func place() throws -> (y: Double, share: Double) {
      let path = try #require(gallery.screen.dataSource.indexPath(for: item))
      let frame = try #require(grid.frameOfItem(at: path))
      return (frame.minY - grid.contentOffset, (point.y - frame.minY + grid.contentOffset) / frame.height)
    }
    let share = try place().share
    for notches in [1.0, 1, -1, -1, -1, 1] {
      gallery.stage.sendEvent(
        .wheel(
          WheelInput(
            location: Point(x: point.x, y: point.y + Metrics.barHeight), deltaX: 0, deltaY: notches,
            modifiers: .control)))
      gallery.stage.runUntilIdle()
      let now = try place()
      let path = try #require(gallery.screen.dataSource.indexPath(for: item))
      let height = try #require(grid.frameOfItem(at: path)).height
      #expect(abs(now.y + share * height - point.y) <= 0.5 + 1e-9)
    }
    #expect(grid.contentOffset == offset, "there and back")
  }

  @Test(
    "A zoom while the content runs on keeps the photograph under the pointer", arguments: GalleryLayoutKind.allCases)
  func zoomOfAFlick(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind, count: 2_000, grouping: .month)
    let grid = gallery.screen.grid
    for place in 1...8 {
      grid.scroll(to: (grid.contentLength * Double(place) / 10).rounded(), animated: false)
      gallery.stage.runUntilIdle()
      gallery.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
      gallery.stage.run(frames: 5)
      let offset = grid.contentOffset
      gallery.stage.run(frames: 1)
      let step = abs(grid.contentOffset - offset)
      let cell = try #require(gallery.pictures.dropFirst(gallery.pictures.count / 2).first)
      let item = try #require(cell.item)
      func top() throws -> Double {
        let path = try #require(gallery.screen.dataSource.indexPath(for: item))
        return try #require(grid.frameOfItem(at: path)).minY - grid.contentOffset
      }
      let before = try top()
      let point = Point(x: grid.origin(of: cell).x + 12, y: before + 1)
      gallery.stage.sendEvent(
        .wheel(
          WheelInput(
            location: Point(x: point.x, y: point.y + Metrics.barHeight), deltaX: 0,
            deltaY: place.isMultiple(of: 2) ? 1 : -1,
            modifiers: .control)))
      gallery.stage.run(frames: 2)
      let way = try abs(top() - before)
      #expect(step > 2 && way <= 2 * step + 1, "two frames of the movement, and no more")
    }
  }

  @Test(
    "While pictures of another size come in, no place that showed one is empty", arguments: GalleryLayoutKind.allCases)
  func noFlash(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind)
    gallery.type("-", milliseconds: 0)
    let shown = Set(gallery.pictures.compactMap(\.item))
    for _ in 0..<40 {
      gallery.stage.run(frames: 1)
      #expect(gallery.pictures.allSatisfy { cell in !cell.isWaiting || cell.item.map { !shown.contains($0) } ?? true })
    }
    gallery.stage.runUntilIdle()
    Self.expectSharp(gallery)
  }

  @Test("Plus and minus zoom, Ctrl+0 goes back, and at the last step nothing happens")
  func keys() throws {
    let gallery = try Self.gallery(.grid)
    func width() -> Double { gallery.pictures.first?.frame.width ?? 0 }
    func press(_ key: Character, _ modifiers: KeyModifiers = []) {
      if modifiers.isEmpty {
        gallery.type(String(key), milliseconds: 0)
      } else {
        gallery.stage.sendEvent(.keyDown(.character(key), modifiers: modifiers, isRepeat: false))
      }
      gallery.stage.runUntilIdle()
    }
    let first = width()
    press("+")
    let larger = width()
    #expect(larger > first)
    press("=", .control)
    #expect(width() > larger)
    press("-")
    #expect(width() == larger)
    press("0")
    #expect(width() == larger, "0 alone is no command")
    press("0", .control)
    #expect(width() == first)
    for _ in 0..<30 { press("-") }
    let smallest = width()
    let frames = gallery.stage.display.presentedFrames
    press("-")
    #expect(width() == smallest && gallery.stage.display.presentedFrames == frames)
    #expect(gallery.screen.isFullyShown)
  }

  @Test("A list tells names, dates and extents in columns; in a narrow window the name comes first")
  func list() throws {
    let gallery = try Self.gallery(.list, count: 3, size: Size(width: 900, height: 400))
    let names = gallery.stage.drawnTexts((0..<3).map { "IMG_\($0).JPG" }, in: Theme.rowStyle)
    #expect(names.count == 3)
    #expect(Set(names.map(\.frame.x)).count == 1)
    let dates = gallery.stage.drawnTexts(["1 Jan 1970, 00:00", "6 Jan 1970, 00:00"], in: Theme.detailStyle)
    #expect(dates.count == 2 && dates[0].frame.maxX == dates[1].frame.maxX)
    #expect(dates[0].frame.y == names[0].frame.y, "equal type on one baseline")
    gallery.stage.resize(to: Size(width: 420, height: 400))
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.drawnTexts(["1 Jan 1970, 00:00"], in: Theme.detailStyle).count == 1, "the date stays longest")
    #expect(gallery.stage.drawnTexts(["40 × 30", "30 × 40", "60 × 30", "30 × 30"], in: Theme.detailStyle).isEmpty)
    gallery.stage.resize(to: Size(width: 340, height: 400))
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.drawnTexts(["1 Jan 1970, 00:00"], in: Theme.detailStyle).isEmpty)
    #expect(gallery.stage.drawnTexts(["IMG_0.JPG"], in: Theme.rowStyle).count == 1)
  }

  @Test("A photograph that cannot be shown says why in its row")
  func brokenRow() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(1, failing: .notAPicture), FakeFeed.end)
    let gallery = try Gallery(feed, layout: .list)
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.drawnTexts(["not a picture"], in: Theme.detailStyle).count == 1)
    let row = try #require(gallery.pictures.first)
    let area = row.pictureArea.offset(by: Point(x: Metrics.margin, y: Metrics.barHeight + Metrics.margin))
    let icons = (gallery.stage.display.frames.last?.commands ?? []).filter { command in
      command.kind == .texture && command.color == Theme.dark.tertiaryText
    }
    #expect(icons.count == 1)
    for icon in icons.map(\.destination) {
      #expect(abs(Double(icon.y + icon.maxY) - area.minY - area.maxY) <= 1, "the icon alone stands in the middle")
    }
  }
}
