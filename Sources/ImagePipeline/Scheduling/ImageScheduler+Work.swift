import DataStructures
import FramePacing

extension ImageScheduler {
  /// Gives idle workers what is most urgent, and takes one from what is less so where the screen waits for it.
  mutating func startJobs() -> [Effect] {
    var effects = takeOverStarvedJobs()
    while arrivals.byteCount < backlogLimit, let next = waiting.first,
      let worker = workerStates.idleWorker(isOnScreen: next.priority.isOnScreen)
    {
      guard let key = waiting.popFirst()?.key, let task = tasks[key] else { break }
      effects.append(startJob(task, representation(for: task), by: worker))
    }
    return effects + preemptBackgroundJob()
  }

  private mutating func startJob(_ task: ImageTask, _ rung: ImageRepresentation, by worker: Int) -> Effect {
    var request = task.request
    request.representation = rung
    let job = takeNumber()
    tasks[request.key]?.state = .running
    tasks[request.key]?.jobs.append(job)
    workerStates.assign(WorkerStates.Assignment(key: request.key, job: job, representation: rung), by: worker)
    return .start(worker: worker, ImageJob(number: job, request: request))
  }

  /// What a worker is to make first: the file's own small picture where the picture itself would come too late.
  private func representation(for task: ImageTask) -> ImageRepresentation {
    guard task.request.mayHavePreview, task.preview == .notAttempted, let deadline = task.requesters.deadline else {
      return .full
    }
    let took = estimate.duration(fileBytes: task.request.fileBytes)
    return took >= ImageScheduler.minimumPreemptibleDuration && now + took > deadline ? .embedded : .full
  }

  /// Has the screen's workers decode what is on screen and held up by processes that get no processor, where nothing more
  /// urgent waits.
  ///
  /// The faster of the two workers is the one that counts.
  mutating func takeOverStarvedJobs() -> [Effect] {
    guard !workerStates.isUniform else { return [] }
    var effects: [Effect] = []
    while arrivals.byteCount < backlogLimit, let worker = workerStates.idleWorker(isOnScreen: true),
      let mostUrgentStarvedJob,
      waiting.first.map({ mostUrgentStarvedJob.urgency < $0.priority }) ?? true
    {
      effects.append(startJob(mostUrgentStarvedJob.task, mostUrgentStarvedJob.rung, by: worker))
    }
    return effects
  }

  /// The most urgent picture on screen whose only worker's process gets no processor; nil if there is none.
  private var mostUrgentStarvedJob: (task: ImageTask, rung: ImageRepresentation, urgency: Urgency)? {
    var first: (task: ImageTask, rung: ImageRepresentation, urgency: Urgency)?
    for (_, duty) in workerStates.assignments where duty.isStarved && !duty.isInterrupted {
      guard let task = tasks[duty.key], task.jobs == [duty.job], let urgency = task.urgency, urgency.isOnScreen
      else { continue }
      if first.map({ urgency < $0.urgency }) ?? true { first = (task, duty.representation, urgency) }
    }
    return first
  }

  /// Takes a worker from a picture that is not on screen, where one that is waits and nobody works for the screen.
  private mutating func preemptBackgroundJob() -> [Effect] {
    guard workerStates.isUniform, arrivals.byteCount < backlogLimit, waiting.first?.priority.band == .missingOnScreen
    else { return [] }
    var victim: (worker: Int, deadline: FrameInstant)?
    for (worker, duty) in workerStates.assignments {
      guard !duty.isInterrupted, let task = tasks[duty.key], let deadline = task.requesters.deadline,
        !deadline.isOnScreen
      else { return [] }
      let isLong = estimate.duration(fileBytes: task.request.fileBytes) >= ImageScheduler.minimumPreemptibleDuration
      guard duty.representation == .full, isLong, victim.map({ $0.deadline < deadline }) ?? true else { continue }
      victim = (worker, deadline)
    }
    guard let victim else { return [] }
    return interruptWorker(victim.worker)
  }

  private mutating func interruptWorker(_ worker: Int) -> [Effect] {
    guard let duty = workerStates.assignment(of: worker), workerStates.markInterrupted(worker) else { return [] }
    counts.interrupted += 1
    return [.interrupt(worker: worker, job: duty.job, duty.key)]
  }

  /// Has every worker stop that works for a task.
  mutating func interruptJobs(of task: ImageTask) -> [Effect] {
    var effects: [Effect] = []
    for (worker, duty) in workerStates.assignments where task.jobs.contains(duty.job) {
      effects += interruptWorker(worker)
    }
    return effects
  }

  /// A worker has done a job.
  mutating func finishJob(
    _ worker: Int, _ job: UInt64, _ outcome: ImageOutcome, _ took: FrameDuration
  ) -> [Effect] {
    guard let duty = workerStates.assignment(of: worker), duty.job == job else { return [] }
    guard var task = tasks[duty.key], task.jobs.contains(job) else {
      // Another worker was faster.
      workerStates.endJob(worker, staysIdle: !isStopped)
      return isStopped ? [] : startJobs()
    }
    let isAlone = task.jobs.count == 1
    if case .failure(let failure) = outcome, failure.crashedDecoder {
      task.deaths += 1
      tasks[duty.key] = task
      if isAlone, duty.representation == .full, task.deaths < ImageScheduler.deathsPerFile, task.isWanted, !isStopped {
        workerStates.assign(WorkerStates.Assignment(key: duty.key, job: job, representation: .full), by: worker)
        return [.start(worker: worker, ImageJob(number: job, request: task.request))]
      }
    }
    var wasStopped = false
    if duty.isInterrupted, case .failure(.interrupted) = outcome { wasStopped = true }
    workerStates.endJob(worker, staysIdle: !isStopped)
    task.jobs.removeAll { $0 == job }
    guard !isStopped else {
      tasks[duty.key] = task.jobs.isEmpty ? nil : task
      return []
    }
    if !isAlone, wasStopped || !outcome.isFinal(of: duty.representation, after: task.deaths) {
      // Another worker goes on with it.
      tasks[duty.key] = task
      return startJobs()
    }
    return updateTask(task, duty, outcome, took, wasStopped: wasStopped) + startJobs()
  }

  /// What becomes of a task of which a worker has done a part, or all.
  private mutating func updateTask(
    _ task: ImageTask, _ duty: WorkerStates.Assignment, _ outcome: ImageOutcome, _ took: FrameDuration, wasStopped: Bool
  ) -> [Effect] {
    var effects = interruptJobs(of: task)
    var task = task
    task.jobs = []
    if wasStopped {
      requeue(task)
    } else if duty.representation == .embedded, !outcome.isStored {
      if case .success = outcome {
        task.preview = .made
        counts.previews += 1
        arrivals.append(.init(key: duty.key, number: task.number, representation: .embedded, outcome: outcome))
        effects.append(.arrived)
      } else {
        task.preview = .absent
      }
      requeue(task)
    } else {
      if outcome.isStored {
        counts.stored += 1
      } else if case .success = outcome {
        counts.decoded += 1
        durations.add(took)
        estimate.recordDecode(fileBytes: task.request.fileBytes, took: took)
      }
      task.state = .ended
      tasks[duty.key] = task
      arrivals.append(.init(key: duty.key, number: task.number, representation: .full, outcome: outcome))
      effects.append(.arrived)
    }
    return effects
  }

  /// A task that is not done waits again, or is let go where nobody wants it.
  private mutating func requeue(_ task: ImageTask) {
    var task = task
    task.state = .waiting
    tasks[task.request.key] = task.isWanted ? task : nil
    if let urgency = task.urgency { waiting.setPriority(urgency, for: task.request.key) }
  }
}

extension ImageOutcome {
  /// Whether this says what there is to say, though another worker tries the same.
  ///
  /// - Parameters:
  ///   - rung: what was tried.
  ///   - deaths: decoding processes that the file has ended, this one among them.
  fileprivate func isFinal(of rung: ImageRepresentation, after deaths: Int) -> Bool {
    guard case .failure(let failure) = self else { return true }
    return rung == .full && (!failure.crashedDecoder || deaths >= ImageScheduler.deathsPerFile)
  }
}
