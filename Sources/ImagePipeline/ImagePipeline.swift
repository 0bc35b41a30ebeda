import DataStructures
public import FramePacing
import Geometry
import Rendering
import Threads

/// Pictures for the program that draws: asked for with a deadline, decoded elsewhere, taken in once a frame.
///
/// Nothing here waits for a file or a decoder, but for ``collect(at:atMost:)`` on a modelled time line. A request ends
/// exactly once: with a final arrival or its completion, or by being cancelled. Requests for one key are one task, which
/// ends when the last of them is taken back.
///
/// ``StoredImage`` has the same in UIKit's words.
@MainActor
public final class ImagePipeline {
  let execution: any ImageExecutor
  private let waker: any LoopWaker
  private let decoders: any DecoderFactory
  private let processTimes: DecodingProcessTimes?
  private let storage: PipelineStorage?
  let downloadCoordinator: DownloadCoordinator?
  nonisolated let renderThreadCheck = RenderThreadDecodeCounter()
  /// What other threads want.
  nonisolated let mailbox: PipelineMailbox
  /// What was begun elsewhere, on a modelled time line; nothing in real time.
  let modelledCompletions: ModelledCompletionQueue?
  /// What every decode is noted in, where the configuration has something.
  public let journal: DecodeJournal?
  /// Where pictures' memory comes from, which is trimmed at rest.
  let pool: PixelPool?
  /// The pixels that a bitmap may have.
  nonisolated let maximumPixels: Int
  var cache: ImageCache
  /// What pictures may take in memory on any screen.
  let maximumCacheBytes: Int
  /// The window's extent in pixels, where it was told.
  var knownScreen: PixelSize?
  /// The latest moment that was told.
  private(set) var now = FrameInstant.zero
  private var hits: [ImageArrival] = []
  private var hitKeys: [ImageTicket: ImageKey] = [:]
  private var nextTicket: UInt64 = 1
  private let completionRegistry = CompletionRegistry()
  /// The requests of other threads, by their numbers in the inbox.
  private var mailboxTickets: [UInt64: ImageTicket] = [:]
  private var isCollecting = false
  private var isShutDown = false
  private var requestHits = 0
  private var lookUpHits = 0

  /// Starts a pipeline whose decoders add the delay themselves, where it is real.
  init(
    _ configuration: ImagePipelineConfiguration, readyDecoders decoders: any DecoderFactory, storage: PipelineStorage?,
    waker: any LoopWaker
  ) throws {
    checkPrecondition(configuration.workers > 0, "an image pipeline needs at least one worker")
    self.waker = waker
    self.decoders = decoders
    processTimes = (decoders as? ProcessDecoderFactory)?.times
    journal = configuration.journal
    self.storage = storage
    mailbox = PipelineMailbox(waker: waker)
    modelledCompletions = configuration.mode == .modelled ? ModelledCompletionQueue() : nil
    maximumPixels = max(1, configuration.slotBytes / 4)
    cache = ImageCache(byteLimit: configuration.cacheBytes)
    maximumCacheBytes = configuration.cacheBytes
    pool = configuration.pixels.pool
    downloadCoordinator = configuration.transfers.map {
      DownloadCoordinator($0, isModelled: configuration.mode == .modelled, waker: waker)
    }
    switch configuration.mode {
    case .live:
      execution = try LiveExecutor(
        workers: configuration.workers, decoders: decoders, witness: renderThreadCheck, waker: waker,
        journal: configuration.journal)
    case .modelled:
      execution = try ModelledExecutor(
        workers: configuration.workers, delay: configuration.decodeDelay, decoders: decoders,
        witness: renderThreadCheck,
        waker: waker, journal: configuration.journal)
    }
  }

  deinit { mailbox.close() }

  /// A picture that is in memory, which may be one that only stands in for it; it becomes the most recently used.
  public func image(for key: ImageKey) -> DecodedImage? {
    guard let image = cache.image(for: key) else { return nil }
    lookUpHits += 1
    return image
  }

  /// Why there is no picture for a key, as the last try told; nothing once its picture was had.
  public func failure(for key: ImageKey) -> ImageFailure? {
    downloadCoordinator?.failure(for: key) ?? execution.query { $0.failure(for: key) }
  }

  /// Whether a request for a key would be tried, rather than end at once with the failure that is known.
  ///
  /// A failure that may pass is tried again when it is asked for after a pause of 2 s, then 4 s, up to about a minute;
  /// time is what ``collect(at:atMost:)`` and ``advance(to:)`` told last. No pause wakes anybody: the caller asks when it
  /// next has a use for the picture.
  public func canAttempt(_ key: ImageKey) -> Bool {
    let now = now
    return downloadCoordinator?.canAttempt(key, at: now) != false && execution.query { $0.canAttempt(key, at: now) }
  }

  /// Whether a request for a key has been made and has not ended.
  public func isPending(_ key: ImageKey) -> Bool {
    hits.contains { $0.key == key } || downloadCoordinator?.isPending(key) == true
      || execution.query { $0.isPending(key) }
  }

  /// Asks for a picture; it arrives by ``collect(at:atMost:)``, at the earliest in the next frame.
  ///
  /// - Parameters:
  ///   - request: which picture.
  ///   - deadline: when it should be there, which is its place among all requests: before the clock's zero it is on screen
  ///     now and waited for. Of requests for one key the earliest holds.
  /// - Returns: what moves the request or takes it back.
  /// - Complexity: O(log requests).
  @discardableResult
  public func request(_ request: ImageRequest, deadline: FrameInstant) -> ImageTicket {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    if let place = hits.firstIndex(where: { $0.key == request.key }) {
      let hit = hits[place]
      recordHit(
        ImageArrival(key: hit.key, tickets: hit.tickets + [ticket], outcome: hit.outcome), for: ticket, at: place)
    } else if let image = cache.image(for: request.key), image.representation == .full,
      !execution.query({ $0.isPending(request.key) })
    {
      recordHit(ImageArrival(key: request.key, tickets: [ticket], outcome: .success(image)), for: ticket, at: nil)
      waker.wake()
    } else if let downloadCoordinator, case .remote(let remote) = request.source {
      for order in downloadCoordinator.addRequest(request, remote, ticket, deadline: deadline, at: now) {
        startDecoding(order)
      }
    } else {
      execution.handle(.request(storage?.prepareForDispatch(request) ?? request, ticket, deadline: deadline, at: now))
    }
    return ticket
  }

  /// Asks for a picture and has its end told in the collect phase of a later frame.
  ///
  /// - Parameters:
  ///   - request: which picture.
  ///   - deadline: when it should be there, as ``request(_:deadline:)`` says.
  ///   - completion: called once, when the request ends otherwise than by being cancelled or by a shutdown; not for pictures
  ///     that only stand in for it, which the next look finds in memory.
  /// - Returns: what moves the request or takes it back.
  /// - Complexity: O(log requests).
  @discardableResult
  public func request(
    _ request: ImageRequest, deadline: FrameInstant, completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImageTicket {
    let ticket = self.request(request, deadline: deadline)
    if !isShutDown { completionRegistry.register(ticket, completion) }
    return ticket
  }

  private func startDecoding(_ order: DownloadCoordinator.DecodableRequest) {
    let request = storage?.prepareForDispatch(order.request) ?? order.request
    execution.handle(.request(request, order.ticket, deadline: order.deadline, at: now))
  }

  private func recordHit(_ hit: ImageArrival, for ticket: ImageTicket, at place: Int?) {
    requestHits += 1
    hitKeys[ticket] = hit.key
    if let place { hits[place] = hit } else { hits.append(hit) }
  }

  /// Moves a waiting request to another place, earlier or later; nothing for one that does not wait.
  /// - Complexity: O(log requests).
  public func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if downloadCoordinator?.updateDeadline(deadline, for: ticket) != true {
      execution.handle(.updateDeadline(ticket, deadline))
    }
  }

  /// Takes a request back: nothing will arrive for it.
  ///
  /// When nobody else waits for the picture, a decode that runs stops at its next row; one that is done all the same is
  /// kept.
  public func cancel(_ ticket: ImageTicket) {
    completionRegistry.removeCompletion(ticket)
    if downloadCoordinator?.cancel(ticket) == true { return }
    guard let key = hitKeys.removeValue(forKey: ticket) else { return execution.handle(.cancel(ticket)) }
    guard let place = hits.firstIndex(where: { $0.key == key }) else { return }
    let hit = hits[place]
    let others = hit.tickets.filter { $0 != ticket }
    if others.isEmpty {
      hits.remove(at: place)
    } else {
      hits[place] = ImageArrival(key: key, tickets: others, outcome: hit.outcome)
    }
  }

  /// Tells the moment of the frame: what is asked for from now on begins then on a modelled time line, and the pauses of
  /// failures are counted to it.
  ///
  /// ``collect(at:atMost:)`` tells it too; this is for requests made before a frame's collect phase. On a modelled time line it
  /// waits for what is due by then: told before, within what the clock does not count, the completions that follow do count.
  public func advance(to instant: FrameInstant) {
    now = max(now, instant)
    execution.advance(to: instant)
    downloadCoordinator?.wait(dueBy: instant)
    modelledCompletions?.wait(dueBy: instant)
  }

  /// Takes what has arrived, in the order of arrival; called once a frame, in its collect phase.
  ///
  /// Requests that were made with a completion end by that, and are not among what is returned. On a modelled time line it
  /// waits for decodes that are due and not done: real time that the caller does not count.
  ///
  /// - Parameters:
  ///   - instant: the moment of the frame.
  ///   - bytes: the pixels to take at most; what is over waits for the next frame, but one arrival is always taken.
  /// - Returns: what ended for requests without completions.
  /// - Precondition: it is not called by a completion.
  public func collect(at instant: FrameInstant, atMost bytes: Int = .max) -> [ImageArrival] {
    checkPrecondition(
      !isCollecting, "pictures were to be collected by a completion, which is called while they are: once a frame")
    isCollecting = true
    defer { isCollecting = false }
    // What completions begin is told in a later frame, even where it takes no time.
    let firstLater = modelledCompletions?.upcomingNumber
    storage?.recordFrame()
    advance(to: instant)
    processMessages()
    while let firstLater, let tell = modelledCompletions?.takeNextCompletion(dueBy: now, begunBefore: firstLater) {
      tell()
    }
    var arrivals = hits
    hits = []
    hitKeys.removeAll(keepingCapacity: true)
    if let downloadCoordinator {
      for order in downloadCoordinator.collect(at: now) { startDecoding(order) }
      arrivals += downloadCoordinator.takeFailures()
    }
    for effect in execution.collect(at: now, atMost: bytes) {
      switch effect {
      case .deliver(let arrival):
        if case .success(let image) = arrival.outcome { cache.insert(image, for: arrival.key) }
        arrivals.append(arrival)
      case .cache(let key, let image): cache.insert(image, for: key)
      case .start, .interrupt, .arrived: break
      }
    }
    let others = completionRegistry.deliver(arrivals)
    return isShutDown ? [] : others
  }

  /// Takes in what other threads want.
  private func processMessages() {
    for letter in mailbox.takeMessages() where !isShutDown {
      switch letter {
      case .work(let work): work()
      case .withdraw(let number): if let ticket = mailboxTickets.removeValue(forKey: number) { cancel(ticket) }
      case .request(let number, let wanted, let deadline):
        mailboxTickets[number] = request(wanted, deadline: deadline) { [weak self] outcome in
          self?.mailboxTickets[number] = nil
          self?.mailbox.resolveReply(number, outcome)
        }
      }
    }
  }

  /// Whether something waits to be collected now, so that the loop must not rest.
  public var hasPendingArrivals: Bool {
    !hits.isEmpty || !mailbox.isEmpty || downloadCoordinator?.hasPendingArrivals == true
      || execution.query { $0.arrivedCount > 0 }
  }

  /// Whether nothing is decoded, waits to be, or waits to be collected.
  public var isIdle: Bool {
    !hasPendingArrivals && execution.query { $0.running == 0 && $0.waitingCount == 0 }
  }

  /// When something will arrive on a modelled time line, so that a resting loop knows when its next frame is.
  ///
  /// Nothing when no decode runs, and nothing in real time, where the waker tells.
  public var nextArrival: FrameInstant? {
    [execution.nextArrival, downloadCoordinator?.nextArrival, modelledCompletions?.nextInstant].compactMap { $0 }.min()
  }

  /// How the decoders are: what confines them, how many were lost, and whether decoding stands still.
  public var decoderCondition: DecoderCondition { decoders.condition }

  /// How the thumbnails on disk are; nothing where none are kept.
  public var storageCondition: StorageCondition? { storage?.condition }

  /// Begins to decode again, before the pause is over that follows too many crashes.
  public func resumeDecoding() { decoders.resume() }

  /// The processor time that the decoding processes which live now have used; zero where decoders are no processes.
  ///
  /// It falls when a process ends. Waits for no lock and allocates nothing.
  public var decodingProcessorTime: FrameDuration { processTimes?.total ?? .zero }

  /// What was done so far.
  public var statistics: ImageStatistics {
    var statistics = execution.query { ImageStatistics($0) }
    let failedDownloads = downloadCoordinator?.failedCount ?? 0
    statistics.requested += requestHits + failedDownloads
    statistics.failed += failedDownloads
    statistics.memoryHits = requestHits + lookUpHits
    statistics.cacheBytes = cache.byteCount
    statistics.cacheLimit = cache.byteLimit
    statistics.decodedOnRenderThread = renderThreadCheck.decodeCount
    return statistics
  }

  /// Ends the workers and their processes, whatever they are doing; requests that have not ended are cancelled.
  ///
  /// What is to be written to disk is written before it returns, as far as the time lasts. No completion is called any more;
  /// threads and tasks that wait are told ``ImageFailure/interrupted``.
  ///
  /// - Parameter time: how long the disk and the workers are waited for: a file system that does not answer keeps a worker
  ///   for ever. Default: nil, half a second for the disk and as long as it takes for the workers.
  public func shutdown(within time: ShutdownBudget? = nil) {
    isShutDown = true
    completionRegistry.removeAll()
    mailboxTickets = [:]
    mailbox.close()
    modelledCompletions?.removeAll()
    hits = []
    hitKeys = [:]
    downloadCoordinator?.shutdown()
    // All stop before any is waited for, and what can be written comes first.
    execution.stop()
    storage?.close(time ?? ShutdownBudget())
    execution.shutdown(within: time)
  }
}
