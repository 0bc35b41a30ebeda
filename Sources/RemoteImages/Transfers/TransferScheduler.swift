import VitrineDataStructures
import VitrineFramePacing
import VitrineImagePipeline

/// A state machine that schedules transfers.
///
/// It receives events and returns effects. Waiting tasks start in order of their deadlines, with a limited number of
/// connections per server. Equal requests share a task. A visible item's task preempts an invisible one, unless that
/// has nearly completed.
///
/// Transient failures are retried within the task's total time. A server that is unreachable or busy is paused for all
/// of its tasks, and those whose time ends before the pause fail immediately.
struct TransferScheduler: Sendable {
  private let settings: TransferSettings
  private var random: SplitMix64
  private var tasks: [UInt64: TransferTask] = [:]
  private var numbers: [RemoteRequest: UInt64] = [:]
  private var owners: [ImageTicket: UInt64] = [:]
  private var runs: [UInt64: UInt64] = [:]
  private var hosts: [RemoteOrigin: HostQueue] = [:]
  /// The servers that can start a task, ordered by the urgency of their first one.
  private var ready = PriorityQueue<RemoteOrigin, TransferUrgency>()
  private var hostPauses = PriorityQueue<RemoteOrigin, FrameInstant>()
  private var retries = PriorityQueue<UInt64, FrameInstant>()
  private var deadlines = PriorityQueue<UInt64, FrameInstant>()
  private var memoryBudget: TransferMemoryBudget
  private var nextNumber: UInt64 = 1
  private var effects: [Effect] = []

  /// Creates a scheduler without tasks.
  ///
  /// - Parameters:
  ///   - settings: The settings of transfers.
  ///   - seed: The seed of the jitter of retry delays.
  init(_ settings: TransferSettings = TransferSettings(), seed: UInt64) {
    self.settings = settings
    random = SplitMix64(seed: seed)
    memoryBudget = settings.memoryBudget
  }

  /// The number of unfinished tasks.
  var taskCount: Int { tasks.count }

  /// The number of running attempts.
  var runningCount: Int { runs.count }

  /// Returns whether an attempt is running.
  func isRunning(_ run: UInt64) -> Bool { runs[run] != nil }

  /// The time of the next `tick` event, or nil if no timer is running.
  var nextTick: FrameInstant? {
    [hostPauses.first?.priority, retries.first?.priority, deadlines.first?.priority].compactMap { $0 }.min()
  }

  /// Handles an event.
  /// - Returns: The effects to perform, in this order.
  /// - Complexity: O(log tasks), and O(waiting tasks of the server) when a server is paused.
  mutating func handle(_ event: Event, at now: FrameInstant) -> [Effect] {
    switch event {
    case .request(let request, let ticket, let deadline, let validator):
      addRequest(request, ticket, deadline, validator, now)
    case .updateDeadline(let ticket, let deadline):
      if let number = owners[ticket] { updateRequesters(number, now) { $0.setDeadline(deadline, for: ticket) } }
    case .cancel(let ticket):
      if let number = owners.removeValue(forKey: ticket) { updateRequesters(number, now) { $0.remove(ticket) } }
    case .ended(let run, let outcome, let isPublic):
      if let number = runs[run], let task = tasks[number] { endAttempt(outcome, isPublic, of: task, now) }
    case .progressed(let run, let progress):
      if let number = runs[run] {
        memoryBudget.recordProgress(progress, of: run)
        if !progress.isPaused { resumeDeadline(number, now) }
      }
    case .endPauses: endPauses()
    case .tick: break
    }
    advanceTime(now)
    grantMemory(now)
    // Preemption has released memory, which others wait for.
    if startAttempts(now) { grantMemory(now) }
    defer { effects = [] }
    return effects
  }

  // MARK: - Requests

  private mutating func addRequest(
    _ request: RemoteRequest, _ ticket: ImageTicket, _ deadline: FrameInstant, _ validator: RemoteValidator,
    _ now: FrameInstant
  ) {
    if let number = numbers[request] {
      owners[ticket] = number
      return updateRequesters(number, now) { $0.setDeadline(deadline, for: ticket) }
    }
    var task = TransferTask(request, number: makeNumber(), validator: validator)
    task.requesters.setDeadline(deadline, for: ticket)
    tasks[task.number] = task
    numbers[request] = task.number
    owners[ticket] = task.number
    enqueue(task.number, now)
  }

  private mutating func makeNumber() -> UInt64 {
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

  // MARK: - Hosts

  /// Adds a task to its server's queue, or fails it if the server is paused until after the task's end.
  private mutating func enqueue(_ number: UInt64, _ now: FrameInstant) {
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

  /// Returns the latest useful start of an attempt, which is the end of the task's time.
  private func latestStart(of task: TransferTask, _ now: FrameInstant) -> FrameInstant {
    task.endTime(from: now, totalTime: settings.limits(of: task.request.kind).totalTime)
  }

  /// Updates the server's entry in `ready`, and removes a server without state.
  private mutating func refreshHost(_ origin: RemoteOrigin) {
    guard let host = hosts[origin] else { return }
    if host.pause == nil, host.running < settings.connectionsPerHost, let first = host.waiting.first {
      ready.setPriority(first.priority, for: origin)
    } else {
      ready.remove(origin)
    }
    if host.isRemovable { hosts[origin] = nil }
  }

  /// Pauses a server, and fails the tasks that cannot wait until the end of the pause.
  private mutating func pauseHost(
    _ origin: RemoteOrigin, _ failure: RemoteFailure, startTime: FrameInstant, requestedPause: FrameDuration?,
    _ now: FrameInstant
  ) {
    let share = random.nextFraction()
    hosts[origin, default: HostQueue()].recordFailure(failure, startTime: startTime, at: now) { count in
      min(
        max(requestedPause ?? .zero, settings.retryPolicy.pause(after: count, share: share)),
        settings.retryPolicy.maximumPause)
    }
    guard let pause = hosts[origin]?.pause else { return }
    hostPauses.setPriority(pause.end, for: origin)
    // Ordered, so that runs are reproducible.
    var waiting = hosts[origin]?.waiting ?? PriorityQueue()
    while let (number, _) = waiting.popFirst() {
      if let task = tasks[number], pause.end > latestStart(of: task, now) { finishTask(task, .failure(failure)) }
    }
    refreshHost(origin)
  }

  /// Lets all servers be contacted again that could not be reached.
  private mutating func endPauses() {
    for origin in hosts.keys {
      hosts[origin]?.endPauseUnlessRequested()
      if hosts[origin]?.pause == nil { hostPauses.remove(origin) }
      refreshHost(origin)
    }
  }

  // MARK: - Completion

  private mutating func endAttempt(
    _ outcome: TransferOutcome, _ isPublic: Bool, of task: TransferTask, _ now: FrameInstant
  ) {
    guard case .running(let run, let startTime) = task.state else { return }
    releaseAttempt(run, task.url.origin)
    tasks[task.number]?.state = .pausing
    switch outcome {
    case .complete:
      hosts[task.url.origin]?.recordResponse()
      finishTask(task, .success(run))
    case .failed(let failure): handleFailure(task, failure, startTime: startTime, requestedPause: nil, now)
    case .responded(let status, let location, let retrySeconds):
      if let location, [301, 302, 303, 307, 308].contains(status) {
        hosts[task.url.origin]?.recordResponse()
        followRedirect(task, location, isPublic, now)
      } else {
        let requestedPause = retrySeconds.map { FrameDuration.seconds(Double($0)) }
        handleFailure(
          task, RemoteFailure(status: status, retrySeconds: retrySeconds), startTime: startTime,
          requestedPause: requestedPause, now)
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
    // A redirect is not a failed attempt.
    tasks[task.number]?.attempts -= 1
    tasks[task.number]?.url = url
    if isPublic { tasks[task.number]?.scope = .publicOnly }
    enqueue(task.number, now)
  }

  private mutating func handleFailure(
    _ task: TransferTask, _ failure: RemoteFailure, startTime: FrameInstant, requestedPause: FrameDuration?,
    _ now: FrameInstant
  ) {
    tasks[task.number]?.lastFailure = failure
    let canRetry = failure.isRetryable && task.attempts < settings.maximumAttempts
    if failure.affectsHost {
      pauseHost(task.url.origin, failure, startTime: startTime, requestedPause: requestedPause, now)
      // If the server requests more than the longest pause, this task is not retried.
      guard canRetry, requestedPause ?? .zero <= settings.retryPolicy.maximumPause else {
        return finishTask(task, .failure(failure))
      }
      enqueue(task.number, now)
    } else {
      if failure.isServerResponse { hosts[task.url.origin]?.recordResponse() }
      let pause = max(
        requestedPause ?? .zero, settings.retryPolicy.pause(after: task.attempts, share: random.nextFraction()))
      guard canRetry, now + pause < latestStart(of: task, now) else { return finishTask(task, .failure(failure)) }
      retries.setPriority(now + pause, for: task.number)
    }
  }

  /// Removes a task and reports its result.
  private mutating func finishTask(_ task: TransferTask, _ result: Result<UInt64, RemoteFailure>) {
    let tickets = tasks[task.number]?.requesters.tickets ?? []
    removeTask(task)
    switch result {
    case .success(let run): effects.append(.succeed(tickets, task.request, by: run))
    case .failure(let failure): effects.append(.fail(tickets, task.request, failure))
    }
  }

  private mutating func removeTask(_ snapshot: TransferTask) {
    guard let task = tasks.removeValue(forKey: snapshot.number) else { return }
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

  private mutating func releaseAttempt(_ run: UInt64, _ origin: RemoteOrigin) {
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

// MARK: - Running attempts

extension TransferScheduler {
  /// Starts waiting tasks on free connections, preempting other tasks if necessary.
  /// - Returns: Whether a task was preempted.
  private mutating func startAttempts(_ now: FrameInstant) -> Bool {
    var hasPreempted = false
    while true {
      while runs.count < settings.connections, let (origin, urgency) = ready.first, memoryBudget.canStart(urgency),
        let (number, _) = hosts[origin]?.waiting.popFirst(), let task = tasks[number]
      {
        startAttempt(task, now)
      }
      guard preemptAttempt(now) else { return hasPreempted }
      hasPreempted = true
    }
  }

  private mutating func startAttempt(_ waitingTask: TransferTask, _ now: FrameInstant) {
    var task = waitingTask
    let limits = settings.limits(of: task.request.kind)
    let run = makeNumber()
    let end = latestStart(of: task, now)
    task.state = .running(run, since: now)
    task.attempts += 1
    task.endTime = end
    tasks[task.number] = task
    runs[run] = task.number
    deadlines.setPriority(end, for: task.number)
    hosts[task.url.origin]?.running += 1
    refreshHost(task.url.origin)
    effects.append(
      .start(
        TransferAttempt(
          number: run, request: task.request, url: task.url, scope: task.scope, validator: task.validator,
          maximumBytes: limits.maximumBytes,
          byteAllowance: memoryBudget.addTransfer(run, task.urgency, maximumBytes: limits.maximumBytes))))
  }

  /// Preempts the least urgent invisible task in favor of a visible one.
  /// - Returns: Whether a task was preempted.
  /// - Complexity: O(n log n), n = connections.
  private mutating func preemptAttempt(_ now: FrameInstant) -> Bool {
    let isFull = runs.count >= settings.connections
    let candidates = runs.filter { !(memoryBudget.progress(of: $0.key)?.isAlmostComplete ?? true) }.compactMap {
      tasks[$0.value]
    }
    .filter { !$0.urgency.deadline.isOnScreen }.sorted { $1.urgency < $0.urgency }
    for task in candidates {
      guard let host = hosts[task.url.origin], host.pause == nil else { continue }
      let isHostFull = host.running >= settings.connectionsPerHost
      let rivals = [isFull ? ready.first?.priority : nil, isHostFull ? host.waiting.first?.priority : nil]
      guard let rival = rivals.compactMap({ $0 }).min(), rival.deadline.isOnScreen, memoryBudget.canStart(rival) else {
        continue
      }
      requeue(task, now)
      return true
    }
    return false
  }

  /// Stops a running attempt and returns its task to the queue.
  private mutating func requeue(_ task: TransferTask, _ now: FrameInstant) {
    guard case .running(let run, _) = task.state else { return }
    releaseAttempt(run, task.url.origin)
    effects.append(.stop(run))
    deadlines.remove(task.number)
    tasks[task.number]?.resetAttempt()
    enqueue(task.number, now)
    refreshHost(task.url.origin)
  }

  /// Grants memory to paused bodies, and stops the clocks of the tasks that still wait.
  private mutating func grantMemory(_ now: FrameInstant) {
    while true {
      for (run, bytes) in memoryBudget.grantWaiting() {
        effects.append(.grant(run, bytes: bytes))
        if let number = runs[run] { resumeDeadline(number, now) }
      }
      // A task of a paused server might not restart in time.
      let preempted = memoryBudget.transferToPreempt { run in
        task(of: run).map { hosts[$0.url.origin]?.pause != nil } ?? false
      }
      guard let preempted, let task = task(of: preempted) else { break }
      requeue(task, now)
    }
    for run in memoryBudget.waitingTransfers {
      guard let number = runs[run], tasks[number]?.endTime != nil else { continue }
      tasks[number]?.pauseDeadline(at: now)
      deadlines.remove(number)
    }
  }

  private func task(of run: UInt64) -> TransferTask? { runs[run].flatMap { tasks[$0] } }

  /// Restarts the clock of a task if it is stopped.
  private mutating func resumeDeadline(_ number: UInt64, _ now: FrameInstant) {
    guard let task = tasks[number], task.endTime == nil else { return }
    let end = latestStart(of: task, now)
    tasks[number]?.endTime = end
    tasks[number]?.timeLeft = nil
    deadlines.setPriority(end, for: number)
  }
}

// MARK: - Events and effects

extension TransferScheduler {
  /// An event of the scheduler.
  enum Event: Sendable {
    /// A download is requested, with the validator of the stored one.
    case request(RemoteRequest, ImageTicket, deadline: FrameInstant, validator: RemoteValidator)
    /// The deadline of a request has changed.
    case updateDeadline(ImageTicket, FrameInstant)
    /// A request is cancelled.
    case cancel(ImageTicket)
    /// The body of an attempt has progressed.
    case progressed(UInt64, TransferProgress)
    /// An attempt has ended.
    case ended(UInt64, TransferOutcome, isAtPublicServer: Bool)
    /// Servers that could not be reached may be contacted again.
    case endPauses
    /// Time has passed.
    case tick
  }

  /// An action that the owner of the scheduler performs.
  enum Effect: Hashable, Sendable {
    /// Start an attempt.
    case start(TransferAttempt)
    /// Set the total byte allowance of an attempt.
    case grant(UInt64, bytes: Int)
    /// Stop an attempt and ignore its outcome.
    case stop(UInt64)
    /// Report the content of an attempt to the requesters.
    case succeed([ImageTicket], RemoteRequest, by: UInt64)
    /// Report a failure to the requesters.
    case fail([ImageTicket], RemoteRequest, RemoteFailure)
  }
}
