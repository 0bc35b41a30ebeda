import Testing
import VitrineFramePacing
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Transfer scheduler")
struct TransferSchedulerTests {
  private var harness = TransferSchedulerHarness()

  private func response(_ status: Int, to location: String? = nil, retry: Int? = nil) -> TransferOutcome {
    .responded(status: status, location: location, retrySeconds: retry)
  }

  @Test("The earliest deadline comes first, and no server has more than six connections")
  mutating func order() {
    for number in 0..<20 { harness.fetch(remoteURL(1, "\(number)"), by: Double(100 - number)) }
    #expect(harness.started.map(\.url) == (0..<6).map { remoteURL(1, "\($0)") }, "the first six start immediately")
    for _ in 0..<3 { harness.end(.complete) }
    #expect(harness.started.suffix(3).map(\.url) == [19, 18, 17].map { remoteURL(1, "\($0)") })
    harness.fetch(remoteURL(2, "other"))
    #expect(harness.running.last?.url == remoteURL(2, "other"), "another server has free connections")
    let late = harness.fetch(remoteURL(1, "late"), by: 500)
    harness.updateDeadline(of: late, to: 1)
    harness.end(.complete)
    #expect(harness.running.last?.url == remoteURL(1, "late"))
  }

  @Test("All servers together have at most twenty-four connections")
  mutating func total() {
    for number in 0..<60 { harness.fetch(remoteURL(number % 10, "\(number)")) }
    #expect(harness.running.count == 24)
    harness.end(.complete)
    #expect(harness.running.count == 24)
  }

  @Test("Requests for one address share a transfer, which ends with the last of them")
  mutating func sharesTransfer() {
    let tickets = (0..<3).map { _ in harness.fetch(remoteURL(1, "a")) }
    #expect(harness.running.count == 1)
    harness.cancel(tickets[0])
    harness.cancel(tickets[2])
    #expect(harness.running.count == 1)
    harness.cancel(tickets[1])
    #expect(harness.running.isEmpty && harness.scheduler.taskCount == 0 && harness.scheduler.nextTick == nil)
    let again = [harness.fetch(remoteURL(1, "a")), harness.fetch(remoteURL(1, "a"))]
    harness.end(.complete)
    #expect(again.allSatisfy { harness.completions[$0] == .success })
    harness.fetch(remoteURL(1, "a"), kind: .manifest)
    harness.fetch(remoteURL(1, "a"))
    #expect(harness.running.count == 2, "an image and a manifest are different requests")
  }

  @Test("A transfer times out exactly at its limit")
  mutating func timesOut() throws {
    let ticket = harness.fetch(remoteURL(1, "a"))
    harness.advance(milliseconds: 9_999)
    #expect(harness.completions.isEmpty)
    harness.advance(milliseconds: 1)
    #expect(harness.completions[ticket] == .failure(.timedOut) && harness.running.isEmpty)
    harness.fetch(remoteURL(1, "b"), kind: .manifest)
    #expect(try #require(harness.scheduler.nextTick) - harness.now == .seconds(30))
  }

  @Test("A transient failure is retried after growing pauses, at most five times and within the timeout")
  mutating func retries() {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferSchedulerHarness(settings)
    let ticket = harness.fetch(remoteURL(1, "a"))
    var pauses: [Double] = []
    for attempt in 1...5 {
      #expect(harness.started.count == attempt)
      harness.end(.failed(.connectionLost))
      let before = harness.now
      if attempt < 5 { harness.advanceToNextTick() }
      pauses.append((harness.now - before).seconds)
    }
    #expect(harness.completions[ticket] == .failure(.connectionLost))
    for (pause, longest) in zip(pauses, [1.0, 2, 4, 8, 0]) { #expect(pause <= longest && pause >= longest / 2) }
    #expect(pauses.last == 0)
    harness = TransferSchedulerHarness()
    harness.fetch(remoteURL(1, "hasty"))
    while harness.completions.isEmpty {
      if harness.running.isEmpty { harness.advanceToNextTick() } else { harness.end(.failed(.connectionLost)) }
    }
    #expect(
      harness.completions.values.first == .failure(.connectionLost) && harness.started.count < 5
        && harness.now < at(10_000))
  }

  @Test(
    "A permanent failure is not retried",
    arguments: [
      RemoteFailure.notFound, .forbidden, .untrusted("x"), .tooLarge(limit: 1),
      .unexpected(.webPage, expected: .picture), .privateAddress, .badAddress, .cannotStore(28),
    ])
  func permanent(failure: RemoteFailure) {
    var harness = TransferSchedulerHarness()
    let ticket = harness.fetch(remoteURL(1, "a"))
    harness.end(.failed(failure))
    #expect(harness.completions[ticket] == .failure(failure) && harness.scheduler.nextTick == nil)
  }

  @Test("Status codes are mapped to failures", arguments: [404, 410, 401, 403, 418, 206, 304, 300, 200])
  func statuses(status: Int) {
    var harness = TransferSchedulerHarness()
    let ticket = harness.fetch(remoteURL(1, "a"))
    harness.end(response(status))
    let expected: RemoteFailure =
      switch status {
      case 404, 410: .notFound
      case 401, 403: .forbidden
      default: .refused(status: status)
      }
    #expect(harness.completions[ticket] == .failure(expected))
  }

  @Test("A busy server is paused for the given time, for all requests")
  mutating func busy() {
    for number in 0..<9 { harness.fetch(remoteURL(1, "\(number)")) }
    let other = harness.fetch(remoteURL(2, "x"))
    harness.end(response(503, retry: 4))
    for _ in 0..<5 { harness.end(response(503, retry: 4)) }
    #expect(harness.running.map(\.url.origin.host) == ["host2.example"])
    harness.advance(milliseconds: 3_999)
    #expect(harness.running.count == 1)
    harness.advance(milliseconds: 1)
    #expect(harness.running.count == 7 && harness.completions.isEmpty)
    harness.end(.complete)
    #expect(harness.completions[other] == .success)
  }

  @Test("A request that would have to wait too long fails immediately, and so do later ones")
  mutating func busyForLong() {
    for number in 0..<9 { harness.fetch(remoteURL(1, "\(number)")) }
    harness.end(response(429, retry: 60))
    let failed = harness.completions.values.filter { $0 == .failure(.busy(retrySeconds: 60)) }
    #expect(failed.count == 4, "the running one, and three that waited")
    let late = harness.fetch(remoteURL(1, "late"))
    #expect(harness.completions[late] == .failure(.busy(retrySeconds: 60)))
    harness.end(.complete)
    while harness.completions.count < harness.requests.count, harness.advanceToNextTick() {}
    #expect(harness.completions.count == harness.requests.count)
    harness.advance(milliseconds: 60_000)
    harness.fetch(remoteURL(1, "later"))
    #expect(harness.running.count == 1)
  }

  @Test("A server that is busy for a day is paused for a minute, and only the affected request fails")
  mutating func busyForADay() throws {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferSchedulerHarness(settings)
    let ticket = harness.fetch(remoteURL(1, "a"))
    harness.end(response(503, retry: 86_400))
    #expect(harness.completions[ticket] == .failure(.busy(retrySeconds: 86_400)))
    let other = harness.fetch(remoteURL(1, "b"))
    #expect(harness.running.isEmpty && harness.completions[other] == nil)
    harness.advance(milliseconds: 60_000)
    try #require(harness.running.map(\.url) == [remoteURL(1, "b")])
    harness.end(.complete)
    #expect(harness.completions[other] == .success)
  }

  @Test("An unreachable server fails all its requests after a few attempts")
  mutating func unreachable() {
    for number in 0..<200 { harness.fetch(remoteURL(1, "\(number)")) }
    while harness.completions.count < 200 {
      while !harness.running.isEmpty { harness.end(.failed(.unreachable)) }
      if harness.completions.count < 200 { harness.advanceToNextTick() }
    }
    #expect(harness.completions.count == 200 && harness.started.count <= 30)
    #expect(Set(harness.completions.values) == [.failure(.unreachable)])
    #expect(harness.now <= at(20_000))
    // While the server is paused for longer than a request may take, it is not contacted, unless the user asks for it.
    for _ in 0..<5 {
      let late = harness.fetch(remoteURL(1, "late"))
      while harness.completions[late] == nil {
        while !harness.running.isEmpty { harness.end(.failed(.unreachable)) }
        if harness.completions[late] == nil { harness.advanceToNextTick() }
      }
    }
    harness.fetch(remoteURL(1, "refused"))
    #expect(harness.running.isEmpty)
    harness.handle(.endPauses)
    harness.fetch(remoteURL(1, "later"))
    #expect(harness.running.map(\.url) == [remoteURL(1, "later")])
  }

  @Test("A pause that a server asked for does not end early")
  mutating func requestedPause() {
    harness.fetch(remoteURL(1, "a"))
    harness.end(response(503, retry: 4))
    harness.handle(.endPauses)
    #expect(harness.running.isEmpty)
    harness.advance(milliseconds: 4_000)
    #expect(harness.running.count == 1)
  }

  @Test("Five redirects are followed, and only to web addresses")
  mutating func redirects() {
    let ticket = harness.fetch(remoteURL(1, "a"))
    for step in 1...5 {
      harness.end(response([301, 302, 303, 307, 308][step - 1], to: "http://host\(step % 3).example/\(step)"))
      #expect(harness.running.map(\.url) == [remoteURL(step % 3, "\(step)")])
    }
    harness.end(response(302, to: "/again"))
    #expect(harness.completions[ticket] == .failure(.tooManyRedirects))
    let outside = harness.fetch(remoteURL(1, "b"))
    harness.end(response(302, to: "file:///etc/hostname"))
    #expect(harness.completions[outside] == .failure(.redirectOutside))
    let nowhere = harness.fetch(remoteURL(1, "c"))
    harness.end(response(302))
    #expect(harness.completions[nowhere] == .failure(.refused(status: 302)))
  }

  @Test("A redirect does not count as an attempt")
  mutating func redirectsAreNotAttempts() throws {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferSchedulerHarness(settings)
    let ticket = harness.fetch(remoteURL(1, "a"))
    for step in 1...3 { harness.end(response(302, to: "/\(step)")) }
    for attempt in 1...5 {
      try #require(harness.started.count == 3 + attempt && harness.completions.isEmpty)
      harness.end(.failed(.connectionLost))
      if attempt < 5 { harness.advanceToNextTick() }
    }
    #expect(harness.completions[ticket] == .failure(.connectionLost))
  }

  @Test("A secure address is not redirected to an insecure one, nor a public server to a private address")
  mutating func unsafeRedirects() throws {
    let secure = harness.fetch(try #require(RemoteURL("https://a/")))
    harness.end(response(301, to: "http://a/"))
    #expect(harness.completions[secure] == .failure(.redirectUnsecured))
    harness.fetch(remoteURL(1, "a"))
    #expect(harness.running[0].scope == .anyServer)
    harness.end(response(302, to: "/b"), isPublic: true)
    #expect(harness.running[0].scope == .publicOnly)
    harness.end(.complete)
    harness.fetch(remoteURL(1, "c"), isPublic: true)
    #expect(harness.running[0].scope == .publicOnly)
  }

  @Test("Events of a cancelled attempt are ignored")
  mutating func lateEvents() {
    let ticket = harness.fetch(remoteURL(1, "a"))
    let number = harness.running[0].number
    harness.cancel(ticket)
    harness.handle(.ended(number, .complete, isAtPublicServer: true))
    harness.cancel(ticket)
    harness.updateDeadline(of: ticket, to: 3)
    #expect(harness.completions.isEmpty)
  }
}

// MARK: - Transfer scheduler under random events

@Suite("Transfer scheduler under random events")
struct TransferSchedulerStressTests {
  private func outcome(using random: inout SeededGenerator) -> TransferOutcome {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: .complete
    case 4: .failed([.connectionLost, .unreachable, .stalled, .unknownHost].randomElement(using: &random) ?? .stalled)
    case 5:
      .failed([.notFound, .tooLarge(limit: 1), .malformedResponse].randomElement(using: &random) ?? .malformedResponse)
    case 6: .responded(status: 503, location: nil, retrySeconds: [nil, 0, 2, 30].randomElement(using: &random) ?? nil)
    case 7:
      .responded(
        status: 302, location: "http://host\(Int.random(in: 0..<3, using: &random)).example/r", retrySeconds: nil)
    case 8:
      .responded(
        status: 302, location: ["file:///x", "loop", nil].randomElement(using: &random) ?? nil, retrySeconds: nil)
    default:
      .responded(status: [404, 500, 429, 200].randomElement(using: &random) ?? 0, location: nil, retrySeconds: nil)
    }
  }

  @Test("Every request ends exactly once unless it was cancelled", arguments: TestScale.seeds(0..<16))
  func completesOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    if random.chance(oneIn: 2) { settings.connections = 5 }
    if random.chance(oneIn: 3) { settings.connectionsPerHost = 2 }
    settings.picture.maximumBytes = 60_000
    settings.manifest.maximumBytes = 60_000
    settings.inFlightBytes = random.chance(oneIn: 2) ? 60_000 : 200_000
    settings.allowanceStep = random.chance(oneIn: 2) ? 5_000 : 17_000
    var harness = TransferSchedulerHarness(settings, seed: UInt64(seed))
    for _ in 0..<700 {
      switch Int.random(in: 0..<18, using: &random) {
      case 14..<18:
        guard !harness.running.isEmpty else { continue }
        let index = Int.random(in: 0..<harness.running.count, using: &random)
        // The same for each event of one attempt.
        let length = 1 + Int(harness.running[index].number * 7_919 % 60_000)
        harness.receiveBytes(
          Int.random(in: 1...9_000, using: &random), of: length, isLengthKnown: length % 3 > 0, at: index)
      case 0..<5:
        harness.fetch(
          remoteURL(Int.random(in: 0..<3, using: &random), "\(Int.random(in: 0..<30, using: &random))"),
          by: Double.random(in: -5...90, using: &random), kind: random.chance(oneIn: 9) ? .manifest : .picture)
      case 5, 6:
        if let ticket = harness.waiting.randomElement(using: &random) { harness.cancel(ticket) }
      case 7:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.updateDeadline(of: ticket, to: Double.random(in: -5...90, using: &random))
        }
      case 8: harness.advanceToNextTick()
      case 9: harness.advance(milliseconds: Double.random(in: 0...900, using: &random))
      default:
        guard !harness.running.isEmpty else { continue }
        let index = Int.random(in: 0..<harness.running.count, using: &random)
        let number = harness.running[index].number
        harness.end(outcome(using: &random), at: index, isPublic: random.chance(oneIn: 2))
        // An end that is reported twice.
        if random.chance(oneIn: 4) { harness.handle(.ended(number, .complete, isAtPublicServer: false)) }
      }
    }
    // From now on no server replies.
    let rest = harness.waiting.count
    let end = harness.now + .seconds(40 * Double(rest + 1))
    while !harness.waiting.isEmpty, harness.advanceToNextTick() {}
    #expect(harness.waiting.isEmpty && harness.now <= end)
    #expect(harness.running.isEmpty && harness.scheduler.taskCount == 0)
    #expect(harness.completions.count + harness.cancelled.count == harness.requests.count)
    #expect(harness.completions.count > 40 && harness.cancelled.count > 10)
    #expect(Set(harness.completions.values).count > 4)
  }

  @Test("The earliest of the requests that can start is started", arguments: TestScale.seeds(0..<8))
  func earliestFirst(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    settings.connections = 3
    settings.connectionsPerHost = 2
    var harness = TransferSchedulerHarness(settings, seed: UInt64(seed))
    var checked = 0
    for step in 0..<400 {
      let before = Set(harness.started.map(\.number))
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        harness.fetch(remoteURL(step % 3, "\(step)"), by: Double.random(in: 0...500, using: &random).rounded())
      case 4:
        if let ticket = harness.waiting.randomElement(using: &random) { harness.cancel(ticket) }
      case 5:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.updateDeadline(of: ticket, to: Double.random(in: 0...500, using: &random).rounded())
        }
      default:
        guard !harness.running.isEmpty else { continue }
        harness.end(.complete, at: Int.random(in: 0..<harness.running.count, using: &random))
      }
      let fresh = harness.started.filter { !before.contains($0.number) }
      guard fresh.count == 1, let attempt = fresh.first else {
        #expect(fresh.isEmpty, "one event frees one connection")
        continue
      }
      checked += 1
      func deadline(_ request: RemoteRequest) -> FrameInstant? {
        harness.waiting.filter { harness.requests[$0]?.request == request }.compactMap {
          harness.requests[$0]?.deadline
        }
        .min()
      }
      let running = Set(harness.running.map(\.request))
      let rivals = harness.waiting.compactMap { harness.requests[$0]?.request }.filter { request in
        !running.contains(request)
          && harness.running.filter { $0.url.origin == request.url.origin && $0 != attempt }.count < 2
      }
      guard let own = deadline(attempt.request) else { continue }
      #expect(rivals.compactMap(deadline).allSatisfy { $0 >= own })
    }
    #expect(checked > 60)
  }

  @Test("Equal events have equal effects")
  func isDeterministic() {
    func run() -> [UInt64] {
      var random = SeededGenerator(seed: 7)
      var harness = TransferSchedulerHarness(seed: 3)
      for number in 0..<200 {
        harness.fetch(remoteURL(number % 4, "\(number)"), by: Double(number % 17))
        if number % 3 == 0, !harness.running.isEmpty { harness.end(outcome(using: &random)) }
        if number % 5 == 0 { harness.advanceToNextTick() }
      }
      return harness.started.flatMap { [$0.number, $0.url.text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }] }
        + [UInt64(harness.now.nanoseconds)]
    }
    #expect(run() == run())
  }
}
