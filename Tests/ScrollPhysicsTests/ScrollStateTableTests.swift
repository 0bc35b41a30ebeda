import FramePacing
import ScrollPhysics
import Testing

@Suite("The state machine of a scroll: every phase and every event")
struct ScrollStateTableTests {
  private static let now = moment(150)

  /// What a scroll may be doing: a hand that holds it is a finger, a trackpad's, which may leave it without a word, or the
  /// thumb's.
  nonisolated enum Situation: CaseIterable {
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

  /// A scroll that does something at ``now``.
  private func state(in situation: Situation) -> ScrollState {
    var state = ScrollState.sample(offset: situation == .bouncing ? 0 : 10_000)
    switch situation {
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

  /// An event, the phase that it leads to from each, in their order, and whether it may move the content at once.
  private struct Row {
    var event: ScrollEvent
    var next: [ScrollPhase]
    var moves = false
    init(_ event: ScrollEvent, _ next: ScrollPhase..., moves: Bool = false) {
      self.event = event
      self.next = next.count == 1 ? .init(repeating: next[0], count: Situation.allCases.count) : next
      self.moves = moves
    }
  }

  private let rows = [
    Row(.wheel(distance: 96, kind: .notch), .animating),
    Row(.wheel(distance: 96, kind: .highResolution), .animating),
    Row(.wheel(distance: 10, kind: .continuous), .tracking, moves: true),
    Row(.advance(by: 80), .animating),
    Row(.page(by: 1), .animating),
    Row(.scrollTo(300, animated: true), .animating, moves: true),
    Row(.scrollTo(300, animated: false), .idle, moves: true),
    Row(
      .flick(velocity: 2_000, accumulating: true), .decelerating, .decelerating, .decelerating, .decelerating,
      .decelerating, .bouncing, .decelerating),
    Row(.steady(velocity: 500), .animating),
    Row(.glide(velocity: 500), .animating),
    Row(.glide(velocity: 0), .idle, .idle, .idle, .idle, .animating, .bouncing, .animating),
    Row(.jump(to: 77), .idle, moves: true),
    Row(.hold, .tracking),
    Row(.drag(by: 10), .tracking, moves: true),
    // Who does not hold it as a finger does cannot let it go as one.
    Row(.release, .idle, .idle, .tracking, .idle, .decelerating, .bouncing, .animating),
    Row(
      .settle(at: 20_000), .decelerating, .decelerating, .decelerating, .decelerating, .decelerating, .bouncing,
      .animating),
    Row(.thumbDrag(to: 5), .tracking, moves: true),
    Row(.thumbRelease, .idle, .idle, .tracking, .idle, .decelerating, .bouncing, .animating),
    Row(.stop, .idle, .idle, .idle, .idle, .idle, .bouncing, .idle),
    Row(
      .rangeChanged(ScrollRange(contentLength: 90_000, viewportLength: 800), offsetAdjustment: 0), .idle, .tracking,
      .tracking, .tracking, .decelerating, .bouncing, .animating),
    Row(
      .offsetAdjusted(by: 100), .idle, .tracking, .tracking, .tracking, .decelerating, .bouncing, .animating,
      moves: true),
  ]

  @Test("Each leads to its phase, with no jump where none was asked for", arguments: Situation.allCases)
  func table(situation: Situation) throws {
    let now = ScrollStateTableTests.now
    let place = try #require(Situation.allCases.firstIndex(of: situation))
    for row in rows {
      var state = state(in: situation)
      #expect(state.phase(at: now) == situation.phase)
      let before = state.offset(at: now)
      let effects = state.handle(row.event, at: now)
      #expect(state.phase(at: now) == row.next[place], "\(row.event)")
      if !row.moves {
        #expect((state.offset(at: now) - before).magnitude < 1e-9, "\(row.event)")
        #expect(!effects.contains(.moved), "\(row.event)")
      }
      // The thumb is held by the thumb's hand alone, and over what happens to the content.
      let isThumb = if case .thumbDrag = row.event { true } else { situation == .thumb && row.event.isTheContents }
      #expect(state.isThumbHeld(at: now) == isThumb, "\(row.event)")
      // Whatever it is, it comes to rest within the content once no hand holds it.
      state.handle(.release, at: now + .milliseconds(1))
      let rest = try #require(state.restInstant)
      #expect(state.range.contains(state.offset(at: rest)), "\(row.event)")
      #expect(state.phase(at: rest) == .idle, "\(row.event)")
    }
  }

  @Test("The path is the same at 60 and 144 frames a second and at none in particular, within 0.01 point")
  func frameRates() {
    for row in rows {
      for situation in Situation.allCases {
        let now = ScrollStateTableTests.now
        var paths: [[Double]] = []
        for step in [16.667, 6.944, 0] {
          var state = state(in: situation)
          state.handle(row.event, at: now)
          state.handle(.drag(by: -35), at: moment(200))
          state.handle(.release, at: moment(230))
          var frame = 230.0
          var path: [Double] = []
          var random = 1.0
          for sample in 0..<60 {
            let due = 240 + Double(sample) * 25
            while frame < due {
              // Frames that know of other content, and of the same again, as while places become final.
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
        for (first, other) in zip(paths[0], paths[1]) { #expect((first - other).magnitude < 0.01, "\(row.event)") }
        for (first, other) in zip(paths[0], paths[2]) { #expect((first - other).magnitude < 0.01, "\(row.event)") }
      }
    }
  }
}

extension ScrollEvent {
  /// Whether it happens to the content, and nobody's hand does it.
  fileprivate var isTheContents: Bool {
    switch self {
    case .rangeChanged, .offsetAdjusted: true
    default: false
    }
  }
}
