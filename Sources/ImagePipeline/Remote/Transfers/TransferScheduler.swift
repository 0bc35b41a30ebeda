import DataStructures
import FramePacing

/// Decides what is asked of which server when: a machine that is told events and answers with effects.
///
/// The earliest deadline first, a few connections to a server, one transfer for all who want the same. What is not on screen
/// gives its connection up to what is, unless it has nearly come to its end. What may pass is tried again, within the time that something may take in all; a server that cannot be had or is busy is left alone by
/// all who want something of it, and where that would take longer than they may, they are told at once.
struct TransferScheduler: Sendable {
  let settings: TransferSettings
  private var random: SplitMix64
  var tasks: [UInt64: TransferTask] = [:]
  private var numbers: [RemoteRequest: UInt64] = [:]
  private var owners: [ImageTicket: UInt64] = [:]
  var runs: [UInt64: UInt64] = [:]
  var hosts: [RemoteOrigin: HostQueue] = [:]
  /// Servers that can be asked something now, by the first who waits.
  var ready = PriorityQueue<RemoteOrigin, TransferUrgency>()
  private var hostPauses = PriorityQueue<RemoteOrigin, FrameInstant>()
  private var retries = PriorityQueue<UInt64, FrameInstant>()
  var deadlines = PriorityQueue<UInt64, FrameInstant>()
  var memoryBudget: TransferMemoryBudget
  private var nextNumber: UInt64 = 1
  var effects: [Effect] = []

  /// Makes a scheduler that has nothing to do.
  ///
  /// - Parameters:
  ///   - settings: how transfers are made.
  ///   - seed: decides by how much pauses differ, so that many programs do not come back at once.
  init(_ settings: TransferSettings = TransferSettings(), seed: UInt64) {
    self.settings = settings
    random = SplitMix64(seed: seed)
    memoryBudget = settings.memoryBudget
  }

  /// Things that are wanted and not there yet.
  var taskCount: Int { tasks.count }

  /// Tries that run.
  var runningCount: Int { runs.count }

  /// Whether a try runs.
  func isRunning(_ run: UInt64) -> Bool { runs[run] != nil }

  /// When time itself changes something.
  var nextTick: FrameInstant? {
    [hostPauses.first?.priority, retries.first?.priority, deadlines.first?.priority].compactMap { $0 }.min()
  }

  /// Takes in what happened at a moment.
  /// - Complexity: O(log tasks), and O(those who wait for the server) where it is given up.
  mutating func handle(_ event: Event, at now: FrameInstant) -> [Effect] {
    switch event {
    case .request(let request, let ticket, let deadline, let validator):
      addRequest(request, ticket, deadline, validator, now)
    case .updateDeadline(let ticket, let deadline):
      if let number = owners[ticket] { updateRequesters(number, now) { $0.setDeadline(deadline, for: ticket) } }
    case .cancel(let ticket):
      if let number = owners.removeValue(forKey: ticket) { updateRequesters(number, now) { $0.remove(ticket) } }
    case .ended(let run, let ending, let isPublic):
      if let number = runs[run], let task = tasks[number] { endAttempt(ending, isPublic, of: task, now) }
    case .progressed(let run, let progress):
      if let number = runs[run] {
        memoryBudget.recordProgress(progress, of: run)
        if !progress.isPaused { resumeDeadline(number, now) }
      }
    case .tick: break
    }
    advanceTime(now)
    grantMemory(now)
    // What was put off has left room to those who wait for it.
    if startAttempts(now) { grantMemory(now) }
    defer { effects = [] }
    return effects
  }

  // MARK: - Those who want something

  private mutating func addRequest(
    _ request: RemoteRequest, _ ticket: ImageTicket, _ deadline: FrameInstant, _ validator: RemoteValidator,
    _ now: FrameInstant
  ) {
    if let number = numbers[request] {
      owners[ticket] = number
      return updateRequesters(number, now) { $0.setDeadline(deadline, for: ticket) }
    }
    var task = TransferTask(request, number: takeNumber(), validator: validator)
    task.requesters.setDeadline(deadline, for: ticket)
    tasks[task.number] = task
    numbers[request] = task.number
    owners[ticket] = task.number
    enqueue(task.number, now)
  }

  mutating func takeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func updateRequesters(_ number: UInt64, _ now: FrameInstant, _ body: (inout Requesters) -> Void) {
    guard var task = tasks[number] else { return }
    body(&task.requesters)
    tasks[number] = task
    guard !task.requesters.isEmpty else { return removeTask(task) }
    switch task.state {
    case .waiting:
      hosts[task.url.origin]?.waiting.setPriority(task.urgency, for: number)
      refreshHost(task.url.origin)
    case .running(let run, _): memoryBudget.setUrgency(task.urgency, for: run)
    case .pausing: break
    }
  }

  // MARK: - Servers

  /// Puts a task into the line of its server, or ends it where the server is left alone for longer than it may take.
  mutating func enqueue(_ number: UInt64, _ now: FrameInstant) {
    guard var task = tasks[number] else { return }
    guard task.scope.allows(task.url.origin) else { return finishTask(task, .failure(.privateAddress)) }
    task.state = .waiting
    tasks[number] = task
    let origin = task.url.origin
    if let pause = hosts[origin]?.pause, pause.end > latestStart(of: task, now) {
      return finishTask(task, .failure(pause.reason))
    }
    hosts[origin, default: HostQueue()].waiting.setPriority(task.urgency, for: number)
    refreshHost(origin)
  }

  /// Up to when a start makes sense.
  func latestStart(of task: TransferTask, _ now: FrameInstant) -> FrameInstant {
    task.endTime(from: now, totalTime: settings.limits(of: task.request.kind).totalTime)
  }

  /// Notes whether a server can be asked something, and forgets one of which there is nothing to know.
  mutating func refreshHost(_ origin: RemoteOrigin) {
    guard let line = hosts[origin] else { return }
    if line.pause == nil, line.running < settings.connectionsPerHost, let first = line.waiting.first {
      ready.setPriority(first.priority, for: origin)
    } else {
      ready.remove(origin)
    }
    if line.isRemovable { hosts[origin] = nil }
  }

  /// Leaves a server alone for a while, and gives up what cannot wait as long.
  private mutating func pauseHost(
    _ origin: RemoteOrigin, _ failure: RemoteFailure, begun: FrameInstant, requestedPause: FrameDuration?,
    _ now: FrameInstant
  ) {
    let share = random.nextFraction()
    hosts[origin, default: HostQueue()].recordFailure(failure, begun: begun, at: now) { count in
      min(max(requestedPause ?? .zero, settings.pause(after: count, share: share)), settings.longestPause)
    }
    guard let pause = hosts[origin]?.pause else { return }
    hostPauses.setPriority(pause.end, for: origin)
    // In their order, as runs are to repeat.
    var line = hosts[origin]?.waiting ?? PriorityQueue()
    while let (number, _) = line.popFirst() {
      if let task = tasks[number], pause.end > latestStart(of: task, now) { finishTask(task, .failure(failure)) }
    }
    refreshHost(origin)
  }

  // MARK: - Ends

  private mutating func endAttempt(
    _ ending: TransferOutcome, _ isPublic: Bool, of task: TransferTask, _ now: FrameInstant
  ) {
    guard case .running(let run, let begun) = task.state else { return }
    releaseAttempt(run, task.url.origin)
    tasks[task.number]?.state = .pausing
    switch ending {
    case .complete:
      hosts[task.url.origin]?.recordResponse()
      finishTask(task, .success(run))
    case .failed(let failure): handleFailure(task, failure, begun: begun, requestedPause: nil, now)
    case .responded(let status, let location, let retrySeconds):
      if let location, [301, 302, 303, 307, 308].contains(status) {
        hosts[task.url.origin]?.recordResponse()
        followRedirect(task, location, isPublic, now)
      } else {
        let wish = retrySeconds.map { FrameDuration.seconds(Double($0)) }
        handleFailure(
          task, RemoteFailure(status: status, retrySeconds: retrySeconds), begun: begun, requestedPause: wish, now)
      }
    }
    refreshHost(task.url.origin)
  }

  private mutating func followRedirect(_ task: TransferTask, _ location: String, _ isPublic: Bool, _ now: FrameInstant)
  {
    guard let url = task.url.resolving(location) else { return finishTask(task, .failure(.redirectOutside)) }
    guard url.isSecure || !task.url.isSecure else { return finishTask(task, .failure(.redirectUnsecured)) }
    guard task.redirects < settings.maximumRedirects else { return finishTask(task, .failure(.tooManyRedirects)) }
    tasks[task.number]?.redirects += 1
    // A server that leads on has not failed.
    tasks[task.number]?.tries -= 1
    tasks[task.number]?.url = url
    if isPublic { tasks[task.number]?.scope = .publicOnly }
    enqueue(task.number, now)
  }

  private mutating func handleFailure(
    _ task: TransferTask, _ failure: RemoteFailure, begun: FrameInstant, requestedPause: FrameDuration?,
    _ now: FrameInstant
  ) {
    tasks[task.number]?.lastFailure = failure
    let mayTryAgain = failure.isRetryable && task.tries < settings.maximumTries
    if failure.affectsHost {
      pauseHost(task.url.origin, failure, begun: begun, requestedPause: requestedPause, now)
      // Where it wants to be left for longer than the longest pause, what it said so of is not asked for again.
      guard mayTryAgain, requestedPause ?? .zero <= settings.longestPause else {
        return finishTask(task, .failure(failure))
      }
      enqueue(task.number, now)
    } else {
      if failure.isServerResponse { hosts[task.url.origin]?.recordResponse() }
      let pause = max(requestedPause ?? .zero, settings.pause(after: task.tries, share: random.nextFraction()))
      guard mayTryAgain, now + pause < latestStart(of: task, now) else { return finishTask(task, .failure(failure)) }
      retries.setPriority(now + pause, for: task.number)
    }
  }

  /// Ends a task, and tells those who wait for it.
  private mutating func finishTask(_ task: TransferTask, _ result: Result<UInt64, RemoteFailure>) {
    let tickets = tasks[task.number]?.requesters.tickets ?? []
    removeTask(task)
    switch result {
    case .success(let run): effects.append(.succeed(tickets, task.request, by: run))
    case .failure(let failure): effects.append(.fail(tickets, task.request, failure))
    }
  }

  private mutating func removeTask(_ given: TransferTask) {
    guard let task = tasks.removeValue(forKey: given.number) else { return }
    numbers[task.request] = nil
    for ticket in task.requesters.tickets { owners[ticket] = nil }
    retries.remove(task.number)
    deadlines.remove(task.number)
    hosts[task.url.origin]?.waiting.remove(task.number)
    if case .running(let run, _) = task.state, runs[run] != nil {
      releaseAttempt(run, task.url.origin)
      effects.append(.stop(run))
    }
    refreshHost(task.url.origin)
  }

  mutating func releaseAttempt(_ run: UInt64, _ origin: RemoteOrigin) {
    runs[run] = nil
    memoryBudget.removeTransfer(run)
    hosts[origin]?.running -= 1
  }

  // MARK: - Time

  private mutating func advanceTime(_ now: FrameInstant) {
    while let first = hostPauses.first, first.priority <= now {
      hostPauses.remove(first.key)
      hosts[first.key]?.endPauseIfDue(at: now)
      refreshHost(first.key)
    }
    while let first = deadlines.first, first.priority <= now {
      guard let task = tasks[first.key] else { break }
      finishTask(task, .failure(task.lastFailure ?? .timedOut))
    }
    while let first = retries.first, first.priority <= now {
      retries.remove(first.key)
      enqueue(first.key, now)
    }
  }
}
