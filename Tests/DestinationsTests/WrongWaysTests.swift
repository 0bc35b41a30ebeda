import CollectionEngine
import CollectionUI
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
    #expect(bench.example.server.requestCount == 0)
  }

  @Test("Reconfigured undecoded, they come later, and still by the thread that draws")
  func undecoded() throws {
    let bench = try DestinationsBench(.reconfiguring)
    bench.stage.run(frames: 2)
    #expect(bench.cells.allSatisfy { $0.image == nil && $0.isWaiting })
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread == 0)
    bench.stage.settle()
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
    bench.stage.settle()
    #expect(bench.example.pipeline.statistics.decodedOnRenderThread > 0 && !later.isEmpty)
    #expect(bench.cells.contains { bench.showsForeignPicture($0) })
  }

  #if DEBUG
    @Test("Where the captured cell lies in the pool by then, a debug build names the mistake")
    func named() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await MainActor.run {
          let bench = try DestinationsBench(.settingTheCapturedCell)
          bench.stage.run(frames: 2)
          bench.example.collectionView.scroll(to: 4_000, animated: false)
          bench.stage.settle()
        }
      }
      let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(words.contains("DestinationCell") && words.contains("put back for reuse"), "\(words)")
    }
  #endif
}
