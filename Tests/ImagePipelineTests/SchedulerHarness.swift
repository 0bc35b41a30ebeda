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
  /// Keys that the caller waits for.
  var wanted: Set<ImageKey> = []

  init(workers: Int, backlogLimit: Int = 64 << 20, ready: Bool = true) {
    scheduler = ImageScheduler(workers: workers, backlogLimit: backlogLimit)
    jobs = Array(repeating: nil, count: workers)
    if ready { for worker in 0..<workers { tell(.workerIdle(worker)) } }
  }

  /// The sources of the running jobs, by worker.
  var runningSources: [UInt64?] { jobs.map { $0?.request.key.source } }

  /// Tells the scheduler an event, and checks its effects.
  mutating func tell(_ event: ImageScheduler.Event) {
    switch event {
    case .request(let request, _, _): wanted.insert(request.key)
    case .cancel(let key): wanted.remove(key)
    case .finished(let worker, _, _, _): jobs[worker] = nil
    case .stop: wanted = []
    default: break
    }
    for effect in scheduler.handle(event) {
      switch effect {
      case .start(let worker, let job):
        #expect(jobs[worker] == nil, "worker \(worker) has a job already")
        jobs[worker] = job
        log.append("start \(worker) \(job.number) \(job.request.key.source)")
      case .arrived: log.append("arrived")
      case .deliver(let arrival):
        #expect(wanted.remove(arrival.key) != nil, "\(arrival.key) was delivered to nobody")
        deliveries.append(arrival)
        log.append("deliver " + arrival.note)
      case .keep(let key, _):
        #expect(!wanted.contains(key), "\(key) is wanted and was not delivered")
        kept.append(key)
        log.append("keep \(key.source)")
      }
    }
    check()
  }

  /// Asks for a picture.
  mutating func ask(_ source: Int, by milliseconds: Double, side: Int = 1) {
    tell(.request(request(source, side: side), deadline: at(milliseconds), at: now))
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
    for key in wanted { #expect(scheduler.isPending(key)) }
    #expect(
      counts.requested
        == counts.coalesced + counts.cancelled + counts.delivered + counts.failed + wanted.count)
    #expect(scheduler.running == jobs.count { $0 != nil })
  }
}
