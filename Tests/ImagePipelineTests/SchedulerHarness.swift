import FramePacing
import Testing

@testable import ImagePipeline

/// Drives a scheduler and checks after every event what must always hold.
struct SchedulerHarness {
  var scheduler: ImageScheduler
  /// The job that each worker has.
  var jobs: [ImageJob?]
  /// Every effect in a line, in order.
  var log: [String] = []
  /// How the requests ended, in order.
  var deliveries: [ImageArrival] = []
  /// Pictures for the cache alone, in order.
  var kept: [ImageKey] = []
  /// When requests are made and arrivals taken.
  var now = FrameInstant.zero
  /// Keys that the caller waits for, and the requests for them that have not ended.
  var wanted: [ImageKey: [ImageTicket]] = [:]
  /// Jobs that were to be stopped, in order.
  var interrupted: [UInt64] = []
  /// Their numbers.
  var stopped: Set<UInt64> = []
  private var nextTicket: UInt64 = 1

  init(workers: Int, screenWorkers: Range<Int> = 0..<0, backlogLimit: Int = 64 << 20, ready: Bool = true) {
    scheduler = ImageScheduler(workers: workers, screenWorkers: screenWorkers, backlogLimit: backlogLimit)
    jobs = Array(repeating: nil, count: workers)
    if ready { for worker in 0..<workers { tell(.workerIdle(worker)) } }
  }

  /// The sources of the running jobs, by worker.
  var runningSources: [UInt64?] { jobs.map { $0?.request.key.source } }

  /// Tells the scheduler an event, and checks its effects.
  mutating func tell(_ event: ImageScheduler.Event) {
    switch event {
    case .request(let request, let ticket, _, _): wanted[request.key, default: []].append(ticket)
    case .cancel(let ticket):
      for key in wanted.keys {
        wanted[key]?.removeAll { $0 == ticket }
        if wanted[key]?.isEmpty ?? false { wanted[key] = nil }
      }
    case .finished(let worker, _, _, _): jobs[worker] = nil
    case .stop: wanted = [:]
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
        stopped.insert(job)
        log.append("interrupt \(worker) \(job) \(key.source)")
      case .arrived: log.append("arrived")
      case .deliver(let arrival):
        #expect(arrival.tickets == wanted[arrival.key], "\(arrival.key) was not delivered to those who wait for it")
        if arrival.isFinal { wanted[arrival.key] = nil }
        deliveries.append(arrival)
        log.append("deliver " + arrival.note)
      case .cache(let key, _):
        #expect(wanted[key] == nil, "\(key) is wanted and was not delivered")
        kept.append(key)
        log.append("keep \(key.source)")
      }
    }
    check()
  }

  /// Asks for a picture.
  mutating func ask(_ source: Int, by milliseconds: Double, side: Int = 1) {
    ask(request(source, side: side), by: milliseconds)
  }

  /// Asks for a picture.
  mutating func ask(_ request: ImageRequest, by milliseconds: Double) {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    tell(.request(request, ticket, deadline: at(milliseconds), at: now))
  }

  /// Takes all requests for a key back.
  mutating func cancel(_ key: ImageKey) {
    for ticket in wanted[key] ?? [] { tell(.cancel(ticket)) }
  }

  /// Moves all requests for a key.
  mutating func move(_ key: ImageKey, to milliseconds: Double) {
    for ticket in wanted[key] ?? [] { tell(.updateDeadline(ticket, at(milliseconds))) }
  }

  /// Ends the job that a worker has, with its picture unless told.
  mutating func finish(_ worker: Int, _ outcome: ImageOutcome? = nil) {
    guard let job = jobs[worker] else {
      Issue.record("worker \(worker) has no job")
      return
    }
    tell(
      .finished(
        worker: worker, job: job.number, outcome: outcome ?? picture(job.request.key), took: .milliseconds(1)))
  }

  /// Takes everything that has arrived.
  mutating func collect() { tell(.collect(atMost: .max, at: now)) }

  private func check() {
    let counts = scheduler.counts
    for key in wanted.keys { #expect(scheduler.isPending(key)) }
    #expect(
      counts.requested
        == counts.coalesced + counts.cancelled + counts.delivered + counts.failed + wanted.count)
    #expect(scheduler.running == jobs.count { $0 != nil })
  }
}
