import CollectionUI
import Foundation
import Glibc
import PictureServer
import Testing
import VitrineHosting
import VitrineImages
import VitrineTestSupport
import VitrineThreads

@testable import vitrine_destinations

@Suite("Failures of the server")
struct ServerFailureTests {
  nonisolated static let modes: [(ServerMode, Set<String>)] = [
    (.absent, ["server not reachable"]), (.failing, ["server error 500"]), (.html, ["a web page, not a picture"]),
    (.truncated, ["connection lost"]), (.hostile, ["too large to show here (65500 x 65500 pixels)"]),
  ]

  @Test(
    "Each failure of the server has a description in the cells", arguments: modes,
    [2, 3, 6])
  func failureTexts(mode: (ServerMode, Set<String>), step: Int) throws {
    let destinations = try DestinationsHarness(try #require(Step(rawValue: step))) {
      $0.server.mode = mode.0
      // All posts are visible, and there are fewer than connections, so that all requests fail at the same time.
      $0.count = 4
    }
    destinations.harness.runUntilIdle()
    #expect(destinations.cells.count == 4 && destinations.cells.allSatisfy { !$0.isWaiting && $0.image == nil })
    // The decoder in the drawing process reports fewer details.
    let expected = mode.0 == .hostile && step < 6 ? ["no picture in it"] : mode.1
    #expect(destinations.failureTexts == expected)
    let frames = destinations.harness.display.presentedFrames
    destinations.harness.run(milliseconds: 1_000)
    #expect(destinations.harness.display.presentedFrames == frames, "the window is idle")
    #expect(destinations.example.grid.failedCount == 4)
  }

  @Test("Pictures that are not found do not affect the others")
  func missingPictures() throws {
    let destinations = try DestinationsHarness { $0.server.failurePercentage = 40 }
    destinations.example.collectionView.applyScrollEvent(.steady(velocity: 1_000), at: .zero)
    var seen: Set<String> = []
    var pictures = 0
    for _ in 0..<12 {
      destinations.harness.run(frames: 30)
      seen.formUnion(destinations.failureTexts)
      pictures += destinations.cells.count { $0.image != nil && !$0.isWaiting }
    }
    #expect(seen == ["not found"] && pictures > 12)
  }

  @Test("The seed selects the missing pictures, and the percentage their number")
  func missingPercentage() {
    var server = ServerConfiguration()
    server.failurePercentage = 30
    let failed = (0..<10_000).filter(server.isMissing)
    #expect(abs(failed.count - 3_000) < 200)
    #expect((0..<10_000).filter(server.isMissing) == failed)
    server.seed = 2
    #expect((0..<10_000).filter(server.isMissing) != failed)
    server.failurePercentage = 0
    #expect(!(0..<1_000).contains(where: server.isMissing))
    server.failurePercentage = 100
    #expect((0..<1_000).allSatisfy(server.isMissing))
  }

  @Test(
    "A slow server is refused on simulated clocks, where downloads have no timeouts",
    arguments: [ClockChoice.virtual, .cpu, .auto, .timer])
  func slowServerOnClock(clock: ClockChoice) throws {
    var settings = DestinationsSettings()
    settings.server.mode = .slow
    settings.hosting.clock = clock
    guard clock.isSimulated else { return try settings.validate() }
    #expect(throws: UsageError.self) { try settings.validate() }
  }

  /// A JPEG file of 32 MB that consists of comments, so that the picture could still follow.
  private static let endless: [UInt8] = {
    let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 0xFFFD)
    return [0xFF, 0xD8] + (0..<512).flatMap { _ in comment }
  }()

  @Test("Shutting down ends slow downloads and the threads of the server")
  func shutdownDuringDownloads() throws {
    // At 512 bytes per 100 ms the downloads would take hours.
    let catalog = PictureCatalog([("endless", Self.endless)])
    let destinations = try DestinationsHarness(catalog: catalog) { $0.server.mode = .slow }
    destinations.harness.run(frames: 2)
    try Deadline().wait(for: "a download") { destinations.example.service.server.requestCount > 0 ? () : nil }
    #expect(destinations.cells.count >= 4 && destinations.cells.allSatisfy { $0.isWaiting })
    #expect(ProcessThreads.count(named: "picture server") > 0)
    destinations.shutdown()
    try ProcessThreads.waitForNone(named: "picture server")
  }

  @Test("stopWaiting() ends waiting for pending downloads", arguments: [3, 6])
  func stopWaiting(step: Int) throws {
    let catalog = PictureCatalog([("endless", Self.endless)])
    let destinations = try DestinationsHarness(try #require(Step(rawValue: step)), catalog: catalog) {
      $0.server.mode = .slow
    }
    destinations.harness.run(frames: 2)
    let pipeline = destinations.example.pipeline
    let thread = try WorkerThread(name: "interrupt") { pipeline.stopWaiting() }
    // Half a second, during which the downloads are due and not complete.
    destinations.harness.run(frames: 30)
    thread.join()
    #expect(destinations.cells.allSatisfy { $0.isWaiting && $0.failureText.isEmpty }, "\(destinations.failureTexts)")
  }
}

@Suite("Insufficient system resources")
struct PictureServiceTests {
  /// The open descriptors.
  private nonisolated static var descriptors: Set<Int32> {
    Set((0..<Int32(4_096)).filter { fcntl($0, F_GETFD) >= 0 })
  }

  private static func makeExample(_ catalog: PictureCatalog) throws -> DestinationsExample {
    try DestinationsExample(
      DestinationsSettings(), clock: MonotonicClock(kind: .timer), waker: SilentWaker(), catalog: catalog)
  }

  /// Creates the example with no free descriptor, with one and so on, until it succeeds.
  fileprivate static func createWithFewDescriptors() throws {
    let catalog = PictureCatalog([("one", [1, 2, 3])])
    // Everything that is created once per process is created here.
    try makeExample(catalog).shutdown()
    let before = descriptors
    let free = (0..<Int32(4_096)).filter { !before.contains($0) }
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    var usual = limit
    var errors: Set<String> = []
    var isCreated = false
    for number in free.prefix(128) where !isCreated {
      // The limit leaves as many free descriptors as there are free numbers below it.
      limit.rlim_cur = rlim_t(number)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var example: DestinationsExample?
      do { example = try makeExample(catalog) } catch { errors.insert("\(error)") }
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &usual) == 0)
      isCreated = example != nil
      for name in isCreated ? [] : ["picture server", "transfers", "likes", "decode 0"] {
        try ProcessThreads.waitForNone(named: name)
      }
      example?.shutdown()
      example = nil
      try Deadline().wait(for: "descriptors to be closed") { descriptors == before ? () : nil }
    }
    // At least the server and one of the parts after it failed once.
    #expect(isCreated && errors.count >= 2, "\(errors)")
  }

  @Test("With too few descriptors, everything that was started ends")
  func fewDescriptors() async throws {
    await #expect(processExitsWith: .success) {
      try await MainActor.run { try PictureServiceTests.createWithFewDescriptors() }
    }
  }
}
