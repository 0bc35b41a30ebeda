import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport

@testable import VitrineViews

@Suite("ScrubberView")
struct ScrubberViewTests {
  private static let size = Size(width: 800, height: 600)
  private static let thumbColor = Color(hex: 0x123456, alpha: 200)

  /// A scroll view with a timeline of months, which is already built.
  private struct Fixture {
    let harness: WindowHarness
    let view = ScrollView()
    let months: FakeTimeline

    init(count: Int = 60, size: Size = ScrubberViewTests.size, scale: DisplayScale = .one, reducesMotion: Bool = false)
    {
      months = FakeTimeline(count: count)
      view.scrollIndicator.color = ScrubberViewTests.thumbColor
      view.scrollIndicator.reducesMotion = reducesMotion
      view.scrollIndicator.scrubberDataSource = months
      harness = WindowHarness(root: view, size: size, scale: scale)
      view.setContentLength(Double(count) * months.length)
      harness.window.addParticipant(view)
      harness.window.firstResponder = view
      harness.runUntilIdle()
    }

    var years: [DrawnText] {
      harness.drawnTexts(
        (0..<12).map(FakeTimeline.year), in: TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true))
    }

    /// The texts of the bubble, including the gain.
    var bubble: [String] {
      let names = (0..<32).map(FakeTimeline.name)
      return harness.drawnTexts(names, in: TextStyle(size: 16, weight: .semibold, hasMonospacedDigits: true)).map(
        \.text)
        + harness.drawnTexts(
          ["1/2 speed", "1/4 speed", "1/10 speed"],
          in: TextStyle(size: 12, weight: .medium, hasMonospacedDigits: true)
        ).map(\.text)
    }

    /// The number of thumbs in the last frame, counted by their corners.
    var thumbs: Int {
      let corners = harness.display.frames.last?.commands.count { command in
        command.kind == .texture && command.color.red == 0x12 && command.color.green == 0x34
      }
      return (corners ?? 0) / 4
    }

    func movePointer(_ x: Double, _ y: Double) { harness.sendEvent(.pointerMoved(Point(x: x, y: y))) }

    func pressPointer(_ x: Double, _ y: Double) {
      movePointer(x, y)
      harness.sendEvent(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
    }

    func releasePointer(_ x: Double, _ y: Double) {
      harness.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
    }
  }

  @Test("Years never cover scrolling content: they are visible at the edge while the pointer is there")
  func scrolling() {
    let fixture = Fixture()
    #expect(fixture.years.isEmpty && fixture.thumbs == 1)
    fixture.movePointer(800 - ScrollIndicator.proximityWidth + 1, 300)
    fixture.harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    for _ in 0..<60 {
      fixture.harness.run(frames: 1)
      #expect(fixture.years.isEmpty)
    }
    #expect(fixture.view.contentOffset > 0)
    fixture.movePointer(795, 300)
    fixture.harness.run(milliseconds: 400)
    #expect(
      fixture.years.map(\.text) == [0, 2, 3, 4, 5].map(FakeTimeline.year), "the second year is too near to the first")
    #expect(fixture.thumbs == 1)
    for year in fixture.years {
      #expect(year.frame.maxX <= 800 - Int32(ScrollIndicator.hitWidth), "next to the track of the thumb")
      #expect(year.frame.y >= 0 && year.frame.maxY <= 600)
    }
    #expect(fixture.bubble.isEmpty, "the thumb is not dragged")
    fixture.movePointer(400, 300)
    fixture.harness.runUntilIdle()
    #expect(fixture.years.isEmpty && fixture.thumbs == 1)
    #expect(fixture.harness.runUntilIdle() == 0)
  }

  @Test("Labels are at least twice their height apart and leave the inset free", arguments: [0.0, 48, 90])
  func labelSpacing(inset: Double) throws {
    let fixture = Fixture(count: 480)
    fixture.view.scrollIndicator.scrubberLabelInset = inset
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    let tops = fixture.years.map { Double($0.frame.y) }.sorted()
    #expect(tops.count >= 6 && tops.allSatisfy { $0 >= inset })
    #expect(zip(tops, tops.dropFirst()).dropFirst().allSatisfy { $1 - $0 >= 39 }, "\(tops)")
    // The first label may be moved below the label above it, but not into the next one.
    #expect(try #require(tops.dropFirst().first) - tops[0] >= ScrubberTimeline.labelHeight)
  }

  @Test("A pointer over the scroll bar shows the timeline without further frames until it is no longer near")
  func pointerProximity() {
    let fixture = Fixture()
    fixture.movePointer(400, 300)
    fixture.harness.runUntilIdle()
    #expect(fixture.years.isEmpty)
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    #expect(!fixture.years.isEmpty)
    fixture.movePointer(800 - ScrollIndicator.proximityWidth + 1, 300)
    fixture.harness.runUntilIdle()
    #expect(!fixture.years.isEmpty, "on the way to a label")
    #expect(fixture.years.allSatisfy { $0.color.alpha == 255 })
    #expect(fixture.harness.runUntilIdle() == 0)
    fixture.movePointer(400, 300)
    fixture.harness.runUntilIdle()
    #expect(fixture.years.isEmpty)
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    #expect(!fixture.years.isEmpty)
    fixture.harness.sendEvent(.pointerLeft)
    fixture.harness.runUntilIdle()
    #expect(fixture.years.isEmpty)
  }

  @Test("A press on the track scrolls there, shows the bubble and drags the thumb")
  func pressOnTrack() {
    let fixture = Fixture()
    fixture.pressPointer(790, 300)
    fixture.harness.run(frames: 1)
    let range = fixture.view.scroll.range
    // The center of the thumb is at the pointer, at half of the track.
    #expect((fixture.view.contentOffset - range.length / 2).magnitude < 1)
    #expect(fixture.bubble == [FakeTimeline.name(29)])
    #expect(fixture.thumbs == 1)
    fixture.movePointer(790, 600)
    fixture.harness.run(frames: 1)
    #expect(fixture.view.contentOffset == range.maximum)
    fixture.releasePointer(790, 600)
    fixture.harness.runUntilIdle()
    #expect(fixture.bubble.isEmpty)
    #expect(fixture.view.contentOffset == range.maximum)
    #expect(!fixture.view.scroll.isMoving(at: fixture.harness.clock.now()))
  }

  @Test("A press on a year scrolls to its first month")
  func pressOnYear() throws {
    let fixture = Fixture()
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    let year = try #require(fixture.years.first { $0.text == FakeTimeline.year(2) })
    fixture.pressPointer(Double(year.frame.x) + 4, Double(year.frame.y) + 4)
    fixture.harness.run(frames: 1)
    // After one month of the first year and twelve of the second.
    #expect(fixture.view.contentOffset == 13 * 500)
    fixture.releasePointer(Double(year.frame.x) + 4, Double(year.frame.y) + 4)
    fixture.harness.run(frames: 2)
    #expect(fixture.view.contentOffset == 13 * 500)
  }

  @Test("A year that disappears after the pointer has moved away does not receive presses")
  func passingYear() throws {
    let fixture = Fixture()
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    fixture.movePointer(400, 300)
    fixture.harness.run(milliseconds: 100)
    let year = try #require(fixture.years.first)
    let point = Point(x: Double(year.frame.x) + 4, y: Double(year.frame.y) + 4)
    #expect(fixture.view.scrollIndicator.hitTest(point - fixture.view.scrollIndicator.frame.origin) == nil)
  }

  @Test("Away from the edge the thumb moves at a lower gain, which the bubble displays")
  func fineGain() {
    let fixture = Fixture()
    fixture.pressPointer(790, 300)
    fixture.harness.run(frames: 1)
    let start = fixture.view.contentOffset
    fixture.movePointer(782 - 300, 300)
    fixture.harness.run(frames: 1)
    #expect(fixture.view.contentOffset == start, "a sideways movement alone does not scroll")
    #expect(fixture.bubble.last == "1/10 speed")
    fixture.movePointer(782 - 300, 350)
    fixture.harness.run(frames: 1)
    let fine = fixture.view.contentOffset - start
    fixture.movePointer(790, 350)
    fixture.harness.run(frames: 1)
    #expect(fixture.view.contentOffset == start + fine, "the thumb does not jump at the edge")
    #expect(fixture.bubble.count == 1)
    fixture.releasePointer(790, 350)
    fixture.harness.runUntilIdle()
    fixture.view.scroll(to: start, animated: false)
    fixture.pressPointer(790, 300)
    fixture.harness.run(frames: 1)
    fixture.movePointer(790, 350)
    fixture.harness.run(frames: 1)
    let whole = fixture.view.contentOffset - start
    #expect((fine - whole / 10).magnitude <= 1, "\(fine) of \(whole)")
  }

  @Test("With reduced motion the timeline appears and disappears immediately")
  func reducedMotion() {
    let fixture = Fixture(reducesMotion: true)
    fixture.movePointer(795, 300)
    fixture.harness.run(frames: 1)
    #expect(!fixture.years.isEmpty && fixture.years.allSatisfy { $0.color.alpha == 255 })
    fixture.movePointer(400, 300)
    var alphas: Set<UInt8> = []
    for _ in 0..<200 {
      fixture.harness.run(frames: 1)
      alphas.formUnion(fixture.years.map(\.color.alpha))
    }
    #expect(alphas.isEmpty)
  }

  @Test("The wheel over the scrubber scrolls the content")
  func wheel() {
    let fixture = Fixture()
    fixture.movePointer(790, 500)
    fixture.harness.runUntilIdle()
    fixture.harness.sendEvent(.wheel(WheelInput(location: Point(x: 790, y: 500), deltaX: 0, deltaY: -1)))
    fixture.harness.runUntilIdle()
    #expect(fixture.view.contentOffset == fixture.view.notchDistance)
  }

  @Test("Content that grows during a drag stays in place, and the drag continues from there")
  func growingContent() {
    let fixture = Fixture()
    fixture.pressPointer(790, 300)
    fixture.harness.run(frames: 1)
    let before = fixture.view.contentOffset
    fixture.months.count = 240
    fixture.view.setContentLength(240 * 500)
    fixture.harness.run(frames: 1)
    #expect(fixture.view.contentOffset == before)
    fixture.movePointer(790, 301)
    fixture.harness.run(frames: 1)
    let step = fixture.view.contentOffset - before
    #expect(step > 0 && step < 1_000, "one point is some 200 points of content, without a jump to the pointer")
  }

  @Test(
    "Tiny windows, missing titles and content that cannot scroll show no timeline and do not trap",
    arguments: [
      (Size(width: 1, height: 1), 60), (Size(width: 24, height: 900), 60), (Size(width: 900, height: 40), 60),
      (Size(width: 800, height: 600), 0), (Size(width: 800, height: 600), 1),
    ])
  func tinySizes(size: Size, count: Int) {
    let fixture = Fixture(count: count, size: size)
    for point in [Point(x: size.width - 0.5, y: size.height / 2), Point(x: 0, y: 0)] {
      fixture.pressPointer(point.x, point.y)
      fixture.movePointer(point.x - 5_000, point.y + 5_000)
      fixture.harness.run(frames: 2)
      fixture.releasePointer(point.x, point.y)
      fixture.harness.runUntilIdle()
    }
    #expect(fixture.thumbs <= 1)
    #expect(fixture.view.scroll.range.contains(fixture.view.contentOffset))
  }

  @Test("Positions in points do not depend on the scale")
  func scale() {
    let fixture = Fixture()
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    let before = fixture.years
    fixture.harness.resize(to: Self.size, scale: DisplayScale(pixelsPerPoint: 2))
    fixture.harness.runUntilIdle()
    let after = fixture.years
    #expect(after.map(\.text) == before.map(\.text) && !after.isEmpty)
    for (first, second) in zip(before, after) {
      #expect((second.frame.maxX - 2 * first.frame.maxX).magnitude <= 2)
      #expect((second.frame.y - 2 * first.frame.y).magnitude <= 2)
    }
  }

  @Test("The timeline is built in slack with a number of queries that is independent of the number of segments")
  func slack() {
    let fixture = Fixture(count: 100_000)
    #expect(fixture.months.queryCount < 10_000)
    fixture.movePointer(795, 300)
    fixture.harness.runUntilIdle()
    let initialQueries = fixture.months.queryCount
    for step in 1...20 {
      fixture.view.scroll(to: Double(step) * 1e6, animated: false)
      fixture.harness.run(frames: 1)
    }
    #expect(fixture.months.queryCount == initialQueries, "scrolling does not rebuild the timeline")
  }
}

// MARK: - Step cost

@Suite("The cost of building the timeline")
struct ScrubberStepCostTests {
  /// A clock that advances only when requested, with or without processor time.
  private final class ControlledClock: FrameClock {
    private(set) var instant = FrameInstant.zero
    private var processor = FrameInstant.zero
    let kind = ClockKind.timer

    func now() -> FrameInstant { instant }
    func workTimestamp() -> WorkTimestamp { WorkTimestamp(at: instant, processor: processor, waitCount: 0) }
    func spend(_ cost: FrameDuration) {
      instant = instant + cost
      processor = processor + cost
    }
    func preempt(_ time: FrameDuration) { instant = instant + time }
    func wait(until instant: FrameInstant) { self.instant = max(self.instant, instant) }
    func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
  }

  /// A data source whose next query runs a closure once.
  private final class SlowTimeline: ScrubberDataSource {
    var onQuery: (() -> Void)?
    let numberOfSegments = 4_000
    func offset(ofSegment segment: Int) -> Double {
      onQuery?()
      onQuery = nil
      return Double(segment) * 500
    }
    func title(ofSegment segment: Int) -> ScrubberTitle {
      ScrubberTitle(name: "\(segment)", label: "\(segment)", group: "\(segment / 12)")
    }
  }

  @Test("A preempted step or a single slow step does not prevent the timeline from being built")
  func slowSteps() {
    for isPreempted in [true, false] {
      let (clock, timeline, view) = (ControlledClock(), SlowTimeline(), ScrubberView())
      view.dataSource = timeline
      let state = ScrubberView.State(
        thumb: Rect(x: 0, y: 0, width: 9, height: 36), ends: 18..<582, offset: 0,
        range: ScrollRange(contentLength: 2_000_000, viewportLength: 600), availableWidth: 700, isTimelineVisible: true,
        isThumbHeld: false,
        gain: .whole)
      // Each step has a budget of half a frame at 60 Hz.
      func step() -> Bool {
        let limit = clock.now() + .milliseconds(8)
        return view.performSlackStep(FrameBudget(clock: clock, limit: limit, target: limit), state)
      }
      timeline.onQuery = { isPreempted ? clock.preempt(.milliseconds(30)) : clock.spend(.milliseconds(30)) }
      #expect(step())
      #expect(timeline.onQuery == nil)
      #expect(step(), "\(isPreempted)")
      // A step that is always slow waits until the loop is idle.
      if !isPreempted {
        for _ in 0..<8 {
          timeline.onQuery = { clock.spend(.milliseconds(30)) }
          _ = step()
        }
        #expect(!step())
      }
    }
  }
}

// MARK: - Timeline data source

/// A data source with months of 500 points each, the latest first.
///
/// The names have different lengths, because lines of block text are distinguished by their lengths.
private final class FakeTimeline: ScrubberDataSource {
  var count: Int
  var length = 500.0
  private(set) var queryCount = 0

  init(count: Int) { self.count = count }

  var numberOfSegments: Int { count }

  func offset(ofSegment segment: Int) -> Double {
    queryCount += 1
    return Double(segment) * length
  }

  /// Returns the title of a segment.
  ///
  /// The first segment is the only month of the first year, the next twelve are the second year.
  func title(ofSegment segment: Int) -> ScrubberTitle {
    ScrubberTitle(
      name: FakeTimeline.name(segment), label: "M\(segment % 12)", group: FakeTimeline.year((segment + 11) / 12))
  }

  static func name(_ segment: Int) -> String { "Month " + String(repeating: "x", count: segment % 32) }

  static func year(_ year: Int) -> String { String(repeating: "y", count: year % 12 + 1) }
}
