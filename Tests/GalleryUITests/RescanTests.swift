import CollectionEngine
import CollectionUI
import FramePacing
import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("F5 reads the folders again and changes what differs, and nothing else")
struct RescanTests {
  /// A library of one folder whose files a test exchanges, scanned by hand.
  private final class Shelf {
    var files: [(name: String, identity: FileIdentity)]
    let gallery: Gallery
    let feed = FakeFeed()
    /// How many photographs a frame takes.
    private let portion: Int

    init(_ count: Int, portion: Int = 1_000) throws {
      files = (0..<count).map { ("IMG_\(10_000_000 + $0).JPG", FakeFeed.identity(UInt32($0))) }
      self.portion = portion
      gallery = try Gallery(feed)
      scan()
      gallery.stage.runUntilIdle()
    }

    func scan(problems: [ScanProblem] = [], cancelled: Bool = false) {
      var first = 0
      while first < files.count {
        let next = first..<min(files.count, first + portion)
        feed.write(
          .found(
            next.map {
              FoundPhoto(
                ordinal: UInt32($0), folder: PhotoPath("/pictures"), name: Array(files[$0].name.utf8),
                identity: files[$0].identity)
            }),
          .headers(
            next.map {
              HeaderResult(
                ordinal: UInt32($0), identity: files[$0].identity,
                header: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30)))
            }))
        first = next.upperBound
      }
      for problem in problems { feed.write(.problem(problem)) }
      var summary = ScanSummary()
      summary.wasCancelled = cancelled
      feed.write(.finished(summary))
    }

    /// Presses the key, lets the scan find what there is, and tells what that did to cells.
    func refresh(problems: [ScanProblem] = [], cancelled: Bool = false) -> (cells: CellStatistics, decodes: Int) {
      let (before, decoded) = (gallery.screen.grid.statistics, gallery.decoder.started.count)
      gallery.stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
      gallery.stage.run(frames: 1)
      scan(problems: problems, cancelled: cancelled)
      gallery.stage.window.setNeedsFrame()
      gallery.stage.runUntilIdle()
      var cells = gallery.screen.grid.statistics
      cells.prepared -= before.prepared
      cells.dequeued -= before.dequeued
      cells.displayed -= before.displayed
      cells.reconfigured -= before.reconfigured
      return (cells, gallery.decoder.started.count - decoded)
    }

    func insert(_ name: String, at place: Int) {
      files.insert((name, FakeFeed.identity(UInt32(5_000_000 + files.count))), at: place)
    }

    var names: [String] { gallery.cells.compactMap { $0.item }.map(gallery.library.caption) }

    /// The corner of each photograph on screen, in the content as it is scrolled.
    var places: [String: Point] {
      var places: [String: Point] = [:]
      let grid = gallery.screen.grid
      for cell in gallery.cells { places[cell.item.map(gallery.library.caption) ?? "?"] = grid.origin(of: cell) }
      return places
    }
  }

  @Test("One file added to 100,000 in view is one call of the cell provider; out of view it is none")
  func addedToMany() throws {
    let shelf = try Shelf(100_000)
    let grid = shelf.gallery.screen.grid
    #expect(grid.itemCount == 100_000)
    var before = grid.updateStatistics
    shelf.insert("IMG_10000002a.JPG", at: 3)
    let inView = shelf.refresh()
    #expect(inView.cells.dequeued == 1)
    #expect(inView.cells.prepared == 1)
    #expect(inView.cells.reconfigured == 1, "its picture is another one, on the same cell")
    #expect(shelf.names[3] == "IMG_10000002a.JPG")
    #expect(inView.decodes >= 1)
    #expect(grid.itemCount == 100_001)
    #expect(grid.updateStatistics.structural == before.structural + 1)
    before = grid.updateStatistics
    shelf.insert("IMG_10050000a.JPG", at: 50_002)
    let outOfView = shelf.refresh()
    #expect(outOfView.cells.prepared == 0 && outOfView.decodes == 0)
    #expect(grid.itemCount == 100_002)
    #expect(grid.updateStatistics.structural == before.structural + 1)
    #expect(shelf.gallery.library.count == 100_002)
  }

  @Test("A file that is gone asks for the cell of the one that comes into view in its place")
  func removed() throws {
    let shelf = try Shelf(3_000)
    let grid = shelf.gallery.screen.grid
    let shown = shelf.names
    let gone = shelf.files.remove(at: 1)
    let inView = shelf.refresh()
    // At the last row's end one more comes in; where that row is cut, none or a whole one would.
    #expect(inView.cells.dequeued == grid.visibleCells.count - (shown.count - 1))
    #expect(!shelf.names.contains(gone.name))
    #expect(shelf.names.starts(with: [shown[0], shown[2]]))
    shelf.files.removeLast(500)
    #expect(shelf.refresh().cells.prepared == 0)
    #expect(grid.itemCount == 2_499 && shelf.gallery.library.count == 2_499)
  }

  @Test("A scan that finds nothing new calls nothing and applies nothing")
  func nothing() throws {
    let shelf = try Shelf(3_000)
    let before = shelf.gallery.screen.grid.updateStatistics
    let digest = shelf.gallery.stage.lastFrameCommands
    let refreshed = shelf.refresh()
    #expect(refreshed.cells.prepared == 0 && refreshed.decodes == 0)
    #expect(shelf.gallery.screen.grid.updateStatistics == before)
    #expect(shelf.gallery.stage.lastFrameCommands == digest)
    #expect(shelf.feed.rescans == 1)
  }

  @Test("A changed file keeps its cell and is decoded anew; one out of view when it is seen")
  func changed() throws {
    let shelf = try Shelf(3_000)
    let cell = try #require(shelf.gallery.cells.dropFirst(2).first)
    shelf.files[2].identity = FakeFeed.identity(2, version: 9)
    shelf.files[2_500].identity = FakeFeed.identity(2_500, version: 9)
    let refreshed = shelf.refresh()
    #expect(refreshed.decodes == 1)
    #expect(refreshed.cells.dequeued == 0)
    #expect(refreshed.cells.reconfigured == 2, "once for the change, once for its picture")
    #expect(shelf.gallery.cells.dropFirst(2).first === cell)
    #expect(!cell.isWaiting)
  }

  @Test("A renamed file is another photograph at its new place")
  func renamed() throws {
    let shelf = try Shelf(100)
    var file = shelf.files.remove(at: 0)
    file.name = "ZZZ.JPG"
    shelf.files.append(file)
    _ = shelf.refresh()
    #expect(shelf.names.first == "IMG_10000001.JPG")
    shelf.gallery.stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    shelf.gallery.stage.runUntilIdle()
    #expect(shelf.names.last == "ZZZ.JPG")
    #expect(shelf.gallery.screen.isFullyShown)
  }

  @Test("What is looked at stays where it is, whatever comes or goes above")
  func anchored() throws {
    let shelf = try Shelf(5_000)
    let grid = shelf.gallery.screen.grid
    grid.scroll(to: 20_000, animated: false)
    shelf.gallery.stage.runUntilIdle()
    let first = try #require(shelf.names.first)
    let place = try #require(shelf.places[first])
    // Whole rows, so that the columns stay too.
    let columns = shelf.gallery.cells.count { $0.frame.minY == shelf.gallery.cells.first?.frame.minY }
    for number in 0..<(3 * columns) { shelf.insert("A\(number).JPG", at: 0) }
    let refreshed = shelf.refresh()
    #expect(refreshed.cells.prepared == 0)
    #expect(shelf.places[first] == place)
    #expect(grid.contentOffset > 20_000)
  }

  @Test("A folder that cannot be read is offline: its photographs stay; a scan that was stopped changes nothing")
  func offline() throws {
    let shelf = try Shelf(100)
    let files = shelf.files
    shelf.files = []
    let problem = ScanProblem(folder: PhotoPath("/pictures"), reason: .tooDeep)
    #expect(shelf.refresh(problems: [problem]).cells.prepared == 0)
    #expect(shelf.gallery.library.count == 100)
    #expect(shelf.gallery.library.problems == [problem])
    #expect(shelf.gallery.library.status == "1 folder could not be read")
    _ = shelf.refresh(cancelled: true)
    #expect(shelf.gallery.library.count == 100)
    _ = shelf.refresh()
    #expect(shelf.gallery.library.count == 0 && shelf.gallery.library.problems.isEmpty)
    #expect(shelf.gallery.cells.isEmpty)
    // They come back as those that they were.
    let decoded = shelf.gallery.decoder.started.count
    shelf.files = files
    _ = shelf.refresh()
    #expect(shelf.gallery.library.count == 100)
    #expect(shelf.gallery.screen.isFullyShown)
    #expect(shelf.gallery.decoder.started.count == decoded, "their pictures are still there")
  }

  @Test("Photographs that cannot be shown are counted while they are there")
  func failures() throws {
    let shelf = try Shelf(10)
    shelf.feed.write(FakeFeed.end)
    shelf.files.append(("broken.jpg", .unknown))
    let gallery = shelf.gallery
    gallery.stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.stage.run(frames: 1)
    shelf.feed.write(
      .found([
        FoundPhoto(
          ordinal: 0, folder: PhotoPath("/pictures"), name: Array("broken.jpg".utf8), identity: .unknown,
          failure: .brokenLink)
      ]), FakeFeed.end)
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    _ = shelf.refresh()
    #expect(gallery.library.count == 11)
    shelf.files.removeLast()
    _ = shelf.refresh()
    #expect(gallery.screen.failedCount == 0)
    #expect(gallery.library.count == 10)
  }

  @Test("Asked for while the folders are being read, it follows that once")
  func whileReading() throws {
    let shelf = try Shelf(100)
    let stage = shelf.gallery.stage
    for _ in 0..<3 { stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false)) }
    stage.run(frames: 1)
    #expect(shelf.feed.rescans == 1)
    shelf.scan()
    stage.window.setNeedsFrame()
    stage.runUntilIdle()
    #expect(shelf.feed.rescans == 2)
    shelf.insert("late.JPG", at: 100)
    shelf.scan()
    stage.window.setNeedsFrame()
    stage.runUntilIdle()
    #expect(shelf.feed.rescans == 2 && shelf.gallery.library.count == 101)
  }

  @Test("A library that cannot change is left as it is")
  func noRescan() throws {
    let shelf = try Shelf(100)
    shelf.feed.canRescan = false
    shelf.gallery.stage.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    shelf.gallery.stage.runUntilIdle()
    #expect(shelf.feed.rescans == 1 && shelf.gallery.library.count == 100)
  }

  @Test("Another scan holds no second list of the library")
  func memory() throws {
    let shelf = try Shelf(20_000)
    let before = shelf.gallery.library.catalogue.bytesPerItem
    for _ in 0..<3 { _ = shelf.refresh() }
    #expect(shelf.gallery.library.catalogue.bytesPerItem == before)
    #expect(shelf.gallery.library.catalogue.count == 20_000)
  }
}
