import FramePacing
import Geometry
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Pictures from the web, prepared")
struct RemotePipelineTests {
  private let waker = TestWaker()

  private func pipeline(
    _ transfers: RemoteTransfers, mode: ImagePipelineConfiguration.Mode = .live,
    make: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: mode, cacheBytes: 1 << 20, transfers: transfers),
      decoders: GatedDecoder(isOpen: true, makeOutcome: make), waker: waker)
  }

  private func request(_ server: WebServer, _ path: String, _ source: Int) throws -> ImageRequest {
    ImageRequest(
      key: key(source), source: .remote(RemoteRequest(try #require(RemoteURL(server.address(path))))))
  }

  @Test("a picture is downloaded, then decoded, and in memory from then on")
  func arrives() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let bench = try TransferBench()
    let seen = Lock<[ImageRequest]>([])
    let pipeline = try pipeline(bench.transfers) { request in
      seen.withLock { $0.append(request) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    defer { pipeline.shutdown() }
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(pipeline.isPending(key(1)) && pipeline.image(for: key(1)) == nil)
    let arrival = try #require(try pipeline.waitForArrivals(1, waker).first)
    #expect(arrival.key == key(1) && (try? arrival.outcome.get()) != nil)
    #expect(seen.withLock { $0.map(\.fileBytes) } == [pictureBytes.count])
    #expect(!pipeline.isPending(key(1)) && pipeline.image(for: key(1)) != nil && server.requests.count == 1)
  }

  @Test("a failure has its reason, and is known; who leaves is told nothing")
  func fails() throws {
    let server = try WebServer { request, connection in
      if request.path == "/silent" { _ = connection.waitUntilClosed() } else { connection.sendResponse(404) }
    }
    defer { server.stop() }
    let bench = try TransferBench()
    let pipeline = try pipeline(bench.transfers)
    defer { pipeline.shutdown() }
    let silent = pipeline.request(try request(server, "/silent", 2), deadline: .onScreen)
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    let arrival = try #require(try pipeline.waitForArrivals(1, waker).first)
    #expect(arrival.outcome.failure == .remote(.notFound) && arrival.key == key(1))
    #expect(pipeline.failure(for: key(1))?.description == "not on the server" && !pipeline.canAttempt(key(1)))
    let known = pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(pipeline.hasPendingArrivals)
    pipeline.cancel(known)
    #expect(pipeline.collect(at: at(0)).isEmpty && !pipeline.hasPendingArrivals)
    pipeline.cancel(silent)
    #expect(!pipeline.isPending(key(2)))
    #expect(pipeline.statistics.failed == 2)
  }

  @Test("what was downloaded and is not where it was is downloaded anew, after a pause")
  func missing() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let bench = try TransferBench()
    let isGone = Lock(true)
    let pipeline = try pipeline(bench.transfers) { request in
      isGone.withLock { $0 } ? .failure(.cannotOpen(2)) : GatedDecoder.generatedImage(for: request.key)
    }
    defer { pipeline.shutdown() }
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == .cannotOpen(2))
    isGone.withLock { $0 = false }
    pipeline.advance(to: at(2_000))
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == nil)
    #expect(server.requests.count == 2)
  }

  @Test("a picture whose bytes have left for others is downloaded anew at its next size, at once")
  func evicted() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    // Room for two.
    let bench = try TransferBench(trust: 3_600, memoryBytes: 0)
    let pipeline = try pipeline(bench.transfers) { request in
      do throws(ImageFailure) {
        _ = try PictureFile(request.source)
        return GatedDecoder.generatedImage(for: request.key)
      } catch {
        return .failure(error)
      }
    }
    defer { pipeline.shutdown() }
    for source in 1...3 {
      pipeline.request(try request(server, "/\(source)", source), deadline: .onScreen)
      #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == nil)
    }
    for source in [1, 3] {
      var again = try request(server, "/\(source)", source)
      again.key = key(source, side: 2)
      pipeline.request(again, deadline: .onScreen)
      #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == nil)
    }
    #expect(server.requests.map(\.path) == ["/1", "/2", "/3", "/1"], "what is here and fresh is not asked for")
  }

  @Test("on a modelled time line a download ends when its address says, however long it takes")
  func modelled() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let bench = try TransferBench()
    let pipeline = try pipeline(bench.transfers, mode: .modelled)
    defer { pipeline.shutdown() }
    let request = try request(server, "/a", 1)
    guard case .remote(let remote) = request.source else { return }
    let delay = DownloadCoordinator.modelledDelay(of: remote.url)
    pipeline.advance(to: at(1_000))
    pipeline.request(request, deadline: .onScreen)
    #expect(pipeline.nextArrival == at(1_000) + delay)
    _ = try bench.transfers.fetchSynchronously(remote)
    #expect(pipeline.collect(at: at(1_010)).isEmpty, "it is here, and not due")
    var now = at(1_000) + delay
    var arrivals = pipeline.collect(at: now)
    while arrivals.isEmpty, let next = pipeline.nextArrival {
      now = max(now, next)
      arrivals = pipeline.collect(at: now)
    }
    #expect(arrivals.map(\.key) == [key(1)] && now > at(1_000) + delay)
  }

  @Test("without transfers nothing is downloaded")
  func none() throws {
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1), decoders: WatchedRemote(), waker: waker)
    defer { pipeline.shutdown() }
    let url = try #require(RemoteURL("http://a/"))
    pipeline.request(ImageRequest(key: key(1), source: .remote(RemoteRequest(url))), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == .unsupportedSource)
  }

  @Test("an asset store downloads, prepares and keeps what an identifier names")
  func assets() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(request.path == "/1" ? 200 : 404, body: pictureBytes)
    }
    defer { server.stop() }
    let transfers = try TransferBench()
    let bench = try PreparationBench()
    defer { bench.pipeline.shutdown() }
    let addresses = [1: server.address("/1"), 2: server.address("/2")]
    let source = RemoteAssetSource<Int>(transfers.transfers) { id in
      addresses[id].flatMap { RemoteURL($0) }.map { RemoteRequest($0) }
    }
    let store = AssetStore(pipeline: bench.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    for id in 1...3 { store.loadAssetByID(id) { bench.note("\($0.id) \($0.failure?.description ?? "picture")") } }
    try bench.run(until: 3)
    #expect(bench.log.sorted() == ["1 picture", "2 not found", "3 not found"])
    #expect(!store.fetchByID(1).isPlaceholder)
    let given = store.downloadAsset(1)
    given.cancel()
    #expect(store.loadingCount == 0)
  }
}

/// Decoders that open what they are given, as the pipeline's own do.
private struct WatchedRemote: DecoderFactory {
  private struct Worker: PictureDecoder {
    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome {
      do throws(ImageFailure) {
        _ = try PictureFile(request.source)
        return .failure(.outOfMemory)
      } catch {
        return .failure(error)
      }
    }
  }

  func makeDecoder(worker: Int) -> any PictureDecoder { Worker() }
  func interrupt() {}
}
