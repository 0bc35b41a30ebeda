import FramePacing
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Told to stop waiting, a pipeline on a modelled time line waits for nothing that is due")
struct StopWaitingTests {
  private static func pipeline(
    _ decoders: GatedDecoder = GatedDecoder(isOpen: true), transfers: RemoteTransfers? = nil
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 1 << 20, transfers: transfers),
      decoders: decoders, waker: TestWaker())
  }

  /// Collects, which waits, while another thread tells the pipeline to stop that.
  private func collect(_ pipeline: ImagePipeline) throws -> [ImageArrival] {
    let thread = try WorkerThread(name: "impatient") { pipeline.stopWaiting() }
    defer { thread.join() }
    return pipeline.collect(at: at(10_000))
  }

  @Test("for what was begun elsewhere, which is told once it has ended")
  func errands() throws {
    let pipeline = try Self.pipeline()
    defer { pipeline.shutdown() }
    var tell: [@Sendable (Int) -> Void] = []
    var told: [Int] = []
    for _ in 0..<2 {
      pipeline.startOperation(modelledDuration: .milliseconds(5)) { deliver in
        tell.append(deliver)
        return nil
      } completion: { (number: Int) in
        told.append(number)
      }
    }
    #expect(try collect(pipeline).isEmpty && told.isEmpty)
    tell[0](7)
    pipeline.advance(to: at(10_001))
    _ = pipeline.collect(at: at(10_001))
    #expect(told == [7] && pipeline.nextArrival == at(5))
    tell[1](8)
    _ = pipeline.collect(at: at(10_002))
    #expect(told == [7, 8] && pipeline.nextArrival == nil)
  }

  @Test("for a decode")
  func decodes() throws {
    let decoder = GatedDecoder()
    let pipeline = try Self.pipeline(decoder)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: .onScreen)
    _ = try decoder.waitForStarts(1)
    #expect(try collect(pipeline).isEmpty && pipeline.isPending(key(1)))
  }

  @Test("for a download")
  func downloads() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let bench = try TransferBench(seconds: 3_600)
    defer { withExtendedLifetime(bench) {} }
    let pipeline = try Self.pipeline(transfers: bench.transfers)
    defer { pipeline.shutdown() }
    let url = try #require(RemoteURL(server.address("/a")))
    pipeline.request(ImageRequest(key: key(1), source: .remote(RemoteRequest(url))), deadline: .onScreen)
    try server.waitForRequests(1)
    #expect(try collect(pipeline).isEmpty && pipeline.isPending(key(1)))
  }
}
