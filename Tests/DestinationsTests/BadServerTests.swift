import CollectionUI
import FramePacing
import Hosting
import ImagePipeline
import PictureServer
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Threads
import Views

@testable import vitrine_destinations

@Suite("Whatever the server does, cells say so and the rest goes on")
struct BadServerTests {
  nonisolated static let manners: [(ServerManner, Set<String>)] = [
    (.absent, ["server out of reach"]), (.failing, ["server says 500"]), (.html, ["a web page, not a picture"]),
    (.truncated, ["download cut short"]), (.hostile, ["too large to show here (65500 x 65500 pixels)"]),
  ]

  @Test("Absent, failing, a page, a part of a picture, a picture that means harm", arguments: manners, [2, 3, 6])
  func words(manner: (ServerManner, Set<String>), step: Int) throws {
    let bench = try DestinationsBench(try #require(Step(rawValue: step))) {
      $0.answering.manner = manner.0
      // All of them on screen, and fewer than there are connections: they meet a closed door together.
      $0.count = 4
    }
    bench.stage.runUntilIdle()
    #expect(bench.cells.count == 4 && bench.cells.allSatisfy { !$0.isWaiting && $0.image == nil })
    // Who decodes in place knows less of what is wrong.
    let expected = manner.0 == .hostile && step < 6 ? ["no picture in it"] : manner.1
    #expect(bench.failures == expected)
    let frames = bench.stage.display.presentedFrames
    bench.stage.run(milliseconds: 1_000)
    #expect(bench.stage.display.presentedFrames == frames, "it rests")
    #expect(bench.example.grid.failedCount == 4)
  }

  @Test("Where some pictures are not found, the others are there")
  func some() throws {
    let bench = try DestinationsBench { $0.answering.failurePercentage = 40 }
    bench.example.collectionView.applyScrollEvent(.steady(velocity: 1_000), at: .zero)
    var seen: Set<String> = []
    var pictures = 0
    for _ in 0..<12 {
      bench.stage.run(frames: 30)
      seen.formUnion(bench.failures)
      pictures += bench.cells.count { $0.image != nil && !$0.isWaiting }
    }
    #expect(seen == ["not found"] && pictures > 12)
  }

  @Test("The same pictures fail with the same seed, as many as are told")
  func share() {
    var answering = ServerAnswering()
    answering.failurePercentage = 30
    let failed = (0..<10_000).filter(answering.fails)
    #expect(abs(failed.count - 3_000) < 200)
    #expect((0..<10_000).filter(answering.fails) == failed)
    answering.seed = 2
    #expect((0..<10_000).filter(answering.fails) != failed)
    answering.failurePercentage = 0
    #expect(!(0..<1_000).contains(where: answering.fails))
    answering.failurePercentage = 100
    #expect((0..<1_000).allSatisfy(answering.fails))
  }

  @Test(
    "Where time is simulated nothing ends by the time that it takes: a server that drips is refused",
    arguments: [ClockChoice.virtual, .cpu, .auto, .timer])
  func dripping(clock: ClockChoice) throws {
    var settings = DestinationsSettings()
    settings.answering.manner = .slow
    settings.hosting.clock = clock
    guard clock.isSimulated else { return try settings.validate() }
    #expect(throws: UsageError.self) { try settings.validate() }
  }

  /// A JPEG file of comments, whose picture may come yet: 32 MB.
  private static let endless: [UInt8] = {
    let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 0xFFFD)
    return [0xFF, 0xD8] + (0..<512).flatMap { _ in comment }
  }()

  @Test("Leaving while downloads drip in ends them, and the threads that answer")
  func leaving() throws {
    // At 512 bytes in a tenth of a second these take longer than anybody waits.
    let shelf = PictureShelf([("endless", Self.endless)])
    let bench = try DestinationsBench(shelf: shelf) { $0.answering.manner = .slow }
    bench.stage.run(frames: 2)
    try Deadline().wait(for: "a download") { bench.example.supply.server.requestCount > 0 ? () : nil }
    #expect(bench.cells.count >= 4 && bench.cells.allSatisfy { $0.isWaiting })
    #expect(OwnThreads.count(named: "picture server") > 0)
    bench.end()
    try OwnThreads.waitForNone(named: "picture server")
  }

  @Test("Told to stop waiting, it does not wait for downloads that are due", arguments: [3, 6])
  func impatient(step: Int) throws {
    let shelf = PictureShelf([("endless", Self.endless)])
    let bench = try DestinationsBench(try #require(Step(rawValue: step)), shelf: shelf) {
      $0.answering.manner = .slow
    }
    bench.stage.run(frames: 2)
    let pipeline = bench.example.pipeline
    let thread = try WorkerThread(name: "impatient") { pipeline.stopWaiting() }
    // Half a second, in which they are due and not there.
    bench.stage.run(frames: 30)
    thread.join()
    #expect(bench.cells.allSatisfy { $0.isWaiting && $0.failureText.isEmpty }, "\(bench.failures)")
  }
}
