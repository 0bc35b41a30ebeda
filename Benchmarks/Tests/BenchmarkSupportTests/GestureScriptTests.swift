import BenchmarkSupport
import Testing
import VitrineDataStructures

@Suite("Gesture scripts")
struct GestureScriptTests {
  private func speed(_ gesture: ScrollGesture) -> Double? {
    switch gesture {
    case .flick(let speed), .steady(let speed): speed
    case .page, .glide, .jump, .stop: nil
    }
  }

  @Test("Each gesture is returned once, at its refresh or at the first frame after it")
  func dueGestures() {
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

  @Test("Endurance scripts are deterministic, long enough and contain flicks of up to 200,000 points per second")
  func endurance() {
    let script = GestureScript.endurance(seed: 5, length: 100_000)
    #expect(script == .endurance(seed: 5, length: 100_000) && script != .endurance(seed: 6, length: 100_000))
    #expect(script.length >= 100_000 && script.length < 100_500)
    let speeds = script.steps.compactMap { speed($0.gesture)?.magnitude }
    #expect(speeds.allSatisfy { $0 >= 199 && $0 <= 200_000 } && speeds.contains { $0 > 150_000 })
    #expect(speeds.contains { $0 < 1_000 })
    #expect(script.steps.contains { $0.gesture == .stop })
    #expect(script.steps.contains { if case .jump(let share) = $0.gesture { (0...1).contains(share) } else { false } })
    #expect(script.steps.contains { if case .glide(let share) = $0.gesture { (0...1).contains(share) } else { false } })
    #expect(script.steps.contains { if case .page = $0.gesture { true } else { false } })
    // A direction change: the same speed in the opposite direction, soon after.
    let flips = zip(script.steps, script.steps.dropFirst()).count { first, second in
      guard case .flick(let one) = first.gesture, case .flick(let other) = second.gesture else { return false }
      return one == -other && second.refresh - first.refresh <= 30
    }
    #expect(flips > 100)
  }
}

@Suite("Repeated runs compared frame by frame")
struct RepeatedRunsTests {
  private func late(_ refresh: Int, _ hitch: Double = 1, overrun: Bool = false, _ cause: String = "") -> LateFrame {
    LateFrame(refresh: refresh, hitch: hitch, isSlackOverrun: overrun, cause: cause)
  }

  private func confirmed(_ runs: [[LateFrame]]) -> [RepeatedRuns.ConfirmedFrame] {
    var repeated = RepeatedRuns()
    for run in runs { repeated.add(run) }
    return repeated.confirmedFrames
  }

  @Test("A frame is confirmed as late if it was late in two of three runs")
  func twoOfThree() {
    #expect(confirmed([[late(4)], [], []]).isEmpty)
    #expect(confirmed([[late(4)], [late(5)], [late(6)]]).isEmpty)
    #expect(confirmed([[late(9), late(4)], [late(4)], [late(9), late(7)]]).map(\.refresh) == [4, 9])
    #expect(confirmed([]).isEmpty && confirmed([[late(1)]]).map(\.refresh) == [1])
  }

  @Test("The hitch is the median of the runs, and the cause is that of the longest hitch")
  func middle() {
    let three = confirmed([[late(4, 7, "a")], [late(4, 90, "b")], [late(4, 8, "c")]])
    #expect(three.map(\.hitch) == [8] && three.map(\.cause) == ["b"])
    // In time once: the median of 0, 7 and 90.
    #expect(confirmed([[late(4, 7)], [late(4, 90)], []]).map(\.hitch) == [7])
  }

  @Test("Prefetching is the cause if it was in two of three runs")
  func overruns() {
    func isOverrun(_ overruns: Bool...) -> Bool? {
      confirmed(overruns.map { [late(2, overrun: $0)] }).first?.isSlackOverrun
    }
    #expect(isOverrun(true, true, false) == true && isOverrun(true, false, false) == false)
  }

  @Test("The comparison matches a direct computation for random late frames", arguments: 0..<6)
  func model(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let runs = (0..<3).map { _ in
      (0..<40).compactMap { refresh in
        Int.random(in: 0..<3, using: &random) == 0 ? late(refresh, Double(Int.random(in: 1...9, using: &random))) : nil
      }.shuffled(using: &random)
    }
    var expected: [Int: Double] = [:]
    for refresh in 0..<40 {
      let hitches = runs.map { run in run.first { $0.refresh == refresh }?.hitch ?? 0 }.sorted()
      if hitches[1] > 0 { expected[refresh] = hitches[1] }
    }
    let confirmed = confirmed(runs)
    #expect(
      confirmed.map(\.refresh) == expected.keys.sorted() && confirmed.allSatisfy { expected[$0.refresh] == $0.hitch })
  }
}
