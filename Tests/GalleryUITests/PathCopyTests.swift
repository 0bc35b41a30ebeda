import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("Paths are copied as text for other programs")
struct PathCopyTests {
  private func bytes(_ locations: [PictureLocation], _ format: PathListText.Format) -> [UInt8] {
    var text: [UInt8] = []
    for location in locations { PathListText.append(location, to: &text, as: format) }
    return text
  }

  private let locations: [PictureLocation] = [
    .file(Array("/home/a b/ä?.jpg".utf8)), .url("https://example.org/p.jpg"), .file([47, 0xFF, 0x0A]),
  ]

  @Test("Paths are copied as plain bytes, or as URLs with escaped bytes")
  func formats() {
    #expect(
      bytes(locations, .plain) == Array("/home/a b/ä?.jpg\nhttps://example.org/p.jpg\n/".utf8) + [0xFF, 0x0A])
    #expect(
      String(decoding: bytes(locations, .urls), as: UTF8.self)
        == "file:///home/a%20b/%C3%A4%3F.jpg\nhttps://example.org/p.jpg\nfile:///%FF%0A")
    #expect(bytes([], .plain).isEmpty)
  }

  @Test(
    "The text does not depend on the batch size, and each batch queries at most the maximum number of items",
    arguments: [1, 2, 3, 7, 100])
  func batches(maximumCount: Int) {
    var copy = PathCopy(of: (1...20).map { PhotoID(rawValue: $0) }, as: .urls)
    var queryCount = 0
    var steps = 0
    while !copy.isComplete {
      let before = queryCount
      copy.advance(atMost: maximumCount) { item in
        queryCount += 1
        return item.rawValue % 4 == 3 ? nil : locations[Int(item.rawValue % 4)]
      }
      #expect(queryCount - before <= maximumCount)
      steps += 1
    }
    let existing = (1...20).filter { $0 % 4 != 3 }.map { locations[$0 % 4] }
    #expect(copy.text == bytes(existing, .urls) && copy.count == 15)
    #expect(queryCount == 20 && steps == (20 + maximumCount - 1) / maximumCount)
  }

  @Test("Many paths are copied over several frames, for the selection at the start")
  func copiesOverSeveralFrames() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(5_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    var copied: [String] = []
    gallery.screen.onCopy = { bytes in
      copied.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    gallery.harness.sendEvent(.keyDown(.character("a"), modifiers: .control, isRepeat: false))
    gallery.harness.sendEvent(.keyDown(.character("c"), modifiers: .control, isRepeat: false))
    gallery.harness.run(frames: 2)
    #expect(copied.isEmpty && gallery.screen.pathCopy != nil)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    #expect(copied == [(0..<5_000).map { "/pictures/IMG_\($0).JPG" }.joined(separator: "\n")])
    #expect(gallery.screen.pathCopy == nil)
  }
}
