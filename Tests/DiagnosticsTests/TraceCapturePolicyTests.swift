import Testing
import VitrineFramePacing
import VitrineTestSupport

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("The last seconds are captured on request or after a hitch, in separate files and not too often")
struct TraceCapturePolicyTests {
  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  private func makePolicy(_ destination: String? = "/t/run.json", threshold: Double? = 4) -> TraceCapturePolicy {
    TraceCapturePolicy(destination: destination, threshold: threshold.map { FrameDuration.milliseconds($0) })
  }

  @Test(
    "The files are next to the run's own file and have its extension",
    arguments: [
      ("/t/run.json", "/t/run-usr1-1.json"), ("run", "run-usr1-1"), ("/a.b/run", "/a.b/run-usr1-1"),
      ("/a.b/.run", "/a.b/.run-usr1-1"), ("./r.u.n", "./r.u-usr1-1.n"), ("/t/run.", "/t/run-usr1-1."),
    ])
  func names(destination: String, written: String) {
    var policy = makePolicy(destination)
    #expect(policy.handleRequest(at: at(1), lastShown: at(1), fallbackPrefix: "/elsewhere")?.path == written)
  }

  @Test(
    "Without a file of the run, requests use the fallback prefix, or are ignored if there is none",
    arguments: [nil, "-"])
  func fallbackPrefix(destination: String?) {
    var policy = makePolicy(destination)
    #expect(policy.handleRequest(at: at(1), lastShown: at(1)) == nil)
    #expect(policy.handleRequest(at: at(1), lastShown: at(1), fallbackPrefix: "/s/t-7")?.path == "/s/t-7-1.json")
    #expect(policy.handle(hitch: .seconds(1), shown: at(2)) == nil)
  }

  @Test("Ten seconds are counted back from the last frame, however long the window has been idle")
  func span() {
    var policy = makePolicy()
    #expect(policy.handleRequest(at: at(500), lastShown: at(40))?.since == at(30))
    #expect(policy.handle(hitch: .milliseconds(5), shown: at(600))?.since == at(590))
  }

  @Test("A hitch must exceed the threshold, and without a threshold no hitch is captured")
  func threshold() {
    var policy = makePolicy()
    #expect(policy.handle(hitch: .milliseconds(4), shown: at(1)) == nil)
    #expect(policy.handle(hitch: .milliseconds(4.001), shown: at(1))?.path == "/t/run-hitch-1.json")
    var never = makePolicy(threshold: nil)
    #expect(never.handle(hitch: .seconds(9), shown: at(1)) == nil)
    var any = makePolicy(threshold: 0)
    #expect(any.handle(hitch: .zero, shown: at(1)) == nil)
    #expect(any.handle(hitch: .microseconds(1), shown: at(1)) != nil)
  }

  @Test(
    "Captures of one kind are two seconds apart, have unique paths and are limited in number for hitches",
    arguments: 0..<8)
  func invariants(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = makePolicy()
    var now = at(0)
    var captures: [(capture: TraceCapturePolicy.Capture, at: FrameInstant)] = []
    var requests: [FrameInstant] = []
    for _ in 0..<2_000 {
      now = now + .milliseconds(Double.random(in: 1...100, using: &generator))
      if Int.random(in: 0..<20, using: &generator) == 0 {
        requests.append(now)
        if let capture = policy.handleRequest(at: now, lastShown: now) { captures.append((capture, now)) }
      } else {
        let hitch = FrameDuration.milliseconds(Double.random(in: 0...8, using: &generator))
        if let capture = policy.handle(hitch: hitch, shown: now) { captures.append((capture, now)) }
      }
    }
    #expect(Set(captures.map(\.capture.path)).count == captures.count)
    for trigger in [TraceCapturePolicy.Trigger.signal, .hitch] {
      let moments = captures.filter { $0.capture.trigger == trigger }.map(\.at)
      #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= TraceCapturePolicy.minimumInterval })
    }
    #expect(captures.count { $0.capture.trigger == .hitch } == TraceCapturePolicy.maximumHitchFiles)
    // Every request is answered by a capture that is not older than the minimum interval.
    let answers = captures.filter { $0.capture.trigger == .signal }.map(\.at)
    for moment in requests {
      #expect(answers.contains { $0 <= moment && moment - $0 < TraceCapturePolicy.minimumInterval })
    }
  }
}
