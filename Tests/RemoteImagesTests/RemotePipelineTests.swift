import Glibc
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Image pipeline with remote images")
struct RemotePipelineTests {
  private let waker = TestWaker()

  private func pipeline(
    _ transfers: RemoteTransfers, mode: ImagePipelineConfiguration.Mode = .live,
    make: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
  ) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: mode, cacheBytes: 1 << 20, downloader: transfers),
      decoders: GatedDecoder(isOpen: true, makeOutcome: make), waker: waker)
  }

  private func request(_ server: WebServer, _ path: String, _ source: Int) throws -> ImageRequest {
    ImageRequest(
      key: key(source), source: .remote(RemoteImage(address: server.address(path))))
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
    #expect(
      arrival.outcome.failure == .download(reason: "not on the server", isTransient: false) && arrival.key == key(1))
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
      do throws(RemoteFailure) {
        _ = try DownloadFileSystem.open(request.source)
        return GatedDecoder.generatedImage(for: request.key)
      } catch {
        return .failure(.cannotOpen(ENOENT))
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
    let delay = remote.modelledDownloadDuration
    pipeline.advance(to: at(1_000))
    pipeline.request(request, deadline: .onScreen)
    #expect(pipeline.nextArrival == at(1_000) + delay)
    _ = try harness.transfers.fetchSynchronously(try #require(RemoteRequest(remote)))
    #expect(pipeline.collect(at: at(1_010)).isEmpty, "downloaded, but not due")
    var now = at(1_000) + delay
    var arrivals = pipeline.collect(at: now)
    while arrivals.isEmpty, let next = pipeline.nextArrival {
      now = max(now, next)
      arrivals = pipeline.collect(at: now)
    }
    #expect(arrivals.map(\.key) == [key(1)] && now > at(1_000) + delay)
  }

  @Test("An asset store downloads, prepares and caches the images of its identifiers")
  func assets() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(request.path == "/1" ? 200 : 404, body: pictureBytes)
    }
    defer { server.stop() }
    let transfers = try RemoteTransfersHarness()
    let pipeline = try pipeline(transfers.transfers)
    defer { pipeline.shutdown() }
    let addresses = [1: server.address("/1"), 2: server.address("/2")]
    let source = RemoteAssetSource<Int>(transfers.transfers) { id in
      addresses[id].flatMap { RemoteURL($0) }.map { RemoteRequest($0) }
    }
    let store = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    var log: [String] = []
    for id in 1...3 { store.loadAssetByID(id) { log.append("\($0.id) \($0.failure?.description ?? "picture")") } }
    while log.count < 3 {
      try waker.wait(for: "end \(log.count + 1) of 3")
      _ = pipeline.collect(at: .zero)
    }
    #expect(log.sorted() == ["1 picture", "2 not found", "3 not found"])
    #expect(!store.fetchByID(1).isPlaceholder)
    let download = store.downloadAsset(1)
    download.cancel()
    #expect(store.loadingCount == 0)
  }

  @Test("`stopWaiting()` ends the wait for a download on a modelled timeline")
  func stopsWaiting() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(seconds: 3_600)
    defer { withExtendedLifetime(harness) {} }
    let pipeline = try pipeline(harness.transfers, mode: .modelled)
    defer { pipeline.shutdown() }
    pipeline.request(try request(server, "/a", 1), deadline: .onScreen)
    try server.waitForRequests(1)
    let thread = try WorkerThread(name: "impatient") { pipeline.stopWaiting() }
    defer { thread.join() }
    #expect(pipeline.collect(at: at(10_000)).isEmpty && pipeline.isPending(key(1)))
  }

  @Test("An address that is not a web URL fails without a download")
  func badAddress() throws {
    let harness = try RemoteTransfersHarness()
    let pipeline = try pipeline(harness.transfers)
    defer { pipeline.shutdown() }
    pipeline.request(
      ImageRequest(key: key(1), source: .remote(RemoteImage(address: "file:///etc/hostname"))), deadline: .onScreen)
    let arrival = try #require(try pipeline.waitForArrivals(1, waker).first)
    #expect(arrival.outcome.failure == ImageFailure(.badAddress) && !pipeline.canAttempt(key(1)))
  }

  @Test("Remote asset sources declare the given delay, or one derived from the address")
  func modelledDelays() throws {
    var configuration = RemoteConfiguration(seed: 1)
    configuration.usesProxies = false
    configuration.proxies = ProxyRules { _ in "http://proxy.example:1" }
    let url = try #require(RemoteURL("http://127.0.0.1:9/a"))
    #expect(configuration.transferSettings.proxies.proxy(for: url) == nil)
    let transfers = try RemoteTransfers(configuration)
    defer { transfers.shutdown() }
    let explicit = RemoteAssetSource<Int>(transfers, delay: { .milliseconds(Double($0)) }, { _ in RemoteRequest(url) })
    #expect(explicit.modelledDelay(of: 70) == .milliseconds(70))
    let automatic = RemoteAssetSource<Int>(transfers) { $0 == 1 ? RemoteRequest(url) : nil }
    let delay = try #require(automatic.modelledDelay(of: 1))
    #expect(delay >= .milliseconds(20) && delay <= .milliseconds(200) && automatic.modelledDelay(of: 2) == nil)
    configuration.usesProxies = true
    #expect(configuration.transferSettings.proxies.proxy(for: url) != nil)
  }
}
