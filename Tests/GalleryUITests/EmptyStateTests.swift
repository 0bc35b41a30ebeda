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
    return gallery.stage.drawn(known, in: Theme.headlineStyle).map(\.text)
  }

  @Test("Nothing is said before the library is known to be empty")
  func whileScanning() throws {
    let gallery = try Gallery(FakeFeed())
    gallery.stage.settle()
    #expect(Self.texts(gallery).isEmpty)
    #expect(!gallery.screen.isFullyShown)
  }

  @Test("Headline and hint stand in the middle, under the icon")
  func empty() throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.settle()
    #expect(Self.texts(gallery) == ["No pictures here"])
    #expect(gallery.screen.isFullyShown)
    let lines =
      gallery.stage.drawn(["No pictures here"], in: Theme.headlineStyle)
      + gallery.stage.drawn(["Put some in"], in: Theme.detailStyle)
    #expect(lines.count == 2)
    for line in lines { #expect(abs(line.place.x + line.place.width / 2 - 320) <= 1) }
    let icon = gallery.stage.display.frames.last?.commands.first { $0.kind == .texture && $0.source.width == 96 }
    #expect(icon.map { $0.destination.maxY <= lines[0].place.y } == true)
  }

  @Test("A folder that cannot be read is named")
  func problem() throws {
    let feed = FakeFeed()
    feed.write(.problem(ScanProblem(folder: PhotoPath("/x"), reason: .tooDeep)), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.settle()
    #expect(Self.texts(gallery) == ["The folder cannot be read"])
  }

  @Test("The first photographs take its place")
  func filled() throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.settle()
    feed.write(feed.photos(3))
    gallery.stage.window.setNeedsFrame()
    gallery.stage.settle()
    #expect(Self.texts(gallery).isEmpty)
    #expect(gallery.cells.count == 3)
  }

  @Test("In a window too low for it nothing stops the program", arguments: [1.0, 30, 60, 120])
  func low(height: Double) throws {
    let feed = FakeFeed()
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed, size: Size(width: 80, height: height))
    gallery.stage.settle()
    #expect(gallery.stage.display.presentedFrames >= 1)
    #expect(gallery.screen.isFullyShown)
  }
}
