import DataStructures
import FramePacing

/// Carries out what the scheduler decides, on the thread of the transfers.
final class TransferLoop {
  private let configuration: RemoteConfiguration
  private let mailbox: TransferMailbox
  private let curl: CurlTransfers
  private let store: DownloadStore
  private var scheduler: TransferScheduler
  private var completions: [ImageTicket: TransferMailbox.Completion] = [:]
  private var receivers: [UInt64: TransferReceiver] = [:]
  /// What the scheduler wants done and was not done yet, in the order in which it has decided it.
  private var pending = Deque<TransferScheduler.Effect>()
  private var isPerforming = false
  /// Tries that ended before they began, or could not go on.
  private var failedStarts: [(number: UInt64, failure: RemoteFailure)] = []

  /// Makes a loop with nothing to do.
  init(_ configuration: RemoteConfiguration, letters: TransferMailbox, curl: CurlTransfers) {
    self.configuration = configuration
    self.mailbox = letters
    self.curl = curl
    let largest = max(configuration.picture.maximumBytes, configuration.manifest.maximumBytes)
    // A folder that cannot be had is no reason to show nothing. Room for two at least: one that is read, one that comes.
    let disk = configuration.folder.flatMap {
      try? DiskDownloadStore(
        path: $0, byteLimit: max(configuration.diskBytes, largest * 2), seed: configuration.seed,
        now: DownloadFileSystem.wallSeconds())
    }
    store = DownloadStore(
      disk: disk, memory: MemoryDownloadStore(byteLimit: max(configuration.memoryBytes, largest * 2)))
    scheduler = TransferScheduler(configuration.transferSettings, seed: configuration.seed)
  }

  /// Runs until the letters are closed.
  func run() {
    while true {
      let (wishes, areLast) = mailbox.takeMessages()
      for wish in wishes { handleMessage(wish) }
      if areLast { break }
      // Ends first: what has ended gives way to nothing, and makes room.
      for (number, failure) in curl.perform() { endAttempt(number, failure) }
      endFailedStarts()
      for number in receivers.keys.sorted() {
        // Nobody would ever give it room.
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

  private func handleMessage(_ wish: TransferMailbox.Message) {
    switch wish {
    case .updateDeadline(let ticket, let deadline): handleEvent(.updateDeadline(ticket, deadline))
    case .cancel(let ticket):
      completions[ticket] = nil
      handleEvent(.cancel(ticket))
    case .fetch(let request, let ticket, let deadline, let completion):
      completions[ticket] = completion
      let now = DownloadFileSystem.wallSeconds()
      let body = store.find(request, now: now)
      let trust = request.kind == .picture ? configuration.freshnessSeconds : 0
      if let body, body.isFresh(now: now, trust: trust) { return callCompletions([ticket], .success(body.content)) }
      handleEvent(.request(request, ticket, deadline: deadline, validator: body?.validator ?? RemoteValidator()))
    }
  }

  private func endAttempt(_ number: UInt64, _ failure: RemoteFailure?) {
    guard let intake = receivers[number] else { return }
    handleEvent(.ended(number, intake.outcome(failure), atPublicServer: intake.isAtPublicServer))
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
    // What is told while an effect is carried out is decided after all that is pending: it is done after that too.
    guard !isPerforming else { return }
    isPerforming = true
    while let effect = pending.popFirst() { perform(effect) }
    isPerforming = false
  }

  private func perform(_ effect: TransferScheduler.Effect) {
    switch effect {
    case .start(let order): startAttempt(order)
    case .grant(let number, let bytes): grantBytes(number, bytes)
    case .stop(let number): discardAttempt(number)
    case .succeed(let tickets, let request, let number): handleSuccess(tickets, request, number)
    case .fail(let tickets, let request, let failure): handleFailure(tickets, request, failure)
    }
  }

  private func startAttempt(_ order: TransferAttempt) {
    let intake = TransferReceiver(order, store: store)
    receivers[order.number] = intake
    do throws(RemoteFailure) {
      try curl.start(intake)
    } catch {
      failedStarts.append((order.number, error))
      curl.wake()
    }
  }

  private func grantBytes(_ number: UInt64, _ bytes: Int) {
    guard let intake = receivers[number], intake.grantBytes(bytes) else { return }
    do throws(RemoteFailure) {
      try curl.resume(number)
    } catch {
      failedStarts.append((number, error))
    }
    // What has come of it is to be looked at before anything is waited for.
    curl.wake()
  }

  private func handleSuccess(_ tickets: [ImageTicket], _ request: RemoteRequest, _ number: UInt64) {
    let now = DownloadFileSystem.wallSeconds()
    guard let intake = receivers[number] else { return callCompletions(tickets, .failure(.malformedResponse)) }
    if intake.head.status == 304 {
      store.markValidated(request, now: now)
      if let body = store.find(request, now: now) {
        return callCompletions(tickets, .success(body.content.markedPublic(byPublicServer: intake.isAtPublicServer)))
      }
      // It has left meanwhile, for others or by another instance's hand: then all of it is wanted.
      for ticket in tickets {
        handleEvent(.request(request, ticket, deadline: .onScreen, validator: RemoteValidator()))
      }
      return
    }
    guard let file = intake.takeFile() else { return callCompletions(tickets, .failure(.malformedResponse)) }
    do throws(RemoteFailure) {
      let content = try store.commit(
        file, for: request, intake.head.validator, isPublic: intake.isAtPublicServer, now: now)
      callCompletions(tickets, .success(content))
    } catch {
      callCompletions(tickets, .failure(error))
    }
  }

  /// What is here is shown where it cannot be asked for anew, as long as the server does not say otherwise.
  private func handleFailure(_ tickets: [ImageTicket], _ request: RemoteRequest, _ failure: RemoteFailure) {
    let body = failure.isTransient ? store.find(request, now: DownloadFileSystem.wallSeconds()) : nil
    callCompletions(tickets, body.map { .success($0.content) } ?? .failure(failure))
  }

  private func callCompletions(_ tickets: [ImageTicket], _ result: Result<RemoteContent, RemoteFailure>) {
    for ticket in tickets { completions.removeValue(forKey: ticket)?(result) }
  }
}
