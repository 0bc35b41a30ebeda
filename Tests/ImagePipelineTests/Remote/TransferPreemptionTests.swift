import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Which transfer gives way to which")
struct TransferPreemptionTests {
  private var harness = TransferHarness()

  private var running: [RemoteURL] { harness.running.map(\.url) }

  @Test("what is on screen takes the connection of what is needed last, which is asked for again")
  mutating func preempts() {
    for number in 0..<6 { harness.want(remoteURL(1, "\(number)"), by: Double(100 + number)) }
    harness.want(remoteURL(1, "seen"), by: -1)
    #expect(harness.putOff.map(\.url) == [remoteURL(1, "5")])
    #expect(running == (0..<5).map { remoteURL(1, "\($0)") } + [remoteURL(1, "seen")])
    harness.end(.complete)
    #expect(running.last == remoteURL(1, "5"), "nobody else waits")
    while !harness.running.isEmpty { harness.end(.complete) }
    #expect(harness.ends.count == 7 && harness.ends.values.allSatisfy { $0 == .success })
  }

  @Test("so does what comes on screen while it waits")
  mutating func moves() {
    for number in 0..<6 { harness.want(remoteURL(1, "\(number)"), by: 100) }
    let late = harness.want(remoteURL(1, "late"), by: 500)
    #expect(harness.putOff.isEmpty)
    harness.move(late, to: -1)
    #expect(harness.putOff.count == 1 && running.last == remoteURL(1, "late"))
  }

  @Test("nothing on screen gives way, nor does anything to what is not on screen")
  mutating func classes() {
    for number in 0..<6 { harness.want(remoteURL(1, "\(number)"), by: -1) }
    harness.want(remoteURL(1, "a"), by: -1)
    #expect(harness.putOff.isEmpty)
    for number in 0..<6 { harness.want(remoteURL(2, "\(number)"), by: 500) }
    harness.want(remoteURL(2, "b"), by: 1)
    #expect(harness.putOff.isEmpty)
  }

  @Test("another server's connection is taken where all are in use, and only there")
  mutating func servers() {
    for number in 0..<6 { harness.want(remoteURL(1, "\(number)"), by: -1) }
    harness.want(remoteURL(2, "0"), by: 100)
    harness.want(remoteURL(1, "6"), by: -1)
    #expect(harness.putOff.isEmpty, "it would not help")
    var settings = TransferSettings()
    settings.connections = 3
    harness = TransferHarness(settings)
    for number in 0..<3 { harness.want(remoteURL(number, "a"), by: 100) }
    harness.want(remoteURL(7, "b"), by: -1)
    #expect(harness.putOff.map(\.url) == [remoteURL(2, "a")] && running.last == remoteURL(7, "b"))
  }

  @Test("what has nearly come to its end comes to it")
  mutating func nearEnd() {
    var settings = TransferSettings()
    settings.connectionsPerHost = 2
    harness = TransferHarness(settings)
    harness.want(remoteURL(1, "0"), by: 100)
    harness.want(remoteURL(1, "1"), by: 200)
    harness.bring(200_000, of: 260_000, at: 1)
    harness.want(remoteURL(1, "a"), by: -1)
    #expect(harness.putOff.map(\.url) == [remoteURL(1, "0")])
    harness.want(remoteURL(1, "b"), by: -1)
    #expect(harness.putOff.count == 1 && running.contains(remoteURL(1, "1")))
  }

  @Test("what was put off has all of its time and tries again")
  mutating func startsAnew() throws {
    var settings = TransferSettings()
    settings.connectionsPerHost = 1
    settings.maximumTries = 1
    harness = TransferHarness(settings)
    let ticket = harness.want(remoteURL(1, "a"), by: 100)
    harness.pass(milliseconds: 9_000)
    harness.want(remoteURL(1, "seen"), by: -1)
    harness.pass(milliseconds: 5_000)
    #expect(harness.ends.isEmpty)
    harness.end(.complete)
    #expect(running == [remoteURL(1, "a")])
    harness.pass(milliseconds: 9_999)
    #expect(harness.ends[ticket] == nil)
    harness.pass(milliseconds: 1)
    #expect(harness.ends[ticket] == .failure(.timedOut))
  }

  @Test("who waits for memory does not run out of time by that, and nothing new is begun behind it")
  mutating func waitsForMemory() throws {
    var settings = TransferSettings()
    settings.picture.maximumBytes = 1_000
    settings.manifest.maximumBytes = 1_000
    settings.bodyBytes = 1_000
    settings.bodyStep = 500
    harness = TransferHarness(settings)
    harness.want(remoteURL(1, "a"), by: 100)
    let ticket = harness.want(remoteURL(2, "b"), by: 200)
    harness.bring(400, of: 1_000)
    harness.bring(100, of: 800, at: 1)
    try #require(harness.progress[harness.running[1].number]?.isPaused == true)
    harness.want(remoteURL(3, "c"), by: 300)
    #expect(harness.running.count == 2, "what would wait for memory too is not begun")
    harness.pass(milliseconds: 9_000)
    harness.end(.complete)
    #expect(harness.progress[harness.running[0].number]?.isPaused == false)
    harness.pass(milliseconds: 9_999)
    #expect(harness.ends[ticket] == nil, "its time goes on where it stood")
    harness.pass(milliseconds: 1)
    #expect(harness.ends[ticket] == .failure(.timedOut))
  }

  /// Room for a few steps, with pictures as large as all of it.
  private func crowded(step: Int, connectionsPerHost: Int) -> TransferSettings {
    var settings = TransferSettings()
    settings.picture.maximumBytes = step * 4
    settings.manifest.maximumBytes = step * 4
    settings.bodyBytes = step * 4
    settings.bodyStep = step
    settings.connectionsPerHost = connectionsPerHost
    return settings
  }

  @Test("the memory of what gave its connection up is there at once for who waits for memory")
  mutating func sharesAtOnce() throws {
    harness = TransferHarness(crowded(step: 250_000, connectionsPerHost: 1))
    harness.want(remoteURL(1, "a"), by: 100)
    harness.want(remoteURL(2, "b"), by: 200)
    harness.bring(240_000, of: 1_000_000)
    harness.bring(300_000, of: 300_000, at: 1)
    let waiting = harness.running[1].number
    try #require(harness.progress[waiting]?.isPaused == true)
    harness.want(remoteURL(1, "seen"), by: -1)
    #expect(harness.putOff.map(\.url) == [remoteURL(1, "a")])
    #expect(harness.progress[waiting]?.isPaused == false && harness.granted[waiting] == 300_000)
  }

  @Test("memory is given up by what can be asked for again rather than by what a paused server sends")
  mutating func sparesPaused() throws {
    harness = TransferHarness(crowded(step: 250, connectionsPerHost: 6))
    harness.want(remoteURL(1, "first"), by: 100)
    let last = harness.want(remoteURL(2, "last"), by: 300)
    harness.want(remoteURL(3, "other"), by: 200)
    let busy = harness.want(remoteURL(2, "busy"), by: 400)
    harness.end(answer(503, retry: 60), at: 3)
    try #require(harness.ends[busy] == .failure(.busy(retrySeconds: 60)))
    harness.bring(250, of: 1_000)
    harness.bring(600, of: 1_000)
    #expect(harness.putOff.map(\.url) == [remoteURL(3, "other")] && harness.ends[last] == nil)
    #expect(harness.running.contains { $0.url == remoteURL(2, "last") })
  }

  private func answer(_ status: Int, retry: Int) -> TransferOutcome {
    .responded(status: status, location: nil, retrySeconds: retry)
  }

  @Test("under random events nothing is put off that is on screen or has nearly come", arguments: 0..<12)
  func storm(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    settings.connections = 5
    settings.connectionsPerHost = 2
    var harness = TransferHarness(settings, seed: UInt64(seed))
    for step in 0..<600 {
      let before = harness.putOff.count
      let known = harness.progress
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let deadline = random.chance(oneIn: 3) ? -1 : Double.random(in: 0...90, using: &random)
        harness.want(remoteURL(step % 4, "\(step)"), by: deadline)
      case 4:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.move(ticket, to: random.chance(oneIn: 2) ? -1 : 50)
        }
      case 5..<8:
        guard !harness.running.isEmpty else { continue }
        let place = Int.random(in: 0..<harness.running.count, using: &random)
        harness.bring(
          Int.random(in: 1...300_000, using: &random), of: 400_000,
          isTold: harness.running[place].number.isMultiple(of: 2), at: place)
      default:
        guard !harness.running.isEmpty else { continue }
        harness.end(.complete, at: Int.random(in: 0..<harness.running.count, using: &random))
      }
      let deadlines = harness.deadlines
      func isOnScreen(_ request: RemoteRequest) -> Bool { deadlines[request]?.isOnScreen ?? false }
      for order in harness.putOff[before...] {
        #expect(!isOnScreen(order.request) && !(known[order.number]?.isAlmostComplete ?? false))
        #expect(harness.running.last.map { isOnScreen($0.request) } == true)
      }
      // Nobody on screen waits where somebody else gives way.
      let yielding = harness.running.filter {
        !isOnScreen($0.request) && !(harness.progress[$0.number]?.isAlmostComplete ?? false)
      }
      let running = Set(harness.running.map(\.request))
      let waiting = deadlines.keys.filter { !running.contains($0) && isOnScreen($0) }
      #expect(Set(waiting.map(\.url.origin)).isDisjoint(with: yielding.map(\.url.origin)))
    }
    #expect(harness.putOff.count > 10)
    while !harness.running.isEmpty { harness.end(.complete) }
    #expect(harness.waiting.isEmpty && harness.scheduler.taskCount == 0)
  }
}
