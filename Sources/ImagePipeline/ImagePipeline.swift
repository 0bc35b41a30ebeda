import CVitrinePlatform
import VitrineDataStructures
public import VitrineFramePacing
public import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A pipeline that decodes images in other processes and delivers them to the render thread once per frame.
///
/// A request has a deadline. It ends exactly once: with a final arrival, with its completion, or by cancellation.
/// Requests for the same key share one task, which ends when the last of them is cancelled. No method waits for a file
/// or a decoder, except ``collect(at:atMost:)`` and ``advance(to:)`` on a modelled timeline.
///
/// ``StoredImage`` offers the same functions in UIKit's terms.
@MainActor
public final class ImagePipeline {
  /// An image that was found in memory, and is delivered in the next frame.
  private struct Hit {
    let request: ImageRequest
    let image: DecodedImage
    var tickets: [(ticket: ImageTicket, deadline: FrameInstant)]

    var arrival: ImageArrival {
      ImageArrival(key: request.key, tickets: tickets.map(\.ticket), outcome: .success(image))
    }
  }

  let executor: any ImageExecutor
  let waker: any LoopWaker
  private let decoders: any DecoderFactory
  private let storage: (any ImageStorage)?
  let downloadCoordinator: DownloadCoordinator?
  nonisolated let renderThreadCheck = RenderThreadDecodeCounter()
  /// The messages of other threads.
  nonisolated let mailbox: PipelineMailbox
  /// The completions of external operations on a modelled timeline; nil in real time.
  let modelledCompletions: ModelledCompletionQueue?
  /// The journal that records every decode; nil if none was configured.
  public let journal: DecodeJournal?
  /// The pool that bitmaps are allocated from.
  ///
  /// Its idle memory is released when the pipeline is idle.
  let pool: PixelPool?
  /// The maximum number of pixels of a bitmap.
  public nonisolated let maximumPixels: Int
  var cache: ImageCache
  /// The conversion of images to the colors of the display.
  nonisolated let converter: DisplayColorConverter
  /// The profile of the display; nil if it shows sRGB.
  var displayProfile: ColorProfile?
  /// The configured cache limit in bytes, for any screen.
  let maximumCacheBytes: Int
  /// The size of the window in pixels, if known.
  var knownScreen: PixelSize?
  /// The latest frame time passed by the caller.
  private(set) var now = FrameInstant.zero
  private var hits: [Hit] = []
  private var hitKeys: [ImageTicket: ImageKey] = [:]
  private var nextTicket: UInt64 = 1
  private let completionRegistry = CompletionRegistry()
  /// The tickets of other threads' requests, by message number.
  private var mailboxTickets: [UInt64: ImageTicket] = [:]
  private var isCollecting = false
  private var isShutDown = false
  private var requestHits = 0
  private var lookUpHits = 0

  /// Starts a pipeline whose decoders apply the configured delay themselves in real time.
  init(
    _ configuration: ImagePipelineConfiguration, readyDecoders decoders: any DecoderFactory,
    storage: (any ImageStorage)?,
    waker: any LoopWaker
  ) throws {
    checkPrecondition(configuration.workers > 0, "an image pipeline needs at least one worker")
    self.waker = waker
    self.decoders = decoders
    journal = configuration.journal
    self.storage = storage
    mailbox = PipelineMailbox(waker: waker)
    modelledCompletions = configuration.mode == .modelled ? ModelledCompletionQueue() : nil
    maximumPixels = max(1, configuration.slotBytes / 4)
    cache = ImageCache(byteLimit: configuration.cacheBytes)
    maximumCacheBytes = configuration.cacheBytes
    pool = configuration.pixels.pool
    let helperPath = configuration.helperPath
    converter = DisplayColorConverter(pool: pool) { profile, stop in
      ImagePipeline.makeColorTable(profile, helperPath: helperPath, stop: stop)
    }
    downloadCoordinator = configuration.downloader.map {
      DownloadCoordinator($0, isModelled: configuration.mode == .modelled, waker: waker)
    }
    switch configuration.mode {
    case .live:
      executor = try LiveExecutor(
        workers: configuration.workers, decoders: decoders, decodeCounter: renderThreadCheck,
        converter: converter, waker: waker, journal: configuration.journal)
    case .modelled:
      executor = try ModelledExecutor(
        workers: configuration.workers, delay: configuration.decodeDelay, decoders: decoders,
        decodeCounter: renderThreadCheck, converter: converter,
        waker: waker, journal: configuration.journal)
    }
  }

  deinit {
    mailbox.close()
    converter.close()
  }

  // MARK: - Results

  /// Returns the cached image of a key, possibly a preview, and makes it the most recently used one.
  public func image(for key: ImageKey) -> DecodedImage? {
    guard let image = cache.image(for: key) else { return nil }
    lookUpHits += 1
    return image
  }

  /// Returns the failure of the last attempt to make an image, or nil if the image was made since.
  public func failure(for key: ImageKey) -> ImageFailure? {
    downloadCoordinator?.failure(for: key) ?? executor.query { $0.failure(for: key) }
  }

  /// Returns whether a request for a key would be attempted instead of ending immediately with the known failure.
  ///
  /// A transient failure is retried by a request after a pause of half a second, after 16 of them of 2 s, 4 s, up to a minute,
  /// measured by the times passed to ``collect(at:atMost:)`` and ``advance(to:)``. The end of a pause wakes no thread; the caller
  /// checks when it next needs the image.
  public func canAttempt(_ key: ImageKey) -> Bool {
    let now = now
    return downloadCoordinator?.canAttempt(key, at: now) != false && executor.query { $0.canAttempt(key, at: now) }
  }

  /// Returns whether a request for a key is in progress.
  public func isPending(_ key: ImageKey) -> Bool {
    hits.contains { $0.request.key == key } || downloadCoordinator?.isPending(key) == true
      || executor.query { $0.isPending(key) }
  }

  // MARK: - Requests

  /// Requests an image, which arrives by ``collect(at:atMost:)`` in the next frame at the earliest.
  ///
  /// - Parameters:
  ///   - request: The image to make.
  ///   - deadline: The time at which the image is needed. It determines the request's position in the queue; a time
  ///     before zero means that the image is on screen now. The earliest deadline of all requests for a key applies.
  /// - Returns: A ticket to change the deadline or to cancel the request.
  /// - Complexity: O(log requests).
  @discardableResult
  public func request(_ request: ImageRequest, deadline: FrameInstant) -> ImageTicket {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    if let index = hits.firstIndex(where: { $0.request.key == request.key }) {
      hits[index].tickets.append((ticket, deadline))
      recordHit(of: request.key, for: ticket)
    } else if let image = cache.image(for: request.key), image.representation == .full,
      !executor.query({ $0.isPending(request.key) })
    {
      hits.append(Hit(request: request, image: image, tickets: [(ticket, deadline)]))
      recordHit(of: request.key, for: ticket)
      waker.wake()
    } else {
      startRequest(request, ticket, deadline: deadline)
    }
    return ticket
  }

  /// Makes an image that is not in memory.
  private func startRequest(_ request: ImageRequest, _ ticket: ImageTicket, deadline: FrameInstant) {
    if let downloadCoordinator, case .remote(let remote) = request.source {
      for decodable in downloadCoordinator.addRequest(request, remote, ticket, deadline: deadline, at: now) {
        startDecoding(decodable)
      }
    } else {
      startDecoding(.init(request: request, ticket: ticket, deadline: deadline))
    }
  }

  /// Makes the images again that were found in memory but not delivered.
  func restartHits() {
    let restarted = hits
    hits = []
    for hit in restarted {
      for (ticket, deadline) in hit.tickets {
        hitKeys[ticket] = nil
        requestHits -= 1
        startRequest(hit.request, ticket, deadline: deadline)
      }
    }
  }

  /// Requests an image and calls a closure when the request ends.
  ///
  /// - Parameters:
  ///   - request: The image to make.
  ///   - deadline: The time at which the image is needed, as in ``request(_:deadline:)``.
  ///   - completion: A closure called once, in the collect phase of a later frame. It is not called if the request is
  ///     cancelled or the pipeline is shut down, and not for previews, which ``image(for:)`` returns in the meantime.
  /// - Returns: A ticket to change the deadline or to cancel the request.
  /// - Complexity: O(log requests).
  @discardableResult
  public func request(
    _ request: ImageRequest, deadline: FrameInstant, completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImageTicket {
    let ticket = self.request(request, deadline: deadline)
    if !isShutDown { completionRegistry.register(ticket, completion) }
    return ticket
  }

  private func startDecoding(_ decodable: DownloadCoordinator.DecodableRequest) {
    var request = decodable.request
    if let storage {
      storage.recordRequest()
      if case .file = request.source { request.mayHaveStoredThumbnail = storage.mayHaveThumbnails }
    }
    executor.handle(.request(request, decodable.ticket, deadline: decodable.deadline, at: now))
  }

  private func recordHit(of key: ImageKey, for ticket: ImageTicket) {
    requestHits += 1
    hitKeys[ticket] = key
  }

  /// Changes the deadline of a waiting request.
  ///
  /// Has no effect on other requests.
  ///
  /// - Complexity: O(log requests).
  public func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if downloadCoordinator?.updateDeadline(deadline, for: ticket) != true {
      executor.handle(.updateDeadline(ticket, deadline))
    }
  }

  /// Cancels a request.
  ///
  /// Nothing arrives for it.
  ///
  /// If no other request needs the image, a running decode stops at its next row. If it finishes anyway, its image is
  /// cached.
  public func cancel(_ ticket: ImageTicket) {
    completionRegistry.removeCompletion(ticket)
    if downloadCoordinator?.cancel(ticket) == true { return }
    guard let key = hitKeys.removeValue(forKey: ticket) else { return executor.handle(.cancel(ticket)) }
    guard let index = hits.firstIndex(where: { $0.request.key == key }) else { return }
    hits[index].tickets.removeAll { $0.ticket == ticket }
    if hits[index].tickets.isEmpty { hits.remove(at: index) }
  }

  // MARK: - Frames

  /// Sets the time of the frame.
  ///
  /// New requests start at this time on a modelled timeline, and the pauses after failures are measured by it.
  /// ``collect(at:atMost:)`` sets it too; call this method for requests made before a frame's collect phase. On a
  /// modelled timeline it waits for everything due by then. Call it while the clock is paused, so that the wait is not
  /// counted but the following completions are.
  public func advance(to instant: FrameInstant) {
    now = max(now, instant)
    executor.advance(to: instant)
    downloadCoordinator?.wait(dueBy: instant)
    modelledCompletions?.wait(dueBy: instant)
  }

  /// Returns the images and failures that have arrived, in order of arrival.
  ///
  /// Call it once per frame, in the collect phase.
  ///
  /// Completions of requests are called, and their arrivals are not returned. On a modelled timeline the method waits
  /// for decodes that are due but not done; the caller does not count that time.
  ///
  /// - Parameters:
  ///   - instant: The time of the frame.
  ///   - bytes: The maximum bytes of pixels to collect. The rest waits for the next frame, but at least one arrival is
  ///     collected.
  /// - Returns: The arrivals of requests without completions.
  /// - Precondition: It is not called by a completion.
  public func collect(at instant: FrameInstant, atMost bytes: Int = .max) -> [ImageArrival] {
    checkPrecondition(
      !isCollecting, "pictures were to be collected by a completion, which is called while they are: once a frame")
    isCollecting = true
    defer { isCollecting = false }
    // Operations started by a completion end in a later frame, even if they take no time.
    let upcomingNumber = modelledCompletions?.upcomingNumber
    storage?.recordFrame(at: instant)
    advance(to: instant)
    processMessages()
    while let upcomingNumber,
      let completion = modelledCompletions?.takeNextCompletion(dueBy: now, startedBefore: upcomingNumber)
    {
      completion()
    }
    var arrivals = hits.map(\.arrival)
    hits = []
    hitKeys.removeAll(keepingCapacity: true)
    if let downloadCoordinator {
      for decodable in downloadCoordinator.collect(at: now) { startDecoding(decodable) }
      arrivals += downloadCoordinator.takeFailures()
    }
    for effect in executor.collect(at: now, atMost: bytes) {
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

  /// Performs the messages of other threads.
  private func processMessages() {
    for message in mailbox.takeMessages() where !isShutDown {
      switch message {
      case .work(let work): work()
      case .cancel(let number): if let ticket = mailboxTickets.removeValue(forKey: number) { cancel(ticket) }
      case .request(let number, let imageRequest, let deadline):
        mailboxTickets[number] = request(imageRequest, deadline: deadline) { [weak self] outcome in
          self?.mailboxTickets[number] = nil
          self?.mailbox.resolveReply(number, outcome)
        }
      }
    }
  }

  /// Whether arrivals wait to be collected, so that the loop must not sleep.
  public var hasPendingArrivals: Bool {
    !hits.isEmpty || !mailbox.isEmpty || downloadCoordinator?.hasPendingArrivals == true
      || executor.query { $0.arrivedCount > 0 }
  }

  /// Whether no image is being decoded, waits to be decoded, or waits to be collected.
  public var isIdle: Bool {
    !hasPendingArrivals && executor.query { $0.running == 0 && $0.waitingCount == 0 }
  }

  /// The time of the next arrival on a modelled timeline, at which a sleeping loop must wake.
  ///
  /// Nil if no decode is running, and always nil in real time, where the waker wakes the loop.
  public var nextArrival: FrameInstant? {
    [executor.nextArrival, downloadCoordinator?.nextArrival, modelledCompletions?.nextInstant].compactMap { $0 }.min()
  }

  // MARK: - Condition and shutdown

  /// The status of the decoders: their sandbox, the number of crashes, and whether decoding is stopped.
  public var decoderStatus: DecoderStatus { decoders.status }

  /// The status of the thumbnails on disk; nil if none are stored.
  public var storageStatus: StorageStatus? { storage?.status }

  /// Makes and stores the thumbnails of files while the pipeline is idle, with the lowest priority.
  ///
  /// Files that have a thumbnail are skipped. Requests stop the work immediately, and frames after its next step; it
  /// continues when the pipeline is idle again. ``storageStatus`` has the progress.
  ///
  /// Has no effect without a ``ImagePipelineConfiguration/storage``, and on a modelled timeline.
  ///
  /// - Parameter files: The files, in place of those of an earlier call; nil to make no more thumbnails.
  /// - Complexity: O(1).
  public func makeStoredThumbnails(of files: (any ThumbnailFiles)?) { storage?.makeThumbnails(of: files) }

  /// Resumes decoding before the end of the pause that follows too many crashes, and lets files that could not be read, and
  /// pictures that this pipeline could not download, be tried again.
  public func resumeDecoding() {
    decoders.resume()
    let now = now
    executor.query { $0.endFailurePauses(at: now) }
    downloadCoordinator?.endFailurePauses(at: now)
  }

  /// The processor time used by the living decoding processes; zero if the decoders are no processes.
  ///
  /// The value falls when a process ends. Reading it takes no lock and allocates nothing.
  public var decodingProcessorTime: FrameDuration { decoders.processorTime }

  /// Returns a reader of an animation's frames, or nil if these decoders know no animations.
  func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)? {
    guard !isShutDown, let reader = decoders.makeAnimationReader(request) else { return nil }
    return converter.isActive ? DisplayAnimationReader(reader, converter: converter) : reader
  }

  /// The statistics since the pipeline was started.
  public var statistics: ImageStatistics {
    var statistics = executor.query { ImageStatistics($0) }
    let failedDownloads = downloadCoordinator?.failedCount ?? 0
    statistics.requested += requestHits + failedDownloads
    statistics.failed += failedDownloads
    statistics.memoryHits = requestHits + lookUpHits
    statistics.cacheBytes = cache.byteCount
    statistics.cacheLimit = cache.byteLimit
    statistics.decodedOnRenderThread = renderThreadCheck.decodeCount
    return statistics
  }

  /// Stops the workers and their processes, and cancels all pending requests.
  ///
  /// Pending writes to disk are finished within the given time. No completion is called any more; waiting threads and
  /// tasks receive ``ImageFailure/interrupted``.
  ///
  /// - Parameter time: The maximum time to wait for the disk and the workers: a file system that does not answer blocks
  ///   a worker forever. Default: nil, which means half a second for the disk and no limit for the workers.
  public func shutdown(within time: ShutdownBudget? = nil) {
    isShutDown = true
    completionRegistry.removeAll()
    mailboxTickets = [:]
    mailbox.close()
    modelledCompletions?.removeAll()
    hits = []
    hitKeys = [:]
    downloadCoordinator?.shutdown()
    converter.close()
    // All threads stop before any is waited for, and pending writes come first.
    executor.stop()
    storage?.close(time ?? ShutdownBudget())
    executor.shutdown(within: time)
  }
}

// MARK: - Memory

extension ImagePipeline {
  /// The size of the window in pixels, if known.
  ///
  /// It limits the cache to a number of screens (``ImageCache/cachedScreenCount``), within the configured limit.
  /// Default: nil.
  public var screen: PixelSize? {
    get { knownScreen }
    set {
      guard newValue != knownScreen else { return }
      knownScreen = newValue
      cache.byteLimit =
        newValue.map { ImageCache.byteLimit(screen: $0, maximum: maximumCacheBytes) } ?? maximumCacheBytes
    }
  }

  /// Returns the cached image of a key without counting as a use.
  func peek(_ key: ImageKey) -> DecodedImage? { cache.peek(key) }

  /// Protects a key's image from eviction while it is on screen, until ``unpin(_:)`` was called as often.
  ///
  /// The image may arrive later.
  public func pin(_ key: ImageKey) { cache.pin(key) }

  /// Removes one pin from a key.
  /// - Precondition: The key is pinned.
  public func unpin(_ key: ImageKey) { cache.unpin(key) }

  /// Ends idle decoding processes, which start again with the next request, and releases idle memory.
  ///
  /// Call this when nothing was drawn for a while and no request is expected. Cached images stay, so resuming costs no
  /// decode. The method returns immediately; the work is done on the workers' threads.
  public func releaseIdleResources() {
    let pool = pool
    executor.postIdleWork {
      pool?.releaseIdleMemory()
      platform_trim_heap()
    }
  }

  /// Evicts all but the most recently used quarter of the cache and calls ``releaseIdleResources()``.
  ///
  /// Call this when memory is short. Idle resources are released as soon as the workers have nothing else to do.
  public func handleMemoryPressure() {
    cache.shrink(to: 0.25)
    releaseIdleResources()
  }
}

// MARK: - Modelled timeline

extension ImagePipeline {
  /// Stops waiting for decodes and downloads on a modelled timeline, now and in future.
  ///
  /// For a program that must end while its render thread waits in ``advance(to:)`` or ``collect(at:atMost:)``. An
  /// unfinished operation is not delivered before it has finished. Callable from any thread. Has no effect when called
  /// again, or in real time.
  public nonisolated func stopWaiting() {
    executor.stopWaiting()
    downloadCoordinator?.stopWaiting()
    modelledCompletions?.stopWaiting()
  }
}
