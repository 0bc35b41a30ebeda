import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Asset store")
struct AssetStoreTests {
  private let harness: PreparationHarness
  private let source = DownloadSource()
  private let store: AssetStore<DownloadSource>
  private let placeholder: Bitmap

  init() throws {
    let placeholder = try Bitmap.square(1, .white)
    self.placeholder = placeholder
    harness = try PreparationHarness()
    store = AssetStore(pipeline: harness.pipeline, source: source, form: .thumbnail(pixels(2, 2))) { _ in placeholder }
  }

  /// Loads an asset, and logs its state at completion.
  @discardableResult
  private func load(_ id: Int, _ name: String = "") -> any Cancellable {
    let harness = harness
    return store.loadAssetByID(id) { asset in
      harness.record(
        "\(name)\(asset.id) \(asset.failure?.description ?? (asset.isPlaceholder ? "placeholder" : "picture"))")
    }
  }

  @Test("An asset is a placeholder until its image has been downloaded and prepared")
  func downloads() throws {
    defer { harness.pipeline.shutdown() }
    let first = store.fetchByID(7)
    #expect(first.isPlaceholder && first.image === placeholder && first.failure == nil && first.id == 7)
    #expect(store.loadingCount == 0 && source.started.isEmpty, "fetching starts no download")
    load(7)
    #expect(store.isLoading(7) && source.started == [7])
    try source.finishDownload(7, .success(stored(7)))
    #expect(
      harness.log.isEmpty && harness.pipeline.hasPendingArrivals, "no completion is called on the download's thread")
    try harness.run(until: 1)
    #expect(harness.log == ["7 picture"] && store.loadingCount == 0)
    let asset = store.fetchByID(7)
    #expect(!asset.isPlaceholder && asset.image?.size == pixels(2, 2))
  }

  @Test("A download has the earliest deadline of its requests")
  func deadlines() throws {
    defer { harness.pipeline.shutdown() }
    let ahead = store.loadAssetByID(7, deadline: at(50))
    #expect(source.deadline(of: 7) == at(50))
    let shown = store.loadAssetByID(7)
    #expect(source.deadline(of: 7) == .onScreen && source.started == [7])
    shown.cancel()
    #expect(source.deadline(of: 7) == at(50) && source.cancelled.isEmpty)
    ahead.cancel()
    #expect(source.cancelled == [7])
  }

  @Test("A local image is not downloaded, and is prepared in advance only if it is not cached")
  func localImages() throws {
    defer { harness.pipeline.shutdown() }
    source.localImages[1] = stored(1)
    #expect(store.prepareAssetIfNeeded(2) == nil && source.started.isEmpty, "it would have to be downloaded")
    let harness = harness
    #expect(store.prepareAssetIfNeeded(1) { _ in harness.record("ready") } != nil)
    try harness.run(until: 1)
    #expect(!store.fetchByID(1).isPlaceholder && source.started.isEmpty)
    #expect(store.prepareAssetIfNeeded(1) == nil)
    load(1)
    #expect(harness.log == ["ready"], "never immediately")
    try harness.run(until: 2)
    #expect(harness.log == ["ready", "1 picture"] && harness.decoders.started.count == 1)
  }

  @Test("Requests for one asset share a download, and cancelling one leaves it to the others")
  func sharesDownload() throws {
    defer { harness.pipeline.shutdown() }
    load(1, "a")
    let second = load(1, "b")
    load(1, "c")
    second.cancel()
    try source.finishDownload(1, .success(stored(1)))
    try harness.run(until: 2)
    #expect(
      harness.log == ["a1 picture", "c1 picture"] && source.started == [1] && harness.decoders.started.count == 1)
    let only = load(2)
    only.cancel()
    only.cancel()
    #expect(source.cancelled == [2] && store.loadingCount == 0)
    try source.finishDownload(2, .success(stored(2)))
    _ = harness.pipeline.collect(at: at(0))
    #expect(harness.log.count == 2)
  }

  @Test("An asset with a failure is no placeholder until it can be retried")
  func failures() throws {
    defer { harness.pipeline.shutdown() }
    load(1)
    try source.finishDownload(1, .failure(.download(reason: "server is busy", isTransient: true)))
    try harness.run(until: 1)
    let failed = store.fetchByID(1)
    #expect(failed.failure?.description == "server is busy" && !failed.isPlaceholder && failed.image === placeholder)
    load(1, "early ")
    #expect(
      harness.log.count == 1 && harness.pipeline.hasPendingArrivals, "a known failure is also delivered in a frame")
    let second = load(1, "cancelled ")
    second.cancel()
    try harness.run(until: 2)
    #expect(harness.log == ["1 server is busy", "early 1 server is busy"] && source.started == [1])
    store.downloadAsset(1)
    #expect(source.started == [1, 1], "an explicit retry starts immediately")
    try source.finishDownload(1, .success(stored(1)))
    harness.pipeline.advance(to: at(2_000))
    load(1)
    try harness.run(until: 3)
    #expect(harness.log.last == "1 picture" && store.fetchByID(1).failure == nil)
  }

  @Test("A file that is not an image fails permanently")
  func noPicture() throws {
    let harness = try PreparationHarness(outcome: { _ in .failure(.refused(.notAPicture)) })
    defer { harness.pipeline.shutdown() }
    let store = AssetStore(
      pipeline: harness.pipeline, source: FileAssetSource<Int> { $0 == 1 ? stored(1) : nil }, form: .display)
    for id in 1...2 { store.loadAssetByID(id) { harness.record("\($0.id) \($0.failure == nil)") } }
    try harness.run(until: 2)
    harness.pipeline.advance(to: .distantFuture)
    #expect(store.fetchByID(1).failure == .image(.refused(.notAPicture)) && !store.fetchByID(1).isPlaceholder)
    #expect(store.fetchByID(2).failure == .notFound && store.fetchByID(2).image == nil)
    #expect(store.prepareAssetIfNeeded(1) == nil)
  }

  @Test("Memory pressure evicts images but not their locations, so nothing is downloaded again")
  func memoryPressure() throws {
    defer { harness.pipeline.shutdown() }
    let small = try PreparationHarness(cacheBytes: 3 * 16)
    defer { small.pipeline.shutdown() }
    let store = AssetStore(pipeline: small.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    for id in 1...3 {
      store.loadAssetByID(id) { small.record("\($0.id)") }
      try source.finishDownload(id, .success(stored(id)))
      try small.run(until: id)
    }
    let shown = small.key(1, side: 2)
    small.pipeline.pin(shown)
    small.pipeline.handleMemoryPressure()
    #expect(
      (1...3).map { store.fetchByID($0).isPlaceholder } == [false, true, true], "the image on screen stays cached")
    small.pipeline.unpin(shown)
    small.pipeline.handleMemoryPressure()
    #expect((1...3).allSatisfy { store.fetchByID($0).isPlaceholder })
    #expect(store.prepareAssetIfNeeded(2) { small.record("\($0.isPlaceholder)") } != nil)
    try small.run(until: 4)
    #expect(small.log.last == "false" && source.started == [1, 2, 3])
  }

  @Test("A downloaded file that is missing is downloaded once more, and then reported")
  func missingDownload() throws {
    let isMissing = Lock(false)
    let harness = try PreparationHarness(outcome: { request in
      isMissing.withLock { $0 } ? .failure(.cannotOpen(ENOENT)) : GatedDecoder.generatedImage(for: request.key)
    })
    defer { harness.pipeline.shutdown() }
    let store = AssetStore(pipeline: harness.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    func load(side: Int) {
      store.form = .thumbnail(pixels(side, side))
      store.loadAssetByID(1) { harness.record($0.failure?.description ?? "picture") }
    }
    func waitForDownload(_ count: Int) throws {
      while source.started.count < count {
        try harness.waker.wait(for: "download \(count)")
        _ = harness.pipeline.collect(at: .zero)
      }
    }
    load(side: 2)
    try source.finishDownload(1, .success(stored(1)))
    try harness.run(until: 1)
    isMissing.withLock { $0 = true }
    load(side: 5)
    try waitForDownload(2)
    #expect(harness.log == ["picture"] && store.fetchByID(1).failure == nil && store.failedCount == 0)
    isMissing.withLock { $0 = false }
    // The file has the same name and contents: the earlier failure to open it must not count.
    try source.finishDownload(1, .success(stored(1)))
    try harness.run(until: 2)
    #expect(harness.log.last == "picture" && store.fetchByID(1).image?.size == pixels(5, 5))
    isMissing.withLock { $0 = true }
    load(side: 6)
    try waitForDownload(3)
    try source.finishDownload(1, .success(stored(1)))
    try harness.run(until: 3)
    #expect(harness.log.last == "file is gone" && source.started.count == 3 && store.failedCount == 1)
  }

  @Test("Another form is a different image, and an image that is being prepared is prepared again")
  func anotherForm() throws {
    let harness = try PreparationHarness(isOpen: false)
    defer { harness.pipeline.shutdown() }
    source.localImages = [1: stored(1)]
    let store = AssetStore(pipeline: harness.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    store.loadAssetByID(1) { harness.record("\($0.image?.size.width ?? 0)") }
    _ = try harness.decoders.waitForStarts(1)
    store.form = .thumbnail(pixels(5, 5))
    harness.decoders.open()
    try harness.run(until: 1)
    #expect(harness.log == ["5"])
    store.form = .thumbnail(pixels(6, 6))
    #expect(store.fetchByID(1).isPlaceholder)
  }

  @Test("The embedded preview is shown until the image arrives, and is a placeholder")
  func preview() throws {
    let gate = Lock(false)
    let harness = try PreparationHarness(outcome: { request in
      if request.representation == .full { gate.wait { $0 ? () : nil } }
      return GatedDecoder.generatedImage(for: request.key).map {
        DecodedImage(bitmap: $0.bitmap, representation: request.representation)
      }
    })
    defer { harness.pipeline.shutdown() }
    var image = stored(1, byteCount: 40 << 20)
    image.hasPreview = true
    source.localImages = [1: image]
    let store = AssetStore(pipeline: harness.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    store.loadAssetByID(1) { _ in harness.record("end") }
    while store.fetchByID(1).image == nil {
      try harness.waker.wait(for: "the embedded preview")
      _ = harness.pipeline.collect(at: .zero)
    }
    #expect(store.fetchByID(1).isPlaceholder && harness.log.isEmpty)
    gate.withLock { $0 = true }
    gate.wakeAll()
    try harness.run(until: 1)
    #expect(!store.fetchByID(1).isPlaceholder)
  }

  @Test("No completion is called after a shutdown or for a deallocated store")
  func noCallbacks() throws {
    source.localImages = [1: stored(1)]
    weak var released: AssetStore<DownloadSource>?
    do {
      let store = AssetStore(pipeline: harness.pipeline, source: source, form: .display)
      released = store
      let harness = harness
      store.loadAssetByID(2) { _ in harness.record("of a deallocated store") }
    }
    #expect(released == nil)
    try source.finishDownload(2, .success(stored(2)))
    _ = harness.pipeline.collect(at: at(0))
    load(1)
    load(3)
    harness.pipeline.shutdown()
    try source.finishDownload(3, .success(stored(3)))
    _ = harness.pipeline.collect(at: at(0))
    #expect(harness.log.isEmpty && !harness.pipeline.hasPendingArrivals)
  }
}

// MARK: - Support

/// An asset source whose downloads a test finishes, from another thread.
@MainActor
private final class DownloadSource: AssetSource {
  private final class Download: Deferrable {
    var deadline: FrameInstant
    var isCancelled = false

    init(_ deadline: FrameInstant) { self.deadline = deadline }

    func updateDeadline(_ deadline: FrameInstant) { self.deadline = deadline }

    func cancel() { isCancelled = true }
  }

  /// The local images, by asset.
  var localImages: [Int: StoredImage] = [:]
  /// The assets whose download was started, in order.
  private(set) var started: [Int] = []
  private var completions: [Int: @Sendable (Result<StoredImage, AssetFailure>) -> Void] = [:]
  private var downloads: [Int: Download] = [:]

  init() {}

  /// The assets whose download was cancelled.
  var cancelled: [Int] { downloads.filter(\.value.isCancelled).keys.sorted() }

  func storedImage(for id: Int) -> StoredImage? { localImages[id] }

  /// Returns the deadline of an asset's download, or nil if none was started.
  func deadline(of id: Int) -> FrameInstant? { downloads[id]?.deadline }

  func download(
    _ id: Int, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)? {
    started.append(id)
    completions[id] = completion
    let download = Download(deadline)
    downloads[id] = download
    return download
  }

  /// Finishes the download of an asset on another thread.
  func finishDownload(_ id: Int, _ result: Result<StoredImage, AssetFailure>) throws {
    guard let completion = completions[id] else { return }
    let thread = try WorkerThread(name: "download \(id)") { completion(result) }
    thread.join()
  }
}
