import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineImagePipeline

@MainActor @Suite("Images in the colors of the display")
struct DisplayColorsTests {
  private let waker = TestWaker()
  private let red = GatedDecoder(isOpen: true) { DisplayColorsTests.red(of: $0.key.size) }

  private nonisolated static func red(of size: PixelSize) -> ImageOutcome {
    do {
      return .success(DecodedImage(bitmap: try Bitmap.square(size.width, Color(hex: 0xFF0000)), sourceSize: size))
    } catch {
      return .failure(.outOfMemory)
    }
  }

  private func pipeline(_ decoders: GatedDecoder? = nil) throws -> ImagePipeline {
    try ImagePipeline(ImagePipelineConfiguration(workers: 1), decoders: decoders ?? red, waker: waker)
  }

  private func profile(_ writer: ICCProfileWriter) throws -> ColorProfile {
    try #require(ColorProfile(bytes: writer.bytes))
  }

  private func exchanged() throws -> ColorProfile {
    try profile(ICCProfileWriter(primaries: ICCProfileWriter.exchanged))
  }

  /// Returns red and green of an image's first pixel.
  private func levels(_ image: DecodedImage?) -> [Int] {
    image?.bitmap.withPixels { [Int($0[0]), Int($0[1])] } ?? []
  }

  private func levels(_ arrivals: [ImageArrival]) throws -> [[Int]] {
    try arrivals.map { levels(try $0.outcome.get()) }
  }

  private func isGreen(_ levels: [Int]) -> Bool { levels.count == 2 && levels[0] <= 1 && levels[1] >= 254 }

  @Test("Images arrive in the colors of the profile, and are made again when it changes")
  func profiles() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    #expect(!pipeline.setDisplayProfile(nil))
    #expect(pipeline.setDisplayProfile(try exchanged()))
    #expect(!pipeline.setDisplayProfile(try exchanged()))
    pipeline.request(request(1), deadline: at(0))
    #expect(isGreen(try #require(levels(pipeline.waitForArrivals(1, waker)).first)))
    #expect(isGreen(levels(pipeline.image(for: key(1)))))
    #expect(pipeline.setDisplayProfile(nil))
    #expect(pipeline.image(for: key(1)) == nil)
    pipeline.request(request(1), deadline: at(0))
    #expect(try levels(pipeline.waitForArrivals(1, waker)) == [[255, 0]])
  }

  @Test("Profiles that are unusable have no effect")
  func unusable() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    var broken = ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes
    broken[36] ^= 1
    let profiles = [
      try #require(ColorProfile(bytes: broken)), try profile(ICCProfileWriter()),
      try profile(ICCProfileWriter(isGrey: true)), try #require(ColorProfile(bytes: [7])),
    ]
    for (number, profile) in profiles.enumerated() {
      #expect(pipeline.setDisplayProfile(profile))
      pipeline.request(request(number), deadline: at(0))
      #expect(try levels(pipeline.waitForArrivals(1, waker)) == [[255, 0]])
    }
  }

  @Test("Without a decoding process, images stay in sRGB")
  func noProcess() throws {
    var configuration = ImagePipelineConfiguration(workers: 1)
    configuration.helperPath = "/nonexistent"
    let pipeline = try ImagePipeline(configuration, decoders: red, waker: waker)
    defer { pipeline.shutdown() }
    pipeline.setDisplayProfile(try exchanged())
    pipeline.request(request(1), deadline: at(0))
    #expect(try levels(pipeline.waitForArrivals(1, waker)) == [[255, 0]])
  }

  @Test("An image that is done, but was not collected before the profile changed, is made again")
  func uncollected() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    try waker.wait(for: "the image")
    #expect(pipeline.hasPendingArrivals)
    pipeline.setDisplayProfile(try exchanged())
    #expect(isGreen(try #require(levels(pipeline.waitForArrivals(1, waker)).first)))
    #expect(red.started.count == 2)
    #expect(pipeline.statistics.requested == 1 && pipeline.isIdle)
  }

  @Test("An image that is being decoded while the profile changes arrives in the new colors")
  func running() throws {
    let decoders = GatedDecoder { DisplayColorsTests.red(of: $0.key.size) }
    let pipeline = try pipeline(decoders)
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    _ = try decoders.waitForStarts(1)
    pipeline.setDisplayProfile(try exchanged())
    decoders.open()
    #expect(isGreen(try #require(levels(pipeline.waitForArrivals(1, waker)).first)))
    #expect(decoders.started.count == 1)
  }

  @Test("An image that was found in memory, but not delivered before the profile changed, is made again")
  func hit() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    pipeline.request(request(1), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    let tickets = [pipeline.request(request(1), deadline: at(0)), pipeline.request(request(1), deadline: at(0))]
    let cancelled = pipeline.request(request(1), deadline: at(0))
    pipeline.cancel(cancelled)
    try waker.wait(for: "the hit")
    pipeline.setDisplayProfile(try exchanged())
    let arrivals = try pipeline.waitForArrivals(1, waker)
    #expect(isGreen(try #require(levels(arrivals).first)))
    #expect(arrivals.map(\.tickets) == [tickets])
  }

  @Test("Pinned images are previews until they are made again")
  func pinned() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    pipeline.pin(key(1))
    for number in 1...2 { pipeline.request(request(number), deadline: at(0)) }
    _ = try pipeline.waitForArrivals(2, waker)
    pipeline.setDisplayProfile(try exchanged())
    #expect(pipeline.image(for: key(2)) == nil)
    let preview = try #require(pipeline.image(for: key(1)))
    #expect(preview.representation == .embedded && levels(preview) == [255, 0])
    pipeline.request(request(1), deadline: at(0))
    _ = try pipeline.waitForArrivals(1, waker)
    let image = try #require(pipeline.image(for: key(1)))
    #expect(image.representation == .full && isGreen(levels(image)))
    pipeline.unpin(key(1))
  }

  @Test("Tiny previews, which are stored, are made of sRGB")
  func tinyPreviews() throws {
    let pipeline = try pipeline()
    defer { pipeline.shutdown() }
    pipeline.setDisplayProfile(try exchanged())
    var request = request(1, side: 16)
    request.wantsTinyPreview = true
    pipeline.request(request, deadline: at(0))
    let image = try #require(pipeline.waitForArrivals(1, waker).first).outcome.get()
    #expect(isGreen(levels(image)))
    let size = try #require(PixelSize(width: 16, height: 16))
    let preview = try #require(image.tinyPreview?.bitmap(for: size))
    let (red, green) = preview.withPixels { (Int($0[0]), Int($0[1])) }
    #expect(red > 200 && green < 60)
  }

  @Test("Closing ends the wait for a table, and a table that is made afterwards is not used")
  func closing() throws {
    let gate = Lock((isStarted: false, isOpen: false))
    let converter = DisplayColorConverter(pool: nil) { _, stop in
      gate.withLock { $0.isStarted = true }
      gate.wakeAll()
      gate.wait { $0.isOpen ? () : nil }
      return stop.isRaised ? nil : ColorTable(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(!converter.isActive)
    let revision = converter.setProfile(try exchanged())
    #expect(converter.isActive && revision == 1)
    try gate.wait(for: "the table to be started") { $0.isStarted ? () : nil }
    let result = Lock<ImageOutcome?>(nil)
    let thread = try WorkerThread(name: "waits") {
      let outcome = converter.convert(DisplayColorsTests.red(of: pixels(1, 1)))
      result.withLock { $0 = outcome }
      result.wakeAll()
    }
    #expect(result.withLock { $0 == nil })
    converter.close()
    let outcome = try result.wait(for: "the image") { $0 }
    thread.join()
    #expect(levels(try outcome.get()) == [255, 0])
    gate.withLock { $0.isOpen = true }
    gate.wakeAll()
  }
}
