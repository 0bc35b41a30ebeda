import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What is asked of which server when")
struct TransferSchedulerTests {
  private var harness = TransferHarness()

  private func answer(_ status: Int, to location: String? = nil, retry: Int? = nil) -> TransferOutcome {
    .responded(status: status, location: location, retrySeconds: retry)
  }

  @Test("the earliest deadline comes first, and no server has more than six connections")
  mutating func order() {
    for number in 0..<20 { harness.want(remoteURL(1, "\(number)"), by: Double(100 - number)) }
    #expect(harness.started.map(\.url) == (0..<6).map { remoteURL(1, "\($0)") }, "those that came found room")
    for _ in 0..<3 { harness.end(.complete) }
    #expect(harness.started.suffix(3).map(\.url) == [19, 18, 17].map { remoteURL(1, "\($0)") })
    harness.want(remoteURL(2, "other"))
    #expect(harness.running.last?.url == remoteURL(2, "other"), "another server has room")
    let late = harness.want(remoteURL(1, "late"), by: 500)
    harness.move(late, to: 1)
    harness.end(.complete)
    #expect(harness.running.last?.url == remoteURL(1, "late"))
  }

  @Test("all servers together have no more than twenty-four")
  mutating func total() {
    for number in 0..<60 { harness.want(remoteURL(number % 10, "\(number)")) }
    #expect(harness.running.count == 24)
    harness.end(.complete)
    #expect(harness.running.count == 24)
  }

  @Test("who wants the same waits for one transfer; the last who leaves ends it")
  mutating func joins() {
    let tickets = (0..<3).map { _ in harness.want(remoteURL(1, "a")) }
    #expect(harness.running.count == 1)
    harness.leave(tickets[0])
    harness.leave(tickets[2])
    #expect(harness.running.count == 1)
    harness.leave(tickets[1])
    #expect(harness.running.isEmpty && harness.scheduler.taskCount == 0 && harness.scheduler.nextTick == nil)
    let again = [harness.want(remoteURL(1, "a")), harness.want(remoteURL(1, "a"))]
    harness.end(.complete)
    #expect(again.allSatisfy { harness.ends[$0] == .success })
    harness.want(remoteURL(1, "a"), kind: .manifest)
    harness.want(remoteURL(1, "a"))
    #expect(harness.running.count == 2, "a picture and a list are not the same")
  }

  @Test("what takes too long is left, at its time and not before")
  mutating func tooLong() throws {
    let ticket = harness.want(remoteURL(1, "a"))
    harness.pass(milliseconds: 9_999)
    #expect(harness.ends.isEmpty)
    harness.pass(milliseconds: 1)
    #expect(harness.ends[ticket] == .failure(.timedOut) && harness.running.isEmpty)
    harness.want(remoteURL(1, "b"), kind: .manifest)
    #expect(try #require(harness.scheduler.nextTick) - harness.now == .seconds(30))
  }

  @Test("what may pass is tried again after pauses that grow, five times at most and within its time")
  mutating func retries() {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferHarness(settings)
    let ticket = harness.want(remoteURL(1, "a"))
    var pauses: [Double] = []
    for attempt in 1...5 {
      #expect(harness.started.count == attempt)
      harness.end(.failed(.connectionLost))
      let before = harness.now
      if attempt < 5 { harness.passTime() }
      pauses.append((harness.now - before).seconds)
    }
    #expect(harness.ends[ticket] == .failure(.connectionLost))
    for (pause, longest) in zip(pauses, [1.0, 2, 4, 8, 0]) { #expect(pause <= longest && pause >= longest / 2) }
    #expect(pauses.last == 0)
    harness = TransferHarness()
    harness.want(remoteURL(1, "hasty"))
    while harness.ends.isEmpty {
      if harness.running.isEmpty { harness.passTime() } else { harness.end(.failed(.connectionLost)) }
    }
    #expect(
      harness.ends.values.first == .failure(.connectionLost) && harness.started.count < 5 && harness.now < at(10_000))
  }

  @Test(
    "what will not pass is not tried again",
    arguments: [
      RemoteFailure.notFound, .forbidden, .untrusted("x"), .tooLarge(limit: 1),
      .unexpected(.webPage, wanted: .picture), .privateAddress, .badAddress, .cannotStore(28),
    ])
  func lasting(failure: RemoteFailure) {
    var harness = TransferHarness()
    let ticket = harness.want(remoteURL(1, "a"))
    harness.end(.failed(failure))
    #expect(harness.ends[ticket] == .failure(failure) && harness.scheduler.nextTick == nil)
  }

  @Test("statuses mean what they mean", arguments: [404, 410, 401, 403, 418, 206, 304, 300, 200])
  func statuses(status: Int) {
    var harness = TransferHarness()
    let ticket = harness.want(remoteURL(1, "a"))
    harness.end(answer(status))
    let expected: RemoteFailure =
      switch status {
      case 404, 410: .notFound
      case 401, 403: .forbidden
      default: .refused(status: status)
      }
    #expect(harness.ends[ticket] == .failure(expected))
  }

  @Test("a busy server is left alone for as long as it says, by all who want something of it")
  mutating func busy() {
    for number in 0..<9 { harness.want(remoteURL(1, "\(number)")) }
    let other = harness.want(remoteURL(2, "x"))
    harness.end(answer(503, retry: 4))
    for _ in 0..<5 { harness.end(answer(503, retry: 4)) }
    #expect(harness.running.map(\.url.origin.host) == ["host2.example"])
    harness.pass(milliseconds: 3_999)
    #expect(harness.running.count == 1)
    harness.pass(milliseconds: 1)
    #expect(harness.running.count == 7 && harness.ends.isEmpty)
    harness.end(.complete)
    #expect(harness.ends[other] == .success)
  }

  @Test("who would have to wait for longer than it may is told at once, and so is who comes later")
  mutating func busyForLong() {
    for number in 0..<9 { harness.want(remoteURL(1, "\(number)")) }
    harness.end(answer(429, retry: 60))
    let told = harness.ends.values.filter { $0 == .failure(.busy(retrySeconds: 60)) }
    #expect(told.count == 4, "the one that ran, and three that waited")
    let late = harness.want(remoteURL(1, "late"))
    #expect(harness.ends[late] == .failure(.busy(retrySeconds: 60)))
    harness.end(.complete)
    while harness.ends.count < harness.wishes.count, harness.passTime() {}
    #expect(harness.ends.count == harness.wishes.count)
    harness.pass(milliseconds: 60_000)
    harness.want(remoteURL(1, "later"))
    #expect(harness.running.count == 1)
  }

  @Test("a server that wants to be left for a day is so for a minute; what it wanted that of is told at once")
  mutating func busyForADay() throws {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferHarness(settings)
    let ticket = harness.want(remoteURL(1, "a"))
    harness.end(answer(503, retry: 86_400))
    #expect(harness.ends[ticket] == .failure(.busy(retrySeconds: 86_400)))
    let other = harness.want(remoteURL(1, "b"))
    #expect(harness.running.isEmpty && harness.ends[other] == nil)
    harness.pass(milliseconds: 60_000)
    try #require(harness.running.map(\.url) == [remoteURL(1, "b")])
    harness.end(.complete)
    #expect(harness.ends[other] == .success)
  }

  @Test("a server that is away fails all who wait for it, after some tries and not one by one")
  mutating func away() {
    for number in 0..<200 { harness.want(remoteURL(1, "\(number)")) }
    while harness.ends.count < 200 {
      while !harness.running.isEmpty { harness.end(.failed(.unreachable)) }
      if harness.ends.count < 200 { harness.passTime() }
    }
    #expect(harness.ends.count == 200 && harness.started.count <= 30)
    #expect(Set(harness.ends.values) == [.failure(.unreachable)])
    #expect(harness.now <= at(20_000))
  }

  @Test("it is led on five times, and to nothing but the web")
  mutating func redirects() {
    let ticket = harness.want(remoteURL(1, "a"))
    for step in 1...5 {
      harness.end(answer([301, 302, 303, 307, 308][step - 1], to: "http://host\(step % 3).example/\(step)"))
      #expect(harness.running.map(\.url) == [remoteURL(step % 3, "\(step)")])
    }
    harness.end(answer(302, to: "/again"))
    #expect(harness.ends[ticket] == .failure(.tooManyRedirects))
    let outside = harness.want(remoteURL(1, "b"))
    harness.end(answer(302, to: "file:///etc/hostname"))
    #expect(harness.ends[outside] == .failure(.redirectOutside))
    let nowhere = harness.want(remoteURL(1, "c"))
    harness.end(answer(302))
    #expect(harness.ends[nowhere] == .failure(.refused(status: 302)))
  }

  @Test("being led on is no failed try")
  mutating func redirectsAreNoTries() throws {
    var settings = TransferSettings()
    settings.picture.totalTime = .seconds(100)
    harness = TransferHarness(settings)
    let ticket = harness.want(remoteURL(1, "a"))
    for step in 1...3 { harness.end(answer(302, to: "/\(step)")) }
    for attempt in 1...5 {
      try #require(harness.started.count == 3 + attempt && harness.ends.isEmpty)
      harness.end(.failed(.connectionLost))
      if attempt < 5 { harness.passTime() }
    }
    #expect(harness.ends[ticket] == .failure(.connectionLost))
  }

  @Test("a secure address does not lead to an open one, nor a public server to a private address")
  mutating func unsafeRedirects() throws {
    let secure = harness.want(try #require(RemoteURL("https://a/")))
    harness.end(answer(301, to: "http://a/"))
    #expect(harness.ends[secure] == .failure(.redirectUnsecured))
    harness.want(remoteURL(1, "a"))
    #expect(harness.running[0].scope == .anyServer)
    harness.end(answer(302, to: "/b"), isPublic: true)
    #expect(harness.running[0].scope == .publicOnly)
    harness.end(.complete)
    harness.want(remoteURL(1, "c"), isPublic: true)
    #expect(harness.running[0].scope == .publicOnly)
  }

  @Test("nothing happens to a try that was left")
  mutating func late() {
    let ticket = harness.want(remoteURL(1, "a"))
    let number = harness.running[0].number
    harness.leave(ticket)
    harness.tell(.ended(number, .complete, atPublicServer: true))
    harness.leave(ticket)
    harness.move(ticket, to: 3)
    #expect(harness.ends.isEmpty)
  }
}
