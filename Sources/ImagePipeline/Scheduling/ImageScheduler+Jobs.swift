import VitrineDataStructures
import VitrineFramePacing

extension ImageScheduler {
  /// Assigns the most urgent tasks to idle workers, and preempts a background job if an image on screen needs its
  /// worker.
  mutating func startJobs() -> [Effect] {
    var effects = takeOverStarvedJobs()
    while arrivals.byteCount < backlogLimit, let next = waiting.first,
      let worker = workerStates.idleWorker(isOnScreen: next.priority.isOnScreen)
    {
      guard let key = waiting.popFirst()?.key, let task = tasks[key] else { break }
      effects.append(startJob(task, representation(for: task), on: worker))
    }
    return effects + preemptBackgroundJob()
  }

  private mutating func startJob(_ task: ImageTask, _ representation: ImageRepresentation, on worker: Int) -> Effect {
    var request = task.request
    request.representation = representation
    let job = makeNumber()
    tasks[request.key]?.state = .running
    tasks[request.key]?.jobs.append(job)
    workerStates.assign(WorkerStates.Assignment(key: request.key, job: job, representation: representation), to: worker)
    return .start(worker: worker, ImageJob(number: job, request: request))
  }

  /// Returns the representation to make first: the embedded preview if the full image would be late.
  private func representation(for task: ImageTask) -> ImageRepresentation {
    guard task.request.mayHavePreview, task.preview == .notAttempted, let deadline = task.requesters.deadline else {
      return .full
    }
    let duration = estimate.duration(fileBytes: task.request.fileBytes)
    let isLate = task.request.stopsAtPreview || now + duration > deadline
    return duration >= ImageScheduler.minimumPreemptibleDuration && isLate ? .embedded : .full
  }

  /// Assigns idle screen workers to images on screen whose processes are starved, unless a more urgent task waits.
  ///
  /// The faster of the two workers delivers the image.
  mutating func takeOverStarvedJobs() -> [Effect] {
    guard !workerStates.isUniform else { return [] }
    var effects: [Effect] = []
    while arrivals.byteCount < backlogLimit, let worker = workerStates.idleWorker(isOnScreen: true),
      let mostUrgentStarvedJob,
      waiting.first.map({ mostUrgentStarvedJob.urgency < $0.priority }) ?? true
    {
      effects.append(startJob(mostUrgentStarvedJob.task, mostUrgentStarvedJob.representation, on: worker))
    }
    return effects
  }

  /// The most urgent image on screen whose only worker is starved; nil if there is none.
  private var mostUrgentStarvedJob: (task: ImageTask, representation: ImageRepresentation, urgency: Urgency)? {
    var first: (task: ImageTask, representation: ImageRepresentation, urgency: Urgency)?
    for (_, assignment) in workerStates.assignments where assignment.isStarved && !assignment.isInterrupted {
      guard let task = tasks[assignment.key], task.jobs == [assignment.job], let urgency = task.urgency,
        urgency.isOnScreen
      else { continue }
      if first.map({ urgency < $0.urgency }) ?? true { first = (task, assignment.representation, urgency) }
    }
    return first
  }

  /// Interrupts a job that is not on screen, if an image on screen waits and no worker makes another one.
  private mutating func preemptBackgroundJob() -> [Effect] {
    guard workerStates.isUniform, arrivals.byteCount < backlogLimit, waiting.first?.priority.band == .missingOnScreen
    else { return [] }
    var victim: (worker: Int, deadline: FrameInstant)?
    for (worker, assignment) in workerStates.assignments {
      guard !assignment.isInterrupted, let task = tasks[assignment.key], let deadline = task.requesters.deadline,
        !deadline.isOnScreen
      else { return [] }
      let isLong = estimate.duration(fileBytes: task.request.fileBytes) >= ImageScheduler.minimumPreemptibleDuration
      guard assignment.representation == .full, isLong, victim.map({ $0.deadline < deadline }) ?? true else { continue }
      victim = (worker, deadline)
    }
    guard let victim else { return [] }
    return interruptWorker(victim.worker)
  }

  private mutating func interruptWorker(_ worker: Int) -> [Effect] {
    guard let assignment = workerStates.assignment(of: worker), workerStates.markInterrupted(worker) else { return [] }
    counts.interrupted += 1
    return [.interrupt(worker: worker, job: assignment.job, assignment.key)]
  }

  /// Interrupts all workers of a task.
  mutating func interruptJobs(of task: ImageTask) -> [Effect] {
    var effects: [Effect] = []
    for (worker, assignment) in workerStates.assignments where task.jobs.contains(assignment.job) {
      effects += interruptWorker(worker)
    }
    return effects
  }

  /// Handles the end of a job.
  mutating func finishJob(
    _ worker: Int, _ job: UInt64, _ outcome: ImageOutcome, _ duration: FrameDuration
  ) -> [Effect] {
    guard let assignment = workerStates.assignment(of: worker), assignment.job == job else { return [] }
    guard var task = tasks[assignment.key], task.jobs.contains(job) else {
      // Another worker was faster.
      workerStates.endJob(worker, staysIdle: !isStopped)
      return isStopped ? [] : startJobs()
    }
    let isAlone = task.jobs.count == 1
    if case .failure(let failure) = outcome, failure.crashedDecoder {
      task.deaths += 1
      tasks[assignment.key] = task
      if isAlone, assignment.representation == .full, task.deaths < ImageScheduler.deathsPerFile, task.isWanted,
        !isStopped
      {
        workerStates.assign(WorkerStates.Assignment(key: assignment.key, job: job, representation: .full), to: worker)
        return [.start(worker: worker, ImageJob(number: job, request: task.request))]
      }
    }
    // An image in the colors of an earlier profile is made again.
    var wasStopped = outcome.isOutdated(by: colorRevision)
    if assignment.isInterrupted, case .failure(.interrupted) = outcome { wasStopped = true }
    workerStates.endJob(worker, staysIdle: !isStopped)
    task.jobs.removeAll { $0 == job }
    guard !isStopped else {
      tasks[assignment.key] = task.jobs.isEmpty ? nil : task
      return []
    }
    if !isAlone, wasStopped || !outcome.isFinal(of: assignment.representation, after: task.deaths) {
      // Another worker continues the task.
      tasks[assignment.key] = task
      return startJobs()
    }
    return updateTask(task, assignment, outcome, duration, wasStopped: wasStopped) + startJobs()
  }

  /// Updates a task after a worker has finished all of it, or its preview.
  private mutating func updateTask(
    _ task: ImageTask, _ assignment: WorkerStates.Assignment, _ outcome: ImageOutcome, _ duration: FrameDuration,
    wasStopped: Bool
  ) -> [Effect] {
    var effects = interruptJobs(of: task)
    var task = task
    task.jobs = []
    if wasStopped {
      requeue(task)
    } else if assignment.representation == .embedded, !outcome.isStored, outcome.openFailure == nil {
      if case .success = outcome {
        task.preview = .made
        counts.previews += 1
        arrivals.append(.init(key: assignment.key, number: task.number, representation: .embedded, outcome: outcome))
        effects.append(.arrived)
      } else {
        task.preview = .absent
      }
      requeue(task)
    } else {
      if outcome.isStored {
        counts.stored += 1
      } else if case .success = outcome, outcome.openFailure == nil {
        counts.decoded += 1
        durations.add(duration)
        estimate.recordDecode(fileBytes: task.request.fileBytes, duration: duration)
      }
      task.state = .ended
      tasks[assignment.key] = task
      arrivals.append(.init(key: assignment.key, number: task.number, representation: .full, outcome: outcome))
      effects.append(.arrived)
    }
    return effects
  }

  /// Removes the results in the colors of an earlier profile, and returns their tasks to the queue.
  mutating func restartOutdatedTasks() -> [Effect] {
    let colorRevision = colorRevision
    for arrival in arrivals.removeAll(where: { $0.outcome.isOutdated(by: colorRevision) }) {
      guard var task = tasks[arrival.key], task.number == arrival.number else { continue }
      if task.state == .ended {
        requeue(task)
      } else {
        // A preview, which may be made again.
        task.preview = .notAttempted
        tasks[arrival.key] = task
        if task.state == .waiting { requeue(task) }
      }
    }
    return startJobs()
  }

  /// Returns an unfinished task to the queue, or removes it if it is not wanted.
  private mutating func requeue(_ task: ImageTask) {
    var task = task
    task.state = .waiting
    tasks[task.request.key] = task.isWanted ? task : nil
    if let urgency = task.urgency { waiting.setPriority(urgency, for: task.request.key) }
  }
}

extension ImageOutcome {
  /// Whether the outcome decides the task even if another worker is still trying.
  ///
  /// - Parameters:
  ///   - representation: The attempted representation.
  ///   - deaths: The number of decoding processes that the file has crashed, including this one.
  fileprivate func isFinal(of representation: ImageRepresentation, after deaths: Int) -> Bool {
    guard case .failure(let failure) = self else { return true }
    return representation == .full && (!failure.crashedDecoder || deaths >= ImageScheduler.deathsPerFile)
  }
}

/// A task assigned to a worker.
public struct ImageJob: Hashable, Sendable {
  /// An increasing number, unique per start of a task, which identifies stale results.
  public let number: UInt64
  /// The image to make, and its representation.
  public let request: ImageRequest

  /// Creates a job.
  public init(number: UInt64, request: ImageRequest) {
    self.number = number
    self.request = request
  }
}
