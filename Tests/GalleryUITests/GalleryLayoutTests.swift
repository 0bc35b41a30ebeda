import CollectionUI
import Testing
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Layouts draw every picture at the size of its cell, and zoom around a photo")
struct GalleryLayoutTests {
  static func gallery(
    _ layout: GalleryLayoutKind, count: Int = 300, grouping: GalleryGrouping = .none,
    size: Size = Size(width: 640, height: 480)
  ) throws -> GalleryFixture {
    var generator = SeededGenerator(seed: 7)
    let feed = FakeFeed()
    let sizes = [(40, 30), (30, 40), (60, 30), (30, 30)]
    feed.appendBatch(
      feed.photos(count),
      FakeFeed.headers(
        0,
        (0..<count).map { number in
          let size = sizes.randomElement(using: &generator) ?? (1, 1)
          return GroupingTests.header(takenOnDay: Int64(number * 5), width: size.0, height: size.1)
        }), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: size, layout: layout, grouping: grouping)
    gallery.harness.runUntilIdle()
    return gallery
  }

  static func expectSharp(_ gallery: GalleryFixture, _ state: String = "") {
    #expect(!gallery.pictureCells.isEmpty, "\(state)")
    for cell in gallery.pictureCells {
      let area = gallery.harness.resources.scale.pixelRect(
        cell.pictureArea.offset(by: gallery.screen.grid.origin(of: cell)))
      guard case .picture(let bitmap, _) = cell.content else {
        #expect(Bool(false), "a cell without a picture \(state)")
        continue
      }
      #expect(bitmap.size.width == Int(area.width) && bitmap.size.height == Int(area.height), "\(state)")
    }
  }

  @Test(
    "Every picture has as many pixels as its frame, at rest, after a resize and after a zoom",
    arguments: GalleryLayoutKind.allCases, [1.0, 1.5])
  func sharp(kind: GalleryLayoutKind, pixelsPerPoint: Double) throws {
    let gallery = try Self.gallery(kind, grouping: .month)
    gallery.harness.resize(
      to: Size(width: 640, height: 480), scale: DisplayScale(pixelsPerPoint: pixelsPerPoint))
    gallery.harness.runUntilIdle()
    Self.expectSharp(gallery)
    gallery.harness.resize(to: Size(width: 517, height: 400))
    gallery.harness.runUntilIdle()
    Self.expectSharp(gallery, "resized")
    gallery.type("+", milliseconds: 0)
    gallery.harness.runUntilIdle()
    Self.expectSharp(gallery, "zoomed")
    gallery.screen.grid.scroll(to: 2_000, animated: false)
    gallery.harness.runUntilIdle()
    Self.expectSharp(gallery, "scrolled")
    #expect(gallery.screen.isFullyShown)
  }

  @Test("In justified rows, all cells but extremely tall and wide ones have the aspect ratio of their picture")
  func justified() throws {
    let gallery = try Self.gallery(.justified)
    for cell in gallery.pictureCells {
      let item = try #require(cell.item)
      let aspectRatio = Double(gallery.library.aspectRatios[item])
      #expect(abs(cell.frame.width - aspectRatio * cell.frame.height) <= aspectRatio + 1)
    }
    let rows = Set(gallery.pictureCells.map(\.frame.minY)).sorted()
    for row in rows.dropLast() {
      let ends = gallery.pictureCells.filter { $0.frame.minY == row }.map(\.frame.maxX)
      #expect(ends.max() == 640 - Metrics.margin)
    }
  }

  @Test("Sizes that are read late change the rows, and the first visible photo stays within the viewport")
  func lateSizes() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(400))
    let gallery = try GalleryFixture(feed, layout: .justified)
    gallery.harness.runUntilIdle()
    gallery.screen.grid.scroll(to: 3_000, animated: false)
    gallery.harness.runUntilIdle()
    let first = try #require(gallery.pictureCells.first { gallery.screen.grid.origin(of: $0).y >= 0 }?.item)
    func top() throws -> Double {
      let path = try #require(gallery.screen.dataSource.indexPath(for: first))
      return try #require(gallery.screen.grid.frameOfItem(at: path)).minY - gallery.screen.grid.contentOffset
    }
    let length = gallery.screen.grid.contentLength
    for start in stride(from: 0, to: 400, by: 80) {
      feed.appendBatch(
        FakeFeed.headers(
          UInt32(start), (0..<80).map { _ in GroupingTests.header(takenOnDay: 1, width: 30, height: 40) }))
      gallery.harness.window.setNeedsFrame()
      gallery.harness.runUntilIdle()
      #expect(try abs(top()) <= 480)
    }
    #expect(gallery.screen.grid.contentLength < length * 0.8, "portrait pictures are narrower")
    let shown = gallery.pictureCells.dropLast(6)
    #expect(shown.allSatisfy { abs($0.frame.width / $0.frame.height - 0.75) < 0.02 })
    Self.expectSharp(gallery)
  }

  // MARK: - Zoom

  @Test(
    "Zooming with Ctrl and the wheel keeps the photo at the pointer in place", arguments: GalleryLayoutKind.allCases)
  func wheel(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind, count: 2_000, grouping: .month)
    let grid = gallery.screen.grid
    grid.scroll(to: (grid.contentLength / 2).rounded(), animated: false)
    gallery.harness.runUntilIdle()
    let cell = try #require(gallery.pictureCells.dropFirst(gallery.pictureCells.count / 2).first)
    let item = try #require(cell.item)
    let corner = grid.origin(of: cell)
    let point = Point(x: corner.x + 12, y: corner.y + (cell.frame.height / 3).rounded())
    let offset = grid.contentOffset
    func position() throws -> (y: Double, fraction: Double) {
      let path = try #require(gallery.screen.dataSource.indexPath(for: item))
      let frame = try #require(grid.frameOfItem(at: path))
      return (frame.minY - grid.contentOffset, (point.y - frame.minY + grid.contentOffset) / frame.height)
    }
    let fraction = try position().fraction
    for notches in [1.0, 1, -1, -1, -1, 1] {
      gallery.harness.sendEvent(
        .wheel(
          WheelInput(
            location: point + grid.frame.origin, deltaX: 0, deltaY: notches,
            modifiers: .control)))
      gallery.harness.runUntilIdle()
      let now = try position()
      let path = try #require(gallery.screen.dataSource.indexPath(for: item))
      let height = try #require(grid.frameOfItem(at: path)).height
      #expect(abs(now.y + fraction * height - point.y) <= 0.5 + 1e-9)
    }
    #expect(grid.contentOffset == offset, "the zoom returned to its start")
  }

  @Test("Zooming during a scroll keeps the photo at the pointer in place", arguments: GalleryLayoutKind.allCases)
  func zoomDuringScroll(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind, count: 2_000, grouping: .month)
    let grid = gallery.screen.grid
    for tenth in stride(from: 1, through: 8, by: TestScale.isLong ? 1 : 3) {
      grid.scroll(to: (grid.contentLength * Double(tenth) / 10).rounded(), animated: false)
      gallery.harness.runUntilIdle()
      gallery.harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
      gallery.harness.run(frames: 5)
      let offset = grid.contentOffset
      gallery.harness.run(frames: 1)
      let step = abs(grid.contentOffset - offset)
      let cell = try #require(gallery.pictureCells.dropFirst(gallery.pictureCells.count / 2).first)
      let item = try #require(cell.item)
      func top() throws -> Double {
        let path = try #require(gallery.screen.dataSource.indexPath(for: item))
        return try #require(grid.frameOfItem(at: path)).minY - grid.contentOffset
      }
      let before = try top()
      let point = Point(x: grid.origin(of: cell).x + 12, y: before + 1)
      gallery.harness.sendEvent(
        .wheel(
          WheelInput(
            location: point + grid.frame.origin, deltaX: 0,
            deltaY: tenth.isMultiple(of: 2) ? 1 : -1,
            modifiers: .control)))
      gallery.harness.run(frames: 2)
      let distance = try abs(top() - before)
      #expect(step > 2 && distance <= 2 * step + 1, "at most two frames of movement")
    }
  }

  @Test(
    "While pictures of another size are loaded, no cell that has shown a picture becomes a placeholder",
    arguments: GalleryLayoutKind.allCases)
  func zoomShowsNoPlaceholders(kind: GalleryLayoutKind) throws {
    let gallery = try Self.gallery(kind)
    gallery.type("-", milliseconds: 0)
    let shown = Set(gallery.pictureCells.compactMap(\.item))
    for _ in 0..<40 {
      gallery.harness.run(frames: 1)
      #expect(
        gallery.pictureCells.allSatisfy { cell in !cell.isWaiting || cell.item.map { !shown.contains($0) } ?? true })
    }
    gallery.harness.runUntilIdle()
    Self.expectSharp(gallery)
  }

  @Test("Plus and minus zoom, Ctrl+0 resets the zoom, and beyond the last step the keys have no effect")
  func keys() throws {
    let gallery = try Self.gallery(.grid)
    func width() -> Double { gallery.pictureCells.first?.frame.width ?? 0 }
    func press(_ key: Character, _ modifiers: KeyModifiers = []) {
      if modifiers.isEmpty {
        gallery.type(String(key), milliseconds: 0)
      } else {
        gallery.harness.sendEvent(.keyDown(.character(key), modifiers: modifiers, isRepeat: false))
      }
      gallery.harness.runUntilIdle()
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
    #expect(width() == larger, "0 without Ctrl is no shortcut")
    press("0", .control)
    #expect(width() == first)
    for _ in 0..<30 { press("-") }
    let smallest = width()
    let frames = gallery.harness.display.presentedFrames
    press("-")
    #expect(width() == smallest && gallery.harness.display.presentedFrames == frames)
    #expect(gallery.screen.isFullyShown)
  }

  // MARK: - List

  @Test("A list shows names, dates and sizes in columns, and a narrow window shows the name first")
  func list() throws {
    let gallery = try Self.gallery(.list, count: 3, size: Size(width: 900, height: 400))
    let names = gallery.harness.drawnTexts((0..<3).map { "IMG_\($0).JPG" }, in: Theme.rowStyle)
    #expect(names.count == 3)
    #expect(Set(names.map(\.frame.x)).count == 1)
    let dates = gallery.harness.drawnTexts(["1 Jan 1970, 00:00", "6 Jan 1970, 00:00"], in: Theme.detailStyle)
    #expect(dates.count == 2 && dates[0].frame.maxX == dates[1].frame.maxX)
    #expect(dates[0].frame.y == names[0].frame.y, "equal fonts share a baseline")
    gallery.harness.resize(to: Size(width: 420, height: 400))
    gallery.harness.runUntilIdle()
    #expect(
      gallery.harness.drawnTexts(["1 Jan 1970, 00:00"], in: Theme.detailStyle).count == 1,
      "the date is the last column to be hidden")
    #expect(gallery.harness.drawnTexts(["40 × 30", "30 × 40", "60 × 30", "30 × 30"], in: Theme.detailStyle).isEmpty)
    gallery.harness.resize(to: Size(width: 340, height: 400))
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.drawnTexts(["1 Jan 1970, 00:00"], in: Theme.detailStyle).isEmpty)
    #expect(gallery.harness.drawnTexts(["IMG_0.JPG"], in: Theme.rowStyle).count == 1)
  }

  @Test("A photo that cannot be shown has the reason in its row")
  func brokenRow() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(1, failing: .notAPicture), FakeFeed.end)
    let gallery = try GalleryFixture(feed, layout: .list)
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.drawnTexts(["not a picture"], in: Theme.detailStyle).count == 1)
    let row = try #require(gallery.pictureCells.first)
    let area = row.pictureArea.offset(by: Point(x: Metrics.margin, y: Metrics.barHeight + Metrics.margin))
    let icons = (gallery.harness.display.frames.last?.commands ?? []).filter { command in
      command.kind == .texture && command.color == Theme.dark.tertiaryText
        && Double(command.destination.y) >= Metrics.barHeight
    }
    #expect(icons.count == 1)
    for icon in icons.map(\.destination) {
      #expect(abs(Double(icon.y + icon.maxY) - area.minY - area.maxY) <= 1, "the icon is centered")
    }
  }
}
