import Glibc
import Synchronization
public import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering

/// A decoding process and its shared memory slot; performs one request at a time, for the thread that created it.
///
/// The process that is started reads no picture: it forks one for each picture, or for all frames of an animation, which
/// ends after it. The result is returned only once that process has ended as it should. The next one is forked ahead,
/// while a picture is decoded.
///
/// Once it is not usable any more, release it, which ends its processes, and create another.
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
    /// The timeout for the process to become ready, and to fork.
    var readinessTimeout = ProcessTimeout(limit: .seconds(5))
    /// The timeout for a reply.
    var replyTimeout = ProcessTimeout(limit: .seconds(5))
    /// The timeout for a reply while other images wait.
    var hurriedReplyTimeout = ProcessTimeout(limit: .seconds(2))
    /// The timeout for a picture process to end after its reply.
    var endTimeout = ProcessTimeout(limit: .seconds(5))
    /// The maximum time to wait for the end of the process once the stop signal is raised.
    var terminationTimeout = FrameDuration.milliseconds(50)
    /// The layout of pixels in memory.
    var pixels = PixelStorage()
  }

  /// The number of images made so far.
  private(set) var servedCount = 0
  /// Whether further requests are possible.
  ///
  /// They are not once the process has ended, or a process that it forked has not ended although it was killed.
  private(set) var isUsable = true
  /// What the process of the last request did when its time was up, or nil if it was not.
  private(set) var timeoutCause: TimeoutCause?
  /// The number of processes that were forked.
  var forkCount: Int { Int(lastForkID) }
  /// How the picture process of the last request ended, if it ended by a fault and has been reaped.
  private(set) var termination: ProcessTermination?

  /// The sandbox layers of the process, once it is ready.
  private(set) var layers: SandboxLayers = []
  /// The version of the program's decoders, once the process is ready.
  private(set) var version = 0
  /// The formats that the process decodes, or the one of the other program, once it is ready.
  private(set) var formats: [ImageFormat] = []
  /// The formats that the process decodes itself, once it is ready.
  private var decoderFormats: [ImageFormat] = []
  /// The time from the start of the process until it was ready.
  private(set) var readiness: FrameDuration?

  /// The processor time of one request, longer than its timeout allows, so that the kernel kills a process whose
  /// program is suspended and cannot.
  ///
  /// The process has the same limit for all its forks, for which a picture process takes about a five-thousandth of a
  /// second.
  private static let processorTime = FrameDuration.seconds(10)
  /// The factor of these times for a view of one picture, whose file may be larger than usual.
  private static let patience = 6.0

  private let setup: Setup
  private let stop: StopSignal?
  private let times: DecodingProcessTimes.Entry?
  private let slot: SharedSlot
  private let control: RecordSocket
  private let parent: ChildProcess
  private let start = Stopwatch()
  private let isBounded: Bool
  private var lastID: UInt32 = 0
  private var lastForkID: UInt32 = 0
  /// Our end of the socket of a process that the parent was asked to fork.
  private var requestedSocket: RecordSocket?
  /// The process that decodes the frames of an animation.
  private var animationProcess: PictureProcess?
  /// The process of the program with the decoders of all formats, once a file has needed it.
  private var other: DecodingProcess?
  /// Whether that process decodes the frames of the animation.
  private var animatesInOther = false
  /// The time since that process did not become ready, or nil.
  private var otherFailure: Stopwatch?
  /// The pause before it is started again.
  private static let otherPause = FrameDuration.seconds(30)

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameter stop: The signal that ends every wait for this process.
  convenience init(_ setup: Setup, stop: StopSignal?, times: DecodingProcessTimes.Entry? = nil)
    throws(DecodingProcessError)
  {
    try self.init(starting: setup, stop: stop, times: times)
    try waitUntilReady()
  }

  /// Starts a process, which must become ready before the first request.
  init(starting setup: Setup, stop: StopSignal?, times: DecodingProcessTimes.Entry? = nil) throws(DecodingProcessError)
  {
    self.setup = setup
    self.stop = stop
    self.times = times
    guard let launch = DecodingLaunch(slotCount: 1, slotBytes: setup.slotBytes, forbiddenCalls: setup.forbiddenCalls)
    else { throw .system(call: "memfd_create", error: EINVAL) }
    slot = try SharedSlot(launch)
    let pair = try RecordSocket.makePair()
    parent = try ChildProcess(
      executable: setup.executable, arguments: launch.arguments, socket: pair.childEnd,
      memory: slot.descriptor.number, priority: setup.priority, stop: stop, terminationTimeout: setup.terminationTimeout
    )
    control = pair.parentEnd
    isBounded = parent.renewProcessorTime(DecodingProcess.processorTime)
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
      try ProcessWait(timeout: setup.readinessTimeout, start: start, stop: stop)
        .run(for: .record, control, parent, shouldContinue: shouldContinue, onStarvation: onStarvation)
      greeting = try DecodingProcess.reply(to: 0, on: control)
      guard greeting.status == .ok else { throw .notReady }
    } catch {
      if error == .refused(.interrupted) { return false }
      throw error == .interrupted ? .interrupted : .notReady
    }
    layers = greeting.layers.union(isBounded ? .processorTime : []).intersection(.all)
    version = Int(greeting.version)
    let hasOther = layers.isSandbox && DecoderExecutable.locateAll(nextTo: setup.executable) != nil
    decoderFormats = greeting.formats
    formats = hasOther ? ImageFormat.table.filter { $0.decoding != .none }.map(\.format) : greeting.formats
    readiness = start.elapsed
    return true
  }

  /// The identifier of the process that forks the others.
  var number: pid_t { parent.number }

  /// Whether the process has ended between two requests, which is no file's fault.
  var hasEnded: Bool { parent.hasEnded }

  /// How the process ended; nil if it is running.
  var ownTermination: ProcessTermination? { parent.termination(within: .milliseconds(100)) }

  // MARK: - Picture processes

  /// Has the process of the next picture forked, so that it is there when the picture comes.
  ///
  /// Does nothing if it has been requested already. The process need not be ready.
  func requestPictureProcess() throws(DecodingProcessError) {
    guard requestedSocket == nil else { return }
    let pair = try RecordSocket.makePair()
    lastForkID &+= 1
    guard control.send(PictureProcessRequest(id: lastForkID).words, file: pair.childEnd.number) else {
      isUsable = false
      termination = ownTermination
      throw .exited
    }
    requestedSocket = .some(pair.parentEnd)
  }

  /// Sends the first request to a new picture process.
  private func startPictureProcess(
    _ request: DecodingRequest, file: Int32?, onStarvation: (() -> Void)?
  ) throws(DecodingProcessError) -> PictureProcess {
    termination = nil
    timeoutCause = nil
    try requestPictureProcess()
    guard let socket = requestedSocket.take() else { throw .notReady }
    // It may be reading already. If it has ended, its reply is missing.
    let isSent = socket.send(request.words, file: file)
    let number: pid_t
    do throws(DecodingProcessError) {
      try ProcessWait(timeout: setup.readinessTimeout, stop: stop)
        .run(for: .record, control, parent, onStarvation: onStarvation)
      switch control.receive() {
      case .closed: throw .exited
      case .malformed: throw .invalidReply
      case .record(let words):
        guard let reply = PictureProcessReply(words: words), reply.id == lastForkID else { throw .invalidReply }
        // The system may be short of resources for a moment.
        guard reply.process > 0 else { throw .system(call: "clone", error: reply.error) }
        number = reply.process
      }
    } catch {
      if case .system = error { throw error }
      isUsable = false
      // The file is not to blame if the process was killed.
      if error == .exited { termination = ownTermination }
      throw error
    }
    let process: PictureProcess
    do throws(DecodingProcessError) {
      process = PictureProcess(try ChildProcess(number, forkedBy: parent), socket)
    } catch {
      // It ends with the group of its parent.
      isUsable = false
      throw error
    }
    times?.record(process.number)
    // Whether or not there is another picture: the next one then waits for nothing.
    if isSent { try? requestPictureProcess() }
    return process
  }

  /// Performs a request in a process of its own.
  ///
  /// - Parameter read: A closure that makes the result of a reply, while the process ends.
  private func perform<Result>(
    _ request: DecodingRequest, file: Int32?, delay: FrameDuration = .zero, demand: ImageDemand? = nil,
    onStarvation: (() -> Void)? = nil,
    _ read: (DecodingReply) throws(DecodingProcessError) -> Result
  ) throws(DecodingProcessError) -> Result {
    let process = try startPictureProcess(request, file: file, onStarvation: onStarvation)
    let result: Swift.Result<Result, DecodingProcessError>
    var usedBytes = 0
    do throws(DecodingProcessError) {
      let reply = try reply(of: process, to: request, delay: delay, demand: demand, onStarvation: onStarvation)
      do throws(DecodingProcessError) {
        if let refusal = DecodingProcess.refusal(reply, of: request) { throw refusal }
        result = .success(try read(reply))
        usedBytes = min(Int(reply.byteCount), setup.slotBytes)
      } catch {
        result = .failure(error)
      }
      try confirmEnd(of: process)
    } catch {
      abandon(process, after: error)
      throw error
    }
    if !slot.erase(usedBytes) { isUsable = false }
    if case .success = result { servedCount += 1 }
    return try result.get()
  }

  private func reply(
    of process: PictureProcess, to request: DecodingRequest, delay: FrameDuration, demand: ImageDemand?,
    onStarvation: (() -> Void)?
  ) throws(DecodingProcessError) -> DecodingReply {
    let patience = request.limits.maximumFileBytes > ImageLimits.standardFileBytes ? DecodingProcess.patience : 1
    if patience > 1 { process.child.renewProcessorTime(DecodingProcess.processorTime * patience) }
    let timeout = ProcessTimeout(limit: setup.replyTimeout.limit * patience + delay)
    let hurried = ProcessTimeout(limit: min(setup.hurriedReplyTimeout.limit * patience + delay, timeout.limit))
    let watch = Stopwatch()
    do throws(DecodingProcessError) {
      try ProcessWait(timeout: timeout, hurriedTimeout: demand == nil ? nil : hurried, stop: stop)
        .run(
          for: .record, process.socket, process.child,
          isHurried: { demand?.areWaiting.load(ordering: .relaxed) ?? false }, onStarvation: onStarvation)
    } catch {
      if error == .timedOut {
        let isHurried = watch.elapsed < timeout.limit
        timeoutCause = isHurried ? .hurried : process.child.isRunnable ? .computing : .waiting
      }
      throw error
    }
    return try DecodingProcess.reply(to: request.id, on: process.socket)
  }

  /// Waits until a process has ended with status 0 and has sent no record after its reply.
  private func confirmEnd(of process: PictureProcess) throws(DecodingProcessError) {
    do throws(DecodingProcessError) {
      try ProcessWait(timeout: setup.endTimeout, stop: stop).run(for: .end, process.socket, process.child)
    } catch {
      guard error == .timedOut else { throw error }
      timeoutCause = .computing
      throw .invalidReply
    }
    let (ending, time) = process.child.reap()
    times?.add(time)
    guard ending == .status(0) else {
      termination = ending
      throw .exited
    }
    // Another program that is just being started may still have the other end for a moment.
    guard process.socket.isReadable else { return }
    guard case .closed = process.socket.receive() else { throw .invalidReply }
  }

  /// Ends a process that has not done what it should.
  private func abandon(_ process: PictureProcess, after error: DecodingProcessError) {
    // The socket is closed shortly before the process has ended.
    if error == .exited, termination == nil { termination = process.child.termination(within: .milliseconds(100)) }
    let hasEnded = process.isReaped || process.child.end()
    if hasEnded, !process.isReaped { times?.add(process.child.reap().processorTime) }
    // A process that still waits for a file may write to the slot.
    if !hasEnded || !slot.erase(0) { isUsable = false }
  }

  private static func reply(
    to id: UInt32, on socket: borrowing RecordSocket
  ) throws(DecodingProcessError) -> DecodingReply {
    switch socket.receive() {
    case .closed: throw .exited
    case .malformed: throw .invalidReply
    case .record(let words):
      guard let reply = DecodingReply(words: words), reply.id == id else { throw .invalidReply }
      return reply
    }
  }

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
  ///   - demand: Whether other images wait, so that the timeout is shorter. Default: nil, they do not.
  ///   - onStarvation: A closure called once when the process is runnable but has not been given a core for a while.
  func decode(
    file: Int32, fileBytes: Int, _ imageRequest: ImageRequest, delay: FrameDuration,
    interrupter: DecodeInterrupter? = nil, demand: ImageDemand? = nil,
    onStarvation: (() -> Void)? = nil
  ) throws(DecodingProcessError) -> DecodedImage {
    do throws(DecodingProcessError) {
      return try decodeHere(
        file: file, fileBytes: fileBytes, imageRequest, delay: delay, interrupter: interrupter, demand: demand,
        onStarvation: onStarvation)
    } catch .refused(.otherProgram) {
      return try withOther { other throws(DecodingProcessError) in
        try other.decodeHere(
          file: file, fileBytes: fileBytes, imageRequest, delay: delay, interrupter: interrupter, demand: demand,
          onStarvation: onStarvation)
      }
    }
  }

  /// Performs a request in the process of the program with the decoders of all formats, which it starts if needed.
  ///
  /// - Throws: ``DecodingProcessError/refused(_:)`` with `otherProgram` if the program is missing,
  ///   ``DecodingProcessError/system(call:error:)`` if it cannot be started at the moment, and what the closure throws.
  private func withOther<Result>(
    _ body: (DecodingProcess) throws(DecodingProcessError) -> Result
  ) throws(DecodingProcessError) -> Result {
    if other.map({ !$0.isUsable || $0.hasEnded }) ?? true {
      other = nil
      guard let executable = DecoderExecutable.locateAll(nextTo: setup.executable) else {
        throw .refused(.otherProgram)
      }
      if let otherFailure, otherFailure.elapsed < DecodingProcess.otherPause { throw .otherNotReady }
      var setup = setup
      setup.executable = executable
      do throws(DecodingProcessError) {
        other = try DecodingProcess(setup, stop: stop, times: times)
        otherFailure = nil
      } catch {
        switch error {
        case .interrupted, .system: throw error
        default:
          // No file is to blame.
          otherFailure = Stopwatch()
          throw .otherNotReady
        }
      }
    }
    guard let other else { throw .notReady }
    do throws(DecodingProcessError) {
      let result = try body(other)
      servedCount += 1
      return result
    } catch {
      (termination, timeoutCause) = (other.termination, other.timeoutCause)
      throw error
    }
  }

  private func decodeHere(
    file: Int32, fileBytes: Int, _ imageRequest: ImageRequest, delay: FrameDuration,
    interrupter: DecodeInterrupter?, demand: ImageDemand?, onStarvation: (() -> Void)?
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
    return try perform(request, file: file, delay: delay, demand: demand, onStarvation: onStarvation) {
      reply throws(DecodingProcessError) in
      let bitmap = try makeBitmap(reply, atMost: size)
      guard fit != .fill || bitmap.size == size else { throw .invalidReply }
      return DecodedImage(
        bitmap: bitmap, sourceSize: PixelSize(width: Int(reply.sourceWidth), height: Int(reply.sourceHeight)),
        isDamaged: reply.isDamaged, representation: imageRequest.representation
      ).made(by: DecoderOrigin(decoderFormats, version: version, layers: layers))
    }
  }

  /// Makes a bitmap of the pixels that a reply describes.
  private func makeBitmap(_ reply: DecodingReply, atMost size: PixelSize) throws(DecodingProcessError) -> Bitmap {
    guard let result = PixelSize(width: Int(reply.width), height: Int(reply.height)),
      result.width <= size.width, result.height <= size.height, Int(reply.byteCount) == result.bytesAtFourPerPixel
    else { throw .invalidReply }
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
    if file != nil { animatesInOther = false }
    if !animatesInOther {
      do throws(DecodingProcessError) {
        return try animationFrameHere(imageRequest, of: file, isFirst: isFirst)
      } catch {
        guard error == .refused(.otherProgram) else { throw error }
        animatesInOther = true
      }
    }
    return try withOther { other throws(DecodingProcessError) in
      try other.animationFrameHere(imageRequest, of: file, isFirst: isFirst)
    }
  }

  private func animationFrameHere(
    _ imageRequest: ImageRequest, of file: (descriptor: Int32, byteCount: Int)?, isFirst: Bool
  ) throws(DecodingProcessError) -> AnimationFrame? {
    guard fits(imageRequest.key.size) else { throw .refused(.slotTooSmall) }
    let request = DecodingRequest(
      id: nextID(), operation: .animate, slot: 0, size: imageRequest.key.size, fit: .fit,
      background: imageRequest.background, secondBackground: imageRequest.secondBackground,
      fileBytes: UInt64(file?.byteCount ?? 0), limits: imageRequest.limits,
      startsAnimation: isFirst)
    let isNew = file != nil
    if isNew { endAnimation() }
    guard isUsable else { throw .exited }
    do throws(DecodingProcessError) {
      let process: PictureProcess
      if isNew {
        process = try startPictureProcess(request, file: file?.descriptor, onStarvation: nil)
        animationProcess = process
      } else {
        guard let running = animationProcess else { throw .exited }
        running.child.renewProcessorTime(DecodingProcess.processorTime)
        guard running.socket.send(request.words, file: nil) else { throw .exited }
        process = running
      }
      let reply = try reply(of: process, to: request, delay: .zero, demand: nil, onStarvation: nil)
      if let refusal = DecodingProcess.refusal(reply, of: request) { throw refusal }
      servedCount += 1
      return AnimationFrame(
        bitmap: try makeBitmap(reply, atMost: request.size),
        duration: .milliseconds(Double(reply.frameMilliseconds)))
    } catch .refused(.noFrame) where !isNew {
      // The next request may be for the first frame again.
      return nil
    } catch {
      endAnimation(after: error)
      if error == .refused(.noFrame) { return nil }
      throw error
    }
  }

  /// Ends the process of an animation, if there is one.
  private func endAnimation(after error: DecodingProcessError = .interrupted) {
    guard let process = animationProcess else { return }
    animationProcess = nil
    abandon(process, after: error)
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
        id: nextID(), operation: .encode, slot: 0, size: bitmap.size, quality: UInt32(min(max(quality, 1), 100))))
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
        id: nextID(), operation: .encodePNG, slot: 0, size: bitmap.size, fileBytes: UInt64(textBytes.count)))
  }

  /// Converts the profile of a display to a table.
  ///
  /// - Returns: The table, whose colors are those of an untrusted process.
  func colorTable(of profile: ColorProfile) throws(DecodingProcessError) -> ColorTable {
    guard profile.bytes.count <= setup.slotBytes else { throw .refused(.slotTooSmall) }
    slot.bytes.copyBytes(from: profile.bytes)
    let request = DecodingRequest(
      id: nextID(), operation: .makeColorTable, slot: 0, size: .maximum, fileBytes: UInt64(profile.bytes.count))
    return try perform(request, file: nil) { reply throws(DecodingProcessError) in
      guard let table = ColorTable(UnsafeRawBufferPointer(rebasing: slot.bytes.prefix(Int(reply.byteCount)))) else {
        throw .invalidReply
      }
      return table
    }
  }

  private func encode(_ request: DecodingRequest) throws(DecodingProcessError) -> [UInt8] {
    try perform(request, file: nil) { reply throws(DecodingProcessError) in
      let count = Int(reply.byteCount)
      guard count > 0, count <= slot.bytes.count else { throw .invalidReply }
      return Array(slot.bytes[..<count])
    }
  }

  private func nextID() -> UInt32 {
    // Never 0, which identifies the ready message.
    lastID = lastID == .max ? 1 : lastID + 1
    return lastID
  }

  // MARK: - Replies

  /// Returns the reason why a reply has no result, or nil if it has one.
  private static func refusal(_ reply: DecodingReply, of request: DecodingRequest) -> DecodingProcessError? {
    guard reply.status != .ok else { return nil }
    return exceededLimit(reply, of: request).map { .tooLarge($0) } ?? .refused(reply.status)
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

/// What a process did when its time was up.
enum TimeoutCause {
  /// It computed, or did not end after its reply.
  case computing
  /// It waited, such as for its file.
  case waiting
  /// It was given less time, because other images waited. The file gets its whole time when it is tried again.
  case hurried
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
  /// The process ended before it answered, or not as it should.
  case exited
  /// The process did not answer in time.
  case timedOut
  /// The process sent an invalid reply, or did not end after it.
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
    case .exited: "the decoding process ended by a fault"
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
  /// The error for a program with the decoders of all formats that did not become ready.
  fileprivate static let otherNotReady = DecodingProcessError.system(call: "vitrine-decode-all", error: ETIMEDOUT)

  /// Whether a process did not do what it should, rather than refuse a request.
  var isFault: Bool {
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
