import Testing
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Image preparation")
struct ImagePreparationTests {
  @Test("Completions are called in a collect phase after a wake, once, in the order of deadlines")
  func order() throws {
    let harness = try PreparationHarness(isOpen: false)
    defer { harness.pipeline.shutdown() }
    harness.prepare(0, "first")
    _ = try harness.decoders.waitForStarts(1)
    harness.prepare(1, "later", deadline: at(50))
    let moved = harness.prepare(2, "moved", deadline: at(90))
    harness.prepare(3, "on screen")
    moved.updateDeadline(at(10))
    harness.decoders.open()
    #expect(harness.log.isEmpty)
    #expect(try harness.run(until: 4).isEmpty, "completed preparations are not returned as arrivals")
    #expect(harness.log == ["first", "on screen", "moved", "later"])
    #expect(harness.pipeline.collect(at: at(1)).isEmpty && harness.log.count == 4)
  }

  @Test("Preparations of the same key share a decode, and cancelling one leaves it to the others")
  func sharesDecode() throws {
    let harness = try PreparationHarness(isOpen: false)
    defer { harness.pipeline.shutdown() }
    harness.prepare(1, "a")
    let second = harness.prepare(1, "b")
    harness.prepare(1, "c")
    harness.prepare(1, "other size", side: 2, deadline: at(5))
    _ = try harness.decoders.waitForStarts(1)
    second.cancel()
    second.cancel()
    harness.decoders.open()
    try harness.run(until: 3)
    #expect(harness.log == ["a", "c", "other size"])
    #expect(harness.decoders.started == [harness.key(1), harness.key(1, side: 2)])
  }

  @Test("A cached image completes in the next collect phase, never immediately, and can be cancelled until then")
  func cacheHit() throws {
    let harness = try PreparationHarness()
    defer { harness.pipeline.shutdown() }
    harness.prepare(1, "decoded")
    try harness.run(until: 1)
    harness.prepare(1, "cached")
    let second = harness.prepare(1, "cancelled")
    #expect(harness.log == ["decoded"] && harness.pipeline.hasPendingArrivals)
    second.cancel()
    try harness.run(until: 2)
    #expect(harness.log == ["decoded", "cached"] && harness.decoders.started.count == 1)
    #expect(!harness.pipeline.hasPendingArrivals)
  }

  @Test("A completion may cancel the next one, prepare again and shut the pipeline down")
  func reentrance() throws {
    let harness = try PreparationHarness(isOpen: false)
    var second: ImagePreparation?
    harness.prepare(1, "a") { harness in
      second?.cancel()
      harness.prepare(1, "again") { $0.pipeline.shutdown() }
    }
    second = harness.prepare(1, "b")
    harness.prepare(1, "c")
    harness.decoders.open()
    try harness.run(until: 2)
    #expect(harness.log == ["a", "c"], "a preparation started in a collect phase completes in a later one")
    harness.prepare(1, "after the last")
    try harness.run(until: 3)
    #expect(harness.log == ["a", "c", "again"])
    harness.prepare(1, "too late")
    #expect(harness.pipeline.collect(at: at(9)).isEmpty && harness.log.count == 3)
  }

  @Test("Requests with and without completions share an image")
  func withoutCompletion() throws {
    let harness = try PreparationHarness(isOpen: false)
    defer { harness.pipeline.shutdown() }
    let request = stored(1).request(for: .thumbnail(pixels(1, 1)), maximumPixels: 100)
    let plain = harness.pipeline.request(request, deadline: at(0))
    let second = harness.pipeline.request(request, deadline: at(0))
    harness.prepare(1, "called") { $0.pipeline.cancel(second) }
    harness.decoders.open()
    #expect(try harness.run(until: 1).map(\.tickets) == [[plain]])
    #expect(harness.log == ["called"])
  }

  @Test("A failure is passed to every completion")
  func failure() throws {
    let harness = try PreparationHarness(outcome: { _ in .failure(.notAFile) })
    defer { harness.pipeline.shutdown() }
    harness.prepare(1, "a")
    try harness.run(until: 1)
    harness.prepare(1, "b")
    try harness.run(until: 2)
    #expect(harness.log == ["a not a file", "b not a file"] && harness.decoders.started.count == 1)
  }

  @Test("A preview calls no completion")
  func preview() throws {
    let harness = try PreparationHarness(outcome: { request in
      GatedDecoder.generatedImage(for: request.key).map {
        DecodedImage(bitmap: $0.bitmap, representation: request.representation)
      }
    })
    defer { harness.pipeline.shutdown() }
    var image = stored(1, byteCount: 40 << 20)
    image.hasPreview = true
    var representations: [ImageRepresentation] = []
    image.prepareThumbnail(of: pixels(1, 1), in: harness.pipeline) { outcome in
      representations.append((try? outcome.get())?.representation ?? .embedded)
      harness.record("end")
    }
    try harness.run(until: 1)
    #expect(representations == [.full])
    #expect(harness.pipeline.statistics.previews == 1, "a preview was decoded")
  }

  @Test("A shutdown cancels all preparations and calls no completion")
  func shutdown() throws {
    let harness = try PreparationHarness(isOpen: false)
    harness.prepare(1, "running")
    harness.prepare(2, "waiting")
    _ = try harness.decoders.waitForStarts(1)
    harness.pipeline.shutdown()
    #expect(harness.pipeline.collect(at: at(1)).isEmpty && harness.log.isEmpty)
  }

  @Test("Releasing a preparation does not cancel it, releasing the pipeline does")
  func lifetimes() throws {
    weak var released: ImagePipeline?
    do {
      let harness = try PreparationHarness()
      harness.prepare(1, "a")
      try harness.run(until: 1)
      released = harness.pipeline
      harness.prepare(2, "b", deadline: at(5))
    }
    #expect(released == nil)
  }

  @Test("A full image is decoded at its own size, as far as it fits the slot")
  func wholeSize() throws {
    let harness = try PreparationHarness(slotBytes: 4 * 10_000)
    defer { harness.pipeline.shutdown() }
    func size(_ image: StoredImage) -> PixelSize { harness.pipeline.key(of: image, for: .display).size }
    #expect(size(stored(1, size: pixels(120, 60))) == pixels(120, 60))
    #expect(size(stored(1, size: pixels(400, 100))) == pixels(200, 50))
    #expect(size(stored(1)) == pixels(100, 100))
    #expect(harness.pipeline.key(of: stored(1), for: .display).fit == .fit)
    #expect(harness.pipeline.key(of: stored(1), for: .thumbnail(pixels(3, 2))).fit == .fillWithoutEnlarging)
  }

  @Test("Names differ by file, version and background, and are equal for equal images")
  func names() {
    let images = [
      StoredImage(path: Array("/a".utf8)), StoredImage(path: Array("/b".utf8)),
      StoredImage(path: Array("/a".utf8), version: 1), StoredImage(path: Array("/a".utf8), background: .white),
      StoredImage(source: .generated(0)), StoredImage(source: .generated(1)),
    ]
    #expect(Set(images.map(\.name)).count == images.count)
    #expect(StoredImage(path: Array("/a".utf8), byteCount: 5).name == images[0].name)
  }

  @Test("Collecting in a completion fails a precondition")
  func collectsInCompletion() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let harness = try PreparationHarness()
      harness.prepare(1, "a") { _ = $0.pipeline.collect(at: .zero) }
      try harness.run(until: 1)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("pictures were to be collected by a completion"), "\(text)")
  }
}

// MARK: - Image preparation with the program's decoding process

@MainActor
@Suite("Image preparation with the program's decoding process")
struct PreparedImageTests {
  @Test("A thumbnail has the requested size without enlarging, a full image its own")
  func sizes() throws {
    let folder = try TemporaryFolder()
    let bitmap = try Bitmap.gradient(160, 120)
    let path = try folder.write(try EncodingProcess(largest: bitmap.size).encode(bitmap, quality: 92), to: "a.jpg")
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 1), waker: waker)
    defer { pipeline.shutdown() }
    let image = StoredImage(path: path)
    func prepared(_ form: PreparedForm) throws -> Bitmap {
      var prepared: ImageOutcome?
      let end: @MainActor (ImageOutcome) -> Void = { prepared = $0 }
      switch form {
      case .display: image.prepareForDisplay(in: pipeline, completion: end)
      case .thumbnail(let size): image.prepareThumbnail(of: size, in: pipeline, completion: end)
      }
      while prepared == nil {
        try waker.wait(for: "\(form)")
        _ = pipeline.collect(at: .zero)
      }
      return try #require(prepared).get().bitmap
    }
    #expect(RealHelper.difference(try prepared(.display), bitmap) < 24)
    #expect(RealHelper.difference(try prepared(.thumbnail(pixels(40, 30))), try Bitmap.gradient(40, 30)) < 24)
    #expect(try prepared(.thumbnail(pixels(50, 20))).size == pixels(50, 20))
    // As wide as the image but not as high: nothing is enlarged, and the aspect ratio is the requested one.
    let wide = try prepared(.thumbnail(pixels(320, 120)))
    #expect(wide.size == pixels(160, 60))
    // Its rows are the middle rows of the image.
    let middle = try Bitmap(size: wide.size, isOpaque: true) { bytes in
      bitmap.withPixels { bytes.copyBytes(from: $0[(30 * 160 * 4)..<(90 * 160 * 4)]) }
    }
    #expect(RealHelper.difference(wide, middle) < 24)
    #expect(try prepared(.thumbnail(pixels(400, 400))).size == pixels(120, 120))
    #expect(pipeline.statistics.decodedOnRenderThread == 0)
  }
}

// MARK: - Image preparation under random events

@MainActor
@Suite("Image preparation under random events")
struct PreparationStressTests {
  /// A preparation and its completions.
  private final class Request {
    let number: Int
    var handle: ImagePreparation?
    var completionCount = 0
    var isCancelled = false

    init(_ number: Int) { self.number = number }
  }

  /// Returns everything that the clients of random preparations on a modelled timeline observe, frame by frame.
  private func log(seed: Int, frames: Int = 120) throws -> [String] {
    var random = SeededGenerator(seed: UInt64(seed))
    let decoders = GatedDecoder(isOpen: true) { request in
      request.key.source % 7 == 3 ? .failure(.notAFile) : GatedDecoder.generatedImage(for: request.key)
    }
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 3, mode: .modelled, cacheBytes: 60), decoders: decoders, waker: TestWaker())
    var log: [String] = []
    var requests: [Request] = []
    func prepare(_ number: Int, _ deadline: FrameInstant) {
      let request = Request(requests.count)
      requests.append(request)
      let image = stored(number, byteCount: number * 30_000)
      let victim = requests[Int.random(in: requests.indices, using: &random)]
      request.handle = image.prepareThumbnail(of: pixels(1, 1), in: pipeline, deadline: deadline) { outcome in
        #expect(!request.isCancelled, "\(request.number) was cancelled")
        request.completionCount += 1
        log.append("\(request.number) of \(number): \(outcome.failure.map(String.init(describing:)) ?? "picture")")
        // A completion may cancel other preparations.
        if victim !== request, request.number % 5 == 0 {
          victim.isCancelled = victim.isCancelled || victim.completionCount == 0
          victim.handle?.cancel()
        }
      }
    }
    for frame in 0..<frames {
      let now = at(Double(frame) * 6)
      #expect(pipeline.collect(at: now, atMost: 40).isEmpty)
      log.append("frame \(frame) \(pipeline.hasPendingArrivals)")
      guard frame < frames - 30 else { continue }
      for _ in 0..<Int.random(in: 0..<7, using: &random) {
        let deadline =
          Bool.random(using: &random) ? .onScreen : now + .milliseconds(Double.random(in: 0...90, using: &random))
        prepare(Int.random(in: 0..<25, using: &random), deadline)
      }
      if let request = requests.randomElement(using: &random) {
        if random.chance(oneIn: 2) {
          request.isCancelled = request.isCancelled || request.completionCount == 0
          request.handle?.cancel()
        } else {
          request.handle?.updateDeadline(now + .milliseconds(5))
        }
      }
      if random.chance(oneIn: 20) { pipeline.handleMemoryPressure() }
    }
    _ = pipeline.collect(at: at(1e6))
    for request in requests {
      #expect(request.completionCount == (request.isCancelled ? 0 : 1), "request \(request.number)")
    }
    #expect(requests.contains { $0.isCancelled } && requests.count > 100)
    pipeline.shutdown()
    return log
  }

  @Test("Every preparation completes once unless it was cancelled, and equal runs are equal", arguments: 0..<8)
  func exactlyOnce(seed: Int) throws {
    let log = try log(seed: seed)
    #expect(try self.log(seed: seed) == log)
    #expect(log.contains { $0.contains("not a file") })
  }
}

// MARK: - Preparation on other threads and tasks

@Suite("Preparation on other threads and tasks")
struct OffMainPreparationTests {
  /// Collects after each wake until a condition holds.
  @MainActor
  private static func runFrames(_ harness: PreparationHarness, until isDone: @MainActor () -> Bool) throws {
    while !isDone() {
      try harness.waker.wait(for: "something to collect")
      _ = harness.pipeline.collect(at: .zero)
    }
  }

  @Test("Threads wait for their images, and preparations of the same key share a decode")
  @MainActor
  func threads() throws {
    let harness = try PreparationHarness(isOpen: false, workers: 2)
    defer { harness.pipeline.shutdown() }
    let (pipeline, waker) = (harness.pipeline, harness.waker)
    let widths = Lock<[Int: Int]>([:])
    let threads = try (0..<6).map { number in
      try WorkerThread(name: "waiter \(number)") {
        let image = try? stored(number / 3).preparingThumbnail(of: pixels(2 + number / 3, 2), in: pipeline)
        widths.withLock { $0[number] = image?.bitmap.size.width ?? 0 }
        waker.wake()
      }
    }
    harness.decoders.open()
    try Self.runFrames(harness) { widths.withLock { $0.count } == 6 }
    for thread in threads { thread.join() }
    #expect(widths.withLock { $0 } == [0: 2, 1: 2, 2: 2, 3: 3, 4: 3, 5: 3])
    #expect(harness.decoders.started.count == 2)
    #expect(!pipeline.hasPendingArrivals)
  }

  @Test("A thread receives the failure")
  @MainActor
  func failure() throws {
    let harness = try PreparationHarness(outcome: { _ in .failure(.notAFile) })
    defer { harness.pipeline.shutdown() }
    let (pipeline, waker) = (harness.pipeline, harness.waker)
    let failure = Lock<ImageFailure?>(nil)
    let thread = try WorkerThread(name: "waiter") {
      do throws(ImageFailure) {
        _ = try stored(1).preparingForDisplay(in: pipeline)
      } catch {
        failure.withLock { $0 = error }
        waker.wake()
      }
    }
    try Self.runFrames(harness) { failure.withLock { $0 != nil } }
    thread.join()
    #expect(failure.withLock { $0 } == .notAFile)
  }

  @Test("A shutdown ends waiting threads and tasks, and later ones end immediately")
  func shutdown() async throws {
    let harness = try await PreparationHarness(isOpen: false)
    let pipeline = harness.pipeline
    let task = Task { try await stored(1).byPreparingForDisplay(in: pipeline) }
    let failure = Lock<ImageFailure?>(nil)
    let thread = try WorkerThread(name: "waiter") {
      do throws(ImageFailure) {
        _ = try stored(2).preparingForDisplay(in: pipeline)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    try await MainActor.run {
      try Self.runFrames(harness) { harness.pipeline.statistics.requested == 2 }
      pipeline.shutdown()
    }
    thread.join()
    #expect(failure.withLock { $0 } == .interrupted)
    await #expect(throws: ImageFailure.interrupted) { try await task.value }
    await #expect(throws: ImageFailure.interrupted) { try await stored(3).byPreparingForDisplay(in: pipeline) }
  }

  @Test("A task awaits its image, and its cancellation ends it immediately and cancels the request")
  func tasks() async throws {
    let harness = try await PreparationHarness(isOpen: false)
    let pipeline = harness.pipeline
    let completed = Task { try await stored(1).byPreparingThumbnail(ofSize: pixels(3, 4), in: pipeline).bitmap.size }
    try await MainActor.run { try Self.runFrames(harness) { pipeline.statistics.requested == 1 } }
    _ = try harness.decoders.waitForStarts(1)
    let cancelled = Task { try await stored(2).byPreparingThumbnail(ofSize: pixels(1, 1), in: pipeline) }
    try await MainActor.run { try Self.runFrames(harness) { harness.pipeline.statistics.queueDepth == 1 } }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let size = try await MainActor.run {
      _ = pipeline.collect(at: .zero)
      #expect(pipeline.statistics.cancelled == 1 && pipeline.statistics.queueDepth == 0)
      harness.decoders.open()
      let key = pipeline.key(of: stored(1), for: .thumbnail(pixels(3, 4)))
      try Self.runFrames(harness) { pipeline.image(for: key) != nil }
      return pixels(3, 4)
    }
    #expect(try await completed.value == size)
    await pipeline.shutdown()
  }

  @Test("A task that is cancelled in advance makes no request")
  func cancelledBefore() async throws {
    let harness = try await PreparationHarness()
    let pipeline = harness.pipeline
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stored(1).byPreparingForDisplay(in: pipeline)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await MainActor.run {
      #expect(pipeline.collect(at: .zero).isEmpty && pipeline.statistics.requested == 0)
      pipeline.shutdown()
    }
  }

  @Test("Waiting on the render thread fails a precondition")
  func onRenderThread() async throws {
    let waits = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = try stored(1).preparingForDisplay(in: PreparationHarness().pipeline)
    }
    let awaits = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = try await stored(1).byPreparingThumbnail(ofSize: pixels(1, 1), in: PreparationHarness().pipeline)
    }
    for (result, words) in [
      (waits, "was to wait for a picture that only it can take in"), (awaits, "was awaited on the thread"),
    ] {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains(words), "\(text)")
    }
  }
}
