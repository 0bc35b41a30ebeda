import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Transfers under random events")
struct TransferStormTests {
  private func ending(using random: inout SeededGenerator) -> TransferOutcome {
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

  @Test("everyone is told once unless they left, whatever servers do", arguments: 0..<16)
  func ends(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    if random.chance(oneIn: 2) { settings.connections = 5 }
    if random.chance(oneIn: 3) { settings.connectionsPerHost = 2 }
    settings.picture.maximumBytes = 60_000
    settings.manifest.maximumBytes = 60_000
    settings.bodyBytes = random.chance(oneIn: 2) ? 60_000 : 200_000
    settings.bodyStep = random.chance(oneIn: 2) ? 5_000 : 17_000
    var harness = TransferHarness(settings, seed: UInt64(seed))
    for _ in 0..<700 {
      switch Int.random(in: 0..<18, using: &random) {
      case 14..<18:
        guard !harness.running.isEmpty else { continue }
        let place = Int.random(in: 0..<harness.running.count, using: &random)
        // Of one try the same each time.
        let length = 1 + Int(harness.running[place].number * 7_919 % 60_000)
        harness.bring(
          Int.random(in: 1...9_000, using: &random), of: length, isTold: length % 3 > 0, at: place)
      case 0..<5:
        harness.want(
          remoteURL(Int.random(in: 0..<3, using: &random), "\(Int.random(in: 0..<30, using: &random))"),
          by: Double.random(in: -5...90, using: &random), kind: random.chance(oneIn: 9) ? .manifest : .picture)
      case 5, 6:
        if let ticket = harness.waiting.randomElement(using: &random) { harness.leave(ticket) }
      case 7:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.move(ticket, to: Double.random(in: -5...90, using: &random))
        }
      case 8: harness.passTime()
      case 9: harness.pass(milliseconds: Double.random(in: 0...900, using: &random))
      default:
        guard !harness.running.isEmpty else { continue }
        let place = Int.random(in: 0..<harness.running.count, using: &random)
        let number = harness.running[place].number
        harness.end(ending(using: &random), at: place, isPublic: random.chance(oneIn: 2))
        // Told twice by a door that does not keep its word.
        if random.chance(oneIn: 4) { harness.tell(.ended(number, .complete, atPublicServer: false)) }
      }
    }
    // From now on no server says anything any more.
    let rest = harness.waiting.count
    let end = harness.now + .seconds(40 * Double(rest + 1))
    while !harness.waiting.isEmpty, harness.passTime() {}
    #expect(harness.waiting.isEmpty && harness.now <= end)
    #expect(harness.running.isEmpty && harness.scheduler.taskCount == 0)
    #expect(harness.ends.count + harness.left.count == harness.wishes.count)
    #expect(harness.ends.count > 40 && harness.left.count > 10)
    #expect(Set(harness.ends.values).count > 4)
  }

  @Test("of those who wait for a server with room the earliest is served", arguments: 0..<8)
  func earliestFirst(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = TransferSettings()
    settings.connections = 3
    settings.connectionsPerHost = 2
    var harness = TransferHarness(settings, seed: UInt64(seed))
    var checked = 0
    for step in 0..<400 {
      let before = Set(harness.started.map(\.number))
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        harness.want(remoteURL(step % 3, "\(step)"), by: Double.random(in: 0...500, using: &random).rounded())
      case 4:
        if let ticket = harness.waiting.randomElement(using: &random) { harness.leave(ticket) }
      case 5:
        if let ticket = harness.waiting.randomElement(using: &random) {
          harness.move(ticket, to: Double.random(in: 0...500, using: &random).rounded())
        }
      default:
        guard !harness.running.isEmpty else { continue }
        harness.end(.complete, at: Int.random(in: 0..<harness.running.count, using: &random))
      }
      let fresh = harness.started.filter { !before.contains($0.number) }
      guard fresh.count == 1, let order = fresh.first else {
        #expect(fresh.isEmpty, "one event makes room for one")
        continue
      }
      checked += 1
      func deadline(_ request: RemoteRequest) -> FrameInstant? {
        harness.waiting.filter { harness.wishes[$0]?.request == request }.compactMap { harness.wishes[$0]?.deadline }
          .min()
      }
      let running = Set(harness.running.map(\.request))
      let rivals = harness.waiting.compactMap { harness.wishes[$0]?.request }.filter { request in
        !running.contains(request)
          && harness.running.filter { $0.url.origin == request.url.origin && $0 != order }.count < 2
      }
      guard let own = deadline(order.request) else { continue }
      #expect(rivals.compactMap(deadline).allSatisfy { $0 >= own })
    }
    #expect(checked > 60)
  }

  @Test("equal events have equal effects")
  func repeats() {
    func run() -> [UInt64] {
      var random = SeededGenerator(seed: 7)
      var harness = TransferHarness(seed: 3)
      for number in 0..<200 {
        harness.want(remoteURL(number % 4, "\(number)"), by: Double(number % 17))
        if number % 3 == 0, !harness.running.isEmpty { harness.end(ending(using: &random)) }
        if number % 5 == 0 { harness.passTime() }
      }
      return harness.started.flatMap { [$0.number, $0.url.text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }] }
        + [UInt64(harness.now.nanoseconds)]
    }
    #expect(run() == run())
  }
}
