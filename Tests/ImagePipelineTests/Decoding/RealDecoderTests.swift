import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@MainActor
@Suite("Image pipeline with the program's own decoding process")
struct RealDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes JPEG files of gradients that differ in their blue channel.
  private func photographs(_ count: Int) throws -> [[UInt8]] {
    let encoder = try EncodingProcess(largest: pixels(160, 120))
    return try (0..<count).map { number in
      let bitmap = try Bitmap.gradient(160, 120, blue: UInt8(number % 256))
      return try folder.write(try encoder.encode(bitmap, quality: 92), to: "\(number).jpg")
    }
  }

  private func pipeline(
    _ waker: TestWaker, workers: Int = 2, mode: ImagePipelineConfiguration.Mode = .live
  ) throws -> ImagePipeline {
    try ImagePipeline(ImagePipelineConfiguration(workers: workers, mode: mode), waker: waker)
  }

  /// Returns a live pipeline and its decoders, which count crashes.
  private func countingPipeline(_ waker: TestWaker) throws -> (ImagePipeline, CrashCountingDecoders) {
    let configuration = ImagePipelineConfiguration(workers: 2)
    let decoders = CrashCountingDecoders(
      try ProcessDecoderFactory(
        workers: 4, helperPath: nil, slotBytes: configuration.slotBytes, usesBackgroundPriority: false, delay: .zero))
    return (try ImagePipeline(configuration, decoders: decoders, waker: waker), decoders)
  }

  @Test("An encoded image is decoded at its full size and smaller")
  func roundTrip() throws {
    let path = try #require(try photographs(1).first)
    let waker = TestWaker()
    let pipeline = try pipeline(waker)
    defer { pipeline.shutdown() }
    for size in [pixels(160, 120), pixels(40, 30)] {
      pipeline.request(fileRequest(path, source: 1, size), deadline: at(0))
      let image = try #require(pipeline.waitForArrivals(1, waker).first).outcome.get()
      let expected = try Bitmap.gradient(size.width, size.height)
      #expect(RealHelper.difference(image.bitmap, expected) < 24)
      #expect(image.sourceSize == pixels(160, 120))
      #expect(!image.isDamaged)
    }
    pipeline.request(fileRequest(path, source: 1, pixels(50, 100), fit: .fit), deadline: at(0))
    let fitting = try #require(pipeline.waitForArrivals(1, waker).first).outcome.get()
    #expect(fitting.bitmap.size.width == 50)
    #expect((37...38).contains(fitting.bitmap.size.height))
  }

  @Test(
    "An image that exceeds a limit of this program is reported with its size, not as damaged")
  func limits() throws {
    let photograph = try #require(try photographs(1).first)
    let jpeg = Array(try Data(contentsOf: URL(fileURLWithPath: String(decoding: photograph, as: UTF8.self))))
    let comment: [UInt8] = [0xFF, 0xFE, 0, 5, 1, 2, 3]
    let files: [(bytes: [UInt8], limits: ImageLimits, words: String)] = [
      (
        jpeg, ImageLimits(longestSide: 1, maximumPixels: 1, maximumPixelsPerByte: 1, ratioCheckThreshold: 1),
        "too large to show here (160 x 120 pixels)"
      ),
      (
        jpeg + [UInt8](repeating: 0, count: ImageLimits.standardFileBytes), .standard,
        "too large to show here (a file of 129 MB)"
      ),
      (
        jpeg.prefix(2) + (0..<3_000_000).flatMap { _ in comment } + jpeg.dropFirst(2), .standard,
        "too large to show here (more than 16 MB of metadata)"
      ),
    ]
    let waker = TestWaker()
    let pipeline = try pipeline(waker)
    defer { pipeline.shutdown() }
    for (number, file) in files.enumerated() {
      let path = try folder.write(file.bytes, to: "large-\(number).jpg")
      var request = fileRequest(path, source: number + 10, pixels(16, 12))
      request.limits = file.limits
      pipeline.request(request, deadline: at(0))
      let arrival = try #require(pipeline.waitForArrivals(1, waker).first)
      guard case .failure(let failure) = arrival.outcome else {
        Issue.record("\(file.words) is shown")
        continue
      }
      #expect(failure.description == file.words)
    }
  }

  @Test("A JPEG file is encoded, and an image larger than the promised size is refused")
  func encodes() throws {
    let encoder = try EncodingProcess(largest: pixels(600, 600))
    let bytes = try encoder.encode(try Bitmap.gradient(600, 600), quality: 80)
    #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    #expect(try encoder.encode(try Bitmap.gradient(600, 600), quality: 30).count < bytes.count)
    let larger = try Bitmap.gradient(1_000, 1_000)
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) { try encoder.encode(larger, quality: 80) }
    #expect(try encoder.encode(try Bitmap.gradient(1, 1), quality: 80).isEmpty == false)
  }

  @Test("The pixels are the same on both timelines and with any number of workers")
  func isDeterministic() throws {
    let paths = try photographs(40)
    func digests(_ workers: Int, _ mode: ImagePipelineConfiguration.Mode) throws -> [UInt64: UInt64] {
      let waker = TestWaker()
      let pipeline = try pipeline(waker, workers: workers, mode: mode)
      defer { pipeline.shutdown() }
      for (number, path) in paths.enumerated() {
        pipeline.request(fileRequest(path, source: number, pixels(64, 48)), deadline: at(Double(number)))
      }
      let arrivals = try mode == .live ? pipeline.waitForArrivals(40, waker) : pipeline.collect(at: at(1_000))
      return try Dictionary(
        uniqueKeysWithValues: arrivals.map { ($0.key.source, try $0.outcome.get().bitmap.contentDigest) })
    }
    let expected = try digests(1, .live)
    #expect(expected.count == 40)
    #expect(Set(expected.values).count > 30)
    #expect(try digests(3, .live) == expected)
    #expect(try digests(2, .modelled) == expected)
  }

  @Test("If the process is killed once for each file, every image still arrives", arguments: [true, false])
  func survivesKills(isLive: Bool) throws {
    let paths = try photographs(30)
    let waker = TestWaker()
    let decoders = KillOnceDecoders(stop: try StopSignal(), setup: try RealHelper.setup())
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 2, mode: isLive ? .live : .modelled), decoders: decoders, waker: waker)
    defer { pipeline.shutdown() }
    for (number, path) in paths.enumerated() {
      pipeline.request(fileRequest(path, source: number, pixels(64, 48)), deadline: at(0))
    }
    let arrivals = try isLive ? pipeline.waitForArrivals(30, waker) : pipeline.collect(at: at(1_000))
    #expect(arrivals.count == 30)
    #expect(arrivals.compactMap(\.outcome.failure) == [])
  }

  @Test("While processes are killed repeatedly every request ends, and decoding recovers")
  func repeatedKills() throws {
    let paths = try photographs(120)
    let waker = TestWaker()
    let decoders = try KillableDecoders(try RealHelper.setup())
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 2), decoders: decoders, waker: waker)
    defer { pipeline.shutdown() }
    for (number, path) in paths.enumerated() {
      pipeline.request(fileRequest(path, source: number, pixels(64, 48)), deadline: at(0))
    }
    var arrivals: [ImageArrival] = []
    while arrivals.count < 120 {
      arrivals += try pipeline.waitForArrivals(1, waker)
      if arrivals.count % 6 == 0 { decoders.killAll() }
    }
    #expect(Set(arrivals.map(\.key.source)).count == 120)
    #expect(arrivals.allSatisfy { [nil, .decoderCrashed].contains($0.outcome.failure) })
    #expect(arrivals.count { $0.outcome.failure == nil } >= 60)
    #expect(!pipeline.decoderStatus.isStopped)
    let path = try #require(paths.first)
    pipeline.request(fileRequest(path, source: 1_000, pixels(64, 48)), deadline: at(0))
    #expect(try pipeline.waitForArrivals(1, waker).map(\.outcome.failure) == [nil])
  }

  @Test("Decoding a file that is being rewritten ends and crashes no process")
  func fileBeingRewritten() throws {
    let path = try #require(try photographs(1).first)
    let whole = try Data(contentsOfPath: path)
    let name = String(decoding: path, as: UTF8.self)
    let isOver = Lock(false)
    let writer = try WorkerThread(name: "writer") {
      var random = SeededGenerator(seed: 3)
      while !isOver.withLock({ $0 }) {
        if Bool.random(using: &random) {
          truncate(name, off_t.random(in: 0...off_t(whole.count), using: &random))
        } else {
          try? whole.write(to: URL(fileURLWithPath: name), options: Bool.random(using: &random) ? .atomic : [])
        }
      }
    }
    let waker = TestWaker()
    let (pipeline, decoders) = try countingPipeline(waker)
    defer { pipeline.shutdown() }
    for number in 0..<60 {
      pipeline.request(fileRequest(path, source: number, pixels(64, 48)), deadline: at(0))
    }
    let arrivals = try pipeline.waitForArrivals(60, waker)
    isOver.withLock { $0 = true }
    writer.join()
    #expect(Set(arrivals.map(\.key.source)).count == 60)
    #expect(decoders.crashes == 0)
  }

  @Test("The process reports its confinement, and its processor time is limited")
  func confinement() throws {
    let process = try DecodingProcess(try RealHelper.setup(), stop: nil)
    #expect(process.layers.isSuperset(of: [.processorTime, .descriptors, .fileSize, .coreDumps, .parent]))
    #expect(process.layers.isSubset(of: .all))
    #expect(process.formats.starts(with: [.jpeg, .png, .webp]))
    #expect(try #require(process.readiness) > .zero)
    let limits = try String(decoding: Data(contentsOfPath: Array("/proc/\(process.number)/limits".utf8)), as: UTF8.self)
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max cpu time") })
    #expect(line.split(separator: " ").contains("11"))
    let encoder = try EncodingProcess(largest: pixels(1, 1))
    #expect(encoder.layers == process.layers)
  }

  @Test("Without the program of all formats its pictures are refused, and the others are decoded")
  func withoutOtherProgram() throws {
    var setup = try RealHelper.setup()
    #expect(try DecodingProcess(setup, stop: nil).formats.contains(.tiff))
    let (program, link) = (String(decoding: setup.executable, as: UTF8.self), folder.path(of: "vitrine-decode"))
    try #require(symlink(program, link) == 0)
    setup.executable = Array(link.utf8)
    let process = try DecodingProcess(setup, stop: nil)
    #expect(!process.formats.contains(.tiff) && process.formats.contains(.jpeg))
    func decode(_ path: [UInt8]) throws -> DecodedImage {
      let file = try ImageFile(path: path)
      return try process.decode(
        file: file.number, fileBytes: file.version.identity.byteCount, fileRequest(path, source: 1, pixels(10, 10)),
        delay: .zero)
    }
    let tiff = try folder.write([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], to: "a.tiff")
    #expect(throws: DecodingProcessError.refused(.otherProgram)) { try decode(tiff) }
    // A program that cannot be started at the moment is not missing.
    _ = try folder.write([0], to: "vitrine-decode-all")
    try #require(chmod(link + "-all", 0o700) == 0)
    let failure = #expect(throws: DecodingProcessError.self) { try decode(tiff) }
    #expect(failure == .system(call: "posix_spawn", error: ENOEXEC) && failure?.failure.persistence == .transient)
    try #require(unlink(link + "-all") == 0)
    try #require(symlink(program + "-all", link + "-all") == 0)
    #expect(throws: DecodingProcessError.refused(.damaged)) { try decode(tiff) }
    #expect(try decode(try #require(try photographs(1).first)).bitmap.size == pixels(10, 10))
  }

  @Test("A process that is killed during a decode is lost, and another one decodes the image")
  func killedWhileWorking() throws {
    let path = try #require(try photographs(1).first)
    let setup = try RealHelper.setup()
    let times = try #require(DecodingProcessTimes(workers: 1).entry(of: 0))
    let process = try DecodingProcess(setup, stop: nil, times: times)
    let killer = try WorkerThread(name: "killer") {
      _ = try? Deadline().wait(for: "the process of the picture") { times.current == 0 ? nil : () }
      if times.current > 0 { kill(times.current, SIGKILL) }
    }
    defer { killer.join() }
    let file = try ImageFile(path: path)
    let bytes = file.version.identity.byteCount
    let request = fileRequest(path, source: 1, pixels(10, 10))
    #expect(throws: DecodingProcessError.exited) {
      // The delay is far longer than the other thread needs to kill the process.
      try process.decode(file: file.number, fileBytes: bytes, request, delay: .seconds(60))
    }
    #expect(process.termination == .signal(SIGKILL))
    let image = try process.decode(
      file: file.number, fileBytes: bytes, request, delay: .zero)
    #expect(image.bitmap.size == pixels(10, 10))
  }

  @Test("Random, truncated and empty files, FIFOs and folders fail without a crash")
  func hostileFiles() throws {
    let photograph = try folder.write(
      try EncodingProcess(largest: pixels(160, 120)).encode(
        try Bitmap.gradient(160, 120), quality: 92), to: "whole.jpg")
    let whole = try Array(Data(contentsOfPath: photograph))
    var random = SeededGenerator(seed: 6)
    var paths: [[UInt8]] = []
    for number in 0..<40 {
      let noise = (0..<Int.random(in: 1..<3_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      paths.append(try folder.write(noise, to: "noise \(number)"))
      paths.append(try folder.write([0xFF, 0xD8, 0xFF, 0xE0] + noise, to: "noise \(number).jpg"))
      let cut = Int.random(in: 0..<whole.count, using: &random)
      paths.append(try folder.write(whole.prefix(cut), to: "cut \(number).jpg"))
      var flipped = whole
      for _ in 0..<8 {
        flipped[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      paths.append(try folder.write(flipped, to: "flipped \(number).jpg"))
    }
    paths.append(try folder.write([], to: "empty.png"))
    paths.append(Array(folder.path.utf8))
    paths.append(folder.pathBytes(of: "absent.jpg"))
    try #require(mkfifo(folder.path(of: "fifo.jpg"), 0o600) == 0)
    paths.append(folder.pathBytes(of: "fifo.jpg"))
    let waker = TestWaker()
    let (pipeline, decoders) = try countingPipeline(waker)
    defer { pipeline.shutdown() }
    for (number, path) in paths.enumerated() {
      pipeline.request(fileRequest(path, source: number, pixels(32, 32)), deadline: at(0))
    }
    let arrivals = try pipeline.waitForArrivals(paths.count, waker)
    #expect(Set(arrivals.map(\.key.source)).count == paths.count)
    let failures = Dictionary(uniqueKeysWithValues: arrivals.map { (Int($0.key.source), $0.outcome.failure) })
    let last = (paths.count - 4..<paths.count).map { failures[$0] ?? nil }
    #expect(last == [.refused(.emptyFile), .notAFile, .cannotOpen(ENOENT), .notAFile])
    #expect(decoders.crashes == 0)
  }

  @Test(
    "Every odd or hostile image of the collection ends",
    .enabled(if: TestImageCollection.isPresent, "SKIPPED: there is no ../shared/images beside the package"))
  func collection() throws {
    let files = try TestImageCollection.files().enumerated().filter { $0.offset.isMultiple(of: 9) }.map(\.element)
    let waker = TestWaker()
    let (pipeline, decoders) = try countingPipeline(waker)
    defer { pipeline.shutdown() }
    for (number, file) in files.enumerated() {
      pipeline.request(fileRequest(file, source: number, pixels(256, 192), fit: .fit), deadline: at(0))
    }
    let arrivals = try pipeline.waitForArrivals(files.count, waker)
    #expect(Set(arrivals.map(\.key.source)).count == files.count)
    #expect(decoders.crashes * 1_000 <= max(1_000, files.count))
  }

  @Test("The process has its own group, one blocked signal and an almost empty environment")
  func processAttributes() throws {
    setenv("VITRINE_TEST_SECRET", "1", 1)
    var setup = try RealHelper.setup()
    setup.priority = .background
    let process = try DecodingProcess(setup, stop: nil)
    #expect(getpgid(process.number) == process.number)
    #expect(
      sched_getscheduler(process.number) == 5 || getpriority(.init(PRIO_PROCESS.rawValue), id_t(process.number)) == 19)
    let status = try String(decoding: Data(contentsOfPath: Array("/proc/\(process.number)/status".utf8)), as: UTF8.self)
    // A client that requests a trace from all processes of this name does not mean the decoding processes.
    #expect(status.contains("SigBlk:\t0000000000000200"))
    // Signals 32 and 33 are reserved by the C library, which does not reset them.
    let ignored = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
    let mask = try #require(UInt64(ignored.dropFirst(8), radix: 16))
    // Only SIGPIPE is ignored.
    #expect(mask & 0x7FFF_FFFF == 1 << UInt64(SIGPIPE - 1))
    // Only the superuser may read the environment of a process that is not dumpable.
    if let environment = try? Data(contentsOfPath: Array("/proc/\(process.number)/environ".utf8)), !environment.isEmpty
    {
      let names = environment.split(separator: 0).map {
        String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      }
      #expect(Set(names).isSubset(of: ["SWIFT_BACKTRACE", "LD_LIBRARY_PATH"]))
    }
    withExtendedLifetime(process) {}
  }

  @Test("A process for the screen has a reduced priority and the batch scheduling policy")
  func screenPriority() throws {
    var setup = try RealHelper.setup()
    setup.priority = .screen
    let process = try DecodingProcess(setup, stop: nil)
    // SCHED_BATCH, which is not imported into Swift.
    #expect(sched_getscheduler(process.number) == 3)
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    #expect(getpriority(which, id_t(process.number)) == max(5, getpriority(which, 0)))
    withExtendedLifetime(process) {}
  }
}

// MARK: - Support

/// A factory of decoders whose process is killed before the first decode of each file.
private struct KillOnceDecoders: DecoderFactory {
  let stop: StopSignal
  let setup: DecodingProcess.Setup

  func makeDecoder(worker: Int) -> any PipelineImageDecoder {
    KillOnceDecoder(decoder: ProcessDecoder(setup: { [setup] in setup }, delay: .zero, stop: stop))
  }

  func interrupt() { stop.raise() }

  private final class KillOnceDecoder: PipelineImageDecoder {
    private let decoder: ProcessDecoder
    private var attempted: Set<ImageKey> = []

    init(decoder: ProcessDecoder) { self.decoder = decoder }

    func prepare() { decoder.prepare() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      if attempted.insert(request.key).inserted, let process = decoder.processNumber { kill(process, SIGKILL) }
      return decoder.decode(request)
    }
  }
}

/// A factory of decoders whose processes a test can kill at any time.
private final class KillableDecoders: DecoderFactory {
  private let stop: StopSignal
  private let setup: DecodingProcess.Setup
  private let health = DecoderHealth()
  private let processes = Lock<[Int: pid_t]>([:])

  init(_ setup: DecodingProcess.Setup) throws {
    self.setup = setup
    stop = try StopSignal()
  }

  /// Kills all running processes.
  func killAll() {
    processes.withLock { processes in
      // A process that was reaped is no child of ours, and its number may belong to another process.
      for process in processes.values where waitid(P_PID, id_t(process), nil, WEXITED | WNOHANG | WNOWAIT) == 0 {
        kill(process, SIGKILL)
      }
    }
  }

  var status: DecoderStatus { health.status }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder {
    let decoder = ProcessDecoder(setup: { [setup] in setup }, delay: .milliseconds(2), stop: stop, health: health)
    return KillableDecoder(decoder: decoder) { [processes] number in processes.withLock { $0[worker] = number } }
  }

  func interrupt() { stop.raise() }

  private struct KillableDecoder: PipelineImageDecoder {
    let decoder: ProcessDecoder
    /// Reports the decoder's current process, or nil if there is none.
    let report: (pid_t?) -> Void

    func prepare() {
      report(nil)
      decoder.prepare()
      report(decoder.processNumber)
    }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      let outcome = decoder.decode(request)
      report(nil)
      return outcome
    }
  }
}

/// Odd and hostile test images next to the package; tests are skipped if they are not installed.
private enum TestImageCollection {
  private static let folder = "../shared/images/"

  /// Whether the images are installed.
  static let isPresent = FileManager.default.fileExists(atPath: folder + "MANIFEST.tsv")

  /// Returns the paths of the images, as bytes, in the order of the manifest.
  static func files() throws -> [[UInt8]] {
    let list = try String(contentsOfFile: folder + "MANIFEST.tsv", encoding: .utf8)
    return list.split(separator: "\n").dropFirst().map { line in
      Array((folder + line.prefix { $0 != "\t" }).utf8)
    }
  }
}

private extension Data {
  /// Reads the file at a path given as bytes.
  init(contentsOfPath path: [UInt8]) throws {
    self = try Data(contentsOf: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
  }
}
