import Testing
import VitrineDataStructures
import VitrineFramePacing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport

/// Returns an address on one of the tests' servers.
func remoteURL(_ host: Int, _ path: String) -> RemoteURL {
  guard let url = RemoteURL("http://host\(host).example/\(path)") else { failPrecondition("no address: \(path)") }
  return url
}

/// A test harness that drives a transfer scheduler and checks its invariants after every event.
struct TransferSchedulerHarness {
  /// How a request ended.
  enum Completion: Hashable {
    case success
    case failure(RemoteFailure)
  }

  var scheduler: TransferScheduler
  let settings: TransferSettings
  /// The running attempts, in the order of starting.
  private(set) var running: [TransferAttempt] = []
  /// All attempts, in the order of starting.
  private(set) var started: [TransferAttempt] = []
  /// The number of bytes that each attempt may receive, and its progress.
  private(set) var allowances: [UInt64: Int] = [:]
  private(set) var progress: [UInt64: TransferProgress] = [:]
  /// The preempted attempts, in the order of preemption.
  private(set) var preempted: [TransferAttempt] = []
  /// How each request ended.
  private(set) var completions: [ImageTicket: Completion] = [:]
  /// The cancelled requests.
  private(set) var cancelled: Set<ImageTicket> = []
  /// The request and deadline of each ticket.
  private(set) var requests: [ImageTicket: (request: RemoteRequest, deadline: FrameInstant)] = [:]
  var now = FrameInstant.zero
  private var nextTicket: UInt64 = 1

  init(_ settings: TransferSettings = TransferSettings(), seed: UInt64 = 1) {
    self.settings = settings
    scheduler = TransferScheduler(settings, seed: seed)
  }

  /// The tickets of the pending requests, in order.
  var waiting: [ImageTicket] { pending.sorted { $0.number < $1.number } }
  private var pending: Set<ImageTicket> = []

  @discardableResult
  mutating func fetch(
    _ url: RemoteURL, by deadline: Double = 0, kind: RemoteKind = .picture, isPublic: Bool = false
  ) -> ImageTicket {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    let request = RemoteRequest(url, kind: kind, isFromPublicServer: isPublic)
    requests[ticket] = (request, at(deadline))
    pending.insert(ticket)
    handle(.request(request, ticket, deadline: at(deadline), validator: RemoteValidator()))
    return ticket
  }

  mutating func updateDeadline(of ticket: ImageTicket, to deadline: Double) {
    requests[ticket]?.deadline = at(deadline)
    handle(.updateDeadline(ticket, at(deadline)))
  }

  mutating func cancel(_ ticket: ImageTicket) {
    if completions[ticket] == nil { cancelled.insert(ticket) }
    pending.remove(ticket)
    handle(.cancel(ticket))
  }

  /// Ends a running attempt, given by its index.
  mutating func end(_ outcome: TransferOutcome, at index: Int = 0, isPublic: Bool = false) {
    let attempt = running.remove(at: index)
    handle(.ended(attempt.number, outcome, isAtPublicServer: isPublic))
  }

  /// Receives bytes for a running attempt, given by its index, up to its allowance.
  mutating func receiveBytes(_ bytes: Int, of length: Int, isLengthKnown: Bool = true, at index: Int = 0) {
    let number = running[index].number
    let before = progress[number] ?? TransferProgress()
    guard !before.isPaused else { return }
    let target = min(before.received + bytes, length)
    let allowance = allowances[number] ?? 0
    let now = TransferProgress(
      received: min(target, allowance), expected: isLengthKnown ? length : nil, isPaused: target > allowance)
    progress[number] = now
    handle(.progressed(number, now))
  }

  /// The number of bytes that running transfers may hold.
  var allowedBytes: Int { running.reduce(0) { $0 + (allowances[$1.number] ?? 0) } }

  /// Advances to the next tick, and returns false if there is none.
  @discardableResult
  mutating func advanceToNextTick() -> Bool {
    guard let tick = scheduler.nextTick else { return false }
    now = max(now, tick)
    handle(.tick)
    return true
  }

  mutating func advance(milliseconds: Double) {
    now = now + .milliseconds(milliseconds)
    handle(.tick)
  }

  mutating func handle(_ event: TransferScheduler.Event) {
    var stopped: [TransferAttempt] = []
    for effect in scheduler.handle(event, at: now) {
      switch effect {
      case .start(let attempt):
        #expect(!started.contains { $0.number == attempt.number }, "attempt numbers are unique")
        #expect(pending.contains { requests[$0]?.request == attempt.request }, "\(attempt.url) was not requested")
        #expect(!running.contains { $0.request == attempt.request }, "two attempts for \(attempt.url)")
        running.append(attempt)
        started.append(attempt)
        allowances[attempt.number] = attempt.byteAllowance
      case .grant(let number, let bytes):
        #expect(running.contains { $0.number == number } && bytes > allowances[number] ?? 0)
        allowances[number] = bytes
        progress[number]?.isPaused = false
      case .stop(let number):
        #expect(running.contains { $0.number == number })
        stopped += running.filter { $0.number == number }
        running.removeAll { $0.number == number }
      case .succeed(let tickets, let request, _): complete(tickets, request, .success)
      case .fail(let tickets, let request, let failure): complete(tickets, request, .failure(failure))
      }
    }
    if !stopped.isEmpty {
      let deadlines = deadlines
      preempted += stopped.filter { deadlines[$0.request] != nil }
    }
    checkMemory()
    let byHost = Dictionary(grouping: running, by: \.url.origin)
    #expect(byHost.values.allSatisfy { $0.count <= settings.connectionsPerHost })
    #expect(running.count <= settings.connections && running.count == scheduler.runningCount)
    #expect(scheduler.taskCount == Set(pending.compactMap { requests[$0]?.request }).count)
    #expect(scheduler.nextTick.map { $0 > now } ?? true, "a due tick was not handled")
  }

  /// The earliest deadline of each pending request.
  var deadlines: [RemoteRequest: FrameInstant] {
    var deadlines: [RemoteRequest: FrameInstant] = [:]
    for entry in pending.compactMap({ requests[$0] }) {
      deadlines[entry.request] = min(entry.deadline, deadlines[entry.request] ?? .distantFuture)
    }
    return deadlines
  }

  private func checkMemory() {
    #expect(allowedBytes <= settings.memoryBudget.limit, "the memory limit is exceeded")
    guard running.contains(where: { progress[$0.number]?.isPaused ?? false }) else { return }
    let deadlines = deadlines
    let first = running.compactMap { deadlines[$0.request] }.min()
    #expect(
      running.contains { deadlines[$0.request] == first && !(progress[$0.number]?.isPaused ?? false) },
      "the first transfer waits for memory")
  }

  private mutating func complete(_ tickets: [ImageTicket], _ request: RemoteRequest, _ completion: Completion) {
    #expect(tickets == waiting.filter { requests[$0]?.request == request })
    for ticket in tickets {
      #expect(completions[ticket] == nil && !cancelled.contains(ticket))
      completions[ticket] = completion
      pending.remove(ticket)
    }
    running.removeAll { $0.request == request }
  }
}
