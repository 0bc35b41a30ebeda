import Foundation
import Glibc
import Testing

extension Scenarios {
  @Suite("A large folder is shown while it is scanned")
  struct LargeFolderTests {
    static let count = 5_000

    static func library() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1), to: "0.jpg")
      for number in 1..<count { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      return folder
    }

    @Test("The first frame is shown before the scan ends, and the scan finds every file")
    func firstFrame() throws {
      let folder = try Self.library()
      let first = try VitrineRun.report(["--frames", "1"], on: folder)
      #expect(first.figures.frames.count == 1)
      #expect(first.figures.library.items < Self.count)
      let run = try VitrineRun(["--headless", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      _ = try run.waitUntilIdle()
      run.process.signal(SIGTERM)
      let figures = try RunFigures(run.waitForExit().output).figures
      #expect(figures.library.items == Self.count && figures.library.failed == 0)
      #expect(figures.launch.firstFullScreenMs != nil)
      // Only visible items and those near the viewport are decoded.
      #expect(figures.images.requested < 500)
    }

    @Test("The library is the same on the virtual clock")
    func virtualClock() throws {
      let folder = try Self.library()
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "steady:4000", "--duration", "0.5"]
      let first = try VitrineRun.report(options, on: folder)
      #expect(first.figures.library.items == Self.count)
      #expect(try VitrineRun.report(options, on: folder).figures.frameDigest == first.figures.frameDigest)
    }
  }
}

extension WindowScenarios {
  @Suite(
    "F5 updates the gallery to the current contents of the folder",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct RescanTests {
    /// Returns the numbers of the visible photographs, row by row.
    private static func order(_ items: VisibleItems) -> [Int] {
      items.frames.sorted { ($0.value.top, $0.value.left) < ($1.value.top, $1.value.left) }.map(\.key)
    }

    @Test("Added, removed, renamed and modified files are updated, and no other cell is requested")
    func changes() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500", "--prefetch", "off"])
      let (folder, files, maker) = (gallery.folder, FileManager.default, try PictureMaker())
      #expect(Self.order(try gallery.capture().items) == Array(0..<9))
      try files.removeItem(atPath: folder.path(of: "2.jpg"))
      try files.moveItem(atPath: folder.path(of: "59.jpg"), toPath: folder.path(of: "0a.jpg"))
      try folder.write(try maker.jpeg(VisibleItems.color(of: 50), width: 80), to: "4.jpg")
      try folder.write([1, 2, 3], to: "99.jpg")
      try gallery.performInput("key", "F5")
      #expect(Self.order(try gallery.capture().items) == [0, 59, 1, 3, 50, 5, 6, 7, 8])
      // Without a change a rescan has no effect, and the program becomes idle again.
      try gallery.server.xdotool("key", "F5")
      _ = try gallery.run.waitUntilIdle()
      #expect(Self.order(try gallery.capture().items) == [0, 59, 1, 3, 50, 5, 6, 7, 8])
      try gallery.server.xdotool("key", "ctrl+q")
      let figures = try RunFigures(gallery.run.waitForExit().output).figures
      // One item was added, and one removed.
      #expect(figures.library.items == VisibleItems.count && figures.library.failed == 1)
      #expect(figures.cells.dequeued == 10)
    }

    @Test("The visible items keep their positions when photographs are inserted above them")
    func anchored() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let maker = try PictureMaker()
      try gallery.performInput("key", "End")
      let before = try gallery.capture().items
      #expect(before.numbers.last == VisibleItems.count - 1)
      for name in ["!a.jpg", "!b.jpg", "!c.jpg"] {
        try gallery.folder.write(try maker.jpeg(VisibleItems.color(of: 0)), to: name)
      }
      try gallery.performInput("key", "F5")
      #expect(try gallery.capture().items.frames == before.frames)
      try gallery.performInput("key", "Home")
      #expect(try gallery.capture().items.numbers.count < 9, "the new items have the same colour")
    }

    @Test("A folder that disappears keeps its photographs")
    func offline() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.capture().items
      let aside = gallery.folder.path + "-aside"
      try FileManager.default.moveItem(atPath: gallery.folder.path, toPath: aside)
      defer { try? FileManager.default.moveItem(atPath: aside, toPath: gallery.folder.path) }
      try gallery.performInput("key", "F5")
      let after = try gallery.capture().items
      #expect(after.numbers.first == 0 && Set(after.numbers).isSubset(of: before.numbers))
      #expect(after.frames[0]?.top == before.frames[0].map { $0.top + GalleryWindow.messageBarHeight })
      try gallery.server.xdotool("key", "ctrl+q")
      #expect(try RunFigures(gallery.run.waitForExit().output).figures.library.items == VisibleItems.count)
    }
  }
}

extension Scenarios {
  @Suite("F5 from a script, without a window")
  struct ScriptedRescanTests {
    @Test("A rescan without changes requests no cells, and equal runs on the virtual clock show equal frames")
    func unchangedFolder() throws {
      let folder = try LargeFolderTests.library()
      let scripts = try TemporaryFolder()
      try scripts.write(Array(#"{"steps": [{"wait": 0.5}, {"key": "F5"}, {"wait": 0.5}]}"#.utf8), to: "again.json")
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--duration", "2"]
      let once = try VitrineRun.report(options, on: folder).figures
      let again = try VitrineRun.report(options + ["--scroll", scripts.path(of: "again.json")], on: folder).figures
      #expect(again.library.items == LargeFolderTests.count)
      #expect(again.cells == once.cells)
      #expect(again.frames.count > once.frames.count)
      let third = try VitrineRun.report(options + ["--scroll", scripts.path(of: "again.json")], on: folder).figures
      #expect(third.frameDigest == again.frameDigest)
    }
  }
}
