import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("The phase of a ScrollState after each event in each initial state")
struct ScrollStateTransitionTests {
  private static let now = moment(150)

  /// An initial state for the transition table.
  ///
  /// Three states have the phase tracking: a finger, a trackpad, which reports no release, and the dragged scroll
  /// thumb.
  nonisolated enum InitialState: CaseIterable {
    case idle, finger, trackpad, thumb, decelerating, bouncing, animating

    var phase: ScrollPhase {
      switch self {
      case .idle: .idle
      case .finger, .trackpad, .thumb: .tracking
      case .decelerating: .decelerating
      case .bouncing: .bouncing
      case .animating: .animating
      }
    }
  }

  /// Returns a scroll that is in an initial state at ``now``.
  private func state(in initialState: InitialState) -> ScrollState {
    var state = ScrollState.sample(offset: initialState == .bouncing ? 0 : 10_000)
    switch initialState {
    case .idle: break
    case .finger: state.handle(.hold, at: moment(100))
    case .trackpad:
      for number in 0..<4 {
        state.handle(.wheel(distance: 8, kind: .continuous), at: moment(118 + Double(number) * 10))
      }
    case .thumb: state.handle(.thumbDrag(to: 10_000), at: moment(100))
    case .decelerating: state.handle(.flick(velocity: 3_000, accumulating: false), at: moment(100))
    case .bouncing:
      state.handle(.drag(by: -300), at: moment(0))
      state.handle(.release, at: moment(100))
    case .animating: state.handle(.wheel(distance: 400, kind: .notch), at: moment(100))
    }
    return state
  }

  /// An event, the phase after it for each initial state in order, and whether it may move the content immediately.
  private struct Transition {
    var event: ScrollEvent
    var next: [ScrollPhase]
    var moves = false
    init(_ event: ScrollEvent, _ next: ScrollPhase..., moves: Bool = false) {
      self.event = event
      self.next = next.count == 1 ? .init(repeating: next[0], count: InitialState.allCases.count) : next
      self.moves = moves
    }
  }

  private let transitions = [
    Transition(.wheel(distance: 96, kind: .notch), .animating),
    Transition(.wheel(distance: 96, kind: .highResolution), .animating),
    Transition(.wheel(distance: 10, kind: .continuous), .tracking, moves: true),
    Transition(.advance(by: 80), .animating),
    Transition(.page(by: 1), .animating),
    Transition(.scrollTo(300, animated: true), .animating, moves: true),
    Transition(.scrollTo(300, animated: false), .idle, moves: true),
    Transition(
      .flick(velocity: 2_000, accumulating: true), .decelerating, .decelerating, .decelerating, .decelerating,
      .decelerating, .bouncing, .decelerating),
    Transition(.steady(velocity: 500), .animating),
    Transition(.glide(velocity: 500), .animating),
    Transition(.glide(velocity: 0), .idle, .idle, .idle, .idle, .animating, .bouncing, .animating),
    Transition(.jump(to: 77), .idle, moves: true),
    Transition(.hold, .tracking),
    Transition(.drag(by: 10), .tracking, moves: true),
    // Only a finger's drag ends with a release.
    Transition(.release, .idle, .idle, .tracking, .idle, .decelerating, .bouncing, .animating),
    Transition(
      .settle(at: 20_000), .decelerating, .decelerating, .decelerating, .decelerating, .decelerating, .bouncing,
      .animating),
    Transition(
      .retarget(to: 20_000, shown: 9_000), .animating, .tracking, .tracking, .tracking, .decelerating, .bouncing,
      .animating),
    Transition(.thumbDrag(to: 5), .tracking, moves: true),
    Transition(.thumbRelease, .idle, .idle, .tracking, .idle, .decelerating, .bouncing, .animating),
    Transition(.stop, .idle, .idle, .idle, .idle, .idle, .bouncing, .idle),
    Transition(
      .rangeChanged(ScrollRange(contentLength: 90_000, viewportLength: 800), offsetAdjustment: 0), .idle, .tracking,
      .tracking, .tracking, .decelerating, .bouncing, .animating),
    Transition(
      .offsetAdjusted(by: 100), .idle, .tracking, .tracking, .tracking, .decelerating, .bouncing, .animating,
      moves: true),
  ]

  @Test("Each event leads to its phase without an unexpected jump", arguments: InitialState.allCases)
  func table(initialState: InitialState) throws {
    let now = ScrollStateTransitionTests.now
    let column = try #require(InitialState.allCases.firstIndex(of: initialState))
    for transition in transitions {
      var state = state(in: initialState)
      #expect(state.phase(at: now) == initialState.phase)
      let before = state.offset(at: now)
      let effects = state.handle(transition.event, at: now)
      #expect(state.phase(at: now) == transition.next[column], "\(transition.event)")
      if !transition.moves {
        #expect((state.offset(at: now) - before).magnitude < 1e-9, "\(transition.event)")
        #expect(!effects.contains(.moved), "\(transition.event)")
      }
      // Only a thumb drag holds the thumb, and changes of the content do not release it.
      let isThumb =
        if case .thumbDrag = transition.event { true } else {
          initialState == .thumb && transition.event.isContentChange
        }
      #expect(state.isThumbHeld(at: now) == isThumb, "\(transition.event)")
      // The content comes to rest within its range once it is released.
      state.handle(.release, at: now + .milliseconds(1))
      let rest = try #require(state.restInstant)
      #expect(state.range.contains(state.offset(at: rest)), "\(transition.event)")
      #expect(state.phase(at: rest) == .idle, "\(transition.event)")
    }
  }

  @Test("The trajectory at 60 and 144 frames per second and at irregular intervals is the same within 0.01 points")
  func frameRates() {
    for transition in transitions {
      for initialState in InitialState.allCases {
        let now = ScrollStateTransitionTests.now
        var paths: [[Double]] = []
        for step in [16.667, 6.944, 0] {
          var state = state(in: initialState)
          state.handle(transition.event, at: now)
          state.handle(.drag(by: -35), at: moment(200))
          state.handle(.release, at: moment(230))
          var frame = 230.0
          var path: [Double] = []
          var random = 1.0
          for sample in 0..<60 {
            let due = 240 + Double(sample) * 25
            while frame < due {
              // Reports a new range once and then the same range again, as happens while frames become final.
              let longer = ScrollRange(contentLength: 100_000 + (frame > 500 ? 4_000 : 0), viewportLength: 800)
              let isNew = frame > 500 && state.range != longer
              state.handle(.rangeChanged(longer, offsetAdjustment: 0), at: moment(isNew ? 500 : frame))
              random = (random * 7_919).truncatingRemainder(dividingBy: 37)
              frame += step > 0 ? step : 1 + random
            }
            path.append(state.offset(at: moment(due)))
          }
          paths.append(path)
        }
        for (first, other) in zip(paths[0], paths[1]) {
          #expect((first - other).magnitude < 0.01, "\(transition.event)")
        }
        for (first, other) in zip(paths[0], paths[2]) {
          #expect((first - other).magnitude < 0.01, "\(transition.event)")
        }
      }
    }
  }
}

extension ScrollEvent {
  /// Whether the event is a change of the content and not user input.
  fileprivate var isContentChange: Bool {
    switch self {
    case .rangeChanged, .offsetAdjusted, .retarget: true
    default: false
    }
  }
}

// MARK: - Invariants

@Suite("Invariants of ScrollState over random events")
struct ScrollStateInvariantTests {
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

  @Test("The trajectory does not depend on the frame rate or on events that change nothing")
  func isIndependentOfFrameRate() {
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

  @Test("A spring continues with the current offset and velocity")
  func springIsContinuous() {
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

  @Test("Without events the offset moves no faster than the maximum velocity")
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

  @Test("The content stays at its projected offset once it is at rest")
  func restsAtProjection() throws {
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

  @Test("Extreme numbers and time stamps keep the state valid")
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
        switch Int.random(in: 0..<18, using: &random) {
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
        case 16: .retarget(to: number(), shown: number())
        default: .offsetAdjusted(by: number())
        }
      let stamp = Int64(EdgeCaseNumbers.integers.randomElement(using: &random) ?? 0)
      let now =
        random.chance(oneIn: 500) ? FrameInstant(nanoseconds: stamp) : moment(.random(in: 0...1e6, using: &random))
      state.handle(event, at: now)
      let soon = FrameInstant(nanoseconds: min(now.nanoseconds, .max - 1_000_000) + 1_000_000)
      for time in [now, soon, .distantFuture, .distantPast, FrameInstant(nanoseconds: stamp)] {
        let offset = state.offset(at: time)
        let isValid =
          (offset - state.range.clamp(offset)).magnitude <= state.range.viewportLength + 1
          && state.velocity(at: time).isFinite && state.range.contains(state.projectedOffset)
        #expect(isValid, "\(event) at \(now)")
        _ = state.instant(reaching: number(), after: time)
        _ = state.isMoving(at: time)
      }
      if random.chance(oneIn: 200) { state = ScrollState(range: range, offset: number()) }
    }
  }
}

// MARK: - Notices

@Suite("ScrollPhase.notices")
struct ScrollNoticeTests {
  @Test("Each pair of phases reports the end of the first and the start of the second")
  func table() {
    let phases: [ScrollPhase] = [.idle, .tracking, .decelerating, .bouncing, .animating]
    #expect(phases == ScrollPhase.allCases)
    let beginnings: [ScrollNotice?] = [
      nil, .willBeginDragging, .willBeginDecelerating, .willBeginDecelerating, .willBeginAnimation,
    ]
    let ends: [ScrollNotice?] = [
      nil, .didEndDragging(willDecelerate: false), .didEndDecelerating, .didEndDecelerating, .didEndAnimation,
    ]
    for (last, end) in zip(phases, ends) {
      for (next, beginning) in zip(phases, beginnings) {
        let notices = last.notices(changingTo: next)
        let free: [ScrollPhase] = [.decelerating, .bouncing]
        let isSame = last == next || (free.contains(last) && free.contains(next))
        let decelerates = last == .tracking && free.contains(next)
        #expect(notices.start == (isSame ? nil : beginning))
        #expect(notices.end == (isSame ? nil : decelerates ? .didEndDragging(willDecelerate: true) : end))
      }
    }
  }
}

// MARK: - Fixtures

/// Returns the instant that is the given number of milliseconds after zero.
func moment(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

extension ScrollState {
  /// Returns a scroll over 100,000 points of content by default, in a viewport of 800 points.
  static func sample(offset: Double = 10_000, length: Double = 100_000) -> ScrollState {
    ScrollState(range: ScrollRange(contentLength: length, viewportLength: 800), offset: offset)
  }

  /// Handles a burst of trackpad deltas.
  ///
  /// - Parameters:
  ///   - start: The time of the first delta in milliseconds.
  ///   - gap: The time between deltas in milliseconds. Default: 8.
  /// - Returns: The instant of the last delta.
  @discardableResult
  mutating func swipe(_ deltas: [Double], from start: Double, every gap: Double = 8) -> FrameInstant {
    for (index, delta) in deltas.enumerated() {
      handle(.wheel(distance: delta, kind: .continuous), at: moment(start + Double(index) * gap))
    }
    return moment(start + Double(deltas.count - 1) * gap)
  }
}
