import FramePacing
import Geometry
@testable import ImagePipeline
import TestSupport
import Testing
import Threads

@Suite("Remote download tracker")
struct RemoteDownloadTrackerTests {
  private var tracker = RemoteDownloadTracker()
  private let remote = RemoteRequest(remoteURL(1, "a"))

  private func imageRequest(_ source: Int, side: Int = 1) -> ImageRequest {
    ImageRequest(key: key(source, side: side), source: .remote(remote))
  }

  private func content(_ bytes: Int = 9) -> RemoteContent {
    RemoteContent(
      url: remote.url, source: .file(path: [1]), byteCount: bytes, version: 1, isFromPublicServer: false)
  }

  private mutating func requestImage(
    _ request: ImageRequest, _ ticket: UInt64, by deadline: Double = 0, at now: Double = 0
  )
    -> [RemoteDownloadTracker.Effect]
  {
    tracker.handle(.request(request, remote, ImageTicket(number: ticket), deadline: at(deadline), at: at(now)))
  }

  @Test("An image is downloaded once for all requests, and then decoded for each of them")
  mutating func sharesDownload() throws {
    #expect(requestImage(imageRequest(1), 1, by: 50) == [.download(remote, for: key(1), deadline: at(50))])
    #expect(requestImage(imageRequest(1), 2, by: 70).isEmpty)
    #expect(requestImage(imageRequest(1), 3, by: 20) == [.updateDeadline(key(1), at(20))])
    #expect(tracker.isPending(key(1)) && tracker.isWaiting(ImageTicket(number: 2)))
    #expect(tracker.handle(.cancel(ImageTicket(number: 3))) == [.updateDeadline(key(1), at(50))])
    #expect(tracker.handle(.updateDeadline(ImageTicket(number: 2), at(5))) == [.updateDeadline(key(1), at(5))])
    let effects = tracker.handle(.downloaded(key(1), .success(content()), at: at(0)))
    var decoded = imageRequest(1)
    decoded.source = .file(path: [1])
    decoded.fileBytes = 9
    #expect(
      effects == [
        .decode(decoded, ImageTicket(number: 1), deadline: at(50)),
        .decode(decoded, ImageTicket(number: 2), deadline: at(5)),
      ])
    #expect(!tracker.isPending(key(1)) && !tracker.isWaiting(ImageTicket(number: 2)))
    #expect(
      requestImage(imageRequest(1, side: 2), 4) == [.download(remote, for: key(1, side: 2), deadline: at(0))],
      "the download store knows whether the file exists and is fresh")
  }

  @Test("Cancelling the last request cancels the download, whose result is then ignored")
  mutating func cancels() {
    _ = requestImage(imageRequest(1), 1)
    _ = requestImage(imageRequest(1), 2)
    #expect(tracker.handle(.cancel(ImageTicket(number: 1))).isEmpty)
    #expect(tracker.handle(.cancel(ImageTicket(number: 2))) == [.cancel(key(1))])
    #expect(tracker.handle(.cancel(ImageTicket(number: 2))).isEmpty)
    #expect(tracker.handle(.downloaded(key(1), .success(content()), at: at(0))).isEmpty)
  }

  @Test("A failure ends all requests, is known at every size, and is retried after its pause if transient")
  mutating func fails() {
    _ = requestImage(imageRequest(1), 1)
    let effects = tracker.handle(.downloaded(key(1), .failure(.stalled), at: at(0)))
    #expect(effects == [.fail(key(1), [ImageTicket(number: 1)], .remote(.stalled))])
    #expect(tracker.failure(for: key(1, side: 4)) == .remote(.stalled))
    #expect(!tracker.canAttempt(key(1), at: at(1_999)) && tracker.canAttempt(key(1), at: at(2_000)))
    #expect(requestImage(imageRequest(1), 2, at: 10) == [.fail(key(1), [ImageTicket(number: 2)], .remote(.stalled))])
    #expect(requestImage(imageRequest(1), 3, at: 2_000).count == 1 && tracker.failedCount == 2)
    _ = tracker.handle(.downloaded(key(1), .success(content()), at: at(2_000)))
    #expect(tracker.failure(for: key(1)) == nil)
    _ = requestImage(imageRequest(2), 4)
    _ = tracker.handle(.downloaded(key(2), .failure(.notFound), at: at(0)))
    #expect(!tracker.canAttempt(key(2), at: .distantFuture))
  }
}

// MARK: - Image pipeline with remote images

@MainActor
@Suite("Image pipeline with remote images")
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

  @Test("An image is downloaded, then decoded and cached")
  func downloads() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    let seen = Lock<[ImageRequest]>([])
    let pipeline = try pipeline(harness.transfers) { request in
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

  @Test("A failure is delivered and remembered, and cancelled requests are not delivered")
  func fails() throws {
    let server = try WebServer { request, connection in
      if request.path == "/silent" { _ = connection.waitUntilClosed() } else { connection.sendResponse(404) }
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    let pipeline = try pipeline(harness.transfers)
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

  @Test("A downloaded file that is missing is downloaded again after a pause")
  func missing() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    let isMissing = Lock(true)
    let pipeline = try pipeline(harness.transfers) { request in
      isMissing.withLock { $0 } ? .failure(.cannotOpen(2)) : GatedDecoder.generatedImage(for: request.key)
    }
    defer { pipeline.shutdown() }
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == .cannotOpen(2))
    isMissing.withLock { $0 = false }
    pipeline.advance(to: at(2_000))
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == nil)
    #expect(server.requests.count == 2)
  }

  @Test("An image whose downloaded bytes were evicted is downloaded again for another size, without a pause")
  func evicted() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    // Enough for two images.
    let harness = try RemoteTransfersHarness(freshnessSeconds: 3_600, memoryBytes: 0)
    let pipeline = try pipeline(harness.transfers) { request in
      do throws(ImageFailure) {
        _ = try ImageFile(request.source)
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
    #expect(server.requests.map(\.path) == ["/1", "/2", "/3", "/1"], "a fresh stored file is not requested")
  }

  @Test("On a modelled timeline a download ends after the delay of its address, whatever its real duration")
  func modelled() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    let pipeline = try pipeline(harness.transfers, mode: .modelled)
    defer { pipeline.shutdown() }
    let request = try request(server, "/a", 1)
    guard case .remote(let remote) = request.source else { return }
    let delay = DownloadCoordinator.modelledDelay(of: remote.url)
    pipeline.advance(to: at(1_000))
    pipeline.request(request, deadline: .onScreen)
    #expect(pipeline.nextArrival == at(1_000) + delay)
    _ = try harness.transfers.fetchSynchronously(remote)
    #expect(pipeline.collect(at: at(1_010)).isEmpty, "downloaded, but not due")
    var now = at(1_000) + delay
    var arrivals = pipeline.collect(at: now)
    while arrivals.isEmpty, let next = pipeline.nextArrival {
      now = max(now, next)
      arrivals = pipeline.collect(at: now)
    }
    #expect(arrivals.map(\.key) == [key(1)] && now > at(1_000) + delay)
  }

  @Test("Without transfers nothing is downloaded")
  func withoutTransfers() throws {
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1), decoders: OpeningDecoders(), waker: waker)
    defer { pipeline.shutdown() }
    let url = try #require(RemoteURL("http://a/"))
    pipeline.request(ImageRequest(key: key(1), source: .remote(RemoteRequest(url))), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == .unsupportedSource)
  }

  @Test("An asset store downloads, prepares and caches the images of its identifiers")
  func assets() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(request.path == "/1" ? 200 : 404, body: pictureBytes)
    }
    defer { server.stop() }
    let transfers = try RemoteTransfersHarness()
    let harness = try PreparationHarness()
    defer { harness.pipeline.shutdown() }
    let addresses = [1: server.address("/1"), 2: server.address("/2")]
    let source = RemoteAssetSource<Int>(transfers.transfers) { id in
      addresses[id].flatMap { RemoteURL($0) }.map { RemoteRequest($0) }
    }
    let store = AssetStore(pipeline: harness.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    for id in 1...3 { store.loadAssetByID(id) { harness.record("\($0.id) \($0.failure?.description ?? "picture")") } }
    try harness.run(until: 3)
    #expect(harness.log.sorted() == ["1 picture", "2 not found", "3 not found"])
    #expect(!store.fetchByID(1).isPlaceholder)
    let download = store.downloadAsset(1)
    download.cancel()
    #expect(store.loadingCount == 0)
  }
}

// MARK: - Support

/// A factory of decoders that only open the files, like those of the pipeline.
private struct OpeningDecoders: DecoderFactory {
  private struct OpeningDecoder: PipelineImageDecoder {
    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome {
      do throws(ImageFailure) {
        _ = try ImageFile(request.source)
        return .failure(.outOfMemory)
      } catch {
        return .failure(error)
      }
    }
  }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder { OpeningDecoder() }
  func interrupt() {}
}
