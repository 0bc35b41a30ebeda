import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("A scroll keeps its laws through any series of events")
struct ScrollStateLawTests {
  private func event(_ random: inout SeededGenerator) -> ScrollEvent {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .wheel(distance: .random(in: -300...300, using: &random), kind: .notch)
    case 9: .drag(by: .random(in: -200...200, using: &random))
    case 10: .release
    case 11: .settle(at: .random(in: 0...99_200, using: &random))
    case 1...3: .wheel(distance: .random(in: -60...60, using: &random), kind: .continuous)
    case 4: .page(by: random.chance(oneIn: 2) ? 1 : -1)
    case 5: .flick(velocity: .random(in: -9_000...9_000, using: &random), accumulating: true)
    case 6: .scrollTo(.random(in: 0...99_200, using: &random), animated: true)
    case 7: .steady(velocity: .random(in: -2_000...2_000, using: &random))
    default: .advance(by: .random(in: -100...100, using: &random))
    }
  }

  @Test("The path is the same at 60 and at 240 frames a second, even if every frame says that nothing changed")
  func pathDoesNotDependOnFrameRate() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<60 {
      var slow = ScrollState.sample()
      var fast = ScrollState.sample()
      for frame in 0..<400 {
        let now = FrameInstant(nanoseconds: Int64(frame) * 4_166_667)
        if random.chance(oneIn: 25) {
          let event = event(&random)
          #expect(slow.handle(event, at: now) == fast.handle(event, at: now))
        }
        #expect(fast.handle(.offsetAdjusted(by: 0), at: now).isEmpty)
        #expect(fast.handle(.rangeChanged(fast.range, offsetAdjustment: 0), at: now).isEmpty)
        guard frame % 4 == 0 else { continue }
        #expect(slow.offset(at: now) == fast.offset(at: now))
        #expect(slow.velocity(at: now) == fast.velocity(at: now))
        #expect(slow.phase(at: now) == fast.phase(at: now))
      }
    }
  }

  @Test("What a spring takes over goes on from the same offset with the same velocity")
  func retargetingIsSmooth() {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<2_000 {
      var state = ScrollState.sample(offset: 50_000)
      for step in 0..<3 { state.handle(event(&random), at: moment(Double(step) * 70)) }
      let now = moment(200)
      let before = (offset: state.offset(at: now), velocity: state.velocity(at: now))
      let distance = Double.random(in: 1...1_000, using: &random) * (random.chance(oneIn: 2) ? 1 : -1)
      guard state.range.contains(before.offset + 20 * distance) else { continue }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: state.handle(.wheel(distance: distance, kind: .notch), at: now)
      case 1: state.handle(.advance(by: distance), at: now)
      default: state.handle(.scrollTo(before.offset + distance, animated: true), at: now)
      }
      #expect(state.offset(at: now) == before.offset)
      #expect((state.velocity(at: now) - before.velocity).magnitude < 1e-6)
    }
  }

  @Test("Without events the offset never jumps: it moves by no more than its speed allows")
  func continuity() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<300 {
      var state = ScrollState.sample(offset: 50_000)
      for step in 0..<4 { state.handle(event(&random), at: moment(Double(step) * 50)) }
      var fastest = 0.0
      for step in 0..<4_000 { fastest = max(fastest, state.velocity(at: moment(150 + Double(step))).magnitude) }
      for step in 0..<4_000 {
        let from = state.offset(at: moment(150 + Double(step)))
        let to = state.offset(at: moment(151 + Double(step)))
        #expect((to - from).magnitude <= fastest * 1.2e-3 + 0.11)
      }
    }
  }

  @Test("Once at rest by its own account it rests where it said, for ever")
  func restsWhereItSaid() throws {
    var random = SeededGenerator(seed: 24)
    for _ in 0..<500 {
      var state = ScrollState.sample(offset: 50_000)
      for step in 0..<4 { state.handle(event(&random), at: moment(Double(step) * 50)) }
      state.handle(.release, at: moment(160))
      let rest = try #require(state.restInstant)
      for later in [0.0, 1, 1e6] {
        #expect(state.offset(at: rest + .milliseconds(later)) == state.projectedOffset)
        #expect(state.velocity(at: rest + .milliseconds(later)) == 0)
        #expect(state.phase(at: rest + .milliseconds(later)) == .idle)
        #expect(!state.isMoving(at: rest + .milliseconds(later)))
      }
    }
  }

  @Test("No events, whatever their numbers and time stamps, break it")
  func extremes() {
    var random = SeededGenerator(seed: 25)
    var state = ScrollState()
    func number() -> Double {
      random.chance(oneIn: 3)
        ? .random(in: -5_000...5_000, using: &random) : EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0
    }
    for _ in 0..<20_000 {
      let kind = [WheelKind.notch, .highResolution, .continuous].randomElement(using: &random) ?? .notch
      let range = ScrollRange(minimum: number(), maximum: number(), viewportLength: number())
      let event: ScrollEvent =
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1: .wheel(distance: number(), kind: kind)
        case 2: .advance(by: number())
        case 3: .page(by: number())
        case 4: .scrollTo(number(), animated: random.chance(oneIn: 2))
        case 5: .flick(velocity: number(), accumulating: random.chance(oneIn: 2))
        case 6: .steady(velocity: number())
        case 7: .jump(to: number())
        case 8: .thumbDrag(to: number())
        case 9: .thumbRelease
        case 10: .stop
        case 11: .rangeChanged(range, offsetAdjustment: number())
        case 12: .hold
        case 13: .drag(by: number())
        case 14: .release
        case 15: .settle(at: number())
        default: .offsetAdjusted(by: number())
        }
      let stamp = Int64(EdgeCaseNumbers.integers.randomElement(using: &random) ?? 0)
      let now =
        random.chance(oneIn: 500) ? FrameInstant(nanoseconds: stamp) : moment(.random(in: 0...1e6, using: &random))
      state.handle(event, at: now)
      let soon = FrameInstant(nanoseconds: min(now.nanoseconds, .max - 1_000_000) + 1_000_000)
      for time in [now, soon, .distantFuture, .distantPast, FrameInstant(nanoseconds: stamp)] {
        let offset = state.offset(at: time)
        let isLawful =
          (offset - state.range.clamp(offset)).magnitude <= state.range.viewportLength + 1
          && state.velocity(at: time).isFinite && state.range.contains(state.projectedOffset)
        #expect(isLawful, "\(event) at \(now)")
        _ = state.instant(reaching: number(), after: time)
        _ = state.isMoving(at: time)
      }
      if random.chance(oneIn: 200) { state = ScrollState(range: range, offset: number()) }
    }
  }
}
