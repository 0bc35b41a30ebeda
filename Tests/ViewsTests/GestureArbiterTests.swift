import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("GestureArbiter")
struct GestureArbiterTests {
  /// An arbiter whose questions are answered at once, with the states that it reported.
  private struct Driver {
    var arbiter = GestureArbiter()
    var log: [String] = []
    var refused: Set<Int> = []
    private var milliseconds = 0.0

    var instant: FrameInstant { .zero + .milliseconds(milliseconds) }

    mutating func begin(_ participants: [GestureArbiter.Participant]) { arbiter.beginTouch(participants) }

    mutating func touch(_ phase: TouchInput.Phase, _ x: Double, _ y: Double = 0, finger: Int64 = 1, after: Double = 10)
    {
      milliseconds += after
      record(arbiter.handle(TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y)), at: instant))
    }

    mutating func wait(_ time: Double) {
      milliseconds += time
      record(arbiter.advance(to: instant))
    }

    mutating func cancel() { record(arbiter.cancel()) }

    private mutating func record(_ changes: [GestureArbiter.Change]) {
      var changes = changes
      repeat {
        log += changes.map { "\($0.id) \($0.state)" }
        guard let question = arbiter.pendingQuestion else { return }
        changes = arbiter.answer(!refused.contains(question))
      } while true
    }

    mutating func takeLog() -> [String] {
      defer { log = [] }
      return log
    }
  }

  private typealias Participant = GestureArbiter.Participant
  private static let pan = GestureKind.pan(minimumTouches: 1, maximumTouches: .max)
  private static let press = GestureKind.longPress(duration: .milliseconds(500), movement: 8)

  @Test("A tap is recognized when the finger leaves, and fails when it moves")
  func tap() {
    var driver = Driver()
    driver.begin([Participant(id: 1, kind: .tap(count: 1))])
    driver.touch(.began, 10)
    driver.touch(.moved, 14)
    #expect(driver.log.isEmpty && driver.arbiter.isUndecided)
    driver.touch(.ended, 14)
    #expect(driver.takeLog() == ["1 ended"] && !driver.arbiter.isUndecided)
    driver.begin([Participant(id: 1, kind: .tap(count: 1))])
    driver.touch(.began, 10)
    driver.touch(.moved, 19)
    #expect(driver.takeLog() == ["1 failed"])
  }

  @Test("A tap waits for a double tap to fail, and fails if that does not")
  func doubleTap() {
    let participants = [
      Participant(id: 1, kind: .tap(count: 1), requiredFailures: [2]), Participant(id: 2, kind: .tap(count: 2)),
    ]
    var driver = Driver()
    driver.begin(participants)
    driver.touch(.began, 10)
    driver.touch(.ended, 10)
    #expect(driver.log.isEmpty && driver.arbiter.deadline != nil)
    driver.wait(400)
    #expect(driver.takeLog() == ["2 failed", "1 ended"] && driver.arbiter.deadline == nil)
    driver.begin(participants)
    for _ in 0..<2 {
      driver.touch(.began, 10)
      driver.touch(.ended, 10)
      if driver.arbiter.isUndecided { driver.begin(participants) }
    }
    #expect(driver.takeLog() == ["2 ended", "1 failed"])
    // The second touch is somewhere else.
    driver.begin(participants)
    driver.touch(.began, 10)
    driver.touch(.ended, 10)
    driver.begin(participants)
    driver.touch(.began, 200)
    #expect(driver.takeLog() == ["2 failed", "1 ended"])
  }

  @Test("A single tap without a requirement is recognized before a double tap")
  func bothTaps() {
    var driver = Driver()
    let participants = [Participant(id: 1, kind: .tap(count: 1)), Participant(id: 2, kind: .tap(count: 2))]
    driver.begin(participants)
    driver.touch(.began, 10)
    driver.touch(.ended, 10)
    driver.begin(participants)
    driver.touch(.began, 10)
    driver.touch(.ended, 10)
    #expect(driver.takeLog() == ["1 ended", "2 ended", "1 failed"])
  }

  @Test("A press begins after its time, follows the finger and prevents a tap")
  func longPress() {
    var driver = Driver()
    driver.begin([Participant(id: 1, kind: .tap(count: 1)), Participant(id: 2, kind: Self.press)])
    driver.touch(.began, 10)
    driver.wait(480)
    #expect(driver.log.isEmpty)
    driver.wait(20)
    driver.touch(.moved, 90)
    driver.touch(.ended, 90)
    #expect(driver.takeLog() == ["2 began", "1 failed", "2 changed", "2 ended"])
    driver.begin([Participant(id: 1, kind: .tap(count: 1)), Participant(id: 2, kind: Self.press)])
    driver.touch(.began, 10)
    driver.touch(.ended, 10)
    #expect(driver.takeLog() == ["2 failed", "1 ended"])
  }

  @Test("The innermost pan begins, and others fail unless they are simultaneous")
  func pans() {
    var driver = Driver()
    driver.begin([Participant(id: 1, kind: Self.pan), Participant(id: 2, kind: Self.pan)])
    driver.touch(.began, 0)
    driver.touch(.moved, 20)
    driver.touch(.moved, 30)
    driver.touch(.ended, 30)
    #expect(driver.takeLog() == ["1 began", "2 failed", "1 changed", "1 ended"])
    driver.begin([Participant(id: 1, kind: Self.pan, simultaneous: [2]), Participant(id: 2, kind: Self.pan)])
    driver.touch(.began, 0)
    driver.touch(.moved, 20)
    driver.touch(.ended, 20)
    #expect(driver.takeLog() == ["1 began", "2 began", "1 ended", "2 ended"])
    driver.refused = [1]
    driver.begin([Participant(id: 1, kind: Self.pan), Participant(id: 2, kind: Self.pan)])
    driver.touch(.began, 0)
    driver.touch(.moved, 20)
    #expect(driver.takeLog() == ["1 failed", "2 began"])
    driver.cancel()
    #expect(driver.takeLog() == ["2 cancelled"] && !driver.arbiter.hasContacts)
  }

  @Test("A pan reports its movement without jumps when fingers come and go, and its velocity")
  func panMovement() throws {
    var driver = Driver()
    driver.begin([Participant(id: 1, kind: Self.pan)])
    driver.touch(.began, 0, 0)
    driver.touch(.moved, 20, 0)
    driver.touch(.began, 120, 40, finger: 2)
    driver.touch(.moved, 130, 40, finger: 2)
    #expect(driver.arbiter.machine(of: 1)?.translation == Point(x: 25, y: 0))
    driver.touch(.ended, 130, 40, finger: 2)
    driver.touch(.moved, 26, 4)
    let machine = try #require(driver.arbiter.machine(of: 1))
    #expect(machine.translation == Point(x: 31, y: 4) && machine.location == Point(x: 26, y: 4))
    #expect(machine.velocity == Point(x: 600, y: 400))
  }

  @Test("Two fingers pinch from where they begin to move apart")
  func pinch() throws {
    var driver = Driver()
    driver.begin([Participant(id: 1, kind: .pinch)])
    driver.touch(.began, 0)
    driver.touch(.began, 100, finger: 2)
    driver.touch(.moved, 110, finger: 2)
    #expect(driver.log.isEmpty)
    driver.touch(.moved, 120, finger: 2)
    driver.touch(.moved, 240, finger: 2)
    #expect(driver.arbiter.machine(of: 1)?.scale == 2 && driver.arbiter.machine(of: 1)?.location == Point(x: 120, y: 0))
    driver.touch(.ended, 0)
    #expect(driver.takeLog() == ["1 began", "1 changed", "1 ended"])
  }

  @Test(
    "Random touches: states follow each other as they may, and everything ends",
    arguments: TestScale.seeds(UInt64(1)...60))
  func randomTouches(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kinds: [GestureKind] = [
      .tap(count: 1), .tap(count: 2), Self.press, Self.pan, .pinch, .pan(minimumTouches: 2, maximumTouches: 2),
    ]
    let ids = Array(0..<Int.random(in: 1...5, using: &random))
    // Requirements point to higher numbers, so that they have no cycles.
    let participants = ids.map { id in
      Participant(
        id: id, kind: kinds.randomElement(using: &random) ?? .pinch,
        requiredFailures: Set(ids.filter { $0 > id && random.chance(oneIn: 4) }),
        simultaneous: Set(ids.filter { $0 != id && random.chance(oneIn: 4) }))
    }
    var driver = Driver()
    driver.refused = Set(ids.filter { _ in random.chance(oneIn: 6) })
    var states: [Int: String] = [:]
    func follow(_ log: [String]) {
      for entry in log {
        let parts = entry.split(separator: " ").map(String.init)
        guard let id = Int(parts[0]) else { continue }
        let allowed: [String] =
          switch states[id] ?? "possible" {
          case "possible": ["began", "ended", "failed"]
          case "began", "changed": ["changed", "ended", "cancelled"]
          default: []
          }
        #expect(allowed.contains(parts[1]), "\(states[id] ?? "possible") then \(entry)")
        states[id] = parts[1]
        let running = states.filter { ["began", "changed"].contains($0.value) }.map(\.key)
        for (one, other) in running.flatMap({ one in running.map { (one, $0) } }) where one != other {
          let pair = [participants[one], participants[other]]
          #expect(pair[0].simultaneous.contains(other) || pair[1].simultaneous.contains(one), "\(one) and \(other)")
        }
      }
    }
    for _ in 0..<30 {
      states.removeAll()
      driver.begin(participants)
      var down: [Int64] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let finger = Int64.random(in: 1...3, using: &random)
        let location = Point(x: .random(in: 0...60, using: &random), y: .random(in: 0...20, using: &random))
        let pause = Double.random(in: 1...(random.chance(oneIn: 8) ? 600 : 60), using: &random)
        if !down.contains(finger) {
          driver.touch(.began, location.x, location.y, finger: finger, after: pause)
          down.append(finger)
        } else if random.chance(oneIn: 3) {
          driver.touch(.ended, location.x, location.y, finger: finger, after: pause)
          down.removeAll { $0 == finger }
          if down.isEmpty { break }
        } else {
          driver.touch(.moved, location.x, location.y, finger: finger, after: pause)
        }
        driver.wait(1)
        follow(driver.takeLog())
      }
      for finger in down { driver.touch(.ended, 0, 0, finger: finger) }
      follow(driver.takeLog())
      driver.wait(1_000)
      follow(driver.takeLog())
      #expect(!driver.arbiter.isInProgress && !driver.arbiter.isUndecided && !driver.arbiter.hasContacts)
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
