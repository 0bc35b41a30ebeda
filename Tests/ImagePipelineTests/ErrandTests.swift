import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("What other threads make comes to the thread that draws in a collect phase")
struct ErrandTests {
  /// Who is to be told that something has ended.
  final class Teller: Cancellable {
    var tell: (@Sendable (Int) -> Void)?
    var isGivenUp = false

    func cancel() { isGivenUp = true }
  }

  private static func pipeline(_ mode: ImagePipelineConfiguration.Mode, _ waker: TestWaker) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: mode, cacheBytes: 1 << 20), decoders: GatedDecoder(isOpen: true),
      waker: waker)
  }

  @Test(
    "In real time when it is there, once, whatever it is said to take", arguments: [nil, FrameDuration.seconds(100)])
  func live(duration: FrameDuration?) throws {
    let waker = TestWaker()
    let pipeline = try Self.pipeline(.live, waker)
    defer { pipeline.shutdown() }
    let teller = Teller()
    var told: [Int] = []
    pipeline.startOperation(modelledDuration: duration) { deliver in
      teller.tell = deliver
      return teller
    } completion: { (number: Int) in
      told.append(number)
    }
    _ = pipeline.collect(at: .zero)
    #expect(told.isEmpty && !pipeline.hasPendingArrivals && pipeline.nextArrival == nil)
    let tell = try #require(teller.tell)
    try WorkerThread(name: "teller") {
      tell(7)
      tell(8)
    }.join()
    #expect(told.isEmpty && pipeline.hasPendingArrivals)
    _ = pipeline.collect(at: .zero)
    #expect(told == [7] && !teller.isGivenUp)
  }

  @Test("On a modelled time line when it is due, in the order in which it is, however it really ends")
  func modelled() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    var told: [Int] = []
    let tellers = [40.0, 20, 30, 20].enumerated().map { place, milliseconds in
      let teller = Teller()
      pipeline.startOperation(modelledDuration: .milliseconds(milliseconds)) { deliver in
        teller.tell = deliver
        return teller
      } completion: { (number: Int) in
        told.append(number * 10 + place)
      }
      return teller
    }
    for place in [0, 3, 2, 1] { tellers[place].tell?(place) }
    #expect(!pipeline.hasPendingArrivals && pipeline.nextArrival == at(20))
    _ = pipeline.collect(at: at(19))
    #expect(told.isEmpty)
    _ = pipeline.collect(at: at(30))
    #expect(told == [11, 33, 22] && pipeline.nextArrival == at(40))
    _ = pipeline.collect(at: at(1_000))
    #expect(told == [11, 33, 22, 0] && pipeline.nextArrival == nil)
  }

  @Test("What is due and has not really ended is waited for")
  func waiting() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    let gate = Lock(false)
    var told: [Int] = []
    var thread: WorkerThread?
    pipeline.startOperation(modelledDuration: .milliseconds(5)) { deliver in
      thread = try? WorkerThread(name: "late") {
        gate.wait { $0 ? () : nil }
        deliver(1)
      }
      return nil
    } completion: { (number: Int) in
      told.append(number)
    }
    _ = pipeline.collect(at: at(4))
    #expect(told.isEmpty)
    gate.withLock { $0 = true }
    gate.wakeAll()
    pipeline.advance(to: at(5))
    #expect(told.isEmpty, "waiting tells nobody")
    _ = pipeline.collect(at: at(5))
    #expect(told == [1])
    thread?.join()
  }

  @Test("What a completion begins is told in a later frame, even where it takes no time")
  func noTime() throws {
    let pipeline = try Self.pipeline(.modelled, TestWaker())
    defer { pipeline.shutdown() }
    var told: [Int] = []
    func bring(_ number: Int, taking duration: FrameDuration) {
      pipeline.startOperation(modelledDuration: duration) { deliver in
        deliver(number)
        return nil
      } completion: { (number: Int) in
        told.append(number)
        bring(number + 1, taking: number.isMultiple(of: 2) ? .zero : .milliseconds(-1))
      }
    }
    bring(1, taking: .milliseconds(3))
    _ = pipeline.collect(at: at(2))
    #expect(told.isEmpty)
    for count in 1...4 {
      _ = pipeline.collect(at: at(3))
      #expect(told == Array(1...count) && pipeline.nextArrival == at(3))
    }
  }

  @Test(
    "Given up, or with the pipeline shut down, nobody is told",
    arguments: [ImagePipelineConfiguration.Mode.live, .modelled])
  func givenUp(mode: ImagePipelineConfiguration.Mode) throws {
    let pipeline = try Self.pipeline(mode, TestWaker())
    var told = 0
    let tellers = [Teller(), Teller(), Teller()]
    let errands = tellers.map { teller in
      pipeline.startOperation(modelledDuration: .milliseconds(1)) { deliver in
        teller.tell = deliver
        return teller
      } completion: { (_: Int) in
        told += 1
      }
    }
    errands[0].cancel()
    tellers[0].tell?(0)
    tellers[1].tell?(1)
    errands[1].cancel()
    errands[1].cancel()
    #expect(tellers.map(\.isGivenUp) == [true, true, false])
    _ = pipeline.collect(at: .zero)
    tellers[2].tell?(2)
    pipeline.shutdown()
    _ = pipeline.collect(at: at(100))
    #expect(told == 0)
  }

  @Test("An asset's download ends when its source declares, and is waited for where it has not")
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
    for (place, completion) in source.completions.enumerated() { completion(.success(stored(place))) }
    _ = pipeline.collect(at: at(29))
    #expect(ended.isEmpty && store.loadingCount == 2 && pipeline.nextArrival == at(30))
    for instant in stride(from: 30.0, to: 200, by: 1) { _ = pipeline.collect(at: at(instant)) }
    #expect(ended == [30, 50])
  }

  @Test("Pictures on the web say what their downloads take: as told, or as their address decides")
  func declared() throws {
    var configuration = RemoteConfiguration(seed: 1)
    configuration.usesProxies = false
    configuration.proxies = ProxyRules { _ in "http://proxy.example:1" }
    let url = try #require(RemoteURL("http://127.0.0.1:9/a"))
    #expect(configuration.transferSettings.proxies.proxy(for: url) == nil)
    let transfers = try RemoteTransfers(configuration)
    defer { transfers.shutdown() }
    let told = RemoteAssetSource<Int>(transfers, delay: { .milliseconds(Double($0)) }, { _ in RemoteRequest(url) })
    #expect(told.modelledDelay(of: 70) == .milliseconds(70))
    let usual = RemoteAssetSource<Int>(transfers) { $0 == 1 ? RemoteRequest(url) : nil }
    let delay = try #require(usual.modelledDelay(of: 1))
    #expect(delay >= .milliseconds(20) && delay <= .milliseconds(200) && usual.modelledDelay(of: 2) == nil)
    configuration.usesProxies = true
    #expect(configuration.transferSettings.proxies.proxy(for: url) != nil)
  }

  @Test("A decode that a program makes by itself is counted on the thread that draws, and only there")
  func inPlace() throws {
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

  @Test("A decode that a program makes by itself is noted for a trace, with its bitmap's number or why there is none")
  func inPlaceNoted() throws {
    let journal = DecodeJournal()
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, journal: journal),
      decoders: GatedDecoder(isOpen: true) { picture($0.key) },
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
