import DataStructures
import FramePacing

extension ImageScheduler {
  /// Gives idle workers what is most urgent, and takes one from what is less so where the screen waits for it.
  mutating func startWork() -> [Effect] {
    var effects = relieve()
    while arrivals.byteCount < backlogLimit, let next = waiting.first,
      let worker = crew.idleWorker(isOnScreen: next.priority.isOnScreen)
    {
      guard let key = waiting.popFirst()?.key, let task = tasks[key] else { break }
      effects.append(start(task, rung(for: task), by: worker))
    }
    return effects + makeRoom()
  }

  private mutating func start(_ task: ImageTask, _ rung: ImageRung, by worker: Int) -> Effect {
    var request = task.request
    request.rung = rung
    let job = takeNumber()
    tasks[request.key]?.stage = .running
    tasks[request.key]?.jobs.append(job)
    crew.begin(WorkerCrew.Duty(key: request.key, job: job, rung: rung), by: worker)
    return .start(worker: worker, ImageJob(number: job, request: request))
  }

  /// What a worker is to make first: the file's own small picture where the picture itself would come too late.
  private func rung(for task: ImageTask) -> ImageRung {
    guard task.request.mayHavePreview, task.preview == .untried, let deadline = task.requesters.deadline else {
      return .full
    }
    let took = estimate.duration(fileBytes: task.request.fileBytes)
    return took >= ImageScheduler.shortest && now + took > deadline ? .embedded : .full
  }

  /// Has the screen's workers decode what is on screen and held up by processes that get no processor, where nothing more
  /// urgent waits.
  ///
  /// The faster of the two workers is the one that counts.
  mutating func relieve() -> [Effect] {
    guard !crew.isUniform else { return [] }
    var effects: [Effect] = []
    while arrivals.byteCount < backlogLimit, let worker = crew.idleWorker(isOnScreen: true), let heldUp,
      waiting.first.map({ heldUp.urgency < $0.priority }) ?? true
    {
      effects.append(start(heldUp.task, heldUp.rung, by: worker))
    }
    return effects
  }

  /// The most urgent picture on screen whose only worker's process gets no processor; nil if there is none.
  private var heldUp: (task: ImageTask, rung: ImageRung, urgency: Urgency)? {
    var first: (task: ImageTask, rung: ImageRung, urgency: Urgency)?
    for (_, duty) in crew.duties where duty.isStarved && !duty.isInterrupted {
      guard let task = tasks[duty.key], task.jobs == [duty.job], let urgency = task.urgency, urgency.isOnScreen
      else { continue }
      if first.map({ urgency < $0.urgency }) ?? true { first = (task, duty.rung, urgency) }
    }
    return first
  }

  /// Takes a worker from a picture that is not on screen, where one that is waits and nobody works for the screen.
  private mutating func makeRoom() -> [Effect] {
    guard crew.isUniform, arrivals.byteCount < backlogLimit, waiting.first?.priority.band == .missingOnScreen
    else { return [] }
    var victim: (worker: Int, deadline: FrameInstant)?
    for (worker, duty) in crew.duties {
      guard !duty.isInterrupted, let task = tasks[duty.key], let deadline = task.requesters.deadline,
        !deadline.isOnScreen
      else { return [] }
      let isLong = estimate.duration(fileBytes: task.request.fileBytes) >= ImageScheduler.shortest
      guard duty.rung == .full, isLong, victim.map({ $0.deadline < deadline }) ?? true else { continue }
      victim = (worker, deadline)
    }
    guard let victim else { return [] }
    return interrupt(victim.worker)
  }

  private mutating func interrupt(_ worker: Int) -> [Effect] {
    guard let duty = crew.duty(of: worker), crew.interrupt(worker) else { return [] }
    counts.interrupted += 1
    return [.interrupt(worker: worker, job: duty.job, duty.key)]
  }

  /// Has every worker stop that works for a task.
  mutating func interruptAll(_ task: ImageTask) -> [Effect] {
    var effects: [Effect] = []
    for (worker, duty) in crew.duties where task.jobs.contains(duty.job) { effects += interrupt(worker) }
    return effects
  }

  /// A worker has done a job.
  mutating func finish(
    _ worker: Int, _ job: UInt64, _ outcome: ImageOutcome, _ took: FrameDuration
  ) -> [Effect] {
    guard let duty = crew.duty(of: worker), duty.job == job else { return [] }
    guard var task = tasks[duty.key], task.jobs.contains(job) else {
      // Another worker was faster.
      crew.end(worker, staysIdle: !isStopped)
      return isStopped ? [] : startWork()
    }
    let isAlone = task.jobs.count == 1
    if case .failure(let failure) = outcome, failure.endedItsProcess {
      task.deaths += 1
      tasks[duty.key] = task
      if isAlone, duty.rung == .full, task.deaths < ImageScheduler.deathsPerFile, task.isWanted, !isStopped {
        crew.begin(WorkerCrew.Duty(key: duty.key, job: job, rung: .full), by: worker)
        return [.start(worker: worker, ImageJob(number: job, request: task.request))]
      }
    }
    var wasStopped = false
    if duty.isInterrupted, case .failure(.interrupted) = outcome { wasStopped = true }
    crew.end(worker, staysIdle: !isStopped)
    task.jobs.removeAll { $0 == job }
    guard !isStopped else {
      tasks[duty.key] = task.jobs.isEmpty ? nil : task
      return []
    }
    if !isAlone, wasStopped || !outcome.isFinal(of: duty.rung, after: task.deaths) {
      // Another worker goes on with it.
      tasks[duty.key] = task
      return startWork()
    }
    return settle(task, duty, outcome, took, wasStopped: wasStopped) + startWork()
  }

  /// What becomes of a task of which a worker has done a part, or all.
  private mutating func settle(
    _ task: ImageTask, _ duty: WorkerCrew.Duty, _ outcome: ImageOutcome, _ took: FrameDuration, wasStopped: Bool
  ) -> [Effect] {
    var effects = interruptAll(task)
    var task = task
    task.jobs = []
    if wasStopped {
      putBack(task)
    } else if duty.rung == .embedded, !outcome.isStored {
      if case .success = outcome {
        task.preview = .made
        counts.previews += 1
        arrivals.append(.init(key: duty.key, number: task.number, rung: .embedded, outcome: outcome))
        effects.append(.arrived)
      } else {
        task.preview = .absent
      }
      putBack(task)
    } else {
      if outcome.isStored {
        counts.stored += 1
      } else if case .success = outcome {
        counts.decoded += 1
        durations.add(took)
        estimate.learn(fileBytes: task.request.fileBytes, took: took)
      }
      task.stage = .ended
      tasks[duty.key] = task
      arrivals.append(.init(key: duty.key, number: task.number, rung: .full, outcome: outcome))
      effects.append(.arrived)
    }
    return effects
  }

  /// A task that is not done waits again, or is let go where nobody wants it.
  private mutating func putBack(_ task: ImageTask) {
    var task = task
    task.stage = .waiting
    tasks[task.request.key] = task.isWanted ? task : nil
    if let urgency = task.urgency { waiting.set(urgency, for: task.request.key) }
  }
}

extension ImageOutcome {
  /// Whether this says what there is to say, though another worker tries the same.
  ///
  /// - Parameters:
  ///   - rung: what was tried.
  ///   - deaths: decoding processes that the file has ended, this one among them.
  fileprivate func isFinal(of rung: ImageRung, after deaths: Int) -> Bool {
    guard case .failure(let failure) = self else { return true }
    return rung == .full && (!failure.endedItsProcess || deaths >= ImageScheduler.deathsPerFile)
  }
}
