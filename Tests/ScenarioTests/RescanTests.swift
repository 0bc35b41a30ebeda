import Foundation
import Testing

extension Scenarios {
  @Suite(
    "F5 shows what has become of the folder",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct RescanTests {
    /// The photographs that are seen, by number, row by row.
    private static func order(_ items: ShownItems) -> [Int] {
      items.places.sorted { ($0.value.top, $0.value.left) < ($1.value.top, $1.value.left) }.map(\.key)
    }

    @Test("Files that were added, removed, renamed and written to are seen as they are, and no other cell is asked for")
    func changes() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500", "--prefetch", "off"])
      let (folder, files, maker) = (gallery.folder, FileManager.default, try PictureMaker())
      #expect(Self.order(try gallery.look().items) == Array(0..<9))
      try files.removeItem(atPath: folder.path(of: "2.jpg"))
      try files.moveItem(atPath: folder.path(of: "59.jpg"), toPath: folder.path(of: "0a.jpg"))
      try folder.write(try maker.jpeg(ShownItems.color(of: 50), width: 80), to: "4.jpg")
      try folder.write([1, 2, 3], to: "99.jpg")
      try gallery.act("key", "F5")
      #expect(Self.order(try gallery.look().items) == [0, 59, 1, 3, 50, 5, 6, 7, 8])
      // Nothing new: nothing happens, and the loop comes to rest again.
      try gallery.server.xdotool("key", "F5")
      _ = try gallery.run.waitForRest()
      #expect(Self.order(try gallery.look().items) == [0, 59, 1, 3, 50, 5, 6, 7, 8])
      try gallery.server.xdotool("key", "ctrl+q")
      let figures = try RunFigures(gallery.run.end().output).figures
      // One came, one went.
      #expect(figures.library.items == ShownItems.count && figures.library.failed == 1)
      #expect(figures.cells.dequeued == 10)
    }

    @Test("What is looked at stays where it is when photographs come in above it")
    func anchored() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let maker = try PictureMaker()
      try gallery.act("key", "End")
      let before = try gallery.look().items
      #expect(before.numbers.last == ShownItems.count - 1)
      for name in ["!a.jpg", "!b.jpg", "!c.jpg"] {
        try gallery.folder.write(try maker.jpeg(ShownItems.color(of: 0)), to: name)
      }
      try gallery.act("key", "F5")
      #expect(try gallery.look().items.places == before.places)
      try gallery.act("key", "Home")
      #expect(try gallery.look().items.numbers.count < 9, "the new ones are of one colour")
    }

    @Test("A folder that went away is offline: its photographs stay, and the bar says so")
    func offline() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.look().items
      let aside = gallery.folder.path + "-aside"
      try FileManager.default.moveItem(atPath: gallery.folder.path, toPath: aside)
      defer { try? FileManager.default.moveItem(atPath: aside, toPath: gallery.folder.path) }
      try gallery.act("key", "F5")
      #expect(try gallery.look().items.places == before.places)
      try gallery.server.xdotool("key", "ctrl+q")
      #expect(try RunFigures(gallery.run.end().output).figures.library.items == ShownItems.count)
    }
  }

  @Suite("Without a window a script presses F5")
  struct ScriptedRescanTests {
    @Test("Nothing new asks for no cell, and equal runs on the virtual clock are equal")
    func nothing() throws {
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
