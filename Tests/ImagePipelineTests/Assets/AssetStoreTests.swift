import DecodingProtocol
import FramePacing
import Geometry
import Glibc
import Rendering
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Assets by identifier")
struct AssetStoreTests {
  private let bench: PreparationBench
  private let source = DownloadSource()
  private let store: AssetStore<DownloadSource>
  private let placeholder: Bitmap

  init() throws {
    let placeholder = try Bitmap.square(1, .white)
    self.placeholder = placeholder
    bench = try PreparationBench()
    store = AssetStore(pipeline: bench.pipeline, source: source, form: .thumbnail(pixels(2, 2))) { _ in placeholder }
  }

  /// Loads an asset, and notes how it is then.
  @discardableResult
  private func load(_ id: Int, _ name: String = "") -> any Cancellable {
    let bench = bench
    return store.loadAssetByID(id) { asset in
      bench.note(
        "\(name)\(asset.id) \(asset.failure?.description ?? (asset.isPlaceholder ? "placeholder" : "picture"))")
    }
  }

  @Test("a placeholder at once, the picture when it was downloaded and prepared")
  func downloads() throws {
    defer { bench.pipeline.shutdown() }
    let first = store.fetchByID(7)
    #expect(first.isPlaceholder && first.image === placeholder && first.failure == nil && first.id == 7)
    #expect(store.loadingCount == 0 && source.begun.isEmpty, "to ask begins nothing")
    load(7)
    #expect(store.isLoading(7) && source.begun == [7])
    try source.end(7, .success(stored(7)))
    #expect(bench.log.isEmpty && bench.pipeline.hasPendingArrivals, "nothing happens on the download's thread")
    try bench.run(until: 1)
    #expect(bench.log == ["7 picture"] && store.loadingCount == 0)
    let asset = store.fetchByID(7)
    #expect(!asset.isPlaceholder && asset.image?.size == pixels(2, 2))
  }

  @Test("a download is as urgent as the most urgent of those who want it")
  func deadlines() throws {
    defer { bench.pipeline.shutdown() }
    let ahead = store.loadAssetByID(7, deadline: at(50))
    #expect(source.deadline(of: 7) == at(50))
    let shown = store.loadAssetByID(7)
    #expect(source.deadline(of: 7) == .onScreen && source.begun == [7])
    shown.cancel()
    #expect(source.deadline(of: 7) == at(50) && source.givenUp.isEmpty)
    ahead.cancel()
    #expect(source.givenUp == [7])
  }

  @Test("what is on this machine is not downloaded, and is prepared ahead only where there is need")
  func local() throws {
    defer { bench.pipeline.shutdown() }
    source.here[1] = stored(1)
    #expect(store.prepareAssetIfNeeded(2) == nil && source.begun.isEmpty, "it would have to be downloaded")
    let bench = bench
    #expect(store.prepareAssetIfNeeded(1) { _ in bench.note("ready") } != nil)
    try bench.run(until: 1)
    #expect(!store.fetchByID(1).isPlaceholder && source.begun.isEmpty)
    #expect(store.prepareAssetIfNeeded(1) == nil)
    load(1)
    #expect(bench.log == ["ready"], "never at once")
    try bench.run(until: 2)
    #expect(bench.log == ["ready", "1 picture"] && bench.decoders.started.count == 1)
  }

  @Test("several who want one asset wait for one download; who gives it up leaves the others theirs")
  func joins() throws {
    defer { bench.pipeline.shutdown() }
    load(1, "a")
    let given = load(1, "b")
    load(1, "c")
    given.cancel()
    try source.end(1, .success(stored(1)))
    try bench.run(until: 2)
    #expect(bench.log == ["a1 picture", "c1 picture"] && source.begun == [1] && bench.decoders.started.count == 1)
    let only = load(2)
    only.cancel()
    only.cancel()
    #expect(source.givenUp == [2] && store.loadingCount == 0)
    try source.end(2, .success(stored(2)))
    _ = bench.pipeline.collect(at: at(0))
    #expect(bench.log.count == 2)
  }

  @Test("a failure is a state of the asset, no placeholder until it is to be tried again")
  func failures() throws {
    defer { bench.pipeline.shutdown() }
    load(1)
    try source.end(1, .failure(.download(reason: "server is busy", isTransient: true)))
    try bench.run(until: 1)
    let failed = store.fetchByID(1)
    #expect(failed.failure?.description == "server is busy" && !failed.isPlaceholder && failed.image === placeholder)
    load(1, "early ")
    #expect(bench.log.count == 1 && bench.pipeline.hasPendingArrivals, "a known failure is told in a frame too")
    let given = load(1, "given up ")
    given.cancel()
    try bench.run(until: 2)
    #expect(bench.log == ["1 server is busy", "early 1 server is busy"] && source.begun == [1])
    store.downloadAsset(1)
    #expect(source.begun == [1, 1], "who says so tries at once")
    try source.end(1, .success(stored(1)))
    bench.pipeline.advance(to: at(2_000))
    load(1)
    try bench.run(until: 3)
    #expect(bench.log.last == "1 picture" && store.fetchByID(1).failure == nil)
  }

  @Test("a file that holds no picture has failed for good")
  func noPicture() throws {
    let bench = try PreparationBench(outcome: { _ in .failure(.refused(.notAPicture)) })
    defer { bench.pipeline.shutdown() }
    let store = AssetStore(
      pipeline: bench.pipeline, source: FileAssetSource<Int> { $0 == 1 ? stored(1) : nil }, form: .display)
    for id in 1...2 { store.loadAssetByID(id) { bench.note("\($0.id) \($0.failure == nil)") } }
    try bench.run(until: 2)
    bench.pipeline.advance(to: .distantFuture)
    #expect(store.fetchByID(1).failure == .image(.refused(.notAPicture)) && !store.fetchByID(1).isPlaceholder)
    #expect(store.fetchByID(2).failure == .notFound && store.fetchByID(2).image == nil)
    #expect(store.prepareAssetIfNeeded(1) == nil)
  }

  @Test("short memory takes the pictures and not their places: nothing is downloaded again")
  func pressure() throws {
    defer { bench.pipeline.shutdown() }
    let small = try PreparationBench(cacheBytes: 3 * 16)
    defer { small.pipeline.shutdown() }
    let store = AssetStore(pipeline: small.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    for id in 1...3 {
      store.loadAssetByID(id) { small.note("\($0.id)") }
      try source.end(id, .success(stored(id)))
      try small.run(until: id)
    }
    let shown = small.key(1, side: 2)
    small.pipeline.pin(shown)
    small.pipeline.handleMemoryPressure()
    #expect((1...3).map { store.fetchByID($0).isPlaceholder } == [false, true, true], "what is on screen stays")
    small.pipeline.unpin(shown)
    small.pipeline.handleMemoryPressure()
    #expect((1...3).allSatisfy { store.fetchByID($0).isPlaceholder })
    #expect(store.prepareAssetIfNeeded(2) { small.note("\($0.isPlaceholder)") } != nil)
    try small.run(until: 4)
    #expect(small.log.last == "false" && source.begun == [1, 2, 3])
  }

  @Test("what was downloaded and is gone from where it was kept is downloaded once more, and then told")
  func gone() throws {
    let isGone = Lock(false)
    let bench = try PreparationBench(outcome: { request in
      isGone.withLock { $0 } ? .failure(.cannotOpen(ENOENT)) : GatedDecoder.generatedImage(for: request.key)
    })
    defer { bench.pipeline.shutdown() }
    let store = AssetStore(pipeline: bench.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    func load(side: Int) {
      store.form = .thumbnail(pixels(side, side))
      store.loadAssetByID(1) { bench.note($0.failure?.description ?? "picture") }
    }
    func awaitDownload(_ count: Int) throws {
      while source.begun.count < count {
        try bench.waker.wait(for: "download \(count)")
        _ = bench.pipeline.collect(at: .zero)
      }
    }
    load(side: 2)
    try source.end(1, .success(stored(1)))
    try bench.run(until: 1)
    isGone.withLock { $0 = true }
    load(side: 5)
    try awaitDownload(2)
    #expect(bench.log == ["picture"] && store.fetchByID(1).failure == nil && store.failedCount == 0)
    isGone.withLock { $0 = false }
    // The same bytes of the same name: that they could not be opened before does not count.
    try source.end(1, .success(stored(1)))
    try bench.run(until: 2)
    #expect(bench.log.last == "picture" && store.fetchByID(1).image?.size == pixels(5, 5))
    isGone.withLock { $0 = true }
    load(side: 6)
    try awaitDownload(3)
    try source.end(1, .success(stored(1)))
    try bench.run(until: 3)
    #expect(bench.log.last == "file is gone" && source.begun.count == 3 && store.failedCount == 1)
  }

  @Test("pictures of another form are other pictures; what is being prepared is prepared anew")
  func anotherForm() throws {
    let bench = try PreparationBench(isOpen: false)
    defer { bench.pipeline.shutdown() }
    source.here = [1: stored(1)]
    let store = AssetStore(pipeline: bench.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    store.loadAssetByID(1) { bench.note("\($0.image?.size.width ?? 0)") }
    _ = try bench.decoders.waitForStarts(1)
    store.form = .thumbnail(pixels(5, 5))
    bench.decoders.open()
    try bench.run(until: 1)
    #expect(bench.log == ["5"])
    store.form = .thumbnail(pixels(6, 6))
    #expect(store.fetchByID(1).isPlaceholder)
  }

  @Test("the small picture that a file carries is shown meanwhile, and still is a placeholder")
  func preview() throws {
    let gate = Lock(false)
    let bench = try PreparationBench(outcome: { request in
      if request.representation == .full { gate.wait { $0 ? () : nil } }
      return GatedDecoder.generatedImage(for: request.key).map {
        DecodedImage(bitmap: $0.bitmap, representation: request.representation)
      }
    })
    defer { bench.pipeline.shutdown() }
    var image = stored(1, byteCount: 40 << 20)
    image.hasPreview = true
    source.here = [1: image]
    let store = AssetStore(pipeline: bench.pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    store.loadAssetByID(1) { _ in bench.note("end") }
    while store.fetchByID(1).image == nil {
      try bench.waker.wait(for: "the small picture")
      _ = bench.pipeline.collect(at: .zero)
    }
    #expect(store.fetchByID(1).isPlaceholder && bench.log.isEmpty)
    gate.withLock { $0 = true }
    gate.wakeAll()
    try bench.run(until: 1)
    #expect(!store.fetchByID(1).isPlaceholder)
  }

  @Test("after a shutdown, or without the store, nobody is called")
  func ends() throws {
    source.here = [1: stored(1)]
    weak var released: AssetStore<DownloadSource>?
    do {
      let store = AssetStore(pipeline: bench.pipeline, source: source, form: .display)
      released = store
      let bench = bench
      store.loadAssetByID(2) { _ in bench.note("of a store that is gone") }
    }
    #expect(released == nil)
    try source.end(2, .success(stored(2)))
    _ = bench.pipeline.collect(at: at(0))
    load(1)
    load(3)
    bench.pipeline.shutdown()
    try source.end(3, .success(stored(3)))
    _ = bench.pipeline.collect(at: at(0))
    #expect(bench.log.isEmpty && !bench.pipeline.hasPendingArrivals)
  }
}
