import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("The target of an animated scroll moves while the content is on its way")
struct ScrollStateRetargetTests {
  private static let frame = 1_000.0 / 60

  @Test("Position and velocity are continuous, and the content comes to rest at the last target", arguments: 0..<40)
  func continuity(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var state = ScrollState.sample(offset: 50_000)
    state.handle(.scrollTo(.random(in: 49_000...51_000, using: &random).rounded(), animated: true), at: moment(0))
    var target = state.projectedOffset
    for step in 1...10 {
      let now = moment(Double(step) * 40)
      let (offset, velocity) = (state.offset(at: now), state.velocity(at: now))
      target = .random(in: 40_000...60_000, using: &random)
      state.handle(.retarget(to: target, shown: offset), at: now)
      // Less than a frame away it is reached at once.
      guard state.phase(at: now) != .idle else { continue }
      #expect((state.offset(at: now) - offset).magnitude < 1e-9)
      #expect((state.velocity(at: now) - velocity).magnitude < 1e-6)
    }
    let rest = try #require(state.restInstant)
    #expect(state.offset(at: rest) == target && state.velocity(at: rest) == 0)
  }

  /// The law of scrolling to an item: as long as the target is ahead of what was displayed, whatever becomes known moves
  /// the content only toward it, and it arrives.
  @Test("The content never runs backwards", arguments: 0..<200)
  func monotonic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sign = random.chance(oneIn: 2) ? 1.0 : -1
    var state = ScrollState.sample(offset: 50_000)
    if random.chance(oneIn: 2) {
      state.handle(
        .flick(velocity: sign * .random(in: 100...9_000, using: &random), accumulating: false), at: moment(0))
    }
    state.handle(.scrollTo(50_000 + sign * .random(in: 1...2_000, using: &random), animated: true), at: moment(16))
    // The displayed position and the target relative to the content.
    var shown = sign > 0 ? -Double.infinity : .infinity
    var (shift, target) = (0.0, state.projectedOffset)
    for number in 2...200 {
      let now = moment(Double(number) * Self.frame)
      let before = state.offset(at: now) - shift
      if number < 120, random.chance(oneIn: 4) {
        // Content above changed its length, and so did content between the position and the target.
        let points = Double(Int.random(in: -300...300, using: &random))
        state.handle(.offsetAdjusted(by: points), at: now)
        shift += points
        let last = shown.isFinite ? shown : before
        let distance = random.chance(oneIn: 3) ? 0...20 : 0...3_000.0
        target = last + sign * .random(in: distance, using: &random) + shift
        state.handle(.retarget(to: target, shown: last + shift), at: now)
        target -= shift
      }
      let offset = state.offset(at: now) - shift
      #expect(sign * (offset - shown) >= -1e-9, "seed \(seed), frame \(number): \(shown) to \(offset)")
      #expect(sign * (target - offset) >= -1e-9 || number == 2, "seed \(seed), frame \(number): beyond the target")
      shown = offset
    }
    #expect((shown - target).magnitude < 1e-9 && state.phase(at: moment(200 * Self.frame)) == .idle, "seed \(seed)")
  }

  @Test("A target that was passed in this frame is reached in it")
  func passedTarget() {
    var state = ScrollState.sample(offset: 1_000)
    state.handle(.scrollTo(2_000, animated: true), at: moment(0))
    let (last, now) = (state.offset(at: moment(84)), moment(100))
    let target = (last + state.offset(at: now)) / 2
    state.handle(.retarget(to: target, shown: last), at: now)
    #expect(state.offset(at: now) == target && state.phase(at: now) == .idle)
  }

  @Test("A target just ahead of fast content is reached without swinging back")
  func nearTarget() {
    for distance in [0.5, 3, 20, 90] {
      var state = ScrollState.sample(offset: 1_000)
      state.handle(.scrollTo(2_000, animated: true), at: moment(0))
      let target = state.offset(at: moment(80)) + distance
      state.handle(.retarget(to: target, shown: state.offset(at: moment(80))), at: moment(80))
      for time in 80..<800 { #expect(state.offset(at: moment(Double(time))) <= target) }
      #expect(state.offset(at: moment(800)) == target)
    }
  }

  @Test("Content at rest starts to move, and with reduced motion it is there")
  func atRest() {
    var state = ScrollState.sample(offset: 1_000)
    state.handle(.retarget(to: 1_063, shown: 1_000), at: moment(0))
    #expect(state.phase(at: moment(0)) == .animating && state.offset(at: moment(0)) == 1_000)
    #expect(state.offset(at: moment(1_000)) == 1_063)
    state.tuning.reducesMotion = true
    state.handle(.retarget(to: 900, shown: 1_063), at: moment(1_000))
    #expect(state.offset(at: moment(1_000)) == 900)
  }

  @Test("Drags and coasting content have no target to move, and the target stays in the range")
  func otherPhases() {
    for event in [ScrollEvent.hold, .flick(velocity: 4_000, accumulating: false), .thumbDrag(to: 3_000)] {
      var state = ScrollState.sample(offset: 1_000)
      state.handle(event, at: moment(0))
      let projected = state.projectedOffset
      #expect(state.handle(.retarget(to: 5_000, shown: 1_000), at: moment(10)).isEmpty)
      #expect(state.projectedOffset == projected)
    }
    var state = ScrollState.sample(offset: 1_000)
    state.handle(.retarget(to: 1e9, shown: .nan), at: moment(0))
    #expect(state.projectedOffset == 99_200)
  }
}
