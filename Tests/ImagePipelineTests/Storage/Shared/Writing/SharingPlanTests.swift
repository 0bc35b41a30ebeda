import DataStructures
import Testing

@testable import ImagePipeline

@Suite("What is shared next")
struct SharingPlanTests {
  private func candidate(_ number: Int, _ size: SharedThumbnailSize = .large, hasFailed: Bool = false)
    -> SharingCandidate
  {
    let identity = FileIdentity(
      device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30)
    return SharingCandidate(
      path: Array("/\(number)".utf8),
      version: PictureFile.Version(identity: identity, changedSeconds: 40, changedNanoseconds: 50), size: size,
      hasFailed: hasFailed)
  }

  @Test("The last one seen goes first, and each version of a file once a size")
  func order() {
    var plan = SharingPlan()
    func note(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    for number in 1...3 { #expect(note(candidate(number))) }
    #expect(!note(candidate(2)) && note(candidate(2, .normal)) && note(candidate(2, hasFailed: true)))
    var changed = candidate(2)
    changed.version.changedNanoseconds += 1
    #expect(note(changed))
    var order: [SharingCandidate] = []
    while let next = takeNext() {
      order.append(next)
      plan.endCurrent(.done)
    }
    #expect(
      order == [
        changed, candidate(2, hasFailed: true), candidate(2, .normal), candidate(3), candidate(2), candidate(1),
      ])
    #expect(!note(candidate(1)) && !plan.hasWork)
  }

  @Test("What was stopped is next, what is not for now is as if it had never been seen")
  func endings() {
    var plan = SharingPlan()
    func note(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = note(candidate(1))
    _ = note(candidate(2))
    #expect(takeNext() == candidate(2))
    #expect(!note(candidate(2)))
    plan.endCurrent(.stopped)
    #expect(takeNext() == candidate(2))
    plan.endCurrent(.dropped)
    #expect(note(candidate(2)) && takeNext() == candidate(2))
    plan.endCurrent(.done)
    #expect(!note(candidate(2)) && takeNext() == candidate(1))
  }

  @Test("What is stopped again and again makes way for others, and is forgotten in the end")
  func stoppedAgain() {
    var plan = SharingPlan()
    func note(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = note(candidate(1))
    _ = note(candidate(2))
    // What was not begun was not tried.
    for _ in 0..<20 {
      #expect(takeNext() == candidate(2))
      plan.endCurrent(.notStarted)
    }
    for _ in 0...SharingPlan.maximumStopsBeforeDemotion {
      #expect(takeNext() == candidate(2))
      plan.endCurrent(.stopped)
    }
    #expect(takeNext() == candidate(1))
    plan.endCurrent(.done)
    for _ in (SharingPlan.maximumStopsBeforeDemotion + 1)..<SharingPlan.maximumTries {
      #expect(takeNext() == candidate(2))
      plan.endCurrent(.stopped)
    }
    #expect(!plan.hasWork && note(candidate(2)) && plan.delay == .zero)
  }

  @Test("What is postponed stays, as the last, and the delay doubles until something succeeds")
  func postponed() {
    var plan = SharingPlan(mostWaiting: 2)
    func note(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = note(candidate(1))
    _ = note(candidate(2))
    var delays: [Duration] = []
    for number in 0..<8 {
      #expect(takeNext() == candidate(number % 2 == 0 ? 2 : 1))
      plan.endCurrent(.postponed)
      delays.append(plan.delay)
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64].map { Duration.seconds($0) })
    #expect(plan.waitingCount == 2 && !note(candidate(1)))
    #expect(takeNext() == candidate(2))
    plan.endCurrent(.done)
    #expect(plan.delay == .zero && takeNext() == candidate(1))
    // Where others have come meanwhile there is no room at the end.
    _ = note(candidate(3))
    _ = note(candidate(4))
    plan.endCurrent(.postponed)
    #expect(plan.waitingCount == 2 && note(candidate(1)))
  }

  @Test("What is pushed out is no more known than if it had never been seen")
  func pushedOut() {
    var plan = SharingPlan(mostWaiting: 2, mostSettled: 2)
    func note(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    for number in 1...3 { _ = note(candidate(number)) }
    #expect(plan.waitingCount == 2 && plan.knownCount == 2 && note(candidate(1)))
    #expect(takeNext() == candidate(1))
    plan.endCurrent(.done)
    for number in 4...5 {
      _ = note(candidate(number))
      _ = takeNext()
      plan.endCurrent(.done)
    }
    #expect(note(candidate(1)))
    plan.dropWaiting()
    #expect(!plan.hasWork && takeNext() == nil)
  }

  @Test("Whatever happens, what it holds is bounded, and nothing waits twice", arguments: 0..<20)
  func anything(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var plan = SharingPlan(mostWaiting: 5, mostSettled: 7)
    var waiting: [SharingCandidate] = []
    var tries: [SharingCandidate: Int] = [:]
    for _ in 0..<2_000 {
      if let current = plan.current {
        let endings = [SharingPlan.Outcome.done, .notStarted, .stopped, .postponed, .dropped]
        let ending = endings.randomElement(using: &random) ?? .done
        tries[current, default: 0] += ending == .stopped || ending == .postponed ? 1 : 0
        let count = tries[current, default: 0]
        if ending == .notStarted || (ending == .stopped && count < 3) {
          waiting.append(current)
        } else if ending == .stopped || ending == .postponed, count < 6, waiting.count < 5 {
          waiting.insert(current, at: 0)
        }
        waiting = waiting.suffix(5)
        plan.endCurrent(ending)
      } else if Bool.random(using: &random), plan.hasWork {
        let expected = waiting.popLast()
        let next = plan.takeNextCandidate()
        #expect(next == expected)
      }
      let next = candidate(Int.random(in: 0..<30, using: &random))
      let isNew = plan.addCandidate(next)
      #expect(!isNew || (!waiting.contains(next) && plan.current != next))
      if isNew { waiting.append(next) }
      waiting = waiting.suffix(5)
      tries = tries.filter { waiting.contains($0.key) || plan.current == $0.key }
      #expect(plan.waitingCount == waiting.count && plan.knownCount <= 5 + 7 + 1)
    }
  }
}
