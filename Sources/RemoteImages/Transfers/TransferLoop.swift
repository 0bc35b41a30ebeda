import VitrineDataStructures
import VitrineFramePacing
import VitrineImagePipeline
import VitrineThreads

/// The run loop of the transfers' thread, which performs the scheduler's effects.
final class TransferLoop {
  private let configuration: RemoteConfiguration
  private let mailbox: Mailbox<TransferMessage>
  private let curl: CurlTransfers
  private let store: DownloadStore
  private var scheduler: TransferScheduler
  private var completions: [ImageTicket: TransferMessage.Completion] = [:]
  private var receivers: [UInt64: TransferReceiver] = [:]
  /// The effects to perform, in order.
  private var pending = Deque<TransferScheduler.Effect>()
  private var isPerforming = false
  /// Attempts that failed to start or resume.
  private var failedStarts: [(number: UInt64, failure: RemoteFailure)] = []

  /// Creates a loop without transfers.
  init(_ configuration: RemoteConfiguration, mailbox: Mailbox<TransferMessage>, curl: CurlTransfers) {
    self.configuration = configuration
    self.mailbox = mailbox
    self.curl = curl
    let largest = max(configuration.picture.maximumBytes, configuration.manifest.maximumBytes)
    // An unusable folder is not an error. The limit is at least two downloads: one that is in use and one that arrives.
    let disk = configuration.folder.flatMap {
      try? DiskDownloadStore(
        path: $0, byteLimit: max(configuration.diskBytes, largest * 2), seed: configuration.seed,
        now: DownloadFileSystem.wallSeconds())
    }
    store = DownloadStore(
      disk: disk, memory: MemoryDownloadStore(byteLimit: max(configuration.memoryBytes, largest * 2)))
    scheduler = TransferScheduler(configuration.transferSettings, seed: configuration.seed)
  }

  /// Runs until the mailbox is closed.
  func run() {
    while true {
      let (messages, isClosed) = mailbox.takeMessages()
      for message in messages { handleMessage(message) }
      if isClosed { break }
      // Ended attempts come first: they must not be preempted, and they release memory.
      for (number, failure) in curl.perform() { endAttempt(number, failure) }
      endFailedStarts()
      for number in receivers.keys.sorted() {
        // The scheduler would never grant it memory.
        guard scheduler.isRunning(number) else {
          discardAttempt(number)
          continue
        }
        if let progress = receivers[number]?.takeProgress() { handleEvent(.progressed(number, progress)) }
      }
      endFailedStarts()
      let now = MonotonicClock.now()
      guard let tick = scheduler.nextTick else {
        curl.wait(atMost: nil)
        continue
      }
      if tick > now { curl.wait(atMost: tick - now) }
      handleEvent(.tick)
    }
    for number in receivers.keys.sorted() { discardAttempt(number) }
    for ticket in completions.keys.sorted(by: { $0.number < $1.number }) {
      callCompletions([ticket], .failure(.shutDown))
    }
  }

  private func handleMessage(_ message: TransferMessage) {
    switch message {
    case .updateDeadline(let ticket, let deadline): handleEvent(.updateDeadline(ticket, deadline))
    case .endPauses: handleEvent(.endPauses)
    case .cancel(let ticket):
      completions[ticket] = nil
      handleEvent(.cancel(ticket))
    case .fetch(let request, let ticket, let deadline, let completion):
      completions[ticket] = completion
      let now = DownloadFileSystem.wallSeconds()
      let stored = store.find(request, now: now)
      let maximumAge = request.kind == .picture ? configuration.freshnessSeconds : 0
      if let stored, stored.isFresh(now: now, maximumAge: maximumAge) {
        return callCompletions([ticket], .success(stored.content))
      }
      handleEvent(.request(request, ticket, deadline: deadline, validator: stored?.validator ?? RemoteValidator()))
    }
  }

  private func endAttempt(_ number: UInt64, _ failure: RemoteFailure?) {
    guard let receiver = receivers[number] else { return }
    handleEvent(.ended(number, receiver.outcome(failure), isAtPublicServer: receiver.isAtPublicServer))
    discardAttempt(number)
  }

  private func endFailedStarts() {
    while let (number, failure) = failedStarts.popLast() { endAttempt(number, failure) }
  }

  private func discardAttempt(_ number: UInt64) {
    curl.stop(number)
    receivers.removeValue(forKey: number)?.discardFile()
  }

  private func handleEvent(_ event: TransferScheduler.Event) {
    for effect in scheduler.handle(event, at: MonotonicClock.now()) { pending.append(effect) }
    // Events that occur while an effect is performed are handled after all pending effects.
    guard !isPerforming else { return }
    isPerforming = true
    while let effect = pending.popFirst() { perform(effect) }
    isPerforming = false
  }

  private func perform(_ effect: TransferScheduler.Effect) {
    switch effect {
    case .start(let attempt): startAttempt(attempt)
    case .grant(let number, let bytes): grantBytes(number, bytes)
    case .stop(let number): discardAttempt(number)
    case .succeed(let tickets, let request, let number): handleSuccess(tickets, request, number)
    case .fail(let tickets, let request, let failure): handleFailure(tickets, request, failure)
    }
  }

  private func startAttempt(_ attempt: TransferAttempt) {
    let receiver = TransferReceiver(attempt, store: store)
    receivers[attempt.number] = receiver
    do throws(RemoteFailure) {
      try curl.start(receiver)
    } catch {
      failedStarts.append((attempt.number, error))
      curl.wake()
    }
  }

  private func grantBytes(_ number: UInt64, _ bytes: Int) {
    guard let receiver = receivers[number], receiver.grantBytes(bytes) else { return }
    do throws(RemoteFailure) {
      try curl.resume(number)
    } catch {
      failedStarts.append((number, error))
    }
    // Handle the result before waiting.
    curl.wake()
  }

  private func handleSuccess(_ tickets: [ImageTicket], _ request: RemoteRequest, _ number: UInt64) {
    let now = DownloadFileSystem.wallSeconds()
    guard let receiver = receivers[number] else { return callCompletions(tickets, .failure(.malformedResponse)) }
    if receiver.head.status == 304 {
      store.markValidated(request, now: now)
      if let stored = store.find(request, now: now) {
        return callCompletions(
          tickets, .success(stored.content.markedPublic(byPublicServer: receiver.isAtPublicServer)))
      }
      // The stored download was evicted in the meantime, possibly by another instance. Download it again.
      for ticket in tickets {
        handleEvent(.request(request, ticket, deadline: .onScreen, validator: RemoteValidator()))
      }
      return
    }
    guard let file = receiver.takeFile() else { return callCompletions(tickets, .failure(.malformedResponse)) }
    do throws(RemoteFailure) {
      let content = try store.commit(
        file, for: request, receiver.head.validator, isPublic: receiver.isAtPublicServer, now: now)
      callCompletions(tickets, .success(content))
    } catch {
      callCompletions(tickets, .failure(error))
    }
  }

  /// If the failure is transient, the stored download is used without revalidation.
  private func handleFailure(_ tickets: [ImageTicket], _ request: RemoteRequest, _ failure: RemoteFailure) {
    let stored = failure.isTransient ? store.find(request, now: DownloadFileSystem.wallSeconds()) : nil
    callCompletions(tickets, stored.map { .success($0.content) } ?? .failure(failure))
  }

  private func callCompletions(_ tickets: [ImageTicket], _ result: Result<RemoteContent, RemoteFailure>) {
    for ticket in tickets { completions.removeValue(forKey: ticket)?(result) }
  }
}
