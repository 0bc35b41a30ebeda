import Foundation
import Glibc
import Synchronization
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Decoding process, with the tests' helper")
struct DecodingProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a helper.
  private func start(
    _ behavior: FakeHelper.Behavior, greeting: FakeHelper.Greeting = .ready, slotBytes: Int = 1 << 20,
    readiness: FrameDuration = .seconds(30), limit: FrameDuration = .seconds(30), end: FrameDuration = .seconds(30),
    termination: FrameDuration = .milliseconds(50), stop: StopSignal? = nil, times: DecodingProcessTimes.Entry? = nil
  ) throws -> DecodingProcess {
    let path = try FakeHelper.write(in: folder, greeting: greeting, behavior)
    let setup = DecodingProcess.Setup(
      executable: Array(path.utf8), slotBytes: slotBytes, priority: .normal,
      readinessTimeout: ProcessTimeout(limit: readiness),
      replyTimeout: ProcessTimeout(limit: limit), endTimeout: ProcessTimeout(limit: end),
      terminationTimeout: termination)
    return try DecodingProcess(setup, stop: stop, times: times)
  }

  /// Sends a decoding request with this test's own executable, which the helper does not read.
  private func decode(
    _ process: DecodingProcess, _ width: Int = 20, _ height: Int = 10, fit: ImageFit = .fill,
    file path: String = "/proc/self/exe", demand: ImageDemand? = nil
  ) throws -> DecodedImage {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(file >= 0)
    let request = ImageRequest(
      key: ImageKey(source: 1, size: pixels(width, height), fit: fit), source: .file(path: []))
    return try process.decode(file: file, fileBytes: 100, request, delay: .zero, demand: demand)
  }

  @Test("The pixels of the slot are returned, made opaque")
  func decodesPixels() throws {
    let process = try start(.valid)
    for side in [1, 3, 64, 500] {
      let image = try decode(process, side, side)
      #expect(image.bitmap.size == pixels(side, side))
      #expect(image.bitmap.isOpaque)
      #expect(image.sourceSize == pixels(4 * side, 4 * side))
      #expect(!image.isDamaged)
      let expected: [UInt8] = [7, 8, 9, 255]
      let isPainted = image.bitmap.withPixels { bytes in
        bytes.indices.allSatisfy { bytes[$0] == expected[$0 % 4] }
      }
      #expect(isPainted)
    }
    #expect(process.servedCount == 4)
    #expect(!process.hasEnded)
  }

  @Test("An attack in the process of one picture reaches no other picture", arguments: FakeHelper.Behavior.attacks)
  func attacks(behavior: FakeHelper.Behavior) throws {
    // Only what never ends is given up soon: on a busy machine an honest process may take long.
    let limit: FrameDuration = behavior == .spins ? .milliseconds(500) : .seconds(30)
    let isEndless = behavior == .persists || behavior == .waitsForAnotherPicture
    let end: FrameDuration = isEndless ? .milliseconds(500) : .seconds(30)
    // These break the protocol or end by a signal, and their pictures fail.
    let noticed: Set<FakeHelper.Behavior> = [
      .persists, .waitsForAnotherPicture, .answersForTheNext, .exitsWithStatus, .crashesAfterReply, .growsSlot, .spins,
    ]
    let times = DecodingProcessTimes(workers: 1).entry(of: 0)
    let process = try start(behavior, limit: limit, end: end, times: times)
    for round in 0..<3 {
      // An attack: its picture fails, or looks as if there had been none.
      do {
        #expect(isHonest(try decode(process, 20, 10)), "the attack of round \(round) succeeded")
      } catch {
        #expect(noticed.contains(behavior), "\(error)")
      }
      // No process of a picture is left, except the one that waits for the next.
      #expect(times?.current == 0)
      // The process of the next picture finds nothing of it.
      #expect(isHonest(try decode(process, 21, 10)), "round \(round) left something behind")
    }
    #expect(process.isUsable && !process.hasEnded)
  }

  private func isHonest(_ image: DecodedImage) -> Bool {
    let expected: [UInt8] = [7, 8, 9, 255]
    return image.bitmap.withPixels { bytes in bytes.indices.allSatisfy { bytes[$0] == expected[$0 % 4] } }
  }

  @Test("The processes of many workers wait for their pictures at the same time")
  func manyWorkers() throws {
    // Linux limits the descriptors that a user has in sockets, all processes together.
    let processes = try (0..<24).map { _ in try start(.poisonsMemory) }
    for process in processes { try process.requestPictureProcess() }
    for process in processes { #expect(isHonest(try decode(process, 21, 10))) }
  }

  @Test("No reply of a process that ends at once is missed")
  func manyPictures() throws {
    let process = try start(.valid)
    for _ in 0..<TestScale.count(10_000, short: 500) { _ = try decode(process, 1, 1) }
  }

  @Test("A damaged image is reported as damaged, without a source size")
  func damaged() throws {
    let image = try decode(try start(.damaged))
    #expect(image.isDamaged)
    #expect(image.sourceSize == nil)
  }

  @Test("An image that fits may be smaller than the requested size, one that fills may not")
  func smallerImage() throws {
    let process = try start(.smaller)
    let fitting = try decode(process, 20, 10, fit: .fit)
    #expect(fitting.bitmap.size == pixels(20, 5))
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process, 20, 10, fit: .fill) }
  }

  @Test("A refused file does not end the process")
  func refuses() throws {
    let process = try start(.refusing)
    for _ in 0..<3 {
      #expect(throws: DecodingProcessError.refused(.notAPicture)) { try decode(process) }
    }
    #expect(!process.hasEnded)
  }

  @Test("A size that does not fit the slot is refused without a request")
  func slotTooSmall() throws {
    let process = try start(.exits, slotBytes: 4_096)
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) { try decode(process, 33, 32) }
    #expect(process.fits(pixels(32, 32)))
    #expect(!process.hasEnded)
  }

  @Test(
    "An invalid reply is rejected",
    arguments: [
      FakeHelper.Behavior.randomBytes, .wrongNumber, .tooLarge, .enormous, .emptyPicture, .wrongByteCount,
      .unknownStatus, .unknownOrientation, .shortRecord, .longRecord, .sendsDescriptor,
    ])
  func invalidReplies(behavior: FakeHelper.Behavior) throws {
    let process = try start(behavior)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
  }

  @Test("File descriptors sent by a helper are closed")
  func sendsDescriptors() throws {
    let process = try start(.sendsDescriptor)
    // The helper sends the picture, whose path no other test uses.
    let path = folder.path(of: "picture")
    try folder.write([1], to: "picture")
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process, file: path) }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(!open.isEmpty)
    #expect(!open.contains(path))
  }

  @Test("A reply after the reply invalidates both", arguments: [FakeHelper.Behavior.repliesEndlessly, .repliesTwice])
  func repliesTwice(behavior: FakeHelper.Behavior) throws {
    let process = try start(behavior)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
    #expect(process.isUsable && !process.hasEnded)
  }

  @Test(
    "A process that exits, crashes or closes its socket is lost",
    arguments: [
      FakeHelper.Behavior.exits, .crashes, .closesSocket,
    ])
  func terminates(behavior: FakeHelper.Behavior) throws {
    let process = try start(behavior)
    #expect(throws: DecodingProcessError.exited) { try decode(process) }
    switch behavior {
    case .exits: #expect(process.termination == .status(3))
    case .crashes: #expect(process.termination == .signal(SIGSEGV))
    default: #expect(process.termination == nil)
    }
    // Only the process of the picture is lost.
    #expect(process.isUsable && !process.hasEnded)
    #expect(throws: DecodingProcessError.exited) { try decode(process) }
  }

  @Test("A process that never replies times out")
  func hangs() throws {
    let process = try start(.hangs, limit: .milliseconds(1))
    #expect(throws: DecodingProcessError.timedOut) { try decode(process) }
  }

  @Test("A process that never replies is given less time while other images wait")
  func hangsWhileOthersWait() throws {
    let path = try FakeHelper.write(in: folder, .hangs)
    var setup = DecodingProcess.Setup(executable: Array(path.utf8), slotBytes: 1 << 20, priority: .normal)
    // The other one would end the test with a failure.
    setup.replyTimeout = ProcessTimeout(limit: .seconds(3_600))
    setup.hurriedReplyTimeout = ProcessTimeout(limit: .milliseconds(1))
    let process = try DecodingProcess(setup, stop: nil)
    let demand = ImageDemand()
    demand.areWaiting.store(true, ordering: .relaxed)
    #expect(throws: DecodingProcessError.timedOut) { try decode(process, demand: demand) }
    #expect(process.timeoutCause == .hurried && process.isUsable)
  }

  @Test("Raising the stop signal ends a wait")
  func interrupted() throws {
    let stop = try StopSignal()
    let process = try start(.hangs, stop: stop)
    stop.raise()
    stop.raise()
    #expect(throws: DecodingProcessError.interrupted) { try decode(process) }
  }

  @Test(
    "A process with a greeting other than ready is not used",
    arguments: [
      FakeHelper.Greeting.refusing, .nonsense, .exiting,
    ])
  func invalidGreetings(greeting: FakeHelper.Greeting) {
    #expect(throws: DecodingProcessError.notReady) { try start(.valid, greeting: greeting) }
  }

  @Test("A process that sends no greeting times out, or is interrupted")
  func silent() throws {
    #expect(throws: DecodingProcessError.notReady) {
      try start(.valid, greeting: .silent, readiness: .milliseconds(1))
    }
    let stop = try StopSignal()
    stop.raise()
    #expect(throws: DecodingProcessError.interrupted) { try start(.valid, greeting: .silent, stop: stop) }
  }

  @Test("A process that outlives its termination timeout is still reaped")
  func reapsProcess() throws {
    let stop = try StopSignal()
    let number: pid_t
    do {
      // No process exits in zero time.
      let process = try start(.hangs, termination: .zero, stop: stop)
      number = process.number
      stop.raise()
    }
    try Deadline().wait(for: "process \(number) to be reaped") {
      waitid(P_PID, id_t(number), nil, WEXITED | WNOHANG | WNOWAIT) == 0 ? nil : ()
    }
  }

  @Test("A missing executable throws an error")
  func noExecutable() {
    let setup = DecodingProcess.Setup(
      executable: folder.pathBytes(of: "absent"), slotBytes: 4_096, priority: .background)
    #expect(throws: DecodingProcessError.system(call: "posix_spawn", error: ENOENT)) {
      try DecodingProcess(setup, stop: nil)
    }
    #expect(throws: DecodingProcessError.executableMissing) {
      try DecoderExecutable.locate(explicit: folder.path(of: "absent"))
    }
  }

  @Test("An image is encoded, and a result larger than the slot is rejected")
  func encodes() throws {
    let bitmap = try Bitmap(size: pixels(10, 10), isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 1) }
    #expect(try start(.encodes).encode(bitmap, quality: 900) == [7, 8, 9, 0])
    #expect(throws: DecodingProcessError.invalidReply) { try start(.encodesTooMuch).encode(bitmap, quality: 90) }
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) {
      try start(.encodes, slotBytes: 399).encode(bitmap, quality: 90)
    }
  }
}

// MARK: - Process timeout

@Suite("Process timeout")
struct ProcessTimeoutTests {
  private func remaining(
    _ elapsed: Double, delayed: Double = 0, used: Double = 0, isRunnable: Bool = false
  ) -> FrameDuration? {
    ProcessTimeout(limit: .seconds(5)).remaining(
      elapsed: .seconds(elapsed), delayed: .seconds(delayed), used: .seconds(used), isRunnable: isRunnable)
  }

  @Test("The time that a process waited for a core is added, up to twelve times the limit")
  func limits() {
    #expect(remaining(1) == .seconds(4))
    #expect(remaining(5) == nil)
    #expect(remaining(6, delayed: 2) == .seconds(1))
    #expect(remaining(7, delayed: 2) == nil)
    #expect(remaining(59, delayed: 100) == .seconds(1))
    #expect(remaining(60, delayed: 100) == nil)
  }

  @Test("A runnable process is granted its limit of processor time even before the kernel has counted its waiting time")
  func runnable() {
    #expect(remaining(6, used: 1, isRunnable: true) == .seconds(4))
    #expect(remaining(6, used: 5, isRunnable: true) == nil)
    #expect(remaining(58, used: 1, isRunnable: true) == .seconds(2))
    #expect(remaining(60, used: 1, isRunnable: true) == nil)
    // A sleeping process does not wait for a core.
    #expect(remaining(6, used: 1, isRunnable: false) == nil)
  }
}

// MARK: - Starvation detector

@Suite("Starvation detector")
struct StarvationDetectorTests {
  /// Returns the results of samples, 40 ms apart, of the processor time in milliseconds and of whether the process is
  /// runnable.
  private func samples(from first: Double?, _ samples: [(used: Double?, isRunnable: Bool)]) -> [Bool] {
    var detector = StarvationDetector(used: first.map { .milliseconds($0) })
    return samples.enumerated().map { index, sample in
      detector.detectStarvation(
        elapsed: .milliseconds(40) * Double(index + 1), used: sample.used.map { .milliseconds($0) },
        isRunnable: sample.isRunnable)
    }
  }

  @Test("A runnable process that used less than a fifth of the time is starved")
  func share() {
    #expect(samples(from: 100, [(108, true), (115.9, true), (155, true)]) == [false, true, false])
  }

  @Test("A process that is not runnable is not starved")
  func notRunnable() {
    #expect(samples(from: 0, [(0, false), (0, true)]) == [false, true])
  }

  @Test("Without processor times from the kernel no starvation is reported")
  func missingSamples() {
    #expect(samples(from: nil, [(1, true), (nil, true), (1, true), (1, true)]) == [false, false, false, true])
  }
}
