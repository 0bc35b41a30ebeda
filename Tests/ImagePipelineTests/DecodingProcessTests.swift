import DecodingProtocol
import Foundation
import FramePacing
import Geometry
import Glibc
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Decoding process, with a helper of the tests' own", .enabled(if: FakeHelper.isAvailable))
struct DecodingProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a helper.
  private func start(
    _ conduct: FakeHelper.Conduct, greeting: FakeHelper.Greeting = .ready, slotBytes: Int = 1 << 20,
    readiness: FrameDuration = .seconds(30), limit: FrameDuration = .seconds(30),
    farewell: FrameDuration = .milliseconds(50), stop: StopSignal? = nil
  ) throws -> DecodingProcess {
    let path = try FakeHelper.write(in: folder, greeting: greeting, conduct)
    let setup = DecodingProcess.Setup(
      executable: Array(path.utf8), slotBytes: slotBytes, priority: .normal,
      readinessTimeout: ProcessTimeout(limit: readiness),
      replyTimeout: ProcessTimeout(limit: limit), terminationTimeout: farewell)
    return try DecodingProcess(setup, stop: stop)
  }

  /// Has a helper decode this test's own executable, which it does not look at.
  private func decode(
    _ process: DecodingProcess, _ width: Int = 20, _ height: Int = 10, fit: ImageFit = .fill
  ) throws -> DecodedImage {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(file >= 0)
    let wanted = ImageRequest(
      key: ImageKey(source: 1, size: pixels(width, height), fit: fit), source: .file(path: []))
    return try process.decode(file: file, fileBytes: 100, wanted, delay: .zero)
  }

  @Test("gives the pixels that stand in the slot, made opaque")
  func honest() throws {
    let process = try start(.honest)
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

  @Test("says that a picture is damaged, and that its own size is not known")
  func damaged() throws {
    let image = try decode(try start(.damaged))
    #expect(image.isDamaged)
    #expect(image.sourceSize == nil)
  }

  @Test("a picture that fits may be smaller, one that fills may not")
  func smaller() throws {
    let process = try start(.smaller)
    let fitting = try decode(process, 20, 10, fit: .fit)
    #expect(fitting.bitmap.size == pixels(20, 5))
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process, 20, 10, fit: .fill) }
  }

  @Test("a refusal is the file's, and the process goes on")
  func refuses() throws {
    let process = try start(.refusing)
    for _ in 0..<3 {
      #expect(throws: DecodingProcessError.refused(.notAPicture)) { try decode(process) }
    }
    #expect(!process.hasEnded)
  }

  @Test("a size that does not fit the slot is not even asked for")
  func slotTooSmall() throws {
    let process = try start(.dies, slotBytes: 4_096)
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) { try decode(process, 33, 32) }
    #expect(process.fits(pixels(32, 32)))
    #expect(!process.hasEnded)
  }

  @Test(
    "an answer that cannot be true is not believed",
    arguments: [
      FakeHelper.Conduct.randomBytes, .wrongNumber, .tooLarge, .enormous, .emptyPicture, .wrongByteCount,
      .unknownStatus, .unknownOrientation, .shortRecord, .longRecord, .sendsDescriptor,
    ])
  func lies(conduct: FakeHelper.Conduct) throws {
    let process = try start(conduct)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
  }

  @Test("descriptors that a helper sends are closed again")
  func sendsDescriptors() throws {
    let process = try start(.sendsDescriptor)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
    // The helper sends its own script, which has a name that no other test's has.
    let script = folder.path(of: "helper")
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(!open.isEmpty)
    #expect(!open.contains(script))
  }

  @Test("a helper that answers without end is believed once, and ended")
  func floods() throws {
    let process = try start(.floods)
    _ = try decode(process)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
  }

  @Test("a second answer to one request is not taken for the next one's")
  func answersTwice() throws {
    let process = try start(.answersTwice)
    _ = try decode(process)
    #expect(throws: DecodingProcessError.invalidReply) { try decode(process) }
  }

  @Test(
    "a process that ends, crashes or hangs up has died",
    arguments: [
      FakeHelper.Conduct.dies, .crashes, .hangsUp,
    ])
  func dies(conduct: FakeHelper.Conduct) throws {
    let process = try start(conduct)
    #expect(throws: DecodingProcessError.exited) { try decode(process) }
    switch conduct {
    case .dies: #expect(process.termination == .status(3))
    case .crashes: #expect(process.termination == .signal(SIGSEGV))
    default: #expect(process.termination == nil)
    }
  }

  @Test("a process that answered before it ended has answered; the next request finds it dead")
  func leavesAfterwards() throws {
    let process = try start(.leavesAfterwards)
    _ = try decode(process)
    #expect(throws: DecodingProcessError.exited) { try decode(process) }
  }

  @Test("a process that never answers is given up at its deadline")
  func hangs() throws {
    let process = try start(.hangs, limit: .milliseconds(1))
    #expect(throws: DecodingProcessError.timedOut) { try decode(process) }
  }

  @Test("a wait ends when the stop signal is raised")
  func interrupted() throws {
    let stop = try StopSignal()
    let process = try start(.hangs, stop: stop)
    stop.raise()
    stop.raise()
    #expect(throws: DecodingProcessError.interrupted) { try decode(process) }
  }

  @Test(
    "a greeting other than ready is no process",
    arguments: [
      FakeHelper.Greeting.refusing, .nonsense, .leaving,
    ])
  func greetings(greeting: FakeHelper.Greeting) {
    #expect(throws: DecodingProcessError.notReady) { try start(.honest, greeting: greeting) }
  }

  @Test("a process that says nothing is given up, or interrupted")
  func silent() throws {
    #expect(throws: DecodingProcessError.notReady) {
      try start(.honest, greeting: .silent, readiness: .milliseconds(1))
    }
    let stop = try StopSignal()
    stop.raise()
    #expect(throws: DecodingProcessError.interrupted) { try start(.honest, greeting: .silent, stop: stop) }
  }

  @Test("a process whose end takes longer than a shutdown waits is taken all the same, and none is left dead")
  func leavesNothingBehind() throws {
    let stop = try StopSignal()
    let number: pid_t
    do {
      // No process ends in no time at all.
      let process = try start(.hangs, farewell: .zero, stop: stop)
      number = process.number
      stop.raise()
    }
    try Deadline().wait(for: "somebody to take the end of process \(number)") {
      waitid(P_PID, id_t(number), nil, WEXITED | WNOHANG | WNOWAIT) == 0 ? nil : ()
    }
  }

  @Test("no executable, no process")
  func noExecutable() {
    let setup = DecodingProcess.Setup(executable: folder.bytes(of: "absent"), slotBytes: 4_096, priority: .background)
    #expect(throws: DecodingProcessError.system(call: "posix_spawn", error: ENOENT)) {
      try DecodingProcess(setup, stop: nil)
    }
    #expect(throws: DecodingProcessError.executableMissing) {
      try DecoderExecutable.locate(explicit: folder.path(of: "absent"))
    }
  }

  @Test("encodes what it is given, and believes no size that is larger than the slot")
  func encodes() throws {
    let bitmap = try Bitmap(size: pixels(10, 10), isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 1) }
    #expect(try start(.encodes).encode(bitmap, quality: 900) == [7, 8, 9, 0])
    #expect(throws: DecodingProcessError.invalidReply) { try start(.encodesTooMuch).encode(bitmap, quality: 90) }
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) {
      try start(.encodes, slotBytes: 399).encode(bitmap, quality: 90)
    }
  }
}
