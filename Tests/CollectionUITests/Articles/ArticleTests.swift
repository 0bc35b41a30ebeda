import CollectionUI
import Foundation
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The code of the articles compiles and behaves as described")
struct ArticleTests {
  /// Returns the Swift code blocks of an article.
  private static func blocks(of article: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Sources/CollectionUI/CollectionUI.docc/\(article).md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    return parts.enumerated().compactMap { index, text in
      index % 2 == 1 && text.hasPrefix("swift\n") ? String(text.dropFirst("swift\n".count)) : nil
    }
  }

  private static func sample(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appendingPathComponent("\(name).swift"), encoding: .utf8)
  }

  /// Returns the lines without indentation, because an article shows methods without their type.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test(
    "Every code block of an article is part of the samples that the tests build",
    arguments: [
      ("GettingStarted", ["CityGrid"]), ("PreparingHeavyCells", ["ChartCell"]),
      ("LoadingImages", ["DestinationGrid", "WebDestinations"]), ("LoadingWhileCellsComeAndGo", ["EmojiGrid"]),
    ])
  func code(article: String, samples: [String]) throws {
    let blocks = try Self.blocks(of: article)
    #expect(blocks.count >= 3)
    let code = Self.lines(try samples.map { try Self.sample($0) }.joined(separator: "\n"))
    for block in blocks { #expect(code.contains(Self.lines(block)), "\(block)") }
  }

  @Test("The first grid shows cities by country, with pinned headers")
  func cities() {
    let grid = CityGrid()
    let harness = WindowHarness(root: grid.view)
    harness.window.addParticipant(grid.view)
    grid.show((0..<60).map { City(id: $0, name: "city \($0)", country: $0 < 30 ? "A" : "B") })
    harness.runUntilIdle()
    #expect(grid.view.itemCount == 60 && grid.view.visibleCells.count == 12)
    grid.view.scroll(to: 200, animated: false)
    harness.runUntilIdle()
    let header = grid.view.visibleSupplementaryViews(ofKind: "country").first
    #expect(header.map { grid.view.origin(of: $0).y } == 0)
    let before = grid.view.statistics.reconfigured
    let created = grid.view.statistics.created
    grid.rename(9, to: "another")
    harness.runUntilIdle()
    #expect(grid.view.statistics.reconfigured == before + 1 && grid.view.statistics.created == created)
  }

  @Test("A heavy cell prepared in steps causes no hitch, although its whole preparation is longer than a frame")
  func charts() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let registration = Charts.registration { _ in Array(repeating: 0.5, count: 600) }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<200))
    source.apply(snapshot)
    harness.runUntilIdle()
    view.applyScrollEvent(.steady(velocity: 300), at: harness.clock.now())
    harness.run(frames: 200)
    // Six steps of 4 ms after 1 ms for the configuration, which is longer than a frame of 16 ms.
    #expect(registration.metrics[.part].count > 100)
    #expect(harness.loop.history.hitchCount == 0 && view.statistics.preparedForced == 6)
  }

  @Test("Destinations show a placeholder, then their picture or an error, in the same cells")
  func destinations() throws {
    let cell = try #require(PixelSize(width: 20, height: 10))
    let decoder = GatedDecoder(isOpen: true)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, mode: .modelled, cacheBytes: 1 << 20), decoders: decoder,
      waker: SilentWaker())
    defer { pipeline.shutdown() }
    let files = FileAssetSource<String> { name in
      Int(name).map { StoredImage(source: .generated(UInt64($0)), byteCount: 2_000_000) }
    }
    let grid = DestinationGrid(layout: WordGrid.layout(columns: 1), pipeline: pipeline, files: files, cellSize: cell)
    let harness = WindowHarness(root: grid.view)
    harness.window.addParticipant(grid.view)
    harness.window.addParticipant(grid)
    grid.show((0..<60).map { DestinationPost(id: $0, title: "\($0)", assetID: $0 == 3 ? "nowhere" : "\($0)") })
    harness.run(frames: 1)
    #expect(grid.view.visibleCells.allSatisfy { ($0 as? DestinationCell)?.picture.image == nil })
    let created = grid.view.statistics.created
    harness.runUntilIdle()
    let pictures = grid.view.visibleCells.compactMap { ($0 as? DestinationCell)?.picture.image?.size }
    #expect(grid.view.visibleCells.count == 6 && pictures == Array(repeating: cell, count: 5))
    #expect(grid.view.statistics.reconfigured >= 6 && created >= 6)
    #expect(decoder.started.count > 5, "and those that will be visible")
    #expect(harness.loop.history.hitchCount == 0)
    let before = decoder.started.count
    grid.handleMemoryPressure()
    grid.view.scroll(to: 2_000, animated: false)
    harness.runUntilIdle()
    #expect(grid.view.visibleCells.allSatisfy { ($0 as? DestinationCell)?.picture.image != nil })
    #expect(decoder.started.count > before && Set(decoder.started).count == decoder.started.count)
  }

  @Test("Operations are attached on display, cancelled at its end, and removed in both cases")
  func emoji() throws {
    let size = try #require(PixelSize(width: 20, height: 10))
    let decoder = GatedDecoder(isOpen: true)
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 1 << 20), decoders: decoder,
      waker: SilentWaker())
    defer { pipeline.shutdown() }
    let grid = EmojiGrid(layout: WordGrid.layout(columns: 1), pipeline: pipeline, size: size) {
      StoredImage(source: .generated(UInt64($0)), byteCount: 2_000_000)
    }
    let harness = WindowHarness(root: grid.view)
    harness.window.addParticipant(grid.view)
    harness.window.addParticipant(grid)
    var snapshot = grid.source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<200))
    grid.source.apply(snapshot)
    harness.run(frames: 1)
    #expect(grid.operations.keys.contains(0))
    // Scrolls away before the first image is loaded, which cancels the operations of the visible cells.
    grid.view.scroll(to: 5_000, animated: false)
    harness.run(frames: 1)
    #expect(!grid.operations.keys.contains(0))
    harness.runUntilIdle()
    let shown = grid.view.visibleCells.compactMap { ($0 as? EmojiCell)?.id }
    #expect(shown.sorted() == Array(100..<106))
    #expect(grid.view.visibleCells.allSatisfy { ($0 as? EmojiCell)?.picture.image?.size == size })
    #expect(Set(shown).isDisjoint(with: grid.operations.keys))
    #expect(decoder.started.count < 60)
  }
}
