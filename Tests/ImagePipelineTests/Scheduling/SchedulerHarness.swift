import Testing
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

/// A test harness that drives an image scheduler and checks its invariants after every event.
struct SchedulerHarness {
  var scheduler: ImageScheduler
  /// The current job of each worker.
  var jobs: [ImageJob?]
  /// All effects, one per line, in order.
  var log: [String] = []
  /// The delivered arrivals, in order.
  var deliveries: [ImageArrival] = []
  /// The keys of images that were cached without a delivery, in order.
  var cached: [ImageKey] = []
  /// The current time, used for requests and collects.
  var now = FrameInstant.zero
  /// The tickets of the pending requests, by key.
  var pending: [ImageKey: [ImageTicket]] = [:]
  /// The sources of interrupted jobs, in order.
  var interrupted: [UInt64] = []
  /// The numbers of interrupted jobs.
  var interruptedJobs: Set<UInt64> = []
  private var nextTicket: UInt64 = 1

  init(workers: Int, screenWorkers: Range<Int> = 0..<0, backlogLimit: Int = 64 << 20, ready: Bool = true) {
    scheduler = ImageScheduler(workers: workers, screenWorkers: screenWorkers, backlogLimit: backlogLimit)
    jobs = Array(repeating: nil, count: workers)
    if ready { for worker in 0..<workers { handle(.workerIdle(worker)) } }
  }

  /// The sources of the running jobs, by worker.
  var runningSources: [UInt64?] { jobs.map { $0?.request.key.source } }

  /// Sends an event to the scheduler, and checks its effects.
  mutating func handle(_ event: ImageScheduler.Event) {
    switch event {
    case .request(let request, let ticket, _, _): pending[request.key, default: []].append(ticket)
    case .cancel(let ticket):
      for key in pending.keys {
        pending[key]?.removeAll { $0 == ticket }
        if pending[key]?.isEmpty ?? false { pending[key] = nil }
      }
    case .finished(let worker, _, _, _): jobs[worker] = nil
    case .stop: pending = [:]
    default: break
    }
    for effect in scheduler.handle(event) {
      switch effect {
      case .start(let worker, let job):
        #expect(jobs[worker] == nil, "worker \(worker) has a job already")
        jobs[worker] = job
        log.append("start \(worker) \(job.number) \(job.request.key.source)")
      case .interrupt(let worker, let job, let key):
        #expect(jobs[worker]?.number == job && jobs[worker]?.request.key == key, "worker \(worker) has another job")
        interrupted.append(key.source)
        interruptedJobs.insert(job)
        log.append("interrupt \(worker) \(job) \(key.source)")
      case .arrived: log.append("arrived")
      case .deliver(let arrival):
        #expect(arrival.tickets == pending[arrival.key], "\(arrival.key) was not delivered to its requesters")
        if arrival.isFinal { pending[arrival.key] = nil }
        deliveries.append(arrival)
        log.append("deliver " + arrival.summary)
      case .cache(let key, _):
        #expect(pending[key] == nil, "\(key) is pending but was not delivered")
        cached.append(key)
        log.append("cache \(key.source)")
      }
    }
    check()
  }

  /// Requests an image.
  mutating func requestImage(_ source: Int, by milliseconds: Double, side: Int = 1) {
    requestImage(request(source, side: side), by: milliseconds)
  }

  /// Requests an image.
  mutating func requestImage(_ request: ImageRequest, by milliseconds: Double) {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    handle(.request(request, ticket, deadline: at(milliseconds), at: now))
  }

  /// Cancels all requests for a key.
  mutating func cancel(_ key: ImageKey) {
    for ticket in pending[key] ?? [] { handle(.cancel(ticket)) }
  }

  /// Changes the deadline of all requests for a key.
  mutating func updateDeadline(of key: ImageKey, to milliseconds: Double) {
    for ticket in pending[key] ?? [] { handle(.updateDeadline(ticket, at(milliseconds))) }
  }

  /// Finishes a worker's job, by default with its generated image.
  mutating func finish(_ worker: Int, _ outcome: ImageOutcome? = nil) {
    guard let job = jobs[worker] else {
      Issue.record("worker \(worker) has no job")
      return
    }
    handle(
      .finished(
        worker: worker, job: job.number, outcome: outcome ?? generatedImage(job.request.key), duration: .milliseconds(1)
      ))
  }

  /// Collects all arrivals.
  mutating func collect() { handle(.collect(atMost: .max, at: now)) }

  private func check() {
    let counts = scheduler.counts
    for key in pending.keys { #expect(scheduler.isPending(key)) }
    #expect(
      counts.requested
        == counts.coalesced + counts.cancelled + counts.delivered + counts.failed + pending.count)
    #expect(scheduler.running == jobs.count { $0 != nil })
  }
}

// MARK: - Requests and results

/// Returns a request for an image that the test's decoder generates.
func request(_ source: Int, side: Int = 1, fileBytes: Int = 0) -> ImageRequest {
  ImageRequest(key: key(source, side: side), source: .generated(UInt64(source)), fileBytes: fileBytes)
}

/// Returns the generated image of a key.
func generatedImage(_ key: ImageKey) -> ImageOutcome { GatedDecoder.generatedImage(for: key) }

extension ImageArrival {
  /// The arrival as a short text, for logs that tests compare.
  var summary: String {
    switch outcome {
    case .success(let image): "\(key.source)@\(key.size.width) \(image.bitmap.contentDigest)"
    case .failure(let failure): "\(key.source)@\(key.size.width) \(failure)"
    }
  }
}
