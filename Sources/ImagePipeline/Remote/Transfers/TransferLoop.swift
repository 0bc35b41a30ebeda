import DataStructures
import FramePacing

/// Carries out what the scheduler decides, on the thread of the transfers.
final class TransferLoop {
  private let configuration: RemoteConfiguration
  private let letters: TransferLetters
  private let curl: CurlTransfers
  private let store: BodyStore
  private var scheduler: TransferScheduler
  private var completions: [ImageTicket: TransferLetters.Completion] = [:]
  private var intakes: [UInt64: TransferIntake] = [:]
  /// What the scheduler wants done and was not done yet, in the order in which it has decided it.
  private var pending = Deque<TransferScheduler.Effect>()
  private var isCarryingOut = false
  /// Tries that ended before they began, or could not go on.
  private var stillborn: [(number: UInt64, failure: RemoteFailure)] = []

  /// Makes a loop with nothing to do.
  init(_ configuration: RemoteConfiguration, letters: TransferLetters, curl: CurlTransfers) {
    self.configuration = configuration
    self.letters = letters
    self.curl = curl
    let largest = max(configuration.picture.mostBytes, configuration.manifest.mostBytes)
    // A folder that cannot be had is no reason to show nothing. Room for two at least: one that is read, one that comes.
    let disk = configuration.folder.flatMap {
      try? DiskBodyStore(
        path: $0, byteLimit: max(configuration.diskBytes, largest * 2), seed: configuration.seed,
        now: BodyCalls.wallSeconds())
    }
    store = BodyStore(disk: disk, memory: MemoryBodyStore(byteLimit: max(configuration.memoryBytes, largest * 2)))
    scheduler = TransferScheduler(configuration.transfers, seed: configuration.seed)
  }

  /// Runs until the letters are closed.
  func run() {
    while true {
      let (wishes, areLast) = letters.take()
      for wish in wishes { take(wish) }
      if areLast { break }
      // Ends first: what has ended gives way to nothing, and makes room.
      for (number, failure) in curl.perform() { end(number, failure) }
      endStillborn()
      for number in intakes.keys.sorted() {
        // Nobody would ever give it room.
        guard scheduler.isRunning(number) else {
          leave(number)
          continue
        }
        if let progress = intakes[number]?.takeProgress() { tell(.arriving(number, progress)) }
      }
      endStillborn()
      let now = MonotonicClock.now()
      guard let tick = scheduler.nextTick else {
        curl.wait(atMost: nil)
        continue
      }
      if tick > now { curl.wait(atMost: tick - now) }
      tell(.tick)
    }
    for number in intakes.keys.sorted() { leave(number) }
    for ticket in completions.keys.sorted(by: { $0.number < $1.number }) { answer([ticket], .failure(.shutDown)) }
  }

  private func take(_ wish: TransferLetters.Letter) {
    switch wish {
    case .updateDeadline(let ticket, let deadline): tell(.updateDeadline(ticket, deadline))
    case .cancel(let ticket):
      completions[ticket] = nil
      tell(.cancel(ticket))
    case .fetch(let request, let ticket, let deadline, let completion):
      completions[ticket] = completion
      let now = BodyCalls.wallSeconds()
      let body = store.find(request, now: now)
      let trust = request.kind == .picture ? configuration.trustSeconds : 0
      if let body, body.isFresh(now: now, trust: trust) { return answer([ticket], .success(body.content)) }
      tell(.request(request, ticket, deadline: deadline, validator: body?.validator ?? RemoteValidator()))
    }
  }

  private func end(_ number: UInt64, _ failure: RemoteFailure?) {
    guard let intake = intakes[number] else { return }
    tell(.ended(number, intake.ending(failure), atPublicServer: intake.isAtPublicServer))
    leave(number)
  }

  private func endStillborn() {
    while let (number, failure) = stillborn.popLast() { end(number, failure) }
  }

  private func leave(_ number: UInt64) {
    curl.stop(number)
    intakes.removeValue(forKey: number)?.discard()
  }

  private func tell(_ event: TransferScheduler.Event) {
    for effect in scheduler.handle(event, at: MonotonicClock.now()) { pending.append(effect) }
    // What is told while an effect is carried out is decided after all that is pending: it is done after that too.
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while let effect = pending.popFirst() { carryOut(effect) }
    isCarryingOut = false
  }

  private func carryOut(_ effect: TransferScheduler.Effect) {
    switch effect {
    case .start(let order): start(order)
    case .grant(let number, let bytes): grant(number, bytes)
    case .stop(let number): leave(number)
    case .succeed(let tickets, let request, let number): succeed(tickets, request, number)
    case .fail(let tickets, let request, let failure): fail(tickets, request, failure)
    }
  }

  private func start(_ order: TransferOrder) {
    let intake = TransferIntake(order, store: store)
    intakes[order.number] = intake
    do throws(RemoteFailure) {
      try curl.start(intake)
    } catch {
      stillborn.append((order.number, error))
      curl.wake()
    }
  }

  private func grant(_ number: UInt64, _ bytes: Int) {
    guard let intake = intakes[number], intake.grant(bytes) else { return }
    do throws(RemoteFailure) {
      try curl.resume(number)
    } catch {
      stillborn.append((number, error))
    }
    // What has come of it is to be looked at before anything is waited for.
    curl.wake()
  }

  private func succeed(_ tickets: [ImageTicket], _ request: RemoteRequest, _ number: UInt64) {
    let now = BodyCalls.wallSeconds()
    guard let intake = intakes[number] else { return answer(tickets, .failure(.nonsense)) }
    if intake.head.status == 304 {
      store.confirm(request, now: now)
      if let body = store.find(request, now: now) {
        return answer(tickets, .success(body.content.told(byPublicServer: intake.isAtPublicServer)))
      }
      // It has left meanwhile, for others or by another instance's hand: then all of it is wanted.
      for ticket in tickets {
        tell(.request(request, ticket, deadline: .onScreen, validator: RemoteValidator()))
      }
      return
    }
    guard let file = intake.takeFile() else { return answer(tickets, .failure(.nonsense)) }
    do throws(RemoteFailure) {
      let content = try store.keep(
        file, for: request, intake.head.validator, isPublic: intake.isAtPublicServer, now: now)
      answer(tickets, .success(content))
    } catch {
      answer(tickets, .failure(error))
    }
  }

  /// What is here is shown where it cannot be asked for anew, as long as the server does not say otherwise.
  private func fail(_ tickets: [ImageTicket], _ request: RemoteRequest, _ failure: RemoteFailure) {
    let body = failure.isPassing ? store.find(request, now: BodyCalls.wallSeconds()) : nil
    answer(tickets, body.map { .success($0.content) } ?? .failure(failure))
  }

  private func answer(_ tickets: [ImageTicket], _ result: Result<RemoteContent, RemoteFailure>) {
    for ticket in tickets { completions.removeValue(forKey: ticket)?(result) }
  }
}
