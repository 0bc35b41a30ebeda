import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineGalleryUI

@Suite("The loader requests each picture once, and visible pictures first")
struct ThumbnailLoaderTests {
  /// A loader with a decoder that waits at its gate.
  ///
  /// Photo n has source n.
  final class Fixture {
    let decoder: GatedDecoder
    let waker = TestWaker()
    let pipeline: ImagePipeline
    let loader: ThumbnailLoader
    /// The photos of which the loader has no reference, and the sizes of the others.
    let photos: Photos

    final class Photos {
      var unknownItems: Set<UInt32> = []
      /// The default side of a picture in pixels, or nil if there is no space for pictures.
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
      let photos = Photos()
      self.photos = photos
      photos.side = side
      loader = ThumbnailLoader(
        pipeline: pipeline, background: .black,
        reference: { item in
          photos.unknownItems.contains(item.rawValue)
            ? nil
            : PhotoReference(
              source: .file(path: Array("/\(item.rawValue)".utf8)), sourceID: UInt64(item.rawValue),
              fileBytes: fileBytes, hasPreview: hasPreview)
        },
        size: { item in
          (photos.sides[item.rawValue] ?? photos.side).flatMap { PixelSize(width: $0, height: $0) }
        })
    }

    isolated deinit { pipeline.shutdown() }

    @discardableResult
    func setSide(_ side: Int?) -> [Bitmap] {
      photos.side = side
      return loader.updateSizes(at: .zero)
    }

    func state(_ item: UInt32, priority: Int64 = 0) -> ThumbnailLoader.State {
      loader.state(of: PhotoID(rawValue: item), deadline: ThumbnailDeadline.deadline(onScreenWithPriority: priority))
    }

    func prefetch(_ items: [UInt32], distance: Int = 0, at instant: FrameInstant = .zero) -> [Bitmap] {
      loader.prefetch(items.map(PhotoID.init), distance: distance, at: instant)
    }

    /// Waits until the given number of items have a result.
    func collectItems(_ count: Int) throws -> [UInt32] {
      var items: [UInt32] = []
      while items.count < count {
        try waker.wait(for: "result \(items.count + 1) of \(count)")
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

  // MARK: - Requests and results

  @Test("Repeated queries make one request, and return its result once it is available")
  func oneRequest() throws {
    let fixture = try Fixture()
    #expect(fixture.prefetch([1]).isEmpty)
    for _ in 0..<3 { #expect(Self.isMissing(fixture.state(1))) }
    fixture.decoder.open()
    #expect(try fixture.collectItems(1) == [1])
    #expect(fixture.started == [1])
    #expect(fixture.pipeline.statistics.requested == 1)
    guard case .image(let bitmap, false) = fixture.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(bitmap.size.width == 8)
    #expect(fixture.prefetch([1]).first === bitmap, "a picture in memory is returned immediately")
    #expect(fixture.pipeline.statistics.decoded == 1)
  }

  @Test("The preview of a file is shown until the picture is decoded")
  func preview() throws {
    let isFullOpen = Lock(false)
    let fixture = try Fixture(fileBytes: 3_000_000, hasPreview: true) { request in
      if request.representation == .full { isFullOpen.wait { $0 ? () : nil } }
      return GatedDecoder.generatedImage(for: request.key)
    }
    fixture.decoder.open()
    #expect(Self.isMissing(fixture.state(1)))
    #expect(try fixture.collectItems(1) == [1])
    guard case .preview(let small) = fixture.state(1) else { return #expect(Bool(false), "there is no preview") }
    #expect(small.size.width == 8)
    #expect(fixture.prefetch([1]).isEmpty, "a preview is not the picture")
    isFullOpen.withLock { $0 = true }
    isFullOpen.wakeAll()
    #expect(try fixture.collectItems(1) == [1])
    guard case .image(_, false) = fixture.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(fixture.pipeline.statistics.requested == 1)
    #expect(fixture.pipeline.statistics.previews == 1)
  }

  @Test("A tiny preview is requested of every remote picture, and of a file if none is recorded")
  func tinyPreviews() throws {
    let requestedPreviews = Lock<[Bool]>([])
    let decoder = GatedDecoder(isOpen: true) { request in
      requestedPreviews.withLock { $0.append(request.wantsTinyPreview) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 1), decoders: decoder, waker: waker)
    defer { pipeline.shutdown() }
    let file = FileFingerprint(device: 1, inode: 1, byteCount: 1, modificationNanoseconds: 1)
    let side = try #require(PixelSize(width: 8, height: 8))
    let image = try GatedDecoder.generatedImage(for: ImageKey(source: 0, size: side)).get()
    let previews = PhotoPreviewCache()
    previews.recordPreview(TinyPreview(of: image.bitmap, pictureSize: side), of: file, origin: nil)
    let sources: [ImageSource] = [.file(path: [1]), .remote(RemoteImage(address: "http://a/"))]
    let loader = ThumbnailLoader(
      pipeline: pipeline, background: .black, previews: previews,
      reference: { item in
        PhotoReference(
          source: sources[Int(item.rawValue)], sourceID: UInt64(item.rawValue), fileBytes: 1, hasPreview: false,
          fingerprint: file)
      },
      size: { _ in side })
    for item in 0..<2 {
      _ = loader.state(of: PhotoID(rawValue: UInt32(item)), deadline: .onScreen)
      while requestedPreviews.withLock({ $0.count }) <= item {
        try waker.wait(for: "picture \(item)")
        _ = loader.collect(at: .zero, atMost: .max)
      }
    }
    #expect(requestedPreviews.withLock { $0 } == [false, true])
  }

  // MARK: - Order

  @Test("Visible pictures are decoded in order of priority, and then prefetched ones in order")
  func displayedFirst() throws {
    let fixture = try Fixture()
    _ = fixture.prefetch([1])
    _ = try fixture.decoder.waitForStarts(1)
    _ = fixture.prefetch([2, 3, 4])
    _ = fixture.state(11, priority: 200)
    _ = fixture.state(10, priority: -20)
    _ = fixture.state(3, priority: 500)
    fixture.decoder.open()
    #expect(try fixture.collectItems(6) == [1, 10, 11, 3, 2, 4])
  }

  @Test("A picture on screen that failed is tried again after those that were not tried yet")
  func retriesLast() throws {
    let isSecondOpen = Lock(false)
    let fixture = try Fixture(outcome: { request in
      if request.key.source == 2 { isSecondOpen.wait { $0 ? () : nil } }
      return request.key.source == 1
        ? .failure(.cannotOpen(EIO)) : GatedDecoder.generatedImage(for: request.key)
    })
    fixture.decoder.open()
    _ = fixture.state(1)
    _ = try fixture.collectItems(1)
    fixture.pipeline.advance(to: .zero + .seconds(2))
    _ = fixture.state(2)
    _ = try fixture.decoder.waitForStarts(2)
    _ = fixture.state(1)
    _ = fixture.state(3, priority: 500)
    _ = fixture.prefetch([4])
    isSecondOpen.withLock { $0 = true }
    isSecondOpen.wakeAll()
    #expect(try fixture.collectItems(4) == [2, 3, 1, 4])
  }

  @Test("A changed priority applies to pending requests of visible pictures alone")
  func changedPriorities() throws {
    let fixture = try Fixture()
    _ = fixture.prefetch([1])
    _ = try fixture.decoder.waitForStarts(1)
    for item: UInt32 in 2...5 { _ = fixture.state(item, priority: Int64(item)) }
    for item: UInt32 in 2...5 { fixture.loader.setPriority(-Int64(item), of: PhotoID(rawValue: item)) }
    fixture.loader.setPriority(-9, of: PhotoID(rawValue: 9))
    fixture.decoder.open()
    #expect(try fixture.collectItems(5) == [1, 5, 4, 3, 2])
  }

  @Test("Of prefetched pictures of two frames, the nearest come first")
  func distances() throws {
    let fixture = try Fixture()
    _ = fixture.prefetch([1])
    _ = try fixture.decoder.waitForStarts(1)
    _ = fixture.prefetch(Array(2...40), distance: 1)
    // A frame later, the content has moved by three items.
    _ = fixture.prefetch([41, 42, 43], distance: 37, at: .zero + .milliseconds(16))
    fixture.decoder.open()
    #expect(try fixture.collectItems(43) == Array(1...43))
  }

  @Test("A transient failure is retried, and remains visible until the picture is decoded")
  func transientFailure() throws {
    let isUnavailable = Lock(true)
    let fixture = try Fixture(outcome: { request in
      isUnavailable.withLock { $0 } ? .failure(.decoderUnavailable) : GatedDecoder.generatedImage(for: request.key)
    })
    fixture.decoder.open()
    _ = fixture.state(1)
    #expect(try fixture.collectItems(1) == [1])
    isUnavailable.withLock { $0 = false }
    guard case .failure = fixture.state(1) else { return #expect(Bool(false), "it did not fail") }
    #expect(fixture.prefetch([1]).isEmpty)
    #expect(fixture.started == [1], "the retry is delayed")
    fixture.pipeline.advance(to: .zero + .seconds(2))
    guard case .failure = fixture.state(1) else { return #expect(Bool(false), "the failure is no longer shown") }
    #expect(try fixture.collectItems(1) == [1])
    guard case .image = fixture.state(1) else { return #expect(Bool(false), "there is no picture") }
    #expect(fixture.loader.failures.isEmpty)
  }

  @Test("While a file is out of reach the picture of another size stays, and is pinned")
  func outOfReach() throws {
    let isAway = Lock(false)
    let fixture = try Fixture(outcome: { request in
      isAway.withLock { $0 } ? .failure(.cannotOpen(ENOENT)) : GatedDecoder.generatedImage(for: request.key)
    })
    fixture.decoder.open()
    fixture.loader.itemDidAppear(PhotoID(rawValue: 1))
    _ = fixture.state(1)
    _ = try fixture.collectItems(1)
    isAway.withLock { $0 = true }
    fixture.setSide(16)
    #expect(Self.isMissing(fixture.state(1)))
    _ = fixture.state(2)
    _ = try fixture.collectItems(2)
    for _ in 0..<2 {
      guard case .image(let bitmap, false) = fixture.state(1) else { return #expect(Bool(false), "it is not shown") }
      #expect(bitmap.size.width == 8)
    }
    fixture.pipeline.cache.shrink(to: 0)
    guard case .image = fixture.state(1) else { return #expect(Bool(false), "it was evicted") }
    guard case .failure(.cannotOpen) = fixture.state(2) else { return #expect(Bool(false), "it was never there") }
    isAway.withLock { $0 = false }
    fixture.pipeline.resumeDecoding()
    _ = fixture.state(1)
    _ = try fixture.collectItems(1)
    guard case .image(let sharp, false) = fixture.state(1) else { return #expect(Bool(false), "it is not shown") }
    #expect(sharp.size.width == 16)
  }

  @Test("Of a file that cannot be opened the best known picture is shown, and of one that fails the embedded one")
  func stateOfFailure() throws {
    let side = try #require(PixelSize(width: 8, height: 8))
    let (preview, earlier) = (
      try GatedDecoder.generatedImage(for: ImageKey(source: 1, size: side)).get().bitmap,
      try GatedDecoder.generatedImage(for: ImageKey(source: 2, size: side)).get().bitmap
    )
    func shown(_ preview: Bitmap?, _ earlier: Bitmap?, _ failure: ImageFailure?) -> String {
      switch ThumbnailLoader.State(preview: preview, earlier: earlier, failure: failure) {
      case .image(let bitmap, let isDamaged): (bitmap === preview ? "preview" : "earlier") + (isDamaged ? "!" : "")
      case .preview: "preview…"
      case .failure: "failure"
      case .missing: "missing"
      }
    }
    let away = ImageFailure.cannotOpen(ENOENT)
    #expect(shown(preview, earlier, away) == "earlier" && shown(preview, nil, away) == "preview")
    #expect(shown(nil, earlier, away) == "earlier" && shown(nil, nil, away) == "failure")
    #expect(shown(preview, earlier, .refused(.damaged)) == "preview!")
    #expect(shown(nil, earlier, .refused(.damaged)) == "failure")
    #expect(shown(preview, nil, nil) == "preview…" && shown(nil, nil, nil) == "missing")
  }

  @Test("A picture whose item has left the screen is postponed after all others")
  func postponed() throws {
    let fixture = try Fixture()
    _ = fixture.state(1)
    _ = try fixture.decoder.waitForStarts(1)
    _ = fixture.state(2)
    _ = fixture.state(3, priority: 90)
    _ = fixture.prefetch([4])
    fixture.loader.postpone(PhotoID(rawValue: 2), at: .zero)
    fixture.loader.postpone(PhotoID(rawValue: 77), at: .zero)
    fixture.decoder.open()
    #expect(try fixture.collectItems(4) == [1, 3, 4, 2])
  }

  @Test(
    "Pictures of cells out of view that the cache has no room for are requested again once they appear or are prefetched"
  )
  func noRoom() throws {
    let fixture = try Fixture()
    fixture.decoder.open()
    // One picture of 8 by 8 pixels.
    fixture.pipeline.cache.byteLimit = 300
    fixture.loader.itemDidAppear(PhotoID(rawValue: 1))
    for item: UInt32 in 1...3 {
      _ = fixture.state(item)
      #expect(try fixture.collectItems(1) == [item])
    }
    for _ in 0..<2 { #expect(Self.isMissing(fixture.state(2)) && Self.isMissing(fixture.state(3))) }
    #expect(fixture.loader.requestCount == 0)
    _ = fixture.prefetch([3])
    #expect(try fixture.collectItems(1) == [3])
    fixture.loader.itemDidAppear(PhotoID(rawValue: 2))
    _ = fixture.state(2)
    #expect(try fixture.collectItems(1) == [2])
    guard case .image = fixture.state(2) else { return #expect(Bool(false), "there is no picture") }
    #expect(fixture.started == [1, 2, 3, 3, 2])
  }

  // MARK: - Cancellation and sizes

  @Test("A cancelled request is never started and has no result")
  func cancelled() throws {
    let fixture = try Fixture()
    _ = fixture.state(1)
    _ = try fixture.decoder.waitForStarts(1)
    _ = fixture.prefetch([2, 3, 4, 5])
    fixture.loader.cancel([PhotoID(rawValue: 1), PhotoID(rawValue: 3), PhotoID(rawValue: 9)])
    fixture.decoder.open()
    #expect(try fixture.collectItems(3) == [2, 4, 5])
    #expect(fixture.started == [1, 2, 4, 5])
    #expect(fixture.pipeline.statistics.cancelled == 2)
    if case .image = fixture.state(1) {} else { #expect(Bool(false), "a decode in progress is cached") }
  }

  @Test("Another size cancels the requests of the previous one, and requests the prefetched pictures again")
  func otherSize() throws {
    let fixture = try Fixture()
    _ = fixture.state(1)
    _ = try fixture.decoder.waitForStarts(1)
    _ = fixture.state(2)
    _ = fixture.prefetch([3, 4, 5])
    fixture.loader.cancel([PhotoID(rawValue: 4)])
    let cancelled = fixture.pipeline.statistics.cancelled
    fixture.setSide(8)
    #expect(fixture.pipeline.statistics.cancelled == cancelled, "an equal size cancels no requests")
    fixture.setSide(16)
    _ = fixture.state(2)
    fixture.decoder.open()
    #expect(try fixture.collectItems(3) == [2, 3, 5])
    #expect(fixture.decoder.started.map(\.size.width) == [8, 16, 16, 16])
  }

  @Test("Each picture is requested at the size of its cell, and a change of one cell cancels its request alone")
  func ownSizes() throws {
    let fixture = try Fixture()
    fixture.photos.sides = [1: 5, 2: 6]
    for item: UInt32 in 1...3 { _ = fixture.state(item) }
    _ = try fixture.decoder.waitForStarts(1)
    fixture.photos.sides[2] = 7
    fixture.loader.itemDidAppear(PhotoID(rawValue: 2))
    _ = fixture.loader.updateSizes(at: .zero)
    #expect(fixture.loader.takeCancelledItems { _ in false }.isEmpty)
    #expect(fixture.loader.takeCancelledItems { _ in true } == [PhotoID(rawValue: 2)])
    #expect(fixture.loader.takeCancelledItems { _ in true }.isEmpty)
    #expect(fixture.pipeline.statistics.cancelled == 1)
    _ = fixture.state(2)
    fixture.decoder.open()
    #expect(try fixture.collectItems(3).sorted() == [1, 2, 3])
    #expect(fixture.decoder.started.map(\.size.width).sorted() == [5, 7, 8])
  }

  @Test("While there is no space no picture is requested, and prefetched pictures are requested once there is")
  func noSize() throws {
    let fixture = try Fixture(side: nil)
    #expect(Self.isMissing(fixture.state(1)))
    #expect(fixture.prefetch([2, 3]).isEmpty)
    #expect(fixture.pipeline.statistics.requested == 0)
    fixture.decoder.open()
    #expect(fixture.setSide(4).isEmpty)
    #expect(try fixture.collectItems(2) == [2, 3])
  }

  @Test("A failure belongs to its item, is returned immediately by later queries, and counts once")
  func failures() throws {
    let fixture = try Fixture(outcome: {
      $0.key.source == 2 ? .failure(.refused(.damaged)) : GatedDecoder.generatedImage(for: $0.key)
    })
    fixture.decoder.open()
    for item: UInt32 in 1...3 { _ = fixture.state(item) }
    #expect(try fixture.collectItems(3).sorted() == [1, 2, 3])
    #expect(fixture.loader.failures == [PhotoID(rawValue: 2)])
    guard case .failure(let failure) = fixture.state(2) else { return #expect(Bool(false), "it did not fail") }
    #expect(failure.description == "damaged picture")
    #expect(fixture.prefetch([2]).isEmpty)
    fixture.setSide(9)
    guard case .failure = fixture.state(2) else { return #expect(Bool(false), "it did not fail at another size") }
    #expect(fixture.started == [1, 2, 3])
  }

  @Test("A photo without a reference is not requested")
  func unknown() throws {
    let fixture = try Fixture()
    fixture.photos.unknownItems = [1]
    #expect(Self.isMissing(fixture.state(1)))
    #expect(fixture.prefetch([1]).isEmpty)
    #expect(fixture.pipeline.statistics.requested == 0)
  }
}
