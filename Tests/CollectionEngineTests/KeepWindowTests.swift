import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("The keep window extends farther ahead than behind, and covers the landing of a flick")
struct KeepWindowTests {
  static let range = ScrollRange(minimum: 0, maximum: 100_000, viewportLength: 800)

  static func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  static func resting(at offset: Double) -> ScrollState { ScrollState(range: range, offset: offset) }

  static func update(_ window: inout KeepWindow, _ scroll: ScrollState, _ shown: FrameInstant) -> Bool {
    window.handle(scroll, shown: shown)
  }

  @Test("At rest the window extends one viewport in the last scrolling direction and half a viewport behind")
  func rest() {
    var window = KeepWindow()
    #expect(!Self.update(&window, Self.resting(at: 5_000), Self.at(0)))
    #expect(window.isForward && window.limits == KeepLimits(aroundViewport: 4_600...6_600))
    #expect(!Self.update(&window, Self.resting(at: 4_999), Self.at(0.016)))
    #expect(window.limits.aroundViewport == 4_599...6_599)
    #expect(Self.update(&window, Self.resting(at: 4_998), Self.at(0.032)))
    #expect(!window.isForward && window.limits.aroundViewport == 4_198...6_198)
  }

  @Test("After a turn, the cells beyond the extent behind are removed")
  func removeCellsAfterTurn() {
    var window = KeepWindow()
    var waiting = WaitingCells<Int>()
    window.handle(Self.resting(at: 8_000), shown: Self.at(0))
    // Rows of 100 points.
    for index in 76...95 { waiting.insert(index, at: index) }
    func drop() -> [Int] {
      let limits = window.limits
      return waiting.removeCells { limits.contains(start: Double($0) * 100, end: Double($0 + 1) * 100) }.map(\.index)
    }
    #expect(drop().isEmpty)
    #expect(Self.update(&window, Self.resting(at: 7_990), Self.at(0.016)))
    #expect(drop() == [92, 93, 94, 95])
  }

  @Test("A shift of the content is not a turn")
  func contentShift() {
    var window = KeepWindow()
    window.handle(Self.resting(at: 5_000), shown: Self.at(0))
    window.shiftContent(by: -900)
    window.shiftContent(by: .nan)
    #expect(!Self.update(&window, Self.resting(at: 4_100), Self.at(0.016)))
    #expect(window.isForward && window.typicalStep == 0)
  }

  @Test("A flick keeps the region of its landing until the content rests there")
  func landing() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.flick(velocity: 20_000, accumulating: false), at: Self.at(0))
    window.handle(scroll, shown: Self.at(0.016))
    let landing = scroll.projectedOffset
    #expect(landing > 14_000)
    #expect(window.limits.landing == (landing - 400)...(landing + 1_600))
    #expect(window.limits.contains(start: landing + 790, end: landing + 810))
    #expect(!window.limits.contains(start: 9_000, end: 9_100))
    window.handle(scroll, shown: Self.at(30))
    #expect(window.limits.landing == nil && window.limits.aroundViewport == (landing - 400)...(landing + 1_600))
  }

  @Test("A steady scroll has a landing only shortly before its end, and an animated scroll has one immediately")
  func approach() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.steady(velocity: 1_000), at: Self.at(0))
    window.handle(scroll, shown: Self.at(1))
    #expect(window.limits.landing == nil)
    window.handle(scroll, shown: Self.at(94.5))
    #expect(window.limits.landing == 99_600...101_600)
    var paged = Self.resting(at: 5_000)
    paged.handle(.page(by: 1), at: Self.at(0))
    window = KeepWindow()
    window.handle(paged, shown: Self.at(0.016))
    let target = paged.projectedOffset
    #expect((target - 5_720).magnitude < 0.001)
    #expect(window.limits.landing == (target - 400)...(target + 1_600))
  }

  @Test("The extent ahead grows with speed and lead time, up to 2.5 viewports")
  func fastScroll() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.steady(velocity: 6_000), at: Self.at(0))
    window.handle(scroll, shown: Self.at(1), lead: .milliseconds(200))
    #expect(window.limits.aroundViewport == 10_600...(11_800 + 1_200))
    window.handle(scroll, shown: Self.at(2), lead: .seconds(5))
    #expect(window.limits.aroundViewport == 16_600...(17_800 + 2_000))
    window.extent = .lowMemory
    window.handle(scroll, shown: Self.at(2), lead: .seconds(5))
    #expect(window.limits.aroundViewport == 16_800...18_000)
    window.extent = .none
    window.handle(scroll, shown: Self.at(2))
    #expect(window.limits.aroundViewport == 17_000...17_800)
    #expect(KeepExtent(ahead: .nan, behind: -1, maximumAhead: .infinity).ahead == 0)
  }

  @Test("The typical step of a drag is the median of its last five steps, and zero after a pause")
  func typicalStep() {
    var window = KeepWindow()
    var offset = 5_000.0
    var frame = 0
    func move(_ steps: Double...) {
      for step in steps {
        offset += step
        frame += 1
        window.handle(Self.resting(at: offset), shown: Self.at(Double(frame) / 60))
      }
    }
    move(0, 10, 12, 90)
    #expect(window.typicalStep == 12)
    move(11, 13, 14)
    #expect(window.typicalStep == 13)
    move(0, 0)
    #expect(window.typicalStep == 13)
    move(0)
    #expect(window.typicalStep == 0)
  }

  @Test("The window also applies to flat indices")
  func indices() {
    var window = KeepWindow()
    #expect(window.indices(around: 20..<31, of: 100) == 14..<42)
    #expect(window.indices(around: 0..<11, of: 15) == 0..<15)
    #expect(window.indices(around: 4..<4, of: 15).isEmpty)
    window.handle(Self.resting(at: 500), shown: Self.at(0))
    window.handle(Self.resting(at: 400), shown: Self.at(0.016))
    #expect(window.indices(around: 20..<31, of: 100) == 9..<37)
  }

  @Test("The viewport is inside the limits, and the limits are bounded", arguments: 0..<8)
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var window = KeepWindow()
    var scroll = Self.resting(at: 30_000)
    var now = Self.at(0)
    for _ in 0..<600 {
      now = now + FrameDuration(nanoseconds: 16_666_667)
      if generator.chance(oneIn: 8) {
        let number = Double.random(in: -60_000...60_000, using: &generator)
        let events: [ScrollEvent] = [
          .flick(velocity: number, accumulating: true), .steady(velocity: number), .jump(to: number), .page(by: 1),
          .wheel(distance: number / 600, kind: .continuous), .scrollTo(number, animated: true), .stop,
          .thumbDrag(to: number), .thumbRelease, .flick(velocity: .nan, accumulating: false), .jump(to: .infinity),
        ]
        if let event = events.randomElement(using: &generator) { scroll.handle(event, at: now) }
      }
      let wasForward = window.isForward
      let hasTurned = window.handle(scroll, shown: now, lead: .milliseconds(150))
      #expect(hasTurned == (window.isForward != wasForward))
      let offset = scroll.offset(at: now)
      let near = window.limits.aroundViewport
      #expect(near.lowerBound <= offset && near.upperBound >= offset + 800)
      let ahead = window.isForward ? near.upperBound - offset - 800 : offset - near.lowerBound
      let behind = near.upperBound - near.lowerBound - 800 - ahead
      #expect(ahead >= 799.999 && ahead <= 2_000.001 && (behind - 400).magnitude < 0.001)
      if let landing = window.limits.landing {
        #expect(scroll.isMoving(at: now))
        #expect(landing.contains(scroll.projectedOffset) && landing.contains(scroll.projectedOffset + 800))
        #expect(((landing.upperBound - landing.lowerBound) - 2_000).magnitude < 0.001)
      }
    }
  }
}

// MARK: - Scrolling direction

@Suite("The scrolling direction changes after eight points or two frames against it")
struct ScrollDirectionTrackerTests {
  static func directions(_ steps: Double..., from isForward: Bool = true) -> [Bool] {
    var tracker = ScrollDirectionTracker(isForward: isForward)
    return steps.map { step in
      _ = tracker.recordMovement(by: step)
      return tracker.isForward
    }
  }

  @Test("One small step back is ignored, a second one turns the direction, and so does one step of eight points")
  func thresholds() {
    #expect(Self.directions(-1, -1) == [true, false])
    #expect(Self.directions(-7.9) == [true])
    #expect(Self.directions(-8) == [false])
    #expect(Self.directions(1, 0.5, from: false) == [false, true])
  }

  @Test("Jitter does not turn the direction, and idle frames between two steps back do not count")
  func jitter() {
    #expect(Self.directions(-7, 1, -7, 1, -7, 1) == Array(repeating: true, count: 6))
    #expect(Self.directions(-1, 0, 0, -1) == [true, true, true, false])
  }

  @Test("NaN is no movement, and infinity is a step")
  func edgeCases() {
    var tracker = ScrollDirectionTracker()
    for number in EdgeCaseNumbers.doubles {
      let before = tracker
      let hasTurned = tracker.recordMovement(by: number)
      if number.isNaN || number == 0 { #expect(!hasTurned && tracker == before) }
      #expect(hasTurned == (tracker.isForward != before.isForward))
      if number.magnitude >= 8 { #expect(tracker.isForward == (number > 0)) }
    }
  }

  @Test("A turn needs eight points or two consecutive frames against the direction", arguments: 0..<5)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var tracker = ScrollDirectionTracker()
    var run: [Double] = []
    for _ in 0..<2_000 {
      let step = generator.chance(oneIn: 4) ? 0 : Double.random(in: -9...9, using: &generator)
      let wasForward = tracker.isForward
      if step != 0 { if (step > 0) == wasForward { run = [] } else { run.append(step) } }
      let expected = run.count >= 2 || run.reduce(0) { $0 + $1.magnitude } >= 8
      #expect(tracker.recordMovement(by: step) == expected)
      if expected { run = [] }
      #expect(tracker.isForward == (wasForward != expected))
    }
  }
}
