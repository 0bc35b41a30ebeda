import BenchmarkSupport
import Testing

@Suite("Scripts of gestures")
struct GestureScriptTests {
  private func speed(_ gesture: ScrollGesture) -> Double? {
    switch gesture {
    case .flick(let speed), .steady(let speed): speed
    case .page, .glide, .jump, .stop: nil
    }
  }

  @Test("give each gesture once, at its refresh or at the first frame after it")
  func playing() {
    var script = GestureScript()
    script.add(.steady(600), then: 3)
    script.add(.stop, then: 0)
    script.add(.page(1), then: -2)
    script.add(.flick(9), then: 5)
    #expect(script.length == 8 && script.steps.map(\.refresh) == [0, 3, 3, 3])
    var next = 0
    #expect(script.gestures(upTo: 0, from: &next).map(\.gesture) == [.steady(600)])
    #expect(script.gestures(upTo: 2, from: &next).isEmpty)
    #expect(script.gestures(upTo: 7, from: &next).map(\.gesture) == [.stop, .page(1), .flick(9)])
    #expect(script.gestures(upTo: 1_000, from: &next).isEmpty && next == 4)
  }

  @Test("of endurance are the same for a seed, long enough, and hold flicks up to 200,000 points a second")
  func endurance() {
    let script = GestureScript.endurance(seed: 5, length: 100_000)
    #expect(script == .endurance(seed: 5, length: 100_000) && script != .endurance(seed: 6, length: 100_000))
    #expect(script.length >= 100_000 && script.length < 100_500)
    let speeds = script.steps.compactMap { speed($0.gesture)?.magnitude }
    #expect(speeds.allSatisfy { $0 >= 199 && $0 <= 200_000 } && speeds.contains { $0 > 150_000 })
    #expect(speeds.contains { $0 < 1_000 })
    #expect(script.steps.contains { $0.gesture == .stop })
    #expect(script.steps.contains { if case .jump(let place) = $0.gesture { (0...1).contains(place) } else { false } })
    #expect(script.steps.contains { if case .glide(let place) = $0.gesture { (0...1).contains(place) } else { false } })
    #expect(script.steps.contains { if case .page = $0.gesture { true } else { false } })
    // A flip: the same speed the other way, soon after.
    let flips = zip(script.steps, script.steps.dropFirst()).count { first, second in
      guard case .flick(let one) = first.gesture, case .flick(let other) = second.gesture else { return false }
      return one == -other && second.refresh - first.refresh <= 30
    }
    #expect(flips > 100)
  }
}
