import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Pictures prepared for threads and tasks outside of the loop")
struct OffMainPreparationTests {
  /// Makes a pipeline's frames until a condition holds.
  @MainActor
  private static func drive(_ bench: PreparationBench, until isDone: @MainActor () -> Bool) throws {
    while !isDone() {
      try bench.waker.wait(for: "something to collect")
      _ = bench.pipeline.collect(at: .zero)
    }
  }

  @Test("threads wait for their pictures, and preparations of the same pixels are one decode")
  @MainActor
  func threads() throws {
    let bench = try PreparationBench(isOpen: false, workers: 2)
    defer { bench.pipeline.shutdown() }
    let (pipeline, waker) = (bench.pipeline, bench.waker)
    let ends = Lock<[Int: Int]>([:])
    let threads = try (0..<6).map { number in
      try WorkerThread(name: "asker \(number)") {
        let image = try? stored(number / 3).preparingThumbnail(of: pixels(2 + number / 3, 2), in: pipeline)
        ends.withLock { $0[number] = image?.bitmap.size.width ?? 0 }
        waker.wake()
      }
    }
    bench.decoders.open()
    try Self.drive(bench) { ends.withLock { $0.count } == 6 }
    for thread in threads { thread.join() }
    #expect(ends.withLock { $0 } == [0: 2, 1: 2, 2: 2, 3: 3, 4: 3, 5: 3])
    #expect(bench.decoders.started.count == 2)
    #expect(!pipeline.hasPendingArrivals)
  }

  @Test("a thread is told why there is no picture")
  @MainActor
  func failure() throws {
    let bench = try PreparationBench(outcome: { _ in .failure(.notAFile) })
    defer { bench.pipeline.shutdown() }
    let (pipeline, waker) = (bench.pipeline, bench.waker)
    let failure = Lock<ImageFailure?>(nil)
    let thread = try WorkerThread(name: "asker") {
      do throws(ImageFailure) {
        _ = try stored(1).preparingForDisplay(in: pipeline)
      } catch {
        failure.withLock { $0 = error }
        waker.wake()
      }
    }
    try Self.drive(bench) { failure.withLock { $0 != nil } }
    thread.join()
    #expect(failure.withLock { $0 } == .notAFile)
  }

  @Test("threads and tasks that wait are told of a shutdown, and so is who comes after it")
  func shutdown() async throws {
    let bench = try await PreparationBench(isOpen: false)
    let pipeline = bench.pipeline
    let task = Task { try await stored(1).byPreparingForDisplay(in: pipeline) }
    let end = Lock<ImageFailure?>(nil)
    let thread = try WorkerThread(name: "asker") {
      do throws(ImageFailure) {
        _ = try stored(2).preparingForDisplay(in: pipeline)
      } catch {
        end.withLock { $0 = error }
      }
    }
    try await MainActor.run {
      try Self.drive(bench) { bench.pipeline.statistics.requested == 2 }
      pipeline.shutdown()
    }
    thread.join()
    #expect(end.withLock { $0 } == .interrupted)
    await #expect(throws: ImageFailure.interrupted) { try await task.value }
    await #expect(throws: ImageFailure.interrupted) { try await stored(3).byPreparingForDisplay(in: pipeline) }
  }

  @Test("a task awaits its picture; its cancellation ends it at once and takes the request back")
  func tasks() async throws {
    let bench = try await PreparationBench(isOpen: false)
    let pipeline = bench.pipeline
    let kept = Task { try await stored(1).byPreparingThumbnail(ofSize: pixels(3, 4), in: pipeline).bitmap.size }
    try await MainActor.run { try Self.drive(bench) { pipeline.statistics.requested == 1 } }
    _ = try bench.decoders.waitForStarts(1)
    let given = Task { try await stored(2).byPreparingThumbnail(ofSize: pixels(1, 1), in: pipeline) }
    try await MainActor.run { try Self.drive(bench) { bench.pipeline.statistics.queueDepth == 1 } }
    given.cancel()
    await #expect(throws: CancellationError.self) { try await given.value }
    let size = try await MainActor.run {
      _ = pipeline.collect(at: .zero)
      #expect(pipeline.statistics.cancelled == 1 && pipeline.statistics.queueDepth == 0)
      bench.decoders.open()
      let key = pipeline.key(of: stored(1), for: .thumbnail(pixels(3, 4)))
      try Self.drive(bench) { pipeline.image(for: key) != nil }
      return pixels(3, 4)
    }
    #expect(try await kept.value == size)
    await pipeline.shutdown()
  }

  @Test("a task that is cancelled before it asks wants nothing")
  func cancelledBefore() async throws {
    let bench = try await PreparationBench()
    let pipeline = bench.pipeline
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

  @Test("waiting on the thread that draws is a mistake, named")
  func onTheDrawingThread() async throws {
    let waits = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = try stored(1).preparingForDisplay(in: PreparationBench().pipeline)
    }
    let awaits = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = try await stored(1).byPreparingThumbnail(ofSize: pixels(1, 1), in: PreparationBench().pipeline)
    }
    for (result, words) in [
      (waits, "was to wait for a picture that only it can take in"), (awaits, "was awaited on the thread"),
    ] {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains(words), "\(text)")
    }
  }
}
