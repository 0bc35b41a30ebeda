import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import FramePacing
import ImagePipeline
import PictureServer
import Rendering
import TestSupport
import Testing
import Views

@testable import vitrine_destinations

@Suite("The wrong ways do what is wrong with them")
struct WrongWaysTests {
  @Test("Decoded in the handler, pictures are there at once, by the thread that draws")
  func handler() throws {
    let bench = try DestinationsBench(.decodingInTheHandler)
    bench.stage.run(frames: 1)
    #expect(bench.cells.count >= 4 && bench.cells.allSatisfy { $0.image != nil })
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == bench.example.collectionView.statistics.prepared)
    #expect(bench.example.supply.server.requestCount == 0)
  }

  @Test("In the handler too what is no picture is said so, and looked at once; asked for again, it is looked at again")
  func broken() throws {
    var pictures = try DestinationsBench.pictures()
    pictures[1].bytes = [1, 2, 3]
    let bench = try DestinationsBench(.decodingInTheHandler, shelf: PictureShelf(pictures)) { $0.count = 4 }
    bench.stage.runUntilIdle()
    #expect(bench.cells.map(\.failureText) == ["", "no picture in it", "", ""])
    #expect(bench.cells.map { $0.image == nil } == [false, true, false, false])
    let decodes = bench.example.pipeline.statistics.decodedOnRenderThread
    bench.example.grid.setPostNeedsUpdate(1)
    bench.stage.runUntilIdle()
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == decodes)
    #expect(bench.example.grid.failedCount == 1)
    bench.example.grid.retry(at: IndexPath(item: 1, section: 0))
    bench.stage.runUntilIdle()
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == decodes + 1)
    #expect(bench.failures == ["no picture in it"])
  }

  @Test("What is not painted yet is not waited for: there is a placeholder, and the picture when it is there")
  func unpainted() throws {
    let shelf = PictureShelf(painting: 4, seed: 1, longSide: 200)
    let bench = try DestinationsBench(.decodingInTheHandler, shelf: shelf) { $0.count = 4 }
    bench.stage.run(frames: 3)
    #expect(bench.cells.count == 4 && bench.cells.allSatisfy { $0.isWaiting && $0.image == nil })
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == 0)
    try shelf.open(painters: 1)
    #expect(shelf.paintAll())
    shelf.close()
    bench.stage.runUntilIdle()
    #expect(bench.cells.allSatisfy { !$0.isWaiting && $0.image != nil })
  }

  @Test("Where a shelf is closed before it was painted, cells say that there is no picture")
  func closed() throws {
    let shelf = PictureShelf(painting: 4, seed: 1, longSide: 200)
    let bench = try DestinationsBench(.decodingInTheHandler, shelf: shelf) { $0.count = 4 }
    bench.stage.run(frames: 3)
    #expect(bench.failures.isEmpty)
    shelf.stopPainting()
    bench.stage.runUntilIdle()
    #expect(bench.failures == ["cannot be read"] && bench.cells.allSatisfy { !$0.isWaiting })
  }

  @Test("Reconfigured undecoded, they come later, and still by the thread that draws")
  func undecoded() throws {
    let bench = try DestinationsBench(.reconfiguring)
    bench.stage.run(frames: 2)
    #expect(bench.cells.allSatisfy { $0.image == nil && $0.isWaiting })
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == 0)
    bench.stage.runUntilIdle()
    #expect(bench.cells.allSatisfy { $0.image != nil && !$0.isWaiting })
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread >= bench.cells.count)
    #expect(bench.example.pipeline.statistics.decoded == 0)
  }

  @Test("Put into the captured cell, a picture stands under another post")
  func captured() throws {
    let bench = try DestinationsBench(.settingTheCapturedCell) { $0.tellsStory = true }
    let view = bench.example.collectionView
    view.cellQuarantine = 0
    bench.stage.run(frames: 2)
    view.scroll(to: 1_500, animated: false)
    bench.stage.run(frames: 2)
    let later = bench.cells
    view.scroll(to: 0, animated: false)
    bench.stage.runUntilIdle()
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread > 0 && !later.isEmpty)
    #expect(bench.cells.contains { bench.showsForeignPicture($0) })
  }

  @Test("Told as a story it decodes what the captured cells were to show, also those that lie in the pool by then")
  func told() throws {
    let bench = try DestinationsBench(.settingTheCapturedCell) { $0.tellsStory = true }
    bench.stage.run(frames: 2)
    bench.example.collectionView.scroll(to: 4_000, animated: false)
    bench.stage.runUntilIdle()
    let requests = bench.example.supply.server.requestCount
    #expect(requests > bench.cells.count, "for cells that are gone, too")
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == requests)
  }

  @Test("What fails in the captured cell is tried again when one asks for that")
  func captureAgain() throws {
    let bench = try DestinationsBench(.settingTheCapturedCell) {
      $0.count = 2
      $0.answering.failurePercentage = 100
    }
    bench.stage.runUntilIdle()
    #expect(bench.failures == ["not on the server"] && bench.example.grid.failedCount == 2)
    let requests = bench.example.supply.server.requestCount
    bench.example.grid.retry(at: IndexPath(item: 0, section: 0))
    bench.stage.runUntilIdle()
    #expect(bench.example.supply.server.requestCount == requests + 1 && bench.example.grid.failedCount == 2)
  }

  #if DEBUG
    @Test("Where the captured cell lies in the pool by then, a debug build names the mistake")
    func named() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await MainActor.run {
          let bench = try DestinationsBench(.settingTheCapturedCell)
          bench.stage.run(frames: 2)
          bench.example.collectionView.scroll(to: 4_000, animated: false)
          bench.stage.runUntilIdle()
        }
      }
      let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(words.contains("DestinationCell") && words.contains("put back for reuse"), "\(words)")
    }
  #endif
}
