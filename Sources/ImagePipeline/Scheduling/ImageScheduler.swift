import DataStructures
import FramePacing

/// Decides which picture is decoded next, by whom and how well: a machine that is told events and answers with effects.
///
/// Requests for one key are one task, whose deadline is the earliest of theirs. The task with the earliest deadline goes
/// first (earliest deadline first, Liu and Layland 1973), what is on screen before all others. Where all workers are alike, a picture
/// on screen waits and no worker is free, one worker is taken from a picture that is not on screen.
/// A picture that will not be there by its deadline gets the small one that its file may carry first, and is made sharp
/// when all others on screen have something to show. Where workers differ in priority, those with a fair share of the
/// processors decode what is on screen, and the others what comes ahead.
///
/// A task whose requests are all taken back stops between two rows. A job that ended its decoding process is tried once
/// more at once; after that its failure is remembered, like every other, and what may pass is tried again after a pause.
/// Knows no clock, no thread and no process.
struct ImageScheduler: Sendable {
  /// How often a file may end a decoding process before it is left alone.
  static let deathsPerFile = 2
  /// What takes less is neither interrupted nor preceded by a smaller picture: half a frame at 60 Hz.
  static let minimumPreemptibleDuration = FrameDuration.milliseconds(8)

  /// What was done so far.
  var counts = SchedulerCounts()
  /// How long the decodes took that gave a picture.
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
  private(set) var isStopped = false

  /// Makes a scheduler; its workers are not ready until they say so.
  ///
  /// - Parameters:
  ///   - workers: how many there are, numbered from 0.
  ///   - screenWorkers: those among them whose processes get a fair share of the processors, and which work for the screen
  ///     alone, while the others' processes take what all programs leave. Default: none, where all are alike.
  ///   - backlogLimit: bytes of pixels that may wait to be collected before no further job is started.
  init(workers: Int, screenWorkers: Range<Int> = 0..<0, backlogLimit: Int = 64 << 20) {
    checkPrecondition(workers > screenWorkers.count, "a scheduler needs a worker for what is not on screen; add one")
    checkPrecondition(
      screenWorkers.upperBound <= workers, "the screen's workers must be some of the workers; give their numbers")
    workerStates = WorkerStates(count: workers, screenWorkers: screenWorkers)
    self.backlogLimit = backlogLimit
  }

  /// Jobs that workers have now.
  var running: Int { workerStates.busyCount }
  /// Tasks that wait for a worker.
  var waitingCount: Int { waiting.count }
  /// Results that wait to be collected.
  var arrivedCount: Int { arrivals.count }

  /// Whether a request for this key is under way, from the request to its end.
  func isPending(_ key: ImageKey) -> Bool { tasks[key]?.isWanted ?? false }

  /// The last failure of this key, until its picture is had.
  mutating func failure(for key: ImageKey) -> ImageFailure? { failures.failure(for: key) }

  /// The file of this key is where it was not before.
  mutating func removeOpenFailure(_ key: ImageKey) { failures.removeOpenFailure(key) }

  /// Whether a request for this key would be tried at a moment, rather than end with its known failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { failures.canAttempt(key, at: instant) }

  /// Takes an event in.
  /// - Complexity: O(log waiting + workers), and O(arrivals taken) for ``Event/collect(atMost:at:)``.
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
    case .finished(let worker, let job, let outcome, let took): return finishJob(worker, job, outcome, took)
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
      addRequester(key, ticket, deadline)
      return updateOrder(key)
    }
    var task = ImageTask(request, number: takeNumber())
    if let failure = failures.failure(for: key) {
      guard failures.canAttempt(key, at: now) else {
        task.state = .ended
        tasks[key] = task
        addRequester(key, ticket, deadline)
        arrivals.append(
          .init(key: key, number: task.number, representation: .full, outcome: .failure(failure), isKnown: true))
        return [.arrived]
      }
      // What may have ended a process before gets one more, not two.
      if failures.isSuspect(key) { task.deaths = ImageScheduler.deathsPerFile - 1 }
    }
    tasks[key] = task
    addRequester(key, ticket, deadline)
    return updateOrder(key)
  }

  mutating func takeNumber() -> UInt64 {
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

  /// Puts a waiting task in its place; one that is being done may have become one for the screen's worker.
  private mutating func updateOrder(_ key: ImageKey) -> [Effect] {
    if tasks[key]?.state == .running { return takeOverStarvedJobs() }
    guard let task = tasks[key], task.state == .waiting, let urgency = task.urgency else { return [] }
    waiting.setPriority(urgency, for: key)
    return startJobs()
  }

  // MARK: - Ends

  private mutating func collectArrivals(_ bytes: Int) -> [Effect] {
    var effects: [Effect] = []
    var taken = 0
    while let arrival = arrivals.first {
      let task = tasks[arrival.key].flatMap { $0.number == arrival.number ? $0 : nil }
      if task?.isWanted ?? false {
        let size = arrival.outcome.pixelBytes
        if taken > 0, taken + size > bytes { break }
        // A failure counts as one byte, so that "always one" is one and not all that follow it.
        taken += max(1, size)
      }
      _ = arrivals.popFirst()
      guard let task else { continue }
      if arrival.representation == .full {
        effects.append(contentsOf: endTask(task, arrival))
      } else if task.isWanted, task.state != .ended {
        // A small picture that the sharp one has overtaken is of no use.
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
