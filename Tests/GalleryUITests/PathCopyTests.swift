import Testing
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

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
    #expect(copied.isEmpty && gallery.screen.pathCopy.isCopying)
    gallery.harness.sendEvent(.keyDown(.escape, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
    #expect(copied == [(0..<5_000).map { "/pictures/IMG_\($0).JPG" }.joined(separator: "\n")])
    #expect(!gallery.screen.pathCopy.isCopying)
  }
}

@Suite("Path copy controller")
struct PathCopyControllerTests {
  private final class Host: PathCopyHost {
    var isClipboardAvailable = true
    var texts: [[UInt8]] = []
    var notices: [String] = []

    func location(of item: PhotoID) -> PictureLocation? {
      item.rawValue.isMultiple(of: 5) ? nil : .file(Array("/\(item.rawValue)".utf8))
    }

    func copyText(_ bytes: [UInt8]) -> Bool {
      if isClipboardAvailable { texts.append(bytes) }
      return isClipboardAvailable
    }

    func showNotice(_ text: String) { notices.append(text) }
  }

  private let host = Host()
  private let controller: PathCopyController

  init() { controller = PathCopyController(host: host) }

  private func items(_ count: Int) -> [PhotoID] { (1...count).map { PhotoID(rawValue: UInt32($0)) } }

  @Test("Few paths are copied at once, without those of photographs that have none")
  func few() {
    controller.copyPaths(6, as: .plain) { items(6) }
    #expect(!controller.isCopying && host.texts == [Array("/1\n/2\n/3\n/4\n/6".utf8)])
    controller.copyPaths(1, as: .urls) { items(1) }
    #expect(host.notices == ["Copied 5 paths", "Copied 1 URL"])
  }

  @Test("Many paths take several frames, set the clipboard once, and can be finished or cancelled")
  func many() {
    controller.copyPaths(2_500, as: .plain) { items(2_500) }
    #expect(controller.isCopying && host.texts.isEmpty)
    controller.advance()
    #expect(controller.isCopying)
    controller.advance()
    #expect(!controller.isCopying && host.texts.count == 1 && host.notices == ["Copied 2,000 paths"])
    controller.copyPaths(2_500, as: .plain) { items(2_500) }
    controller.cancel()
    controller.advance()
    #expect(host.texts.count == 1)
    controller.copyPaths(2_500, as: .plain) { items(2_500) }
    controller.finish()
    #expect(host.texts.count == 2 && host.texts[0] == host.texts[1])
  }

  @Test("No photographs, too many, none with files, and a clipboard that fails are explained")
  func refusals() {
    controller.copyPaths(0, as: .plain) { items(1) }
    controller.copyPaths(20_001, as: .plain) { items(1) }
    controller.copyPaths(1, as: .plain) { [PhotoID(rawValue: 5)] }
    host.isClipboardAvailable = false
    controller.copyPaths(1, as: .plain) { items(1) }
    #expect(
      host.notices == [
        "Nothing is selected", "20,001 paths are too many to copy; 20,000 are not",
        "These pictures have no files whose paths could be copied", "Paths could not be copied",
      ])
    #expect(host.texts.isEmpty && !controller.isCopying)
  }
}
