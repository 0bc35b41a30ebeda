import VitrineDataStructures
import VitrineFramePacing

/// A state machine that decides which image is decoded next, by which worker and in which representation.
///
/// Requests for one key share a task with the earliest of their deadlines. Images on screen come first, then the task
/// with the earliest deadline (earliest deadline first, Liu and Layland 1973). If all workers are alike and none is
/// free for an image on screen, a worker is taken from an image that is not on screen. An image that would miss its
/// deadline gets its embedded preview first, and is decoded when all other images on screen have something to show. If
/// workers differ in priority, those with a fair share of the processors decode images on screen, and the others
/// prefetch.
///
/// A task whose requests are all cancelled stops at the next row. A job that crashed its decoding process is retried
/// once immediately. After that its failure is cached like any other; transient failures are retried after a pause. The
/// scheduler uses no clock, thread or process.
struct ImageScheduler: Sendable {
  /// The number of decoding processes that a file may crash before it is refused.
  static let deathsPerFile = 2
  /// The minimum duration of a decode that is preempted or preceded by a preview: half a frame at 60 Hz.
  static let minimumPreemptibleDuration = FrameDuration.milliseconds(8)

  /// The counters.
  var counts = SchedulerCounts()
  /// The durations of successful decodes.
  var durations = DurationHistogram()

  let backlogLimit: Int
  var tasks: [ImageKey: ImageTask] = [:]
  private var keys: [ImageTicket: ImageKey] = [:]
  var waiting = PriorityQueue<ImageKey, Urgency>()
  var arrivals = ArrivalQueue()
  var workerStates: WorkerStates
  private var failures = FailureCache()
  var estimate = DecodingEstimate()
  private var nextNumber: UInt64 = 1
  private(set) var now = FrameInstant.zero
  /// The revision of the display's profile; images that were converted for an earlier one are made again.
  private(set) var colorRevision: UInt32 = 0
  private(set) var isStopped = false

  /// Creates a scheduler.
  ///
  /// Its workers are not ready until they report.
  ///
  /// - Parameters:
  ///   - workers: The number of workers, numbered from 0.
  ///   - screenWorkers: The workers that decode only images on screen, and whose processes get a fair share of the
  ///     processors, while those of the others use idle processors only. Default: none, all workers are alike.
  ///   - backlogLimit: The bytes of pixels that may wait to be collected; at the limit no job is started.
  init(workers: Int, screenWorkers: Range<Int> = 0..<0, backlogLimit: Int = 64 << 20) {
    checkPrecondition(workers > screenWorkers.count, "a scheduler needs a worker for what is not on screen; add one")
    checkPrecondition(
      screenWorkers.upperBound <= workers, "the screen's workers must be some of the workers; give their numbers")
    workerStates = WorkerStates(count: workers, screenWorkers: screenWorkers)
    self.backlogLimit = backlogLimit
  }

  /// The number of running jobs.
  var running: Int { workerStates.busyCount }
  /// The number of tasks that wait for a worker.
  var waitingCount: Int { waiting.count }
  /// Whether an image on screen waits for a worker.
  var hasWaitingImageOnScreen: Bool { waiting.first?.priority.isOnScreen ?? false }
  /// The number of results that wait to be collected.
  var arrivedCount: Int { arrivals.count }

  /// Returns whether a request for this key is in progress.
  func isPending(_ key: ImageKey) -> Bool { tasks[key]?.isWanted ?? false }

  /// Returns the last failure of this key, or nil if its image was made since.
  mutating func failure(for key: ImageKey) -> ImageFailure? { failures.failure(for: key) }

  /// Removes the failure to open the file of this key, which has become available.
  mutating func removeOpenFailure(_ key: ImageKey) { failures.removeOpenFailure(key) }

  /// Ends the pauses of all failures until now.
  mutating func endFailurePauses(at instant: FrameInstant) { failures.endPauses(at: instant) }

  /// Returns whether a request for this key would be attempted instead of ending with its known failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { failures.canAttempt(key, at: instant) }

  /// Handles an event and returns the effects to perform.
  /// - Complexity: O(log waiting + workers), and O(collected arrivals) for ``Event/collect(atMost:at:)``.
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .request(let request, let ticket, let deadline, let instant):
      now = max(now, instant)
      return addRequest(request, ticket, deadline)
    case .updateDeadline(let ticket, let deadline):
      guard let key = keys[ticket] else { return [] }
      tasks[key]?.requesters.setDeadline(deadline, for: ticket)
      return updateOrder(key)
    case .cancel(let ticket): return cancelRequest(ticket)
    case .workerIdle(let worker):
      guard !isStopped else { return [] }
      workerStates.markReady(worker)
      return startJobs()
    case .starved(let worker):
      workerStates.recordStarvation(of: worker)
      return takeOverStarvedJobs()
    case .finished(let worker, let job, let outcome, let duration): return finishJob(worker, job, outcome, duration)
    case .setColorRevision(let revision):
      colorRevision = revision
      return restartOutdatedTasks()
    case .collect(let bytes, let instant):
      now = max(now, instant)
      return collectArrivals(bytes)
    case .stop:
      stop()
      return []
    }
  }

  // MARK: - Requests

  private mutating func addRequest(
    _ request: ImageRequest, _ ticket: ImageTicket, _ deadline: FrameInstant
  ) -> [Effect] {
    counts.requested += 1
    guard !isStopped else {
      counts.cancelled += 1
      return []
    }
    let key = request.key
    if let task = tasks[key] {
      if task.isWanted { counts.coalesced += 1 }
      tasks[key]?.joinRequest(request)
      addRequester(key, ticket, deadline)
      return updateOrder(key)
    }
    var task = ImageTask(request, number: makeNumber())
    if let failure = failures.failure(for: key) {
      guard failures.canAttempt(key, at: now) else {
        task.state = .ended
        tasks[key] = task
        addRequester(key, ticket, deadline)
        arrivals.append(
          .init(key: key, number: task.number, representation: .full, outcome: .failure(failure), isKnown: true))
        return [.arrived]
      }
      // A file that may have crashed a process before gets one attempt, not two.
      if failures.isSuspect(key) { task.deaths = ImageScheduler.deathsPerFile - 1 }
    }
    tasks[key] = task
    addRequester(key, ticket, deadline)
    return updateOrder(key)
  }

  mutating func makeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func addRequester(_ key: ImageKey, _ ticket: ImageTicket, _ deadline: FrameInstant) {
    keys[ticket] = key
    tasks[key]?.requesters.setDeadline(deadline, for: ticket)
  }

  private mutating func cancelRequest(_ ticket: ImageTicket) -> [Effect] {
    guard let key = keys.removeValue(forKey: ticket) else { return [] }
    tasks[key]?.requesters.remove(ticket)
    guard let task = tasks[key], !task.isWanted else { return updateOrder(key) }
    counts.cancelled += 1
    switch task.state {
    case .waiting:
      waiting.remove(key)
      tasks[key] = nil
      return []
    case .running: return interruptJobs(of: task)
    case .ended: return []
    }
  }

  /// Updates the position of a waiting task.
  ///
  /// A running task may have become one for a screen worker.
  private mutating func updateOrder(_ key: ImageKey) -> [Effect] {
    if tasks[key]?.state == .running { return takeOverStarvedJobs() }
    guard let task = tasks[key], task.state == .waiting, let urgency = task.urgency else { return [] }
    waiting.setPriority(urgency, for: key)
    return startJobs()
  }

  // MARK: - Arrivals

  private mutating func collectArrivals(_ bytes: Int) -> [Effect] {
    var effects: [Effect] = []
    var taken = 0
    while let arrival = arrivals.first {
      let task = tasks[arrival.key].flatMap { $0.number == arrival.number ? $0 : nil }
      if task?.isWanted ?? false {
        let size = arrival.outcome.pixelBytes
        if taken > 0, taken + size > bytes { break }
        // A failure counts as one byte, so that the guaranteed arrival is one and not all failures in sequence.
        taken += max(1, size)
      }
      _ = arrivals.popFirst()
      guard let task else { continue }
      if arrival.representation == .full {
        effects.append(contentsOf: endTask(task, arrival))
      } else if task.isWanted, task.state != .ended {
        // A preview that was overtaken by the full image is discarded.
        effects.append(
          .deliver(
            ImageArrival(
              key: arrival.key, tickets: task.requesters.tickets, representation: arrival.representation,
              outcome: arrival.outcome)))
      }
    }
    return effects + startJobs()
  }

  private mutating func endTask(_ task: ImageTask, _ arrival: ArrivalQueue.Arrival) -> [Effect] {
    tasks[arrival.key] = nil
    for ticket in task.requesters.tickets { keys[ticket] = nil }
    if let failure = arrival.outcome.openFailure { return endTask(task, arrival, withPreviewOfFailure: failure) }
    if !arrival.isKnown {
      switch arrival.outcome {
      case .success: failures.removeFailure(arrival.key)
      case .failure(let failure): failures.recordFailure(failure, for: arrival.key, at: now)
      }
    }
    switch arrival.outcome {
    case .success(let image) where !task.isWanted: return [.cache(arrival.key, image)]
    case .failure where !task.isWanted: return []
    case .success: counts.delivered += 1
    case .failure: counts.failed += 1
    }
    return [.deliver(ImageArrival(key: arrival.key, tickets: task.requesters.tickets, outcome: arrival.outcome))]
  }

  /// Ends a task whose file could not be opened, but has a stored thumbnail.
  private mutating func endTask(
    _ task: ImageTask, _ arrival: ArrivalQueue.Arrival, withPreviewOfFailure failure: ImageFailure
  ) -> [Effect] {
    failures.recordFailure(failure, for: arrival.key, at: now)
    guard task.isWanted else { return [] }
    counts.failed += 1
    let tickets = task.requesters.tickets
    return [
      .deliver(
        ImageArrival(key: arrival.key, tickets: tickets, representation: .embedded, outcome: arrival.outcome)),
      .deliver(ImageArrival(key: arrival.key, tickets: tickets, outcome: .failure(failure))),
    ]
  }

  private mutating func stop() {
    guard !isStopped else { return }
    isStopped = true
    counts.cancelled += tasks.values.count { $0.isWanted }
    keys = [:]
    for (key, task) in tasks {
      tasks[key]?.requesters = Requesters()
      if task.state != .running { tasks[key] = nil }
    }
    waiting.removeAll()
    arrivals.removeAll()
    workerStates.removeIdleWorkers()
  }
}

// MARK: - Events

extension ImageScheduler {
  /// An input of the scheduler.
  enum Event: Sendable {
    /// An image is requested. The time determines whether a known failure is retried.
    case request(ImageRequest, ImageTicket, deadline: FrameInstant, at: FrameInstant)
    /// The deadline of a request has changed. Has no effect on finished requests.
    case updateDeadline(ImageTicket, FrameInstant)
    /// A request is cancelled.
    case cancel(ImageTicket)
    /// A worker is ready for its first job.
    case workerIdle(Int)
    /// A worker's process is runnable but has not been given a core for a while.
    case starved(worker: Int)
    /// A worker has finished a job after the given duration and is ready for another.
    case finished(worker: Int, job: UInt64, outcome: ImageOutcome, duration: FrameDuration)
    /// The display has another profile. Its revision is higher than the last one.
    case setColorRevision(UInt32)
    /// The main thread collects arrivals, up to the given bytes of pixels but at least one. Pauses after failures start
    /// at this time.
    case collect(atMost: Int, at: FrameInstant)
    /// The scheduler is stopped: no job is started, and all pending requests are cancelled.
    case stop
  }
}

// MARK: - Effects

extension ImageScheduler {
  /// An output of the scheduler.
  enum Effect: Sendable {
    /// Start a job on a worker.
    case start(worker: Int, ImageJob)
    /// Interrupt a worker's job, which has this key, at its next row. If it is still running, it finishes with
    /// ``ImageFailure/interrupted``.
    case interrupt(worker: Int, job: UInt64, ImageKey)
    /// Wake the loop, as an arrival waits to be collected.
    case arrived
    /// Deliver the result or a preview to the requests of a key.
    case deliver(ImageArrival)
    /// Cache an image that no request needs any more.
    case cache(ImageKey, DecodedImage)
  }
}
