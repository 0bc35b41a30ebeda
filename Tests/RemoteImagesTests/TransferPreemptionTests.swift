import Testing
import VitrineFramePacing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Preemption of transfers")
struct TransferPreemptionTests {
  private var harness = TransferSchedulerHarness()

  private var running: [RemoteURL] { harness.running.map(\.url) }

  @Test("A request on screen preempts the transfer with the latest deadline, which is restarted")
  mutating func preempts() {
    for number in 0..<6 { harness.fetch(remoteURL(1, "\(number)"), by: Double(100 + number)) }
    harness.fetch(remoteURL(1, "seen"), by: -1)
    #expect(harness.preempted.map(\.url) == [remoteURL(1, "5")])
    #expect(running == (0..<5).map { remoteURL(1, "\($0)") } + [remoteURL(1, "seen")])
    harness.end(.complete)
    #expect(running.last == remoteURL(1, "5"), "no other request waits")
    while !harness.running.isEmpty { harness.end(.complete) }
    #expect(harness.completions.count == 7 && harness.completions.values.allSatisfy { $0 == .success })
  }

  @Test("A waiting request that moves on screen preempts a transfer too")
  mutating func deadlineChanges() {
    for number in 0..<6 { harness.fetch(remoteURL(1, "\(number)"), by: 100) }
    let late = harness.fetch(remoteURL(1, "late"), by: 500)
    #expect(harness.preempted.isEmpty)
    harness.updateDeadline(of: late, to: -1)
    #expect(harness.preempted.count == 1 && running.last == remoteURL(1, "late"))
  }

  @Test("Transfers on screen are not preempted, and requests off screen preempt none")
  mutating func onScreenOnly() {
    for number in 0..<6 { harness.fetch(remoteURL(1, "\(number)"), by: -1) }
    harness.fetch(remoteURL(1, "a"), by: -1)
    #expect(harness.preempted.isEmpty)
    for number in 0..<6 { harness.fetch(remoteURL(2, "\(number)"), by: 500) }
    harness.fetch(remoteURL(2, "b"), by: 1)
    #expect(harness.preempted.isEmpty)
  }

  @Test("A transfer of another server is preempted only if all connections are in use")
  mutating func servers() {
    for number in 0..<6 { harness.fetch(remoteURL(1, "\(number)"), by: -1) }
    harness.fetch(remoteURL(2, "0"), by: 100)
    harness.fetch(remoteURL(1, "6"), by: -1)
    #expect(harness.preempted.isEmpty, "it would not help")
    var settings = TransferSettings()
    settings.connections = 3
    harness = TransferSchedulerHarness(settings)
    for number in 0..<3 { harness.fetch(remoteURL(number, "a"), by: 100) }
    harness.fetch(remoteURL(7, "b"), by: -1)
    #expect(harness.preempted.map(\.url) == [remoteURL(2, "a")] && running.last == remoteURL(7, "b"))
  }

  @Test("A transfer that is almost complete is not preempted")
  mutating func nearEnd() {
    var settings = TransferSettings()
    settings.connectionsPerHost = 2
    harness = TransferSchedulerHarness(settings)
    harness.fetch(remoteURL(1, "0"), by: 100)
    harness.fetch(remoteURL(1, "1"), by: 200)
    harness.receiveBytes(200_000, of: 260_000, at: 1)
    harness.fetch(remoteURL(1, "a"), by: -1)
    #expect(harness.preempted.map(\.url) == [remoteURL(1, "0")])
    harness.fetch(remoteURL(1, "b"), by: -1)
    #expect(harness.preempted.count == 1 && running.contains(remoteURL(1, "1")))
  }

  @Test("A preempted transfer restarts with all of its time and attempts")
  mutating func restarts() throws {
    var settings = TransferSettings()
    settings.connectionsPerHost = 1
    settings.maximumAttempts = 1
    harness = TransferSchedulerHarness(settings)
    let ticket = harness.fetch(remoteURL(1, "a"), by: 100)
    harness.advance(milliseconds: 9_000)
    harness.fetch(remoteURL(1, "seen"), by: -1)
    harness.advance(milliseconds: 5_000)
    #expect(harness.completions.isEmpty)
    harness.end(.complete)
    #expect(running == [remoteURL(1, "a")])
    harness.advance(milliseconds: 9_999)
    #expect(harness.completions[ticket] == nil)
    harness.advance(milliseconds: 1)
    #expect(harness.completions[ticket] == .failure(.timedOut))
  }

  @Test("The timeout is paused while a transfer waits for memory, and no transfer starts behind it")
  mutating func waitsForMemory() throws {
    var settings = TransferSettings()
    settings.picture.maximumBytes = 1_000
    settings.manifest.maximumBytes = 1_000
    settings.inFlightBytes = 1_000
    settings.allowanceStep = 500
    harness = TransferSchedulerHarness(settings)
    harness.fetch(remoteURL(1, "a"), by: 100)
    let ticket = harness.fetch(remoteURL(2, "b"), by: 200)
    harness.receiveBytes(400, of: 1_000)
    harness.receiveBytes(100, of: 800, at: 1)
    try #require(harness.progress[harness.running[1].number]?.isPaused == true)
    harness.fetch(remoteURL(3, "c"), by: 300)
    #expect(harness.running.count == 2, "a transfer that would wait for memory is not started")
    harness.advance(milliseconds: 9_000)
    harness.end(.complete)
    #expect(harness.progress[harness.running[0].number]?.isPaused == false)
    harness.advance(milliseconds: 9_999)
    #expect(harness.completions[ticket] == nil, "the clock continues where it was paused")
    harness.advance(milliseconds: 1)
    #expect(harness.completions[ticket] == .failure(.timedOut))
  }

  /// Returns settings with a memory of four steps and images as large as all of it.
  private func limitedMemory(step: Int, connectionsPerHost: Int) -> TransferSettings {
    var settings = TransferSettings()
    settings.picture.maximumBytes = step * 4
    settings.manifest.maximumBytes = step * 4
    settings.inFlightBytes = step * 4
    settings.allowanceStep = step
    settings.connectionsPerHost = connectionsPerHost
    return settings
  }

  @Test("The memory of a preempted transfer is immediately granted to waiting ones")
  mutating func sharesMemory() throws {
    harness = TransferSchedulerHarness(limitedMemory(step: 250_000, connectionsPerHost: 1))
    harness.fetch(remoteURL(1, "a"), by: 100)
    harness.fetch(remoteURL(2, "b"), by: 200)
    harness.receiveBytes(240_000, of: 1_000_000)
    harness.receiveBytes(300_000, of: 300_000, at: 1)
    let waiting = harness.running[1].number
    try #require(harness.progress[waiting]?.isPaused == true)
    harness.fetch(remoteURL(1, "seen"), by: -1)
    #expect(harness.preempted.map(\.url) == [remoteURL(1, "a")])
    #expect(harness.progress[waiting]?.isPaused == false && harness.allowances[waiting] == 300_000)
  }

  @Test("A transfer that can be requested again is preempted rather than one of a paused server")
  mutating func keepsPausedServers() throws {
    harness = TransferSchedulerHarness(limitedMemory(step: 250, connectionsPerHost: 6))
    harness.fetch(remoteURL(1, "first"), by: 100)
    let last = harness.fetch(remoteURL(2, "last"), by: 300)
    harness.fetch(remoteURL(3, "other"), by: 200)
    let busy = harness.fetch(remoteURL(2, "busy"), by: 400)
    harness.end(response(503, retry: 60), at: 3)
    try #require(harness.completions[busy] == .failure(.busy(retrySeconds: 60)))
    harness.receiveBytes(250, of: 1_000)
    harness.receiveBytes(600, of: 1_000)
    #expect(harness.preempted.map(\.url) == [remoteURL(3, "other")] && harness.completions[last] == nil)
    #expect(harness.running.contains { $0.url == remoteURL(2, "last") })
  }

  private func response(_ status: Int, retry: Int) -> TransferOutcome {
    .responded(status: status, location: nil, retrySeconds: retry)
  }

  @Test("With random events no transfer on screen or almost complete is preempted", arguments: TestScale.seeds(0..<12))
  func randomEvents(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    settings.connections = 5
    settings.connectionsPerHost = 2
    var harness = TransferSchedulerHarness(settings, seed: UInt64(seed))
    for step in 0..<600 {
      let before = harness.preempted.count
      let known = harness.progress
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let deadline = random.chance(oneIn: 3) ? -1 : Double.random(in: 0...90, using: &random)
        harness.fetch(remoteURL(step % 4, "\(step)"), by: deadline)
      case 4:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.updateDeadline(of: ticket, to: random.chance(oneIn: 2) ? -1 : 50)
        }
      case 5..<8:
        guard !harness.running.isEmpty else { continue }
        let index = Int.random(in: 0..<harness.running.count, using: &random)
        harness.receiveBytes(
          Int.random(in: 1...300_000, using: &random), of: 400_000,
          isLengthKnown: harness.running[index].number.isMultiple(of: 2), at: index)
      default:
        guard !harness.running.isEmpty else { continue }
        harness.end(.complete, at: Int.random(in: 0..<harness.running.count, using: &random))
      }
      let deadlines = harness.deadlines
      func isOnScreen(_ request: RemoteRequest) -> Bool { deadlines[request]?.isOnScreen ?? false }
      for attempt in harness.preempted[before...] {
        #expect(!isOnScreen(attempt.request) && !(known[attempt.number]?.isAlmostComplete ?? false))
        #expect(harness.running.last.map { isOnScreen($0.request) } == true)
      }
      // No request on screen waits while a transfer of its server could be preempted.
      let yielding = harness.running.filter {
        !isOnScreen($0.request) && !(harness.progress[$0.number]?.isAlmostComplete ?? false)
      }
      let running = Set(harness.running.map(\.request))
      let waiting = deadlines.keys.filter { !running.contains($0) && isOnScreen($0) }
      #expect(Set(waiting.map(\.url.origin)).isDisjoint(with: yielding.map(\.url.origin)))
    }
    #expect(harness.preempted.count > 10)
    while !harness.running.isEmpty { harness.end(.complete) }
    #expect(harness.waiting.isEmpty && harness.scheduler.taskCount == 0)
  }
}
