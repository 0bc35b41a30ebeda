import FramePacing
import TestSupport
import Testing

@testable import Hosting

@Suite("The last seconds are written when somebody asks or a frame was late, to files of their own, and not too often")
struct TraceKeeperTests {
  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  private func keeper(_ destination: String? = "/t/run.json", threshold: Double? = 4) -> TraceCapturePolicy {
    TraceCapturePolicy(destination: destination, threshold: threshold.map { FrameDuration.milliseconds($0) })
  }

  @Test(
    "The files stand beside the run's own, with its ending",
    arguments: [
      ("/t/run.json", "/t/run-usr1-1.json"), ("run", "run-usr1-1"), ("/a.b/run", "/a.b/run-usr1-1"),
      ("/a.b/.run", "/a.b/.run-usr1-1"), ("./r.u.n", "./r.u-usr1-1.n"), ("/t/run.", "/t/run-usr1-1."),
    ])
  func names(destination: String, written: String) {
    var keeper = keeper(destination)
    #expect(keeper.handleRequest(at: at(1), lastShown: at(1), elsewhere: "/elsewhere")?.path == written)
  }

  @Test("Without such a file they stand where the program has a place, or nowhere", arguments: [nil, "-"])
  func elsewhere(destination: String?) {
    var keeper = keeper(destination)
    #expect(keeper.handleRequest(at: at(1), lastShown: at(1)) == nil)
    #expect(keeper.handleRequest(at: at(1), lastShown: at(1), elsewhere: "/s/t-7")?.path == "/s/t-7-1.json")
    #expect(keeper.handle(hitch: .seconds(1), shown: at(2)) == nil)
  }

  @Test("Ten seconds are counted from the last frame, however long the window has rested")
  func span() {
    var keeper = keeper()
    #expect(keeper.handleRequest(at: at(500), lastShown: at(40))?.since == at(30))
    #expect(keeper.handle(hitch: .milliseconds(5), shown: at(600))?.since == at(590))
  }

  @Test("A hitch must be longer than told; without a length none has a file")
  func threshold() {
    var keeper = keeper()
    #expect(keeper.handle(hitch: .milliseconds(4), shown: at(1)) == nil)
    #expect(keeper.handle(hitch: .milliseconds(4.001), shown: at(1))?.path == "/t/run-hitch-1.json")
    var never = self.keeper(threshold: nil)
    #expect(never.handle(hitch: .seconds(9), shown: at(1)) == nil)
    var any = self.keeper(threshold: 0)
    #expect(any.handle(hitch: .zero, shown: at(1)) == nil)
    #expect(any.handle(hitch: .microseconds(1), shown: at(1)) != nil)
  }

  @Test(
    "Whatever happens: two seconds between files of one kind, every file once, no more than so many for hitches",
    arguments: 0..<8)
  func laws(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var keeper = keeper()
    var now = at(0)
    var orders: [(order: TraceCapturePolicy.Capture, at: FrameInstant)] = []
    var asked: [FrameInstant] = []
    for _ in 0..<2_000 {
      now = now + .milliseconds(Double.random(in: 1...100, using: &generator))
      if Int.random(in: 0..<20, using: &generator) == 0 {
        asked.append(now)
        if let order = keeper.handleRequest(at: now, lastShown: now) { orders.append((order, now)) }
      } else {
        let hitch = FrameDuration.milliseconds(Double.random(in: 0...8, using: &generator))
        if let order = keeper.handle(hitch: hitch, shown: now) { orders.append((order, now)) }
      }
    }
    #expect(Set(orders.map(\.order.path)).count == orders.count)
    for occasion in [TraceCapturePolicy.Trigger.signal, .hitch] {
      let moments = orders.filter { $0.order.trigger == occasion }.map(\.at)
      #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= TraceCapturePolicy.minimumInterval })
    }
    #expect(orders.count { $0.order.trigger == .hitch } == TraceCapturePolicy.maximumHitchFiles)
    // Nobody who asks is left without a file for longer than the pause.
    let answered = orders.filter { $0.order.trigger == .signal }.map(\.at)
    for moment in asked {
      #expect(answered.contains { $0 <= moment && moment - $0 < TraceCapturePolicy.minimumInterval })
    }
  }
}
