import DataStructures
import FramePacing

/// Decides which picture is decoded next and by whom: a machine that is told events and answers with effects.
///
/// The request with the earliest deadline goes first, of equal ones the one made first. Requests for one key are one:
/// they end together, by ``Effect/deliver(_:)`` once or by ``Event/cancel(_:)``. A running job whose requests are all
/// cancelled keeps its worker to the end, and its picture goes to the cache; asked for again before that, it is joined.
/// A job that ended its decoding process is tried once more at once; after that its failure is remembered, like every
/// other, and what may pass is tried again after a pause. Knows no clock, no thread and no process.
struct ImageScheduler: Sendable {
  /// What the scheduler is told.
  enum Event: Sendable {
    /// A picture is wanted, and by when; of requests for one key the earliest deadline holds. The moment of asking says
    /// whether a known failure is to be tried again.
    case request(ImageRequest, deadline: FrameInstant, at: FrameInstant)
    /// A waiting picture is needed at another time; unknown keys and running jobs are none of its business.
    case updateDeadline(ImageKey, FrameInstant)
    /// A picture is wanted no longer by anybody.
    case cancel(ImageKey)
    /// A worker is ready for its first job.
    case workerIdle(Int)
    /// A worker has done a job, in this time, and is ready for another.
    case finished(worker: Int, job: UInt64, outcome: ImageOutcome, took: FrameDuration)
    /// The main thread takes what has arrived: as many bytes of pixels, but always one arrival. The pauses of failures
    /// begin at the moment of taking.
    case collect(atMost: Int, at: FrameInstant)
    /// Nothing more is to be started; requests that have not ended are cancelled.
    case stop
  }

  /// What the scheduler wants done.
  enum Effect: Sendable {
    /// Give this worker this job.
    case start(worker: Int, ImageJob)
    /// Something waits to be collected: wake the loop.
    case arrived
    /// Tell the caller how the requests for a key ended.
    case deliver(ImageArrival)
    /// Nobody waits for this picture any more; it is worth keeping all the same.
    case keep(ImageKey, DecodedImage)
  }

  /// How often a file may end a decoding process before it is left alone.
  static let deathsPerFile = 2

  private struct Entry {
    enum Stage {
      case waiting
      case running
      case arrived(ImageOutcome)
    }

    var request: ImageRequest
    var number: UInt64
    var stage: Stage
    var isWanted = true
    /// Whether it ended with a failure that was known before.
    var isKnown = false
    var deaths = 0
  }

  /// What was done so far.
  private(set) var counts = SchedulerCounts()
  /// How long the decodes took that gave a picture.
  private(set) var durations = DurationHistogram()
  /// Jobs that workers have now.
  private(set) var running = 0

  private let backlogLimit: Int
  private var entries: [ImageKey: Entry] = [:]
  private var waiting = PriorityQueue<ImageKey, Urgency>()
  private var arrived = Deque<ImageKey>()
  private var arrivedBytes = 0
  private var idle: [Bool]
  private var runningKeys: [ImageKey?]
  private var failures = FailureMemory()
  private var nextNumber: UInt64 = 1
  private var isStopped = false

  /// Makes a scheduler; its workers are not ready until they say so.
  ///
  /// - Parameters:
  ///   - workers: how many there are, numbered from 0.
  ///   - backlogLimit: bytes of pixels that may wait to be collected before no further job is started.
  init(workers: Int, backlogLimit: Int = 64 << 20) {
    demand(workers > 0, "a scheduler needs at least one worker")
    idle = Array(repeating: false, count: workers)
    runningKeys = Array(repeating: nil, count: workers)
    self.backlogLimit = backlogLimit
  }

  /// Requests that wait for a worker.
  var waitingCount: Int { waiting.count }
  /// Keys whose end waits to be collected, and whose pictures wait for the cache.
  var arrivedCount: Int { arrived.count }

  /// Whether a request for this key is under way, from the request to its end.
  func isPending(_ key: ImageKey) -> Bool { entries[key]?.isWanted ?? false }

  /// The last failure of this key, until its picture is had.
  mutating func failure(for key: ImageKey) -> ImageFailure? { failures.failure(for: key) }

  /// Whether a request for this key would be tried at a moment, rather than end with its known failure.
  func wouldTry(_ key: ImageKey, at instant: FrameInstant) -> Bool { failures.mayTry(key, at: instant) }

  /// Takes an event in.
  /// - Complexity: O(log waiting + workers), and O(arrivals taken) for ``Event/collect(atMost:)``.
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .request(let request, let deadline, let instant): return take(request, deadline, instant)
    case .updateDeadline(let key, let deadline):
      if let urgency = waiting.priority(of: key) {
        waiting.set(Urgency(deadline: deadline, number: urgency.number), for: key)
      }
      return []
    case .cancel(let key):
      cancel(key)
      return []
    case .workerIdle(let worker):
      idle[worker] = !isStopped
      return startIdleWorkers()
    case .finished(let worker, let job, let outcome, let took): return finish(worker, job, outcome, took)
    case .collect(let bytes, let instant): return collect(bytes, instant)
    case .stop:
      stop()
      return []
    }
  }

  private mutating func take(
    _ request: ImageRequest, _ deadline: FrameInstant, _ instant: FrameInstant
  ) -> [Effect] {
    counts.requested += 1
    let key = request.key
    if let entry = entries[key] {
      if entry.isWanted { counts.coalesced += 1 }
      entries[key]?.isWanted = true
      if let urgency = waiting.priority(of: key), deadline < urgency.deadline {
        waiting.set(Urgency(deadline: deadline, number: urgency.number), for: key)
      }
      return []
    }
    guard !isStopped else {
      counts.cancelled += 1
      return []
    }
    let number = nextNumber
    nextNumber += 1
    var entry = Entry(request: request, number: number, stage: .waiting)
    if let failure = failures.failure(for: key) {
      guard failures.mayTry(key, at: instant) else {
        entry.stage = .arrived(.failure(failure))
        entry.isKnown = true
        entries[key] = entry
        arrived.append(key)
        return [.arrived]
      }
      // What may have ended a process before gets one more, not two.
      if failures.isInDoubt(key) { entry.deaths = ImageScheduler.deathsPerFile - 1 }
    }
    entries[key] = entry
    waiting.set(Urgency(deadline: deadline, number: number), for: key)
    return startIdleWorkers()
  }

  private mutating func cancel(_ key: ImageKey) {
    guard let entry = entries[key], entry.isWanted else { return }
    counts.cancelled += 1
    if case .waiting = entry.stage {
      waiting.remove(key)
      entries[key] = nil
    } else {
      entries[key]?.isWanted = false
    }
  }

  private mutating func finish(
    _ worker: Int, _ job: UInt64, _ outcome: ImageOutcome, _ took: FrameDuration
  ) -> [Effect] {
    guard let key = runningKeys[worker], var entry = entries[key], entry.number == job else { return [] }
    if case .failure(let failure) = outcome, failure.endedItsProcess {
      entry.deaths += 1
      entries[key] = entry
      if entry.deaths < ImageScheduler.deathsPerFile, !isStopped {
        return [.start(worker: worker, ImageJob(number: job, request: entry.request))]
      }
    }
    runningKeys[worker] = nil
    running -= 1
    idle[worker] = !isStopped
    if case .success = outcome {
      counts.decoded += 1
      durations.add(took)
    }
    guard !isStopped else {
      entries[key] = nil
      return []
    }
    arrivedBytes += outcome.pixelBytes
    entry.stage = .arrived(outcome)
    entries[key] = entry
    arrived.append(key)
    return [.arrived] + startIdleWorkers()
  }

  private mutating func collect(_ bytes: Int, _ instant: FrameInstant) -> [Effect] {
    var effects: [Effect] = []
    var taken = 0
    while let key = arrived.first, let entry = entries[key], case .arrived(let outcome) = entry.stage {
      let size = outcome.pixelBytes
      if entry.isWanted {
        if taken > 0, taken + size > bytes { break }
        // A failure counts as one byte, so that "always one" is one and not all that follow it.
        taken += max(1, size)
      }
      _ = arrived.popFirst()
      arrivedBytes -= size
      entries[key] = nil
      if !entry.isKnown { learn(outcome, of: key, instant) }
      effects.append(contentsOf: ending(of: key, entry.isWanted, outcome))
    }
    return effects + startIdleWorkers()
  }

  private mutating func learn(_ outcome: ImageOutcome, of key: ImageKey, _ instant: FrameInstant) {
    switch outcome {
    case .success: failures.forget(key)
    case .failure(let failure): failures.remember(failure, for: key, at: instant)
    }
  }

  private mutating func ending(of key: ImageKey, _ isWanted: Bool, _ outcome: ImageOutcome) -> [Effect] {
    switch outcome {
    case .success(let image) where !isWanted: return [.keep(key, image)]
    case .failure where !isWanted: return []
    case .success: counts.delivered += 1
    case .failure: counts.failed += 1
    }
    return [.deliver(ImageArrival(key: key, outcome: outcome))]
  }

  private mutating func startIdleWorkers() -> [Effect] {
    var effects: [Effect] = []
    while arrivedBytes < backlogLimit, !waiting.isEmpty, let worker = idle.firstIndex(of: true) {
      guard let key = waiting.popFirst()?.key, let entry = entries[key] else { break }
      entries[key]?.stage = .running
      runningKeys[worker] = key
      running += 1
      idle[worker] = false
      effects.append(.start(worker: worker, ImageJob(number: entry.number, request: entry.request)))
    }
    return effects
  }

  private mutating func stop() {
    guard !isStopped else { return }
    isStopped = true
    counts.cancelled += entries.values.count { $0.isWanted }
    entries = entries.filter { if case .running = $0.value.stage { true } else { false } }
    for key in runningKeys { if let key { entries[key]?.isWanted = false } }
    waiting.removeAll()
    arrived.removeAll()
    arrivedBytes = 0
    for worker in idle.indices { idle[worker] = false }
  }
}
