import Glibc
public import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering

/// A decoding process and its shared memory slot; performs one request at a time, for the thread that created it.
///
/// After any error except ``DecodingProcessError/refused(_:)``, ``DecodingProcessError/tooLarge(_:)`` and
/// ``DecodingProcessError/outOfMemory`` it is unusable: release it, which ends the process, and create another.
final class DecodingProcess {
  /// The configuration of a decoding process.
  struct Setup: Sendable {
    /// The bytes of the executable's path.
    var executable: [UInt8]
    /// The size of the slot in bytes, which limits the result.
    var slotBytes: Int
    /// The share of contended cores that the process gets.
    var priority: ProcessPriority
    /// The action on system calls that decoding does not need.
    var forbiddenCalls = ForbiddenCallAction.fail
    /// The timeout for the process to become ready.
    var readinessTimeout = ProcessTimeout(limit: .seconds(5))
    /// The timeout for a reply.
    var replyTimeout = ProcessTimeout(limit: .seconds(5))
    /// The maximum time to wait for the end of the process once the stop signal is raised.
    var terminationTimeout = FrameDuration.milliseconds(50)
    /// The layout of pixels in memory.
    var pixels = PixelStorage()
  }

  /// The number of images made so far.
  private(set) var servedCount = 0

  /// The sandbox layers of the process, once it is ready.
  private(set) var layers: SandboxLayers = []
  /// The formats that the process decodes, once it is ready.
  private(set) var formats: [ImageFormat] = []
  /// The time from the start of the process until it was ready.
  private(set) var readiness: FrameDuration?

  /// The private memory in bytes above which an idle process is replaced.
  private static let maximumPrivateBytes = 128 << 20
  /// The processor time of one request, longer than its timeout allows, so that the kernel kills a process whose
  /// program is suspended and cannot.
  private static let processorTime = FrameDuration.seconds(10)
  /// The factor of these times for a view of one picture, whose file may be larger than usual.
  private static let patience = 6.0

  private let setup: Setup
  private let stop: StopSignal?
  private let slot: SharedSlot
  private let socket: RecordSocket
  private let child: ChildProcess
  private let start = Stopwatch()
  private let isBounded: Bool
  private var lastID: UInt32 = 0

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameter stop: The signal that ends every wait for this process.
  convenience init(_ setup: Setup, stop: StopSignal?) throws(DecodingProcessError) {
    try self.init(starting: setup, stop: stop)
    try waitUntilReady()
  }

  /// Starts a process, which must become ready before the first request.
  init(starting setup: Setup, stop: StopSignal?) throws(DecodingProcessError) {
    self.setup = setup
    self.stop = stop
    guard let launch = DecodingLaunch(slotCount: 1, slotBytes: setup.slotBytes, forbiddenCalls: setup.forbiddenCalls)
    else { throw .system(call: "memfd_create", error: EINVAL) }
    slot = try SharedSlot(launch)
    let pair = try RecordSocket.makePair()
    child = try ChildProcess(
      executable: setup.executable, launch: launch, socket: pair.childEnd, slot: slot,
      priority: setup.priority, stop: stop, terminationTimeout: setup.terminationTimeout)
    socket = pair.parentEnd
    isBounded = child.renewProcessorTime(DecodingProcess.processorTime)
  }

  /// Waits until the process is ready, unless it already is.
  ///
  /// The timeout counts from the start of the process.
  ///
  /// - Parameters:
  ///   - shouldContinue: A closure called every 40 ms that returns whether to continue waiting. The process itself
  ///     continues in any case.
  ///   - onStarvation: A closure called when the process gets no core for a while.
  /// - Returns: Whether the process is ready; false if `shouldContinue` returned false.
  @discardableResult
  func waitUntilReady(
    shouldContinue: () -> Bool = { true }, onStarvation: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> Bool {
    guard readiness == nil else { return true }
    let greeting: DecodingReply
    do throws(DecodingProcessError) {
      greeting = try DecodingProcess.reply(
        to: 0, within: setup.readinessTimeout, since: start, socket, child, stop, shouldContinue: shouldContinue,
        onStarvation: onStarvation)
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

  /// The process identifier.
  var number: pid_t { child.number }

  /// Whether the process has ended between two requests, which is no file's fault.
  var hasEnded: Bool { child.hasEnded }

  /// Whether the idle process uses so much memory that it should be replaced.
  var exceedsMemoryLimit: Bool { child.privateBytes.map { $0 > DecodingProcess.maximumPrivateBytes } ?? false }

  /// The way in which the process ended or is about to end; nil if it is running.
  var termination: ProcessTermination? { child.termination(within: .milliseconds(100)) }

  // MARK: - Requests

  /// Returns whether a result of this size fits into the slot.
  func fits(_ size: PixelSize) -> Bool { size.bytesAtFourPerPixel <= setup.slotBytes }

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - file: The descriptor of the open file, of which the process gets a copy.
  ///   - fileBytes: The file's size in bytes.
  ///   - imageRequest: The image to make.
  ///   - delay: The time added to the work.
  ///   - interrupter: The interrupter that may stop the work from another thread.
  ///   - onStarvation: A closure called once when the process is runnable but has not been given a core for a while.
  func decode(
    file: Int32, fileBytes: Int, _ imageRequest: ImageRequest, delay: FrameDuration,
    interrupter: DecodeInterrupter? = nil,
    onStarvation: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> DecodedImage {
    let (size, fit) = (imageRequest.key.size, imageRequest.key.fit)
    guard fits(size) else { throw .refused(.slotTooSmall) }
    let request = DecodingRequest(
      id: nextID(), operation: .decode, slot: 0, size: size, fit: DecodingRequest.Fit(fit),
      background: imageRequest.background, secondBackground: imageRequest.secondBackground,
      fileBytes: UInt64(fileBytes),
      delayMicroseconds: UInt32(clamping: Int64(delay.microseconds)),
      representation: imageRequest.representation == .full ? .full : .embedded,
      limits: imageRequest.limits, region: imageRequest.region)
    guard interrupter?.beginRequest(request.id, word: slot.interruption) ?? true else { throw .refused(.interrupted) }
    defer { interrupter?.endRequest() }
    let reply = try exchange(request, file: file, delay: delay, onStarvation: onStarvation)
    let bitmap = try makeBitmap(reply, atMost: size)
    guard fit != .fill || bitmap.size == size else { throw .invalidReply }
    servedCount += 1
    return DecodedImage(
      bitmap: bitmap, sourceSize: PixelSize(width: Int(reply.sourceWidth), height: Int(reply.sourceHeight)),
      isDamaged: reply.isDamaged, representation: imageRequest.representation)
  }

  /// Makes a bitmap of the pixels that a reply describes.
  private func makeBitmap(_ reply: DecodingReply, atMost size: PixelSize) throws(DecodingProcessError) -> Bitmap {
    guard let result = PixelSize(width: Int(reply.width), height: Int(reply.height)),
      result.width <= size.width, result.height <= size.height, Int(reply.byteCount) == result.bytesAtFourPerPixel
    else { throw .invalidReply }
    defer { slot.discardIfLarge(result.bytesAtFourPerPixel) }
    do {
      let order = setup.pixels.order
      return try Bitmap(size: result, isOpaque: true, order: order, pool: setup.pixels.pool) {
        copyOpaque(to: $0, order)
      }
    } catch {
      throw .outOfMemory
    }
  }

  /// Decodes a frame of an animation.
  ///
  /// - Parameters:
  ///   - imageRequest: The size, the background and the limits, the same for all frames of a file.
  ///   - file: The descriptor of the open file and its size in bytes, to decode its first frame; nil to decode the
  ///     frame after the last.
  ///   - isFirst: Whether to decode the first frame again.
  /// - Returns: The frame; nil after the last one, and if the file is no animation.
  func animationFrame(
    _ imageRequest: ImageRequest, of file: (descriptor: Int32, byteCount: Int)?, isFirst: Bool
  ) throws(DecodingProcessError) -> AnimationFrame? {
    guard fits(imageRequest.key.size) else { throw .refused(.slotTooSmall) }
    let request = DecodingRequest(
      id: nextID(), operation: .animate, slot: 0, size: imageRequest.key.size, fit: .fit,
      background: imageRequest.background, secondBackground: imageRequest.secondBackground,
      fileBytes: UInt64(file?.byteCount ?? 0), limits: imageRequest.limits,
      startsAnimation: isFirst)
    do throws(DecodingProcessError) {
      let reply = try exchange(request, file: file?.descriptor, delay: .zero)
      servedCount += 1
      return AnimationFrame(
        bitmap: try makeBitmap(reply, atMost: request.size),
        duration: .milliseconds(Double(reply.frameMilliseconds)))
    } catch .refused(.noFrame) {
      return nil
    }
  }

  /// Encodes a bitmap as a JPEG file.
  ///
  /// - Parameter quality: The quality, 1 to 100.
  /// - Returns: The bytes of the file.
  func encode(_ bitmap: Bitmap, quality: Int) throws(DecodingProcessError) -> [UInt8] {
    guard fits(bitmap.size) else { throw .refused(.slotTooSmall) }
    guard let ordered = try? bitmap.converted(to: .redFirst) else { throw .outOfMemory }
    ordered.withPixels { slot.bytes.copyMemory(from: $0) }
    return try encode(
      DecodingRequest(
        id: nextID(), operation: .encode, slot: 0, size: bitmap.size, quality: UInt32(min(max(quality, 1), 100))),
      bitmap)
  }

  /// Encodes a bitmap as an opaque PNG file.
  ///
  /// - Parameter texts: The texts of the file.
  /// - Returns: The bytes of the file.
  func encodePNG(_ bitmap: Bitmap, texts: PNGTexts) throws(DecodingProcessError) -> [UInt8] {
    let textBytes = texts.bytes
    guard bitmap.byteCount + textBytes.count <= setup.slotBytes else { throw .refused(.slotTooSmall) }
    guard let ordered = try? bitmap.converted(to: .redFirst) else { throw .outOfMemory }
    ordered.withPixels { slot.bytes.copyMemory(from: $0) }
    UnsafeMutableRawBufferPointer(rebasing: slot.bytes[bitmap.size.bytesAtFourPerPixel...]).copyBytes(from: textBytes)
    return try encode(
      DecodingRequest(
        id: nextID(), operation: .encodePNG, slot: 0, size: bitmap.size, fileBytes: UInt64(textBytes.count)),
      bitmap)
  }

  /// Converts the profile of a display to a table.
  ///
  /// - Returns: The table, whose colors are those of an untrusted process.
  func colorTable(of profile: ColorProfile) throws(DecodingProcessError) -> ColorTable {
    guard profile.bytes.count <= setup.slotBytes else { throw .refused(.slotTooSmall) }
    slot.bytes.copyBytes(from: profile.bytes)
    let reply = try exchange(
      DecodingRequest(
        id: nextID(), operation: .makeColorTable, slot: 0, size: .maximum, fileBytes: UInt64(profile.bytes.count)),
      file: nil, delay: .zero)
    guard let table = ColorTable(UnsafeRawBufferPointer(rebasing: slot.bytes.prefix(Int(reply.byteCount)))) else {
      throw .invalidReply
    }
    servedCount += 1
    return table
  }

  private func encode(_ request: DecodingRequest, _ bitmap: Bitmap) throws(DecodingProcessError) -> [UInt8] {
    let reply = try exchange(request, file: nil, delay: .zero)
    let count = Int(reply.byteCount)
    guard count > 0, count <= slot.bytes.count else { throw .invalidReply }
    defer { slot.discardIfLarge(max(count, bitmap.byteCount)) }
    servedCount += 1
    return Array(slot.bytes[..<count])
  }

  private func nextID() -> UInt32 {
    // Never 0, which identifies the ready message.
    lastID = lastID == .max ? 1 : lastID + 1
    return lastID
  }

  // MARK: - Replies

  private func exchange(
    _ request: DecodingRequest, file: Int32?, delay: FrameDuration, onStarvation: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> DecodingReply {
    let patience = request.limits.maximumFileBytes > ImageLimits.standardFileBytes ? DecodingProcess.patience : 1
    child.renewProcessorTime(DecodingProcess.processorTime * patience)
    guard socket.send(request.words, file: file) else { throw .exited }
    let timeout = ProcessTimeout(limit: setup.replyTimeout.limit * patience + delay)
    let reply = try DecodingProcess.reply(
      to: request.id, within: timeout, socket, child, stop, onStarvation: onStarvation)
    guard reply.status != .ok else { return reply }
    if let excess = DecodingProcess.exceededLimit(reply, of: request) { throw .tooLarge(excess) }
    throw .refused(reply.status)
  }

  /// Returns the limit that a refused image exceeds, or nil if it was refused for another reason.
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
    to id: UInt32, within timeout: ProcessTimeout, since start: Stopwatch? = nil, _ socket: borrowing RecordSocket,
    _ child: borrowing ChildProcess, _ stop: StopSignal?, shouldContinue: () -> Bool = { true },
    onStarvation: (() -> Void)?
  ) throws(DecodingProcessError) -> DecodingReply {
    try waitForRecord(
      within: timeout, since: start, socket, child, stop, shouldContinue: shouldContinue, onStarvation: onStarvation)
    switch socket.receive() {
    case .closed: throw .exited
    case .malformed: throw .invalidReply
    case .record(let words):
      guard let reply = DecodingReply(words: words), reply.id == id else { throw .invalidReply }
      return reply
    }
  }

  /// Waits until the socket is readable.
  ///
  /// - Parameter start: The start of the process, if the timeout counts from there. Default: nil, it counts from now.
  private static func waitForRecord(
    within timeout: ProcessTimeout, since start: Stopwatch?, _ socket: borrowing RecordSocket,
    _ child: borrowing ChildProcess, _ stop: StopSignal?, shouldContinue: () -> Bool, onStarvation: (() -> Void)?
  ) throws(DecodingProcessError) {
    let waitStart = Stopwatch()
    let watch = start ?? waitStart
    let usedNow = child.processorTime
    let usedBefore = start == nil ? usedNow : .zero
    var starvation = onStarvation.map { _ in StarvationDetector(used: usedNow) }
    var delayBefore: Int64? = start == nil ? nil : 0
    var wait = timeout.firstWait
    while true {
      guard shouldContinue() else { throw .refused(.interrupted) }
      let nextCheck = start == nil && starvation == nil ? wait : min(wait, StarvationDetector.interval)
      switch poll(socket.number, child.exitDescriptor, stop?.number, atMost: nextCheck) {
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
      let usedSince = used.flatMap { used in usedBefore.map { used - $0 } } ?? timeout.limit
      guard
        let remaining = timeout.remaining(
          elapsed: watch.elapsed, delayed: delayed, used: usedSince, isRunnable: isRunnable)
      else { throw .timedOut }
      wait = remaining
      if starvation?.detectStarvation(elapsed: waitStart.elapsed, used: used, isRunnable: isRunnable) ?? false {
        starvation = nil
        onStarvation?()
      }
    }
  }

  private enum PollResult {
    case record
    case ended
    case interrupted
    case timedOut
  }

  /// Waits for a record, the end of the process, or the stop signal.
  ///
  /// The C function is `poll`.
  private static func poll(_ socket: Int32, _ exitDescriptor: Int32, _ stop: Int32?, atMost wait: FrameDuration)
    -> PollResult
  {
    var watched = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: exitDescriptor, events: Int16(POLLIN), revents: 0),
      // `poll` ignores negative descriptors.
      pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: (wait.nanoseconds + 999_999) / 1_000_000)
    guard Glibc.poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return .timedOut }
    if watched[2].revents != 0 { return .interrupted }
    // The reply of a process that ended afterwards is still valid.
    if watched[0].revents != 0 { return .record }
    return watched[1].revents != 0 ? .ended : .timedOut
  }

  /// Copies a result out of the slot, reading each byte once, and makes it opaque and in a channel order.
  private func copyOpaque(to pixels: UnsafeMutableRawBufferPointer, _ order: ChannelOrder) {
    let target = pixels.bindMemory(to: UInt32.self)
    let source = UnsafeRawBufferPointer(slot.bytes).bindMemory(to: UInt32.self)
    let alpha = UInt32(littleEndian: 0xFF00_0000)
    guard order == .blueFirst else {
      for index in target.indices { target[index] = source[index] | alpha }
      return
    }
    for index in target.indices { target[index] = ChannelOrder.swappingRedAndBlue(source[index]) | alpha }
  }
}

extension DecodingRequest.Fit {
  /// Creates the protocol's value for an image fit.
  init(_ fit: ImageFit) {
    self =
      switch fit {
      case .fill: .fill
      case .fit: .fit
      case .fillWithoutEnlarging: .fillWithoutEnlarging
      }
  }
}

// MARK: - Errors

/// The reason why a decoding process did not perform a request.
public enum DecodingProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The executable was not found.
  case executableMissing
  /// A system call failed with this `errno`.
  case system(call: String, error: Int32)
  /// The process did not become ready.
  case notReady
  /// The process ended before it answered.
  case exited
  /// The process did not answer in time.
  case timedOut
  /// The process sent an invalid reply.
  case invalidReply
  /// The stop signal was raised.
  case interrupted
  /// The process examined the request and refused it.
  case refused(DecodingStatus)
  /// The image exceeds one of the limits of this package.
  case tooLarge(ExceededLimit)
  /// This process has too little memory for the result.
  case outOfMemory

  /// A description in one line.
  public var description: String {
    switch self {
    case .executableMissing: "vitrine-decode was not found next to the program; build it, or set its path"
    case .system(let call, let error):
      "the decoding process could not be started: \(call): \(String(cString: strerror(error)))"
    case .notReady: "the decoding process did not become ready"
    case .exited: "the decoding process ended before it answered"
    case .timedOut: "the decoding process did not answer in time"
    case .invalidReply: "the decoding process sent an invalid reply"
    case .interrupted: "interrupted"
    case .refused(let status): "the decoding process refused: \(status)"
    case .tooLarge(let excess): "\(excess)"
    case .outOfMemory: "not enough memory for the result"
    }
  }
}

extension DecodingProcessError {
  /// Whether the process is unusable.
  var invalidatesProcess: Bool {
    switch self {
    case .refused, .tooLarge, .outOfMemory: false
    default: true
    }
  }

  /// The corresponding failure of the image.
  var failure: ImageFailure {
    switch self {
    case .executableMissing, .system, .notReady: .decoderUnavailable
    case .exited: .decoderCrashed
    case .timedOut: .decoderTimedOut
    case .invalidReply: .invalidDecoderReply
    case .interrupted: .interrupted
    case .refused(.interrupted): .interrupted
    case .refused(let status): .refused(status)
    case .tooLarge(let excess): .tooLarge(excess)
    case .outOfMemory: .outOfMemory
    }
  }
}
