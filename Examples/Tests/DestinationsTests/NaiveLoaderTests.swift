import CollectionUI
import struct FoundationEssentials.IndexPath
import PictureServer
import Testing
import VitrineImages
import VitrineTestSupport

@testable import vitrine_destinations

@Suite("The mistakes of the first three steps")
struct NaiveLoaderTests {
  @Test("Step 1 decodes pictures in the handler, on the render thread")
  func decodingInHandler() throws {
    let destinations = try DestinationsHarness(.decodingInTheHandler)
    destinations.harness.run(frames: 1)
    #expect(destinations.cells.count >= 4 && destinations.cells.allSatisfy { $0.image != nil })
    #expect(
      destinations.example.pipeline.statistics.decodedOnRenderThread
        == destinations.example.collectionView.statistics.prepared)
    #expect(destinations.example.service.server.requestCount == 0)
  }

  @Test("Step 1 decodes a broken picture only once, and again after a retry")
  func brokenPicture() throws {
    var pictures = try DestinationsHarness.pictures()
    pictures[1].bytes = [1, 2, 3]
    let destinations = try DestinationsHarness(.decodingInTheHandler, catalog: PictureCatalog(pictures)) {
      $0.count = 4
    }
    destinations.harness.runUntilIdle()
    #expect(destinations.cells.map(\.failureText) == ["", "no picture in it", "", ""])
    #expect(destinations.cells.map { $0.image == nil } == [false, true, false, false])
    let decodes = destinations.example.pipeline.statistics.decodedOnRenderThread
    destinations.example.grid.setPostNeedsUpdate(1)
    destinations.harness.runUntilIdle()
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == decodes)
    #expect(destinations.example.grid.failedCount == 1)
    destinations.example.grid.retry(at: IndexPath(item: 1, section: 0))
    destinations.harness.runUntilIdle()
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == decodes + 1)
    #expect(destinations.failureTexts == ["no picture in it"])
  }

  @Test("Step 1 does not wait for a picture that is not generated yet")
  func pictureNotGenerated() throws {
    let catalog = PictureCatalog(generating: 4, seed: 1, longSide: 200)
    let destinations = try DestinationsHarness(.decodingInTheHandler, catalog: catalog) { $0.count = 4 }
    destinations.harness.run(frames: 3)
    #expect(destinations.cells.count == 4 && destinations.cells.allSatisfy { $0.isWaiting && $0.image == nil })
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == 0)
    try catalog.startGenerating(threadCount: 1)
    #expect(catalog.waitForAll())
    catalog.close()
    destinations.harness.runUntilIdle()
    #expect(destinations.cells.allSatisfy { !$0.isWaiting && $0.image != nil })
  }

  @Test("Closing the catalog early shows a failure in the cells")
  func closedCatalog() throws {
    let catalog = PictureCatalog(generating: 4, seed: 1, longSide: 200)
    let destinations = try DestinationsHarness(.decodingInTheHandler, catalog: catalog) { $0.count = 4 }
    destinations.harness.run(frames: 3)
    #expect(destinations.failureTexts.isEmpty)
    catalog.stopGenerating()
    destinations.harness.runUntilIdle()
    #expect(destinations.failureTexts == ["cannot be read"] && destinations.cells.allSatisfy { !$0.isWaiting })
  }

  @Test("Step 3 shows pictures later, and decodes them on the render thread")
  func reconfiguring() throws {
    let destinations = try DestinationsHarness(.reconfiguring)
    destinations.harness.run(frames: 2)
    #expect(destinations.cells.allSatisfy { $0.image == nil && $0.isWaiting })
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == 0)
    destinations.harness.runUntilIdle()
    #expect(destinations.cells.allSatisfy { $0.image != nil && !$0.isWaiting })
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread >= destinations.cells.count)
    #expect(destinations.example.pipeline.statistics.decoded == 0)
  }

  @Test("Step 2 shows pictures in cells of other posts")
  func capturedCell() throws {
    let destinations = try DestinationsHarness(.settingTheCapturedCell) { $0.comparesSteps = true }
    let view = destinations.example.collectionView
    view.cellQuarantine = 0
    destinations.harness.run(frames: 2)
    view.scroll(to: 1_500, animated: false)
    destinations.harness.run(frames: 2)
    let later = destinations.cells
    view.scroll(to: 0, animated: false)
    destinations.harness.runUntilIdle()
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread > 0 && !later.isEmpty)
    #expect(destinations.cells.contains { destinations.showsPictureOfOtherPost($0) })
  }

  @Test("When comparing steps, step 2 also decodes the pictures of pooled cells")
  func pooledCells() throws {
    let destinations = try DestinationsHarness(.settingTheCapturedCell) { $0.comparesSteps = true }
    destinations.harness.run(frames: 2)
    destinations.example.collectionView.scroll(to: 4_000, animated: false)
    destinations.harness.runUntilIdle()
    let requests = destinations.example.service.server.requestCount
    #expect(requests > destinations.cells.count, "also for cells that are not visible")
    #expect(destinations.example.pipeline.statistics.decodedOnRenderThread == requests)
  }

  @Test("Step 2 retries a failed picture on request")
  func retryInCapturedCell() throws {
    let destinations = try DestinationsHarness(.settingTheCapturedCell) {
      $0.count = 2
      $0.server.failurePercentage = 100
    }
    destinations.harness.runUntilIdle()
    #expect(destinations.failureTexts == ["not on the server"] && destinations.example.grid.failedCount == 2)
    let requests = destinations.example.service.server.requestCount
    destinations.example.grid.retry(at: IndexPath(item: 0, section: 0))
    destinations.harness.runUntilIdle()
    #expect(
      destinations.example.service.server.requestCount == requests + 1 && destinations.example.grid.failedCount == 2)
  }

  #if DEBUG
    @Test("A debug build stops in step 2 when a completion writes to a pooled cell")
    func stopInDebugBuild() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await MainActor.run {
          let destinations = try DestinationsHarness(.settingTheCapturedCell)
          destinations.harness.run(frames: 2)
          destinations.example.collectionView.scroll(to: 4_000, animated: false)
          destinations.harness.runUntilIdle()
        }
      }
      let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(message.contains("DestinationCell") && message.contains("returned for reuse"), "\(message)")
    }
  #endif
}
