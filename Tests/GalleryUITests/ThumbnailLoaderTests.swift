import DecodingProtocol
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Threads

@testable import GalleryUI

@Suite("The loader asks once for each picture, for what is seen first")
struct ThumbnailLoaderTests {
  /// A loader over a decoder that waits at its gate; photograph n is asked for as source n.
  final class Bench {
    let decoder: GatedDecoder
    let waker = TestWaker()
    let pipeline: ImagePipeline
    let loader: ThumbnailLoader
    /// Photographs of which nothing is known.
    let unknown: Unknown

    final class Unknown {
      var items: Set<UInt32> = []
      /// The side of every picture but those named below; nothing while there is no room.
      var side: Int?
      var sides: [UInt32: Int] = [:]
    }

    init(
      side: Int? = 8, workers: Int = 1, fileBytes: Int = 1, hasPreview: Bool = false,
      outcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
    ) throws {
      decoder = GatedDecoder(makeOutcome: outcome)
      pipeline = try ImagePipeline(
        ImagePipelineConfiguration(workers: workers), decoders: decoder, waker: waker)
      let unknown = Unknown()
      self.unknown = unknown
      unknown.side = side
      loader = ThumbnailLoader(
        pipeline: pipeline, background: .black,
        photo: { item in
          unknown.items.contains(item.rawValue)
            ? nil
            : PhotoReference(
              source: .file(path: Array("/\(item.rawValue)".utf8)), sourceID: UInt64(item.rawValue),
              fileBytes: fileBytes, hasPreview: hasPreview)
        },
        size: { item in
          (unknown.sides[item.rawValue] ?? unknown.side).flatMap { PixelSize(width: $0, height: $0) }
        })
    }

    isolated deinit { pipeline.shutdown() }

    @discardableResult
    func setSide(_ side: Int?) -> [Bitmap] {
      unknown.side = side
      return loader.updateSizes(at: .zero)
    }

    func state(_ item: UInt32, place: Int64 = 0) -> ThumbnailLoader.State {
      loader.state(of: PhotoID(rawValue: item), deadline: ThumbnailDeadline.deadline(onScreenAt: place))
    }

    func prefetch(_ items: [UInt32], distance: Int = 0, at instant: FrameInstant = .zero) -> [Bitmap] {
      loader.prefetch(items.map(PhotoID.init), distance: distance, at: instant)
    }

    /// Waits until so many items have an answer.
    func collect(_ count: Int) throws -> [UInt32] {
      var items: [UInt32] = []
      while items.count < count {
        try waker.wait(for: "answer \(items.count + 1) of \(count)")
        items += loader.collect(at: .zero, atMost: .max).items.map(\.rawValue)
      }
      return items
    }

    var started: [UInt32] { decoder.started.map { UInt32($0.source) } }
  }

  static func isMissing(_ state: ThumbnailLoader.State) -> Bool {
    if case .missing = state { return true }
    return false
  }

  @Test("Asking again and again is one request, and its answer is there for the asking")
  func oneRequest() throws {
    let bench = try Bench()
    #expect(bench.prefetch([1]).isEmpty)
    for _ in 0..<3 { #expect(Self.isMissing(bench.state(1))) }
    bench.decoder.open()
    #expect(try bench.collect(1) == [1])
    #expect(bench.started == [1])
    #expect(bench.pipeline.statistics.requested == 1)
    guard case .image(let bitmap, false) = bench.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(bitmap.size.width == 8)
    #expect(bench.prefetch([1]).first === bitmap, "what is in memory is handed over at once")
    #expect(bench.pipeline.statistics.decoded == 1)
  }

  @Test("A file's own small picture stands in until the picture is there")
  func preview() throws {
    let isFullOpen = Lock(false)
    let bench = try Bench(fileBytes: 3_000_000, hasPreview: true) { request in
      if request.representation == .full { isFullOpen.wait { $0 ? () : nil } }
      return GatedDecoder.generatedImage(for: request.key)
    }
    bench.decoder.open()
    #expect(Self.isMissing(bench.state(1)))
    #expect(try bench.collect(1) == [1])
    guard case .preview(let small) = bench.state(1) else { return #expect(Bool(false), "there is no preview") }
    #expect(small.size.width == 8)
    #expect(bench.prefetch([1]).isEmpty, "what stands in is not what was asked for")
    isFullOpen.withLock { $0 = true }
    isFullOpen.wakeAll()
    #expect(try bench.collect(1) == [1])
    guard case .image(_, false) = bench.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(bench.pipeline.statistics.requested == 1)
    #expect(bench.pipeline.statistics.previews == 1)
  }

  @Test("How a picture of an address looks is noted every time, how one of a file looks once")
  func tinyPreviews() throws {
    let seen = Lock<[Bool]>([])
    let decoder = GatedDecoder(isOpen: true) { request in
      seen.withLock { $0.append(request.wantsTinyPreview) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 1), decoders: decoder, waker: waker)
    defer { pipeline.shutdown() }
    let file = FileFingerprint(device: 1, inode: 1, byteCount: 1, modificationNanoseconds: 1)
    let side = try #require(PixelSize(width: 8, height: 8))
    let painted = try GatedDecoder.generatedImage(for: ImageKey(source: 0, size: side)).get()
    let previews = PhotoPreviewCache()
    previews.recordPreview(TinyPreview(of: painted.bitmap, pictureSize: side), of: file)
    let address = try #require(RemoteURL("http://a/"))
    let sources: [ImageSource] = [.file(path: [1]), .remote(RemoteRequest(address))]
    let loader = ThumbnailLoader(
      pipeline: pipeline, background: .black, previews: previews,
      photo: { item in
        PhotoReference(
          source: sources[Int(item.rawValue)], sourceID: UInt64(item.rawValue), fileBytes: 1, hasPreview: false,
          fingerprint: file)
      },
      size: { _ in side })
    for item in 0..<2 {
      _ = loader.state(of: PhotoID(rawValue: UInt32(item)), deadline: .onScreen)
      while seen.withLock({ $0.count }) <= item {
        try waker.wait(for: "picture \(item)")
        _ = loader.collect(at: .zero, atMost: .max)
      }
    }
    #expect(seen.withLock { $0 } == [false, true])
  }

  @Test("What is seen comes before what will be, in the order of its places, then what comes next in its order")
  func visibleFirst() throws {
    let bench = try Bench()
    _ = bench.prefetch([1])
    _ = try bench.decoder.waitForStarts(1)
    _ = bench.prefetch([2, 3, 4])
    _ = bench.state(11, place: 200)
    _ = bench.state(10, place: -20)
    _ = bench.state(3, place: 500)
    bench.decoder.open()
    #expect(try bench.collect(6) == [1, 10, 11, 3, 2, 4])
  }

  @Test("Another place on screen counts from then on, and for what waits there alone")
  func places() throws {
    let bench = try Bench()
    _ = bench.prefetch([1])
    _ = try bench.decoder.waitForStarts(1)
    for item: UInt32 in 2...5 { _ = bench.state(item, place: Int64(item)) }
    for item: UInt32 in 2...5 { bench.loader.setPriority(-Int64(item), of: PhotoID(rawValue: item)) }
    bench.loader.setPriority(-9, of: PhotoID(rawValue: 9))
    bench.decoder.open()
    #expect(try bench.collect(5) == [1, 5, 4, 3, 2])
  }

  @Test("Of what two frames announced the nearer ones come first")
  func nearer() throws {
    let bench = try Bench()
    _ = bench.prefetch([1])
    _ = try bench.decoder.waitForStarts(1)
    _ = bench.prefetch(Array(2...40), distance: 1)
    // A frame later the content moved on by three, and three more came within reach.
    _ = bench.prefetch([41, 42, 43], distance: 37, at: .zero + .milliseconds(16))
    bench.decoder.open()
    #expect(try bench.collect(43) == Array(1...43))
  }

  @Test("A failure that passes is asked for again, and known until the picture is there")
  func recovers() throws {
    let isShort = Lock(true)
    let bench = try Bench(outcome: { request in
      isShort.withLock { $0 } ? .failure(.decoderUnavailable) : GatedDecoder.generatedImage(for: request.key)
    })
    bench.decoder.open()
    _ = bench.state(1)
    #expect(try bench.collect(1) == [1])
    isShort.withLock { $0 = false }
    guard case .failure = bench.state(1) else { return #expect(Bool(false), "it did not fail") }
    #expect(bench.prefetch([1]).isEmpty)
    #expect(bench.started == [1], "not before its pause")
    bench.pipeline.advance(to: .zero + .seconds(2))
    guard case .failure = bench.state(1) else { return #expect(Bool(false), "the failure is not shown any more") }
    #expect(try bench.collect(1) == [1])
    guard case .image = bench.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(bench.loader.failures.isEmpty)
  }

  @Test("A picture whose item left the screen waits for all others")
  func postponed() throws {
    let bench = try Bench()
    _ = bench.state(1)
    _ = try bench.decoder.waitForStarts(1)
    _ = bench.state(2)
    _ = bench.state(3, place: 90)
    _ = bench.prefetch([4])
    bench.loader.postpone(PhotoID(rawValue: 2), at: .zero)
    bench.loader.postpone(PhotoID(rawValue: 77), at: .zero)
    bench.decoder.open()
    #expect(try bench.collect(4) == [1, 3, 4, 2])
  }

  @Test("What is given up is never begun, and nothing arrives for it")
  func cancelled() throws {
    let bench = try Bench()
    _ = bench.state(1)
    _ = try bench.decoder.waitForStarts(1)
    _ = bench.prefetch([2, 3, 4, 5])
    bench.loader.cancel([PhotoID(rawValue: 1), PhotoID(rawValue: 3), PhotoID(rawValue: 9)])
    bench.decoder.open()
    #expect(try bench.collect(3) == [2, 4, 5])
    #expect(bench.started == [1, 2, 4, 5])
    #expect(bench.pipeline.statistics.cancelled == 2)
    if case .image = bench.state(1) {} else { #expect(Bool(false), "a decode that ran is kept") }
  }

  @Test("Another size gives up the requests for the last one, and asks for what was announced")
  func otherSize() throws {
    let bench = try Bench()
    _ = bench.state(1)
    _ = try bench.decoder.waitForStarts(1)
    _ = bench.state(2)
    _ = bench.prefetch([3, 4, 5])
    bench.loader.cancel([PhotoID(rawValue: 4)])
    let cancelled = bench.pipeline.statistics.cancelled
    bench.setSide(8)
    #expect(bench.pipeline.statistics.cancelled == cancelled, "the same size gives nothing up")
    bench.setSide(16)
    _ = bench.state(2)
    bench.decoder.open()
    #expect(try bench.collect(3) == [2, 3, 5])
    #expect(bench.decoder.started.map(\.size.width) == [8, 16, 16, 16])
  }

  @Test("Each picture is asked for at the size of its own cell; when one cell changes, only its request is given up")
  func ownSizes() throws {
    let bench = try Bench()
    bench.unknown.sides = [1: 5, 2: 6]
    for item: UInt32 in 1...3 { _ = bench.state(item) }
    _ = try bench.decoder.waitForStarts(1)
    bench.unknown.sides[2] = 7
    _ = bench.loader.updateSizes(at: .zero)
    #expect(bench.pipeline.statistics.cancelled == 1)
    _ = bench.state(2)
    bench.decoder.open()
    #expect(try bench.collect(3).sorted() == [1, 2, 3])
    #expect(bench.decoder.started.map(\.size.width).sorted() == [5, 7, 8])
  }

  @Test("While there is no room for pictures none is asked for; room later asks for what was announced meanwhile")
  func noRoom() throws {
    let bench = try Bench(side: nil)
    #expect(Self.isMissing(bench.state(1)))
    #expect(bench.prefetch([2, 3]).isEmpty)
    #expect(bench.pipeline.statistics.requested == 0)
    bench.decoder.open()
    #expect(bench.setSide(4).isEmpty)
    #expect(try bench.collect(2) == [2, 3])
  }

  @Test("A failure is the item's own, known at once when it is asked for again, and counted once")
  func failures() throws {
    let bench = try Bench(outcome: {
      $0.key.source == 2 ? .failure(.refused(.damaged)) : GatedDecoder.generatedImage(for: $0.key)
    })
    bench.decoder.open()
    for item: UInt32 in 1...3 { _ = bench.state(item) }
    #expect(try bench.collect(3).sorted() == [1, 2, 3])
    #expect(bench.loader.failures == [PhotoID(rawValue: 2)])
    guard case .failure(let failure) = bench.state(2) else { return #expect(Bool(false), "it did not fail") }
    #expect(failure.description == "damaged picture")
    #expect(bench.prefetch([2]).isEmpty)
    bench.setSide(9)
    guard case .failure = bench.state(2) else { return #expect(Bool(false), "it did not fail at another size") }
    #expect(bench.started == [1, 2, 3])
  }

  @Test("A photograph of which nothing is known is not asked for")
  func unknown() throws {
    let bench = try Bench()
    bench.unknown.items = [1]
    #expect(Self.isMissing(bench.state(1)))
    #expect(bench.prefetch([1]).isEmpty)
    #expect(bench.pipeline.statistics.requested == 0)
  }
}
