import DecodingProtocol
import FramePacing
import Geometry
import Glibc
import ImageMetadata
import Rendering

/// One decoding process and the slot that is shared with it; does one thing at a time, for the thread that made it.
///
/// After any error but ``DecodingProcessError/refused(_:)`` and ``DecodingProcessError/outOfMemory`` it is of no further
/// use: let go of it, which ends the process, and make another.
final class DecodingProcess {
  /// What a decoding process is started with.
  struct Setup: Sendable {
    /// The path's bytes.
    var executable: [UInt8]
    /// The bytes of the slot: the largest result.
    var slotBytes: Int
    /// What the process gets of a core that others want too.
    var priority: ProcessPriority
    /// What becomes of system calls that decoding does not need.
    var forbiddenCalls = ForbiddenCallAction.fail
    /// How long a process may take to get ready.
    var readinessTimeout = ProcessTimeout(limit: .seconds(5))
    /// How long an answer is waited for.
    var replyTimeout = ProcessTimeout(limit: .seconds(5))
    /// How long the end of a process holds its owner up once the stop signal is raised.
    var terminationTimeout = FrameDuration.milliseconds(50)
    /// How pictures' pixels stand in memory.
    var pixels = PixelStorage()
  }

  /// The pictures made so far.
  private(set) var servedCount = 0

  /// What confines the process, once it is ready.
  private(set) var layers: SandboxLayers = []
  /// The formats that it decodes, as it says once it is ready.
  private(set) var formats: [ImageFormat] = []
  /// The time from its start until it was known to be ready.
  private(set) var readiness: FrameDuration?

  /// The memory of its own, in bytes, past which a process between two requests is replaced.
  private static let maximumPrivateBytes = 128 << 20
  /// The processor time of one request: more than its deadline lets it have, so that this one ends a process that its
  /// program cannot end, as it is stopped itself.
  private static let processorTime = FrameDuration.seconds(10)

  private let setup: Setup
  private let stop: StopSignal?
  private let slot: SharedSlot
  private let socket: RecordSocket
  private let child: ChildProcess
  private let start = Stopwatch()
  private let isBounded: Bool
  private var lastID: UInt32 = 0

  /// Starts a process and waits until it says that it is ready.
  ///
  /// - Parameter stop: what makes every wait of this process end early.
  convenience init(_ setup: Setup, stop: StopSignal?) throws(DecodingProcessError) {
    try self.init(starting: setup, stop: stop)
    try waitUntilReady()
  }

  /// Starts a process, which is to become ready before anything is asked of it.
  init(starting setup: Setup, stop: StopSignal?) throws(DecodingProcessError) {
    self.setup = setup
    self.stop = stop
    guard let launch = DecodingLaunch(slotCount: 1, slotBytes: setup.slotBytes, forbiddenCalls: setup.forbiddenCalls)
    else { throw .system(call: "memfd_create", error: EINVAL) }
    slot = try SharedSlot(launch)
    let pair = try RecordSocket.makePair()
    child = try ChildProcess(
      executable: setup.executable, launch: launch, socket: pair.theirs, slot: slot,
      priority: setup.priority, stop: stop, farewell: setup.terminationTimeout)
    socket = pair.ours
    isBounded = child.renewProcessorTime(DecodingProcess.processorTime)
  }

  /// Waits until the process says that it is ready, unless it has; its time counts from its start.
  ///
  /// - Parameters:
  ///   - isWanted: asked every 40 ms whether to go on; the process itself goes on in any case.
  ///   - whenStarved: called when it gets no core for a while.
  /// - Returns: whether it is ready, where it was not left before.
  @discardableResult
  func waitUntilReady(
    isWanted: () -> Bool = { true }, whenStarved: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> Bool {
    guard readiness == nil else { return true }
    let greeting: DecodingReply
    do throws(DecodingProcessError) {
      greeting = try DecodingProcess.reply(
        to: 0, within: setup.readinessTimeout, since: start, socket, child, stop, isWanted: isWanted,
        whenStarved: whenStarved)
      guard greeting.status == .ok else { throw .notReady }
    } catch {
      if error == .refused(.interrupted) { return false }
      throw error == .interrupted ? .interrupted : .notReady
    }
    layers = greeting.layers.union(isBounded ? .processorTime : []).intersection(.all)
    formats = greeting.formats
    readiness = start.elapsed
    return true
  }

  /// The kernel's number of the process.
  var number: pid_t { child.number }

  /// Whether the process has ended between two requests, which is no file's fault.
  var hasEnded: Bool { child.hasEnded }

  /// Whether the process holds so much memory between two requests that another had better take its place.
  var exceedsMemoryLimit: Bool { child.privateBytes.map { $0 > DecodingProcess.maximumPrivateBytes } ?? false }

  /// How the process ended, where it has or is about to; nothing where it lives on.
  var termination: ProcessTermination? { child.termination(within: .milliseconds(100)) }

  /// Whether a result of this size fits the slot.
  func fits(_ size: PixelSize) -> Bool { size.bytesAtFourPerPixel <= setup.slotBytes }

  /// Has a file decoded.
  ///
  /// - Parameters:
  ///   - file: the open file's descriptor, of which the process gets a copy.
  ///   - fileBytes: the file's size in bytes.
  ///   - wanted: what the picture is to become.
  ///   - delay: time added to the work.
  ///   - interrupter: what may stop the work from another thread.
  ///   - whenStarved: called once when the process could work and has got no core for a while.
  func decode(
    file: Int32, fileBytes: Int, _ wanted: ImageRequest, delay: FrameDuration, interrupter: DecodeInterrupter? = nil,
    whenStarved: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> DecodedImage {
    let (size, fit) = (wanted.key.size, wanted.key.fit)
    guard fits(size) else { throw .refused(.slotTooSmall) }
    let request = DecodingRequest(
      id: nextID(), operation: .decode, slot: 0, size: size, fit: DecodingRequest.Fit(fit),
      background: wanted.background, fileBytes: UInt64(fileBytes),
      delayMicroseconds: UInt32(clamping: Int64(delay.microseconds)),
      representation: wanted.representation == .full ? .full : .embedded,
      limits: wanted.limits)
    guard interrupter?.beginRequest(request.id, word: slot.interruption) ?? true else { throw .refused(.interrupted) }
    defer { interrupter?.endRequest() }
    let reply = try exchange(request, file: file, delay: delay, whenStarved: whenStarved)
    guard let result = PixelSize(width: Int(reply.width), height: Int(reply.height)),
      result.width <= size.width, result.height <= size.height, fit != .fill || result == size,
      Int(reply.byteCount) == result.bytesAtFourPerPixel
    else { throw .invalidReply }
    defer { slot.discardIfLarge(result.bytesAtFourPerPixel) }
    let bitmap: Bitmap
    do {
      bitmap = try Bitmap(size: result, isOpaque: true, order: setup.pixels.order, pool: setup.pixels.pool) {
        copyOpaque(to: $0)
      }
    } catch {
      throw .outOfMemory
    }
    servedCount += 1
    return DecodedImage(
      bitmap: bitmap, sourceSize: PixelSize(width: Int(reply.sourceWidth), height: Int(reply.sourceHeight)),
      isDamaged: reply.isDamaged, representation: wanted.representation)
  }

  /// Has pixels encoded as a JPEG file.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Returns: the file's bytes.
  func encode(_ bitmap: Bitmap, quality: Int) throws(DecodingProcessError) -> [UInt8] {
    guard fits(bitmap.size) else { throw .refused(.slotTooSmall) }
    guard let ordered = try? bitmap.converted(to: .redFirst) else { throw .outOfMemory }
    ordered.withPixels { slot.bytes.copyMemory(from: $0) }
    let request = DecodingRequest(
      id: nextID(), operation: .encode, slot: 0, size: bitmap.size, quality: UInt32(min(max(quality, 1), 100)))
    let reply = try exchange(request, file: nil, delay: .zero)
    let count = Int(reply.byteCount)
    guard count > 0, count <= slot.bytes.count else { throw .invalidReply }
    defer { slot.discardIfLarge(max(count, bitmap.byteCount)) }
    servedCount += 1
    return Array(slot.bytes[..<count])
  }

  private func nextID() -> UInt32 {
    // Never 0, which is the number of "ready".
    lastID = lastID == .max ? 1 : lastID + 1
    return lastID
  }

  private func exchange(
    _ request: DecodingRequest, file: Int32?, delay: FrameDuration, whenStarved: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> DecodingReply {
    child.renewProcessorTime(DecodingProcess.processorTime)
    guard socket.send(request.words, file: file) else { throw .exited }
    let patience = ProcessTimeout(limit: setup.replyTimeout.limit + delay)
    let reply = try DecodingProcess.reply(
      to: request.id, within: patience, socket, child, stop, whenStarved: whenStarved)
    guard reply.status != .ok else { return reply }
    if let excess = DecodingProcess.exceededLimit(reply, of: request) { throw .tooLarge(excess) }
    throw .refused(reply.status)
  }

  /// What a refused picture has too much of; nil where that is not why it was refused.
  private static func exceededLimit(_ reply: DecodingReply, of request: DecodingRequest) -> ExceededLimit? {
    switch reply.status {
    case .tooLarge: .pixels(PixelSize(width: Int(reply.sourceWidth), height: Int(reply.sourceHeight)))
    case .fileTooLarge: .file(bytes: Int(clamping: request.fileBytes))
    case .tooMuchMetadata: .metadata(bytes: ImageHeaderParser.maximumBytes)
    case .tooManyPasses: .passes(ImageLimits.maximumPasses)
    default: nil
    }
  }

  private static func reply(
    to id: UInt32, within patience: ProcessTimeout, since start: Stopwatch? = nil, _ socket: borrowing RecordSocket,
    _ child: borrowing ChildProcess, _ stop: StopSignal?, isWanted: () -> Bool = { true }, whenStarved: (() -> Void)?
  ) throws(DecodingProcessError) -> DecodingReply {
    try waitForRecord(
      within: patience, since: start, socket, child, stop, isWanted: isWanted, whenStarved: whenStarved)
    switch socket.receive() {
    case .closed: throw .exited
    case .malformed: throw .invalidReply
    case .record(let words):
      guard let reply = DecodingReply(words: words), reply.id == id else { throw .invalidReply }
      return reply
    }
  }

  /// Waits until the socket has something to read.
  ///
  /// - Parameter start: what patience counts from where that is the process's own start; else it counts from now.
  private static func waitForRecord(
    within patience: ProcessTimeout, since start: Stopwatch?, _ socket: borrowing RecordSocket,
    _ child: borrowing ChildProcess, _ stop: StopSignal?, isWanted: () -> Bool, whenStarved: (() -> Void)?
  ) throws(DecodingProcessError) {
    let look = Stopwatch()
    let watch = start ?? look
    let usedNow = child.processorTime
    let usedBefore = start == nil ? usedNow : .zero
    var starvation = whenStarved.map { _ in StarvationDetector(used: usedNow) }
    var delayBefore: Int64? = start == nil ? nil : 0
    var wait = patience.firstWait
    while true {
      guard isWanted() else { throw .refused(.interrupted) }
      let nextLook = start == nil && starvation == nil ? wait : min(wait, StarvationDetector.interval)
      switch poll(socket.number, child.exitDescriptor, stop?.number, atMost: nextLook) {
      case .record: return
      case .ended: throw .exited
      case .interrupted: throw .interrupted
      case .timedOut: break
      }
      let runDelay = child.runDelayNanoseconds ?? 0
      let before = delayBefore ?? runDelay
      delayBefore = before
      let delayed = FrameDuration(nanoseconds: runDelay - before)
      let (used, isRunnable) = (child.processorTime, child.isRunnable)
      let usedSince = used.flatMap { used in usedBefore.map { used - $0 } } ?? patience.limit
      guard
        let remaining = patience.remaining(
          elapsed: watch.elapsed, delayed: delayed, used: usedSince, isRunnable: isRunnable)
      else { throw .timedOut }
      wait = remaining
      if starvation?.detectStarvation(elapsed: look.elapsed, used: used, isRunnable: isRunnable) ?? false {
        starvation = nil
        whenStarved?()
      }
    }
  }

  private enum PollResult {
    case record
    case ended
    case interrupted
    case timedOut
  }

  /// Waits for a record, the process's end or the stop signal.
  ///
  /// The C function is `poll`.
  private static func poll(_ socket: Int32, _ ending: Int32, _ stop: Int32?, atMost wait: FrameDuration) -> PollResult {
    var watched = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is one that poll passes over.
      pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: (wait.nanoseconds + 999_999) / 1_000_000)
    guard Glibc.poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return .timedOut }
    if watched[2].revents != 0 { return .interrupted }
    // A process that answered and then died has answered.
    if watched[0].revents != 0 { return .record }
    return watched[1].revents != 0 ? .ended : .timedOut
  }

  /// Copies a result out of the slot, each byte read once, and makes it as opaque as it was promised to be, in the order of
  /// channels in which it will be drawn.
  private func copyOpaque(to pixels: UnsafeMutableRawBufferPointer) {
    let target = pixels.bindMemory(to: UInt32.self)
    let source = UnsafeRawBufferPointer(slot.bytes).bindMemory(to: UInt32.self)
    let alpha = UInt32(littleEndian: 0xFF00_0000)
    guard setup.pixels.order == .blueFirst else {
      for index in target.indices { target[index] = source[index] | alpha }
      return
    }
    for index in target.indices { target[index] = ChannelOrder.swappingRedAndBlue(source[index]) | alpha }
  }
}
