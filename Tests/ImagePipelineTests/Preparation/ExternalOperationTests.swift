import Testing
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("External operations complete on the render thread in a collect phase")
struct ExternalOperationTests {
  /// An external operation that a test finishes.
  final class Operation: Cancellable {
    var deliver: (@Sendable (Int) -> Void)?
    var isCancelled = false

    func cancel() { isCancelled = true }
  }

  private static func pipeline(_ mode: ImagePipelineConfiguration.Mode, _ waker: TestWaker) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: mode, cacheBytes: 1 << 20), decoders: GatedDecoder(isOpen: true),
      waker: waker)
  }

  @Test(
    "In real time an operation completes once, when it ends, whatever its modelled duration",
    arguments: [nil, FrameDuration.seconds(100)])
  func live(duration: FrameDuration?) throws {
    let waker = TestWaker()
    let pipeline = try Self.pipeline(.live, waker)
    defer { pipeline.shutdown() }
    let operation = Operation()
    var delivered: [Int] = []
    pipeline.startOperation(modelledDuration: duration) { deliver in
      operation.deliver = deliver
      return operation
    } completion: { (number: Int) in
      delivered.append(number)
    }
    _ = pipeline.collect(at: .zero)
    #expect(delivered.isEmpty && !pipeline.hasPendingArrivals && pipeline.nextArrival == nil)
    let deliver = try #require(operation.deliver)
    try WorkerThread(name: "other") {
      deliver(7)
      deliver(8)
    }.join()
    #expect(delivered.isEmpty && pipeline.hasPendingArrivals)
    _ = pipeline.collect(at: .zero)
    #expect(delivered == [7] && !operation.isCancelled)
  }

  @Test("On a modelled timeline operations complete when they are due, in this order")
  func modelled() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    var delivered: [Int] = []
    let operations = [40.0, 20, 30, 20].enumerated().map { index, milliseconds in
      let operation = Operation()
      pipeline.startOperation(modelledDuration: .milliseconds(milliseconds)) { deliver in
        operation.deliver = deliver
        return operation
      } completion: { (number: Int) in
        delivered.append(number * 10 + index)
      }
      return operation
    }
    for index in [0, 3, 2, 1] { operations[index].deliver?(index) }
    #expect(!pipeline.hasPendingArrivals && pipeline.nextArrival == at(20))
    _ = pipeline.collect(at: at(19))
    #expect(delivered.isEmpty)
    _ = pipeline.collect(at: at(30))
    #expect(delivered == [11, 33, 22] && pipeline.nextArrival == at(40))
    _ = pipeline.collect(at: at(1_000))
    #expect(delivered == [11, 33, 22, 0] && pipeline.nextArrival == nil)
  }

  @Test("An operation that is due and has not ended is waited for")
  func waiting() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    let gate = Lock(false)
    var delivered: [Int] = []
    var thread: WorkerThread?
    pipeline.startOperation(modelledDuration: .milliseconds(5)) { deliver in
      thread = try? WorkerThread(name: "late") {
        gate.wait { $0 ? () : nil }
        deliver(1)
      }
      return nil
    } completion: { (number: Int) in
      delivered.append(number)
    }
    _ = pipeline.collect(at: at(4))
    #expect(delivered.isEmpty)
    gate.withLock { $0 = true }
    gate.wakeAll()
    pipeline.advance(to: at(5))
    #expect(delivered.isEmpty, "advancing calls no completion")
    _ = pipeline.collect(at: at(5))
    #expect(delivered == [1])
    thread?.join()
  }

  @Test("An operation that a completion starts completes in a later frame, even with a duration of zero")
  func zeroDuration() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    var delivered: [Int] = []
    func start(_ number: Int, lasting duration: FrameDuration) {
      pipeline.startOperation(modelledDuration: duration) { deliver in
        deliver(number)
        return nil
      } completion: { (number: Int) in
        delivered.append(number)
        start(number + 1, lasting: number.isMultiple(of: 2) ? .zero : .milliseconds(-1))
      }
    }
    start(1, lasting: .milliseconds(3))
    _ = pipeline.collect(at: at(2))
    #expect(delivered.isEmpty)
    for count in 1...4 {
      _ = pipeline.collect(at: at(3))
      #expect(delivered == Array(1...count) && pipeline.nextArrival == at(3))
    }
  }

  @Test(
    "A cancelled operation does not complete, and neither does one after a shutdown",
    arguments: [ImagePipelineConfiguration.Mode.live, .modelled])
  func cancelled(mode: ImagePipelineConfiguration.Mode) throws {
    let pipeline = try Self.pipeline(mode, TestWaker())
    var delivered = 0
    let operations = [Operation(), Operation(), Operation()]
    let handles = operations.map { operation in
      pipeline.startOperation(modelledDuration: .milliseconds(1)) { deliver in
        operation.deliver = deliver
        return operation
      } completion: { (_: Int) in
        delivered += 1
      }
    }
    handles[0].cancel()
    operations[0].deliver?(0)
    operations[1].deliver?(1)
    handles[1].cancel()
    handles[1].cancel()
    #expect(operations.map(\.isCancelled) == [true, true, false])
    _ = pipeline.collect(at: .zero)
    operations[2].deliver?(2)
    pipeline.shutdown()
    _ = pipeline.collect(at: at(100))
    #expect(delivered == 0)
  }

  @Test("A download of an asset ends after the delay that its source declares, and is waited for")
  func assets() throws {
    final class Source: AssetSource {
      var completions: [@Sendable (Result<StoredImage, AssetFailure>) -> Void] = []

      func storedImage(for id: Int) -> StoredImage? { nil }
      func modelledDelay(of id: Int) -> FrameDuration? { .milliseconds(Double(id)) }
      func download(
        _ id: Int, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
      ) -> (any Cancellable)? {
        completions.append(completion)
        return nil
      }
    }
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    let source = Source()
    let store = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(pixels(2, 2)))
    var ended: [Int] = []
    for id in [50, 30] { store.loadAssetByID(id) { ended.append($0.id) } }
    for (index, completion) in source.completions.enumerated() { completion(.success(stored(index))) }
    _ = pipeline.collect(at: at(29))
    #expect(ended.isEmpty && store.loadingCount == 2 && pipeline.nextArrival == at(30))
    for instant in stride(from: 30.0, to: 200, by: 1) { _ = pipeline.collect(at: at(instant)) }
    #expect(ended == [30, 50])
  }

  @Test("Decodes that the client records are counted on the render thread only")
  func countedDecode() throws {
    let pipeline = try Self.pipeline(.live, TestWaker())
    defer { pipeline.shutdown() }
    pipeline.recordDecode()
    #expect(pipeline.statistics.decodedOnRenderThread == 1)
    try WorkerThread(name: "elsewhere") { pipeline.recordDecode() }.join()
    #expect(pipeline.statistics.decodedOnRenderThread == 1)
    #expect(pipeline.journal == nil)
    let key = ImageKey(source: 7, size: try #require(PixelSize(width: 30, height: 20)))
    pipeline.recordDecode(of: key, from: .zero, to: .zero, .failure(.notAFile))
    #expect(pipeline.statistics.decodedOnRenderThread == 2)
  }

  @Test("Decodes that the client records appear in the journal, with the bitmap's number or the failure")
  func recordedDecode() throws {
    let journal = DecodeJournal()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, journal: journal),
      decoders: GatedDecoder(isOpen: true) { generatedImage($0.key) },
      waker: TestWaker())
    defer { pipeline.shutdown() }
    let key = ImageKey(source: 7, size: try #require(PixelSize(width: 30, height: 20)))
    let bitmap = try Bitmap.square(4, .white)
    pipeline.recordDecode(of: key, from: .zero, to: .zero + .milliseconds(3), .success(bitmap))
    try WorkerThread(name: "elsewhere") {
      pipeline.recordDecode(of: key, from: .zero, to: .zero + .milliseconds(4), .failure(.notAFile))
    }
    .join()
    let spans = journal.spans
    #expect(
      spans.map(\.context.isDrawingThread) == [true, false] && spans.allSatisfy { $0.key == key && $0.source == nil })
    #expect(spans.map(\.failure) == [nil, .notAFile] && bitmap.traceNumber == spans.first?.number)
    #expect(pipeline.statistics.decodedOnRenderThread == 1)
  }
}
