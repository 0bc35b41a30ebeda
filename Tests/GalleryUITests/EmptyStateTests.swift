import Geometry
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("An empty window says why it is empty")
struct EmptyStateTests {
  static func texts(_ gallery: Gallery) -> [String] {
    let known = ["No pictures here", "The folder cannot be read"]
    return gallery.stage.drawnTexts(known, in: Theme.headlineStyle).map(\.text)
  }

  @Test("Nothing is said before the library is known to be empty")
  func whileScanning() throws {
    let gallery = try Gallery(FakeFeed())
    gallery.stage.runUntilIdle()
    #expect(Self.texts(gallery).isEmpty)
    #expect(!gallery.screen.isFullyShown)
  }

  @Test("Headline and hint stand in the middle, under the icon")
  func empty() throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    #expect(Self.texts(gallery) == ["No pictures here"])
    #expect(gallery.screen.isFullyShown)
    let lines =
      gallery.stage.drawnTexts(["No pictures here"], in: Theme.headlineStyle)
      + gallery.stage.drawnTexts(["Put some in"], in: Theme.detailStyle)
    #expect(lines.count == 2)
    for line in lines { #expect(abs(line.frame.x + line.frame.width / 2 - 320) <= 1) }
    let icon = gallery.stage.display.frames.last?.commands.first { $0.kind == .texture && $0.source.width == 96 }
    #expect(icon.map { $0.destination.maxY <= lines[0].frame.y } == true)
  }

  @Test("In the smallest window a long hint is read to its end, in lines in the middle")
  func wrapped() throws {
    let feed = FakeFeed()
    feed.emptyTexts.hint = "JPEG, PNG and WebP files are shown here, from this folder and those within."
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, size: Size(width: 320, height: 240))
    gallery.stage.runUntilIdle()
    // 6 pixels a letter, and 288 for a line.
    let halves = ["JPEG, PNG and WebP files are shown here,", "from this folder and those within."]
    let lines = gallery.stage.drawnTexts(halves, in: Theme.detailStyle)
    #expect(lines.map(\.text) == halves)
    for line in lines { #expect(abs(line.frame.x + line.frame.width / 2 - 160) <= 1) }
    try #require(lines.count == 2)
    #expect(lines[1].frame.y - lines[0].frame.y == 20)
    #expect(lines[1].frame.maxY <= 240 - 16)
    let headline = gallery.stage.drawnTexts(["No pictures here"], in: Theme.headlineStyle)
    #expect(headline.first.map { $0.frame.maxY <= lines[0].frame.y } == true)
    // In a wider window it is one line again.
    gallery.stage.window.resize(to: Size(width: 640, height: 480))
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.drawnTexts([feed.emptyTexts.hint], in: Theme.detailStyle).count == 1)
    #expect(gallery.stage.drawnTexts(halves, in: Theme.detailStyle).isEmpty)
  }

  @Test("A headline too long for its lines is cut, and the icon makes room")
  func crowded() throws {
    let feed = FakeFeed()
    feed.emptyTexts = (
      String(repeating: "word ", count: 40), (0..<16).map { "words\($0)" }.joined(separator: " ")
    )
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, size: Size(width: 320, height: 240))
    gallery.stage.runUntilIdle()
    // 10 pixels a letter, and 288 for a line.
    let lines = ["word word word word word", "word word word word word wo…"]
    #expect(gallery.stage.drawnTexts(lines, in: Theme.headlineStyle).map(\.text) == lines)
    let textures = gallery.stage.display.frames.last?.commands.filter { $0.kind == .texture } ?? []
    #expect(textures.allSatisfy { $0.destination.maxY <= 240 })
  }

  @Test("A folder that cannot be read is named")
  func problem() throws {
    let feed = FakeFeed()
    feed.write(.problem(ScanProblem(folder: PhotoPath("/x"), reason: .tooDeep)), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    #expect(Self.texts(gallery) == ["The folder cannot be read"])
  }

  @Test("The first photographs take its place")
  func filled() throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    feed.write(feed.photos(3))
    gallery.stage.window.setNeedsFrame()
    gallery.stage.runUntilIdle()
    #expect(Self.texts(gallery).isEmpty)
    #expect(gallery.cells.count == 3)
  }

  @Test("In a window too low for it nothing stops the program", arguments: [1.0, 30, 60, 120])
  func low(height: Double) throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, size: Size(width: 80, height: height))
    gallery.stage.runUntilIdle()
    #expect(gallery.stage.display.presentedFrames >= 1)
    #expect(gallery.screen.isFullyShown)
  }
}
