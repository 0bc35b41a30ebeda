import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ImagePipeline
import PictureServer
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import vitrine_destinations

@Suite("Destinations: a placeholder, the download, the prepared picture")
struct DestinationsTests {
  @Test("A placeholder stands in each cell first, then the prepared picture, in the very cells", arguments: [4, 5, 6])
  func pictures(step: Int) throws {
    let bench = try DestinationsBench(try #require(Step(rawValue: step)))
    bench.stage.run(frames: 2)
    let before = bench.cells
    #expect(before.count >= 4 && before.allSatisfy { $0.isWaiting && $0.image == nil && $0.failureText.isEmpty })
    let created = bench.example.collectionView.statistics.created
    bench.stage.runUntilIdle()
    let areSame = bench.cells.elementsEqual(before, by: ===)
    #expect(areSame)
    // Two columns in 620 points, of a shape of 3 to 2.
    let size = PixelSize(width: 276, height: 184)
    #expect(bench.cells.allSatisfy { !$0.isWaiting && $0.image?.size == size })
    let counts = bench.example.collectionView.statistics
    #expect(counts.reconfigured >= before.count && counts.created - created <= (step == 4 ? 0 : 40))
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == 0)
    #expect(
      bench.example.placeholderTime.cellMilliseconds > Double(before.count) * bench.settings.answering.latency)
  }

  @Test("A picture that ends early is shown as far as it goes, and its cell says so", arguments: [1, 2, 3, 6])
  func damaged(step: Int) throws {
    var pictures = try DestinationsBench.pictures()
    pictures[1].bytes.removeLast(pictures[1].bytes.count / 4)
    let bench = try DestinationsBench(try #require(Step(rawValue: step)), shelf: PictureShelf(pictures)) {
      $0.count = 4
    }
    bench.stage.runUntilIdle()
    #expect(bench.cells.allSatisfy { !$0.isWaiting && $0.image != nil } && bench.failures.isEmpty)
    #expect(bench.damages == ["", "picture is damaged", "", ""])
  }

  @Test("Rows are as high as their higher cell's caption needs, and lie below each other")
  func captions() throws {
    let bench = try DestinationsBench()
    bench.stage.runUntilIdle()
    let frames = bench.cells.map(\.frame)
    #expect(Set(frames.map(\.height)).count > 1, "captions of one line and of more")
    for (place, frame) in frames.enumerated() where place >= 2 {
      let above = frames[(place - place % 2 - 2)..<(place - place % 2)]
      #expect(frame.minY == (above.map(\.maxY).max() ?? 0) + 28)
    }
  }

  @Test("Equal runs make equal frames")
  func repeats() throws {
    func digest() throws -> String {
      let bench = try DestinationsBench { $0.likeRate = 5 }
      bench.stage.run(frames: 20)
      bench.example.collectionView.applyScrollEvent(.steady(velocity: 1_500), at: bench.stage.clock.now())
      bench.stage.run(frames: 60)
      return bench.stage.loop.frameDigest.text
    }
    #expect(try digest() == digest())
  }

  @Test("Data prefetching begins downloads of what is not seen; taken back, they end, and the picture is not there")
  func prefetching() throws {
    let bench = try DestinationsBench()
    bench.stage.runUntilIdle()
    let seen = bench.cells.count
    #expect(bench.example.supply.server.requestCount > seen)
    #expect(bench.example.collectionView.prefetchStatistics.requested > 0)
    let grid = bench.example.grid
    let far = [50, 51, 52]
    grid.prefetchItems(far)
    #expect(grid.loadingCount == 3)
    grid.prefetchItems(far)
    #expect(grid.loadingCount == 3, "who is loading is loaded once")
    grid.cancelPrefetchingItems([50, 51])
    #expect(grid.loadingCount == 1)
    bench.stage.run(milliseconds: 2_000)
    let decoded = bench.example.pipeline.statistics.decoded
    grid.prefetchItems([52])
    #expect(grid.loadingCount == 0, "it is in memory")
    grid.prefetchItems([50])
    bench.stage.run(milliseconds: 2_000)
    #expect(bench.example.pipeline.statistics.decoded == decoded + 1, "the one given up was not")
  }

  @Test("Without data prefetching nothing is asked for that no cell is prepared for")
  func withoutPrefetching() throws {
    let bench = try DestinationsBench(.preparing)
    bench.stage.runUntilIdle()
    #expect(bench.example.supply.server.requestCount == bench.example.collectionView.statistics.prepared)
    #expect(bench.example.collectionView.prefetchStatistics.requested == 0)
  }

  @Test("Likes are counted up live, in the same cells, and no picture flickers")
  func likes() throws {
    let bench = try DestinationsBench { $0.likeRate = 10 }
    bench.stage.run(milliseconds: 1_500)
    let (cells, texts) = (bench.cells, bench.cells.map(\.likesText))
    #expect(cells.allSatisfy { !$0.isWaiting })
    let waited = bench.example.placeholderTime.cellMilliseconds
    let pictures = cells.map { $0.image.map(ObjectIdentifier.init) }
    for _ in 0..<100 {
      bench.stage.run(milliseconds: 40)
      #expect(bench.cells.allSatisfy { !$0.isWaiting })
    }
    let areSame = bench.cells.elementsEqual(cells, by: ===)
    #expect(areSame && bench.cells.map(\.likesText) != texts)
    #expect(bench.cells.map { $0.image.map(ObjectIdentifier.init) } == pictures)
    #expect(bench.example.placeholderTime.cellMilliseconds == waited)
  }

  @Test("Another width of the window brings pictures of that width")
  func resize() throws {
    let bench = try DestinationsBench()
    bench.stage.runUntilIdle()
    bench.stage.resize(to: Size(width: 500, height: 700))
    bench.stage.runUntilIdle()
    let size = PixelSize(width: 216, height: 144)
    #expect(bench.cells.count >= 4 && bench.cells.allSatisfy { $0.image?.size == size }, "\(bench.sizes)")
    // Those that waited beyond the edge, too.
    bench.example.collectionView.scroll(to: 400, animated: false)
    bench.stage.runUntilIdle()
    #expect(bench.cells.count >= 4 && bench.cells.allSatisfy { $0.image?.size == size }, "\(bench.sizes)")
  }

  @Test("A download that did not pass is tried again when one asks for that")
  func retry() throws {
    let bench = try DestinationsBench { $0.answering.failurePercentage = 100 }
    bench.stage.runUntilIdle()
    let requests = bench.example.supply.server.requestCount
    bench.example.collectionView(
      bench.example.collectionView, performPrimaryActionForItemAt: IndexPath(item: 0, section: 0))
    bench.stage.runUntilIdle()
    #expect(bench.example.supply.server.requestCount == requests + 1 && bench.failures == ["not found"])
  }
}
