import DataStructures
import FramePacing

/// What runs, and what gives way to what.
extension TransferScheduler {
  /// Begins what connections are free for, or are given up for.
  /// - Returns: whether one was given up.
  mutating func start(_ now: FrameInstant) -> Bool {
    var hasPutOff = false
    while true {
      while runs.count < settings.connections, let (origin, urgency) = ready.first, room.admits(urgency),
        let (number, _) = hosts[origin]?.waiting.popFirst(), let task = tasks[number]
      {
        begin(task, now)
      }
      guard makeWay(now) else { return hasPutOff }
      hasPutOff = true
    }
  }

  private mutating func begin(_ given: TransferTask, _ now: FrameInstant) {
    var task = given
    let limits = settings.limits(of: task.request.kind)
    let run = takeNumber()
    let end = latestStart(of: task, now)
    task.stage = .running(run, since: now)
    task.tries += 1
    task.end = end
    tasks[task.number] = task
    runs[run] = task.number
    ends.set(end, for: task.number)
    hosts[task.url.origin]?.running += 1
    refresh(task.url.origin)
    effects.append(
      .start(
        TransferOrder(
          number: run, request: task.request, url: task.url, reach: task.reach, validator: task.validator,
          mostBytes: limits.mostBytes, room: room.enter(run, task.urgency, most: limits.mostBytes))))
  }

  /// Takes a connection from what is not on screen, the last of it first, for what is.
  /// - Returns: whether one was taken.
  /// - Complexity: O(n log n), n = connections.
  private mutating func makeWay(_ now: FrameInstant) -> Bool {
    let isFull = runs.count >= settings.connections
    let candidates = runs.filter { !(room.progress(of: $0.key)?.isNearEnd ?? true) }.compactMap { tasks[$0.value] }
      .filter { !$0.urgency.deadline.isOnScreen }.sorted { $1.urgency < $0.urgency }
    for task in candidates {
      guard let line = hosts[task.url.origin], line.pause == nil else { continue }
      let isLineFull = line.running >= settings.connectionsPerHost
      let rivals = [isFull ? ready.first?.priority : nil, isLineFull ? line.waiting.first?.priority : nil]
      guard let rival = rivals.compactMap({ $0 }).min(), rival.deadline.isOnScreen, room.admits(rival) else { continue }
      putOff(task, now)
      return true
    }
    return false
  }

  /// Stops a try, and puts it into its server's line again.
  private mutating func putOff(_ given: TransferTask, _ now: FrameInstant) {
    guard case .running(let run, _) = given.stage else { return }
    leave(run, given.url.origin)
    effects.append(.stop(run))
    ends.remove(given.number)
    tasks[given.number]?.putOff()
    enqueue(given.number, now)
    refresh(given.url.origin)
  }

  /// Serves bodies that wait for memory, and lets the time of those stand still that go on waiting.
  mutating func shareRoom(_ now: FrameInstant) {
    while true {
      for (run, bytes) in room.share() {
        effects.append(.grant(run, bytes: bytes))
        if let number = runs[run] { startClock(number, now) }
      }
      // One whose server is left alone might not be asked for again in time.
      let last = room.givingWay { run in task(of: run).map { hosts[$0.url.origin]?.pause != nil } ?? false }
      guard let last, let task = task(of: last) else { break }
      putOff(task, now)
    }
    for run in room.held {
      guard let number = runs[run], tasks[number]?.end != nil else { continue }
      tasks[number]?.stopClock(at: now)
      ends.remove(number)
    }
  }

  private func task(of run: UInt64) -> TransferTask? { runs[run].flatMap { tasks[$0] } }

  /// Lets the time of a task go on, where it stood still.
  mutating func startClock(_ number: UInt64, _ now: FrameInstant) {
    guard let task = tasks[number], task.end == nil else { return }
    let end = latestStart(of: task, now)
    tasks[number]?.end = end
    tasks[number]?.timeLeft = nil
    ends.set(end, for: number)
  }
}
