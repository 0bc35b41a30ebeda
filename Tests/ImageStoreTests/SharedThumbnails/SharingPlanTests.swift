import Testing
import VitrineDataStructures
@testable import VitrineImagePipeline
@testable import VitrineImageStore

@Suite("Sharing plan")
struct SharingPlanTests {
  private func candidate(_ number: Int, _ size: SharedThumbnailSize = .large, hasFailed: Bool = false)
    -> SharingCandidate
  {
    let identity = ImageFileIdentity(
      device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30)
    return SharingCandidate(
      path: Array("/\(number)".utf8),
      version: ImageFile.Version(identity: identity, changedSeconds: 40, changedNanoseconds: 50), size: size,
      hasFailed: hasFailed)
  }

  @Test("The most recent candidate comes first, and each version of a file is shared once per size")
  func order() {
    var plan = SharingPlan()
    func add(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    for number in 1...3 { #expect(add(candidate(number))) }
    #expect(!add(candidate(2)) && add(candidate(2, .normal)) && add(candidate(2, hasFailed: true)))
    var changed = candidate(2)
    changed.version.changedNanoseconds += 1
    #expect(add(changed))
    var order: [SharingCandidate] = []
    while let next = takeNext() {
      order.append(next)
      plan.endCurrent(.done)
    }
    #expect(
      order == [
        changed, candidate(2, hasFailed: true), candidate(2, .normal), candidate(3), candidate(2), candidate(1),
      ])
    #expect(!add(candidate(1)) && !plan.hasWork)
  }

  @Test("A stopped candidate comes next, and a dropped one can be added again")
  func outcomes() {
    var plan = SharingPlan()
    func add(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = add(candidate(1))
    _ = add(candidate(2))
    #expect(takeNext() == candidate(2))
    #expect(!add(candidate(2)))
    plan.endCurrent(.stopped)
    #expect(takeNext() == candidate(2))
    plan.endCurrent(.dropped)
    #expect(add(candidate(2)) && takeNext() == candidate(2))
    plan.endCurrent(.done)
    #expect(!add(candidate(2)) && takeNext() == candidate(1))
  }

  @Test("A candidate that is stopped repeatedly is moved to the end, and finally dropped")
  func repeatedlyStopped() {
    var plan = SharingPlan()
    func add(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = add(candidate(1))
    _ = add(candidate(2))
    // A candidate whose job was not started does not count as attempted.
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
    for _ in (SharingPlan.maximumStopsBeforeDemotion + 1)..<SharingPlan.maximumAttempts {
      #expect(takeNext() == candidate(2))
      plan.endCurrent(.stopped)
    }
    #expect(!plan.hasWork && add(candidate(2)) && plan.delay == .zero)
  }

  @Test("A postponed candidate moves to the end, and the delay doubles until a job succeeds")
  func postponed() {
    var plan = SharingPlan(maximumWaiting: 2)
    func add(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    _ = add(candidate(1))
    _ = add(candidate(2))
    var delays: [Duration] = []
    for number in 0..<8 {
      #expect(takeNext() == candidate(number % 2 == 0 ? 2 : 1))
      plan.endCurrent(.postponed)
      delays.append(plan.delay)
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64].map { Duration.seconds($0) })
    #expect(plan.waitingCount == 2 && !add(candidate(1)))
    #expect(takeNext() == candidate(2))
    plan.endCurrent(.done)
    #expect(plan.delay == .zero && takeNext() == candidate(1))
    // Newer candidates have filled the list, so the postponed one is dropped.
    _ = add(candidate(3))
    _ = add(candidate(4))
    plan.endCurrent(.postponed)
    #expect(plan.waitingCount == 2 && add(candidate(1)))
  }

  @Test("An evicted candidate can be added again")
  func evicted() {
    var plan = SharingPlan(maximumWaiting: 2, maximumDone: 2)
    func add(_ candidate: SharingCandidate) -> Bool { plan.addCandidate(candidate) }
    func takeNext() -> SharingCandidate? { plan.takeNextCandidate() }
    for number in 1...3 { _ = add(candidate(number)) }
    #expect(plan.waitingCount == 2 && plan.knownCount == 2 && add(candidate(1)))
    #expect(takeNext() == candidate(1))
    plan.endCurrent(.done)
    for number in 4...5 {
      _ = add(candidate(number))
      _ = takeNext()
      plan.endCurrent(.done)
    }
    #expect(add(candidate(1)))
    plan.dropWaiting()
    #expect(!plan.hasWork && takeNext() == nil)
  }

  @Test("With random events the plan is bounded, and no candidate waits twice", arguments: 0..<20)
  func randomEvents(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var plan = SharingPlan(maximumWaiting: 5, maximumDone: 7)
    var waiting: [SharingCandidate] = []
    var attempts: [SharingCandidate: Int] = [:]
    for _ in 0..<2_000 {
      if let current = plan.current {
        let outcomes = [SharingPlan.Outcome.done, .notStarted, .stopped, .postponed, .dropped]
        let outcome = outcomes.randomElement(using: &random) ?? .done
        attempts[current, default: 0] += outcome == .stopped || outcome == .postponed ? 1 : 0
        let count = attempts[current, default: 0]
        if outcome == .notStarted || (outcome == .stopped && count < 3) {
          waiting.append(current)
        } else if outcome == .stopped || outcome == .postponed, count < 6, waiting.count < 5 {
          waiting.insert(current, at: 0)
        }
        waiting = waiting.suffix(5)
        plan.endCurrent(outcome)
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
      attempts = attempts.filter { waiting.contains($0.key) || plan.current == $0.key }
      #expect(plan.waitingCount == waiting.count && plan.knownCount <= 5 + 7 + 1)
    }
  }
}
