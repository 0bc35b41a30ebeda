import Testing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The title bar shows the title, the count and the status")
struct TitleBarTests {
  static func makeHarness(width: Double) -> (WindowHarness, TitleBar) {
    let bar = TitleBar(theme: .dark)
    let root = View()
    root.addSubview(bar)
    bar.frame = Rect(x: 0, y: 0, width: width, height: 48)
    let harness = WindowHarness(root: root, size: Size(width: max(1, width), height: 48))
    bar.measure = { $0.measuredWidth(in: harness.resources) }
    return (harness, bar)
  }

  @Test("The title and the count are at the left, the status is at the right, above a separator")
  func texts() {
    let (harness, bar) = Self.makeHarness(width: 640)
    bar.show(title: "Holiday", count: "2,942 photographs", status: "Reading…")
    harness.runUntilIdle()
    let titles = harness.drawnTexts(["Holiday"], in: Theme.titleStyle)
    let details = harness.drawnTexts(["2,942 photographs", "Reading…"], in: Theme.detailStyle)
    #expect(titles.map(\.frame.x) == [16])
    #expect(details.map(\.text) == ["2,942 photographs", "Reading…"])
    #expect(details.first?.frame.x == Int32(16 + 7 * 7 + 12))
    #expect(details.last?.frame.maxX == Int32(640 - 16))
    #expect(harness.lastFrameCommands.contains("fill 0,47 640x1 #2e2f36ff"))
    #expect(!harness.lastFrameCommands.contains { $0.contains("#7fb2ff") })
  }

  @Test(
    "The progress is a line at the bottom, with a width proportional to the work done",
    arguments: [(0.0, 0), (0.25, 160), (1, 640), (7, 640)])
  func progress(fraction: Double, width: Int) {
    let (harness, bar) = Self.makeHarness(width: 640)
    bar.show(title: "Holiday", count: "", status: "")
    bar.progress = fraction
    harness.runUntilIdle()
    #expect(harness.lastFrameCommands.contains("fill 0,46 \(width)x2 #7fb2ffff") == (width > 0))
    bar.progress = nil
    #expect(harness.runUntilIdle() == 1)
    #expect(!harness.lastFrameCommands.contains { $0.contains("#7fb2ff") })
  }

  @Test("A count next to a short title is not truncated")
  func shortTitle() {
    let (harness, bar) = Self.makeHarness(width: 300)
    let count = "21 photographs, 2 gone"
    bar.show(title: "thin", count: count, status: "")
    harness.runUntilIdle()
    #expect(harness.drawnTexts([count], in: Theme.detailStyle).count == 1)
  }

  @Test("Equal texts draw no frame")
  func unchanged() {
    let (harness, bar) = Self.makeHarness(width: 640)
    bar.show(title: "Holiday", count: "1 photograph", status: "")
    harness.runUntilIdle()
    bar.show(title: "Holiday", count: "1 photograph", status: "")
    #expect(harness.runUntilIdle() == 0)
  }

  @Test("Texts of any length do not overlap or exceed the bar, in any width")
  func randomTexts() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<150 {
      let width = Double(Int.random(in: 40...1_000, using: &generator))
      let (harness, bar) = Self.makeHarness(width: width)
      func text(_ maximumCount: Int) -> String {
        String(repeating: "x", count: Int.random(in: 0...maximumCount, using: &generator))
      }
      bar.show(title: text(60), count: text(30), status: text(60))
      harness.runUntilIdle()
      let frames = (harness.display.frames.last?.commands ?? []).filter { $0.kind == .texture }.map(\.destination)
      for (left, right) in zip(frames, frames.dropFirst()) {
        #expect(left.maxX <= right.x, "\(width): \(frames)")
      }
      #expect(frames.allSatisfy { $0.x >= 0 && $0.maxX <= Int32(width) }, "\(width): \(frames)")
    }
  }
}

// MARK: - Empty window

@Suite("An empty window shows the reason")
struct EmptyViewTests {
  static func headlines(_ gallery: GalleryFixture) -> [String] {
    let known = ["No pictures here", "The folder cannot be read"]
    return gallery.harness.drawnTexts(known, in: Theme.headlineStyle).map(\.text)
  }

  @Test("No text is shown until the library is known to be empty")
  func whileScanning() throws {
    let gallery = try GalleryFixture(FakeFeed())
    gallery.harness.runUntilIdle()
    #expect(Self.headlines(gallery).isEmpty)
    #expect(!gallery.screen.isFullyShown)
  }

  @Test("The headline and the hint are centered below the icon")
  func empty() throws {
    let feed = FakeFeed()
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    #expect(Self.headlines(gallery) == ["No pictures here"])
    #expect(gallery.screen.isFullyShown)
    let lines =
      gallery.harness.drawnTexts(["No pictures here"], in: Theme.headlineStyle)
      + gallery.harness.drawnTexts(["Put some in"], in: Theme.detailStyle)
    #expect(lines.count == 2)
    for line in lines { #expect(abs(line.frame.x + line.frame.width / 2 - 320) <= 1) }
    let icon = gallery.harness.display.frames.last?.commands.first { $0.kind == .texture && $0.source.width == 96 }
    #expect(icon.map { $0.destination.maxY <= lines[0].frame.y } == true)
  }

  @Test("In the smallest window, a long hint wraps to centered lines")
  func wrapped() throws {
    let feed = FakeFeed()
    feed.emptyTexts.hint = "JPEG, PNG and WebP files are shown here, from this folder and those within."
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 320, height: 240))
    gallery.harness.runUntilIdle()
    // A letter is 6 pixels wide, and a line 288.
    let halves = ["JPEG, PNG and WebP files are shown here,", "from this folder and those within."]
    let lines = gallery.harness.drawnTexts(halves, in: Theme.detailStyle)
    #expect(lines.map(\.text) == halves)
    for line in lines { #expect(abs(line.frame.x + line.frame.width / 2 - 160) <= 1) }
    try #require(lines.count == 2)
    #expect(lines[1].frame.y - lines[0].frame.y == 20)
    #expect(lines[1].frame.maxY <= 240 - 16)
    let headline = gallery.harness.drawnTexts(["No pictures here"], in: Theme.headlineStyle)
    #expect(headline.first.map { $0.frame.maxY <= lines[0].frame.y } == true)
    // In a wider window, it is a single line.
    gallery.harness.window.resize(to: Size(width: 640, height: 480))
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.drawnTexts([feed.emptyTexts.hint], in: Theme.detailStyle).count == 1)
    #expect(gallery.harness.drawnTexts(halves, in: Theme.detailStyle).isEmpty)
  }

  @Test("A headline that is too long for its lines is truncated, and the icon shrinks or is hidden")
  func longTexts() throws {
    let feed = FakeFeed()
    feed.emptyTexts = (
      String(repeating: "word ", count: 40), (0..<16).map { "words\($0)" }.joined(separator: " ")
    )
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 320, height: 240))
    gallery.harness.runUntilIdle()
    // A letter is 10 pixels wide, and a line 288.
    let lines = ["word word word word word", "word word word word word wo…"]
    #expect(gallery.harness.drawnTexts(lines, in: Theme.headlineStyle).map(\.text) == lines)
    let textures = gallery.harness.display.frames.last?.commands.filter { $0.kind == .texture } ?? []
    #expect(textures.allSatisfy { $0.destination.maxY <= 240 })
  }

  @Test("An unreadable folder is the reason")
  func problem() throws {
    let feed = FakeFeed()
    feed.appendBatch(.problem(ScanProblem(folder: PhotoPath("/x"), reason: .tooDeep)), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    #expect(Self.headlines(gallery) == ["The folder cannot be read"])
  }

  @Test("The first photos replace the text")
  func filled() throws {
    let feed = FakeFeed()
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    feed.appendBatch(feed.photos(3))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(Self.headlines(gallery).isEmpty)
    #expect(gallery.cells.count == 3)
  }

  @Test("A window of any height can be drawn", arguments: [1.0, 30, 60, 120])
  func low(height: Double) throws {
    let feed = FakeFeed()
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: 80, height: height))
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.display.presentedFrames >= 1)
    #expect(gallery.screen.isFullyShown)
  }
}

// MARK: - Counts

@Suite("Formatting of counts")
struct CountFormatTests {
  @Test(
    "Digits are grouped by three",
    arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_000_000, "1,000,000")])
  func numbers(number: Int, text: String) {
    #expect(CountFormat.number(number) == text)
  }

  @Test(
    "A noun is singular for one, and plural otherwise",
    arguments: [(0, "0 folders"), (1, "1 folder"), (2_048, "2,048 folders")])
  func quantities(count: Int, text: String) {
    #expect(CountFormat.quantity(count, "folder") == text)
  }

  @Test(
    "Byte counts have three digits",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (12_400_000, "12.4 MB"),
      (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (340_000_000_000, "340 GB"),
      (-4, "0 bytes"), (Int64.max, "9,223 PB"),
    ])
  func byteCounts(count: Int64, text: String) { #expect(CountFormat.bytes(count) == text) }
}
