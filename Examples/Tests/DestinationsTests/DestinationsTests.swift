import CollectionUI
import struct FoundationEssentials.IndexPath
import PictureServer
import Testing
import VitrineImages
import VitrineTestSupport

@testable import vitrine_destinations

@Suite("The destinations example")
struct DestinationsTests {
  @Test("A cell shows a placeholder first, and the same cell then shows the prepared picture", arguments: [4, 5, 6])
  func pictures(step: Int) throws {
    let destinations = try DestinationsHarness(try #require(Step(rawValue: step)))
    destinations.harness.run(frames: 2)
    let before = destinations.cells
    #expect(before.count >= 4 && before.allSatisfy { $0.isWaiting && $0.image == nil && $0.failureText.isEmpty })
    let created = destinations.example.collectionView.statistics.created
    destinations.harness.runUntilIdle()
    let areSame = destinations.cells.elementsEqual(before, by: ===)
    #expect(areSame)
    // Two columns in 620 points, with an aspect ratio of 3 to 2.
    let size = PixelSize(width: 276, height: 184)
    #expect(destinations.cells.allSatisfy { !$0.isWaiting && $0.image?.size == size })
    let counts = destinations.example.collectionView.statistics
    #expect(counts.reconfigured >= before.count && counts.created - created <= (step == 4 ? 0 : 40))
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == 0)
    #expect(
      destinations.example.placeholderTime.cellMilliseconds > Double(before.count)
        * destinations.settings.server.latency)
  }

  @Test("A truncated picture is shown as far as it was decoded, with a note in its cell", arguments: [1, 2, 3, 6])
  func damaged(step: Int) throws {
    var pictures = try DestinationsHarness.pictures()
    pictures[1].bytes.removeLast(pictures[1].bytes.count / 4)
    let destinations = try DestinationsHarness(try #require(Step(rawValue: step)), catalog: PictureCatalog(pictures)) {
      $0.count = 4
    }
    destinations.harness.runUntilIdle()
    #expect(destinations.cells.allSatisfy { !$0.isWaiting && $0.image != nil } && destinations.failureTexts.isEmpty)
    #expect(destinations.damageTexts == ["", "picture is damaged", "", ""])
  }

  @Test("A row is as high as its higher cell, and rows do not overlap")
  func captions() throws {
    let destinations = try DestinationsHarness()
    destinations.harness.runUntilIdle()
    let frames = destinations.cells.map(\.frame)
    #expect(Set(frames.map(\.height)).count > 1, "captions have different numbers of lines")
    for (index, frame) in frames.enumerated() where index >= 2 {
      let above = frames[(index - index % 2 - 2)..<(index - index % 2)]
      #expect(frame.minY == (above.map(\.maxY).max() ?? 0) + 28)
    }
  }

  @Test("Equal runs produce equal frames")
  func repeats() throws {
    func digest() throws -> String {
      let destinations = try DestinationsHarness { $0.likeRate = 5 }
      destinations.harness.run(frames: 20)
      destinations.example.collectionView.applyScrollEvent(
        .steady(velocity: 1_500), at: destinations.harness.clock.now())
      destinations.harness.run(frames: 60)
      return destinations.harness.loop.frameDigest.text
    }
    #expect(try digest() == digest())
  }

  @Test("Prefetching starts downloads of invisible posts, and cancelling it ends them")
  func prefetching() throws {
    let destinations = try DestinationsHarness()
    destinations.harness.runUntilIdle()
    let seen = destinations.cells.count
    #expect(destinations.example.service.server.requestCount > seen)
    #expect(destinations.example.collectionView.prefetchStatistics.requested > 0)
    let grid = destinations.example.grid
    let invisible = [50, 51, 52]
    grid.prefetchItems(invisible)
    #expect(grid.loadingCount == 3)
    grid.prefetchItems(invisible)
    #expect(grid.loadingCount == 3, "running loads are not started again")
    grid.cancelPrefetchingItems([50, 51])
    #expect(grid.loadingCount == 1)
    destinations.harness.run(milliseconds: 2_000)
    let decoded = destinations.example.pipeline.statistics.decoded
    grid.prefetchItems([52])
    #expect(grid.loadingCount == 0, "the picture is in memory")
    grid.prefetchItems([50])
    destinations.harness.run(milliseconds: 2_000)
    #expect(destinations.example.pipeline.statistics.decoded == decoded + 1, "a cancelled load was not prepared")
  }

  @Test("Without data prefetching, only prepared cells request pictures")
  func withoutPrefetching() throws {
    let destinations = try DestinationsHarness(.preparing)
    destinations.harness.runUntilIdle()
    #expect(destinations.example.service.server.requestCount == destinations.example.collectionView.statistics.prepared)
    #expect(destinations.example.collectionView.prefetchStatistics.requested == 0)
  }

  @Test("Likes change the labels of the same cells without flickering pictures")
  func likes() throws {
    let destinations = try DestinationsHarness { $0.likeRate = 10 }
    destinations.harness.run(milliseconds: 1_500)
    let (cells, texts) = (destinations.cells, destinations.cells.map(\.likesText))
    #expect(cells.allSatisfy { !$0.isWaiting })
    let waited = destinations.example.placeholderTime.cellMilliseconds
    let pictures = cells.map { $0.image.map(ObjectIdentifier.init) }
    for _ in 0..<100 {
      destinations.harness.run(milliseconds: 40)
      #expect(destinations.cells.allSatisfy { !$0.isWaiting })
    }
    let areSame = destinations.cells.elementsEqual(cells, by: ===)
    #expect(areSame && destinations.cells.map(\.likesText) != texts)
    #expect(destinations.cells.map { $0.image.map(ObjectIdentifier.init) } == pictures)
    #expect(destinations.example.placeholderTime.cellMilliseconds == waited)
  }

  @Test("Resizing the window loads pictures of the new size")
  func resize() throws {
    let destinations = try DestinationsHarness()
    destinations.harness.runUntilIdle()
    destinations.harness.resize(to: Size(width: 500, height: 700))
    destinations.harness.runUntilIdle()
    let size = PixelSize(width: 216, height: 144)
    #expect(
      destinations.cells.count >= 4 && destinations.cells.allSatisfy { $0.image?.size == size }, "\(destinations.sizes)"
    )
    // Cells outside the viewport have the new size, too.
    destinations.example.collectionView.scroll(to: 400, animated: false)
    destinations.harness.runUntilIdle()
    #expect(
      destinations.cells.count >= 4 && destinations.cells.allSatisfy { $0.image?.size == size }, "\(destinations.sizes)"
    )
  }

  @Test("The primary action retries a failed download")
  func retry() throws {
    let destinations = try DestinationsHarness { $0.server.failurePercentage = 100 }
    destinations.harness.runUntilIdle()
    let requests = destinations.example.service.server.requestCount
    destinations.example.collectionView(
      destinations.example.collectionView, performPrimaryActionForItemAt: IndexPath(item: 0, section: 0))
    destinations.harness.runUntilIdle()
    #expect(
      destinations.example.service.server.requestCount == requests + 1 && destinations.failureTexts == ["not found"])
  }
}
