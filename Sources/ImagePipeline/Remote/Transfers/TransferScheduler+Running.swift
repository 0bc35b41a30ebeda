import DataStructures
import FramePacing

/// What runs, and what gives way to what.
extension TransferScheduler {
  /// Begins what connections are free for, or are given up for.
  /// - Returns: whether one was given up.
  mutating func startAttempts(_ now: FrameInstant) -> Bool {
    var hasPutOff = false
    while true {
      while runs.count < settings.connections, let (origin, urgency) = ready.first, memoryBudget.canStart(urgency),
        let (number, _) = hosts[origin]?.waiting.popFirst(), let task = tasks[number]
      {
        startAttempt(task, now)
      }
      guard preemptAttempt(now) else { return hasPutOff }
      hasPutOff = true
    }
  }

  private mutating func startAttempt(_ given: TransferTask, _ now: FrameInstant) {
    var task = given
    let limits = settings.limits(of: task.request.kind)
    let run = takeNumber()
    let end = latestStart(of: task, now)
    task.state = .running(run, since: now)
    task.tries += 1
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
          byteAllowance: memoryBudget.addTransfer(run, task.urgency, most: limits.maximumBytes))))
  }

  /// Takes a connection from what is not on screen, the last of it first, for what is.
  /// - Returns: whether one was taken.
  /// - Complexity: O(n log n), n = connections.
  private mutating func preemptAttempt(_ now: FrameInstant) -> Bool {
    let isFull = runs.count >= settings.connections
    let candidates = runs.filter { !(memoryBudget.progress(of: $0.key)?.isAlmostComplete ?? true) }.compactMap {
      tasks[$0.value]
    }
    .filter { !$0.urgency.deadline.isOnScreen }.sorted { $1.urgency < $0.urgency }
    for task in candidates {
      guard let line = hosts[task.url.origin], line.pause == nil else { continue }
      let isLineFull = line.running >= settings.connectionsPerHost
      let rivals = [isFull ? ready.first?.priority : nil, isLineFull ? line.waiting.first?.priority : nil]
      guard let rival = rivals.compactMap({ $0 }).min(), rival.deadline.isOnScreen, memoryBudget.canStart(rival) else {
        continue
      }
      requeue(task, now)
      return true
    }
    return false
  }

  /// Stops a try, and puts it into its server's line again.
  private mutating func requeue(_ given: TransferTask, _ now: FrameInstant) {
    guard case .running(let run, _) = given.state else { return }
    releaseAttempt(run, given.url.origin)
    effects.append(.stop(run))
    deadlines.remove(given.number)
    tasks[given.number]?.resetAttempt()
    enqueue(given.number, now)
    refreshHost(given.url.origin)
  }

  /// Serves bodies that wait for memory, and lets the time of those stand still that go on waiting.
  mutating func grantMemory(_ now: FrameInstant) {
    while true {
      for (run, bytes) in memoryBudget.grantWaiting() {
        effects.append(.grant(run, bytes: bytes))
        if let number = runs[run] { resumeDeadline(number, now) }
      }
      // One whose server is left alone might not be asked for again in time.
      let last = memoryBudget.transferToPreempt { run in
        task(of: run).map { hosts[$0.url.origin]?.pause != nil } ?? false
      }
      guard let last, let task = task(of: last) else { break }
      requeue(task, now)
    }
    for run in memoryBudget.waitingTransfers {
      guard let number = runs[run], tasks[number]?.endTime != nil else { continue }
      tasks[number]?.pauseDeadline(at: now)
      deadlines.remove(number)
    }
  }

  private func task(of run: UInt64) -> TransferTask? { runs[run].flatMap { tasks[$0] } }

  /// Lets the time of a task go on, where it stood still.
  mutating func resumeDeadline(_ number: UInt64, _ now: FrameInstant) {
    guard let task = tasks[number], task.endTime == nil else { return }
    let end = latestStart(of: task, now)
    tasks[number]?.endTime = end
    tasks[number]?.timeLeft = nil
    deadlines.setPriority(end, for: number)
  }
}
