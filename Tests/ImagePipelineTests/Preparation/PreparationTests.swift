import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@MainActor
@Suite("Pictures prepared by completion")
struct PreparationTests {
  @Test("completions are called in a collect phase that was woken, once, in the order of urgency")
  func order() throws {
    let bench = try PreparationBench(isOpen: false)
    defer { bench.pipeline.shutdown() }
    bench.prepare(0, "first")
    _ = try bench.decoders.waitForStarts(1)
    bench.prepare(1, "later", deadline: at(50))
    let moved = bench.prepare(2, "moved", deadline: at(90))
    bench.prepare(3, "on screen")
    moved.updateDeadline(at(10))
    bench.decoders.open()
    #expect(bench.log.isEmpty)
    #expect(try bench.run(until: 4).isEmpty, "what a completion was told is no arrival")
    #expect(bench.log == ["first", "on screen", "moved", "later"])
    #expect(bench.pipeline.collect(at: at(1)).isEmpty && bench.log.count == 4)
  }

  @Test("preparations of the same pixels are one decode, and the others go on when one is given up")
  func joins() throws {
    let bench = try PreparationBench(isOpen: false)
    defer { bench.pipeline.shutdown() }
    bench.prepare(1, "a")
    let given = bench.prepare(1, "b")
    bench.prepare(1, "c")
    bench.prepare(1, "other size", side: 2, deadline: at(5))
    _ = try bench.decoders.waitForStarts(1)
    given.cancel()
    given.cancel()
    bench.decoders.open()
    try bench.run(until: 3)
    #expect(bench.log == ["a", "c", "other size"])
    #expect(bench.decoders.started == [bench.key(1), bench.key(1, side: 2)])
  }

  @Test("a picture in memory completes in the next collect phase, never at once, and may be given up until then")
  func hit() throws {
    let bench = try PreparationBench()
    defer { bench.pipeline.shutdown() }
    bench.prepare(1, "decoded")
    try bench.run(until: 1)
    bench.prepare(1, "kept")
    let given = bench.prepare(1, "given up")
    #expect(bench.log == ["decoded"] && bench.pipeline.hasPendingArrivals)
    given.cancel()
    try bench.run(until: 2)
    #expect(bench.log == ["decoded", "kept"] && bench.decoders.started.count == 1)
    #expect(!bench.pipeline.hasPendingArrivals)
  }

  @Test("a completion may give up one whose turn comes next, ask anew and shut down")
  func reentrance() throws {
    let bench = try PreparationBench(isOpen: false)
    var second: ImagePreparation?
    bench.prepare(1, "a") { bench in
      second?.cancel()
      bench.prepare(1, "again") { $0.pipeline.shutdown() }
    }
    second = bench.prepare(1, "b")
    bench.prepare(1, "c")
    bench.decoders.open()
    try bench.run(until: 2)
    #expect(bench.log == ["a", "c"], "what is asked for in a collect phase ends in a later one")
    bench.prepare(1, "after the last")
    try bench.run(until: 3)
    #expect(bench.log == ["a", "c", "again"])
    bench.prepare(1, "too late")
    #expect(bench.pipeline.collect(at: at(9)).isEmpty && bench.log.count == 3)
  }

  @Test("requests with and without completions share a picture; each is told in its way")
  func mixes() throws {
    let bench = try PreparationBench(isOpen: false)
    defer { bench.pipeline.shutdown() }
    let request = stored(1).request(for: .thumbnail(pixels(1, 1)), mostPixels: 100)
    let plain = bench.pipeline.request(request, deadline: at(0))
    let given = bench.pipeline.request(request, deadline: at(0))
    bench.prepare(1, "called") { $0.pipeline.cancel(given) }
    bench.decoders.open()
    #expect(try bench.run(until: 1).map(\.tickets) == [[plain]])
    #expect(bench.log == ["called"])
  }

  @Test("a failure is the outcome, of each who asks")
  func failure() throws {
    let bench = try PreparationBench(outcome: { _ in .failure(.notAFile) })
    defer { bench.pipeline.shutdown() }
    bench.prepare(1, "a")
    try bench.run(until: 1)
    bench.prepare(1, "b")
    try bench.run(until: 2)
    #expect(bench.log == ["a not a file", "b not a file"] && bench.decoders.started.count == 1)
  }

  @Test("what only stands in for the picture completes nothing")
  func preview() throws {
    let bench = try PreparationBench(outcome: { request in
      GatedDecoder.generatedImage(for: request.key).map {
        DecodedImage(bitmap: $0.bitmap, representation: request.representation)
      }
    })
    defer { bench.pipeline.shutdown() }
    var image = stored(1, byteCount: 40 << 20)
    image.hasPreview = true
    var rungs: [ImageRepresentation] = []
    image.prepareThumbnail(of: pixels(1, 1), in: bench.pipeline) { outcome in
      rungs.append((try? outcome.get())?.representation ?? .embedded)
      bench.note("end")
    }
    try bench.run(until: 1)
    #expect(rungs == [.full])
    #expect(bench.pipeline.statistics.previews == 1, "there was one")
  }

  @Test("a shutdown ends all and calls nobody")
  func shutdown() throws {
    let bench = try PreparationBench(isOpen: false)
    bench.prepare(1, "running")
    bench.prepare(2, "waiting")
    _ = try bench.decoders.waitForStarts(1)
    bench.pipeline.shutdown()
    #expect(bench.pipeline.collect(at: at(1)).isEmpty && bench.log.isEmpty)
  }

  @Test("letting go of the handle gives nothing up, and of the pipeline everything")
  func lifetimes() throws {
    weak var released: ImagePipeline?
    do {
      let bench = try PreparationBench()
      bench.prepare(1, "a")
      try bench.run(until: 1)
      released = bench.pipeline
      bench.prepare(2, "b", deadline: at(5))
    }
    #expect(released == nil)
  }

  @Test("a whole picture is asked for at its own size, as far as there is room")
  func wholeSize() throws {
    let bench = try PreparationBench(slotBytes: 4 * 10_000)
    defer { bench.pipeline.shutdown() }
    func size(_ image: StoredImage) -> PixelSize { bench.pipeline.key(of: image, for: .display).size }
    #expect(size(stored(1, size: pixels(120, 60))) == pixels(120, 60))
    #expect(size(stored(1, size: pixels(400, 100))) == pixels(200, 50))
    #expect(size(stored(1)) == pixels(100, 100))
    #expect(bench.pipeline.key(of: stored(1), for: .display).fit == .fit)
    #expect(bench.pipeline.key(of: stored(1), for: .thumbnail(pixels(3, 2))).fit == .fillWithoutEnlarging)
  }

  @Test("pictures have other names by file, version and colour behind, and the same names for the same")
  func names() {
    let images = [
      StoredImage(path: Array("/a".utf8)), StoredImage(path: Array("/b".utf8)),
      StoredImage(path: Array("/a".utf8), version: 1), StoredImage(path: Array("/a".utf8), background: .white),
      StoredImage(source: .generated(0)), StoredImage(source: .generated(1)),
    ]
    #expect(Set(images.map(\.name)).count == images.count)
    #expect(StoredImage(path: Array("/a".utf8), byteCount: 5).name == images[0].name)
  }

  @Test("collecting from a completion is a mistake, named")
  func collectsWithin() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let bench = try PreparationBench()
      bench.prepare(1, "a") { _ = $0.pipeline.collect(at: .zero) }
      try bench.run(until: 1)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("pictures were to be collected by a completion"), "\(text)")
  }
}
