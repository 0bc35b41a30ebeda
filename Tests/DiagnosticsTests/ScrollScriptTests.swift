import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("Parsing of scroll scripts")
struct ScrollScriptTests {
  @Test("Scripts are parsed with their speeds")
  func scripts() throws {
    #expect(try ScrollScript("steady:1200") == .steady(speed: 1_200))
    #expect(try ScrollScript("steady:-0.5") == .steady(speed: -0.5))
    #expect(try ScrollScript("flick:8e3") == .flick(speed: 8_000))
    #expect(try ScrollScript("flick:10000000") == .flick(speed: 1e7))
    #expect(try ScrollScript("flip:-300") == .flip(speed: -300))
    #expect(try ScrollScript("jump") == .jump)
    #expect(try ScrollScript("scrub") == .scrub)
    #expect(try ScrollScript("mixed") == .mixed)
  }

  @Test("An invalid speed has another error than an unknown script")
  func errors() {
    let speed = #expect(throws: UsageError.self) { try ScrollScript("flick:fast") }
    #expect(
      speed?.description
        == "--scroll flick:fast: SPEED is a number of points per second, at most 10000000 either way, not 0, such as 8000"
    )
    let script = #expect(throws: UsageError.self) { try ScrollScript("slide:3") }
    #expect(
      script?.description
        == """
        --scroll slide:3: accepted are steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed and FILE.json, such as \
        flick:8000
        """)
    #expect(throws: UsageError.self) { try ScrollScript("mixed:3000") }
    #expect(throws: UsageError.self) { try ScrollScript("flip") }
  }
}

// MARK: - Driver

@Suite("A scroll script scrolls exactly as specified")
struct ScrollScriptDriverTests {
  @Test(
    "Steady: the offset of every frame is its time multiplied by the speed", arguments: [100.0, 1_200, 8_000, 200_000])
  func steadySpeed(speed: Double) {
    let harness = ScrollScriptHarness(.steady(speed: speed), scrollable: 10_000_000)
    harness.run(frames: 400)
    #expect(harness.shown.count == 400)
    for frame in harness.shown {
      #expect(frame.offset == speed * frame.milliseconds / 1_000)
      #expect(frame.velocity == speed)
      #expect(frame.isTracked)
    }
    #expect(harness.shown.last?.offset == speed * 3.99)
  }

  @Test("Steady: a speed of a fractional number of pixels per frame does not drift")
  func steadyFraction() {
    let harness = ScrollScriptHarness(.steady(speed: 33.3), scrollable: 10_000)
    harness.run(frames: 2_000)
    for frame in harness.shown { #expect((frame.offset - 33.3 * frame.milliseconds / 1_000).magnitude <= 0.5) }
  }

  @Test(
    "Steady: the direction reverses at both ends, and the speed is the same both ways", arguments: [1_000.0, -1_000])
  func steadyTurns(speed: Double) {
    let harness = ScrollScriptHarness(.steady(speed: speed), scrollable: 1_000)
    harness.run(frames: 1_000)
    let offsets = harness.shown.map(\.offset)
    #expect(offsets.allSatisfy { (0...1_000).contains($0) })
    // Nearly ten seconds, in which each direction lasts for a second and a frame.
    let turns = offsets.indices.dropFirst().dropLast().filter {
      (offsets[$0] - offsets[$0 - 1]) * (offsets[$0 + 1] - offsets[$0]) < 0
        || offsets[$0] == offsets[$0 - 1] && offsets[$0] != offsets[$0 + 1]
    }
    #expect((8...10).contains(turns.count))
    for turn in turns { #expect(offsets[turn] == 0 || offsets[turn] == 1_000) }
    for (last, next) in zip(offsets, offsets.dropFirst()) {
      let step = (next - last).magnitude
      #expect(step == 10 || next == 0 || next == 1_000)
      #expect(step <= 10)
    }
  }

  @Test("A script starts with the first frame in which there is content to scroll")
  func waitsForContent() {
    let harness = ScrollScriptHarness(.steady(speed: 1_000))
    harness.run(milliseconds: 500)
    // The script requests frames continuously and moves nothing.
    #expect(harness.shown.count >= 49)
    #expect(harness.shown.allSatisfy { $0.offset == 0 && !$0.isTracked })
    harness.setScrollableLength(5_000)
    harness.run(frames: 101)
    #expect(harness.shown.last?.offset == 1_000)
  }

  @Test("A steady scroll at the end continues without a jump when the content grows")
  func growingContent() {
    let harness = ScrollScriptHarness(.steady(speed: 1_000), scrollable: 200)
    for scrollable in stride(from: 200.0, through: 4_000, by: 200) {
      harness.setScrollableLength(scrollable)
      harness.run(frames: 33)
    }
    for (last, next) in zip(harness.shown, harness.shown.dropFirst()) {
      #expect((next.offset - last.offset).magnitude <= 10)
    }
  }

  @Test(
    "Flick: one every 1.5 seconds at exactly the speed, which decays in between", arguments: [8_000.0, -8_000])
  func flicks(speed: Double) {
    let harness = ScrollScriptHarness(.flick(speed: speed), scrollable: 1_000_000)
    harness.run(frames: 1_201)
    let flicked = harness.shown.filter { $0.velocity.magnitude == 8_000 }
    #expect(flicked.map(\.milliseconds) == (0...8).map { Double($0) * 1_500 })
    // At the start of the content, an upward flick becomes a downward one.
    #expect(flicked.allSatisfy { $0.velocity == 8_000 })
    for (last, next) in zip(harness.shown, harness.shown.dropFirst()) where next.velocity.magnitude != 8_000 {
      #expect(next.velocity < last.velocity || next.velocity == 0)
      #expect(next.offset >= last.offset)
    }
    #expect(harness.shown.allSatisfy { $0.isTracked })
  }

  @Test("Flick: at an end the next one goes in the opposite direction")
  func flicksTurn() {
    let harness = ScrollScriptHarness(.flick(speed: 8_000), scrollable: 1_000)
    harness.run(frames: 600)
    let flicked = harness.shown.filter { $0.velocity.magnitude == 8_000 }
    #expect(flicked.map(\.velocity) == [8_000, -8_000, 8_000, -8_000])
    #expect(flicked.map(\.offset) == [0, 1_000, 0, 1_000])
  }

  @Test("Flick: flicks that were missed while no frame was made are not made up for")
  func missedFlicks() throws {
    let harness = ScrollScriptHarness(.flick(speed: 8_000), scrollable: 1_000_000)
    harness.run(frames: 10)
    harness.clock.wait(until: harness.clock.now() + .seconds(7))
    harness.run(frames: 200)
    // One immediately for the four that were missed, then on the original grid.
    let flicked = harness.shown.filter { $0.velocity.magnitude == 8_000 }.map(\.milliseconds)
    try #require(flicked.count == 4)
    #expect(flicked[0] == 0 && flicked[1] > 7_000 && flicked[1] < 7_200)
    #expect(flicked[2...] == [7_500, 9_000])
  }

  @Test(
    "Jump: to the fractions of the seed, one every half second", arguments: [1, 2, 0xFFFF_FFFF_FFFF_FFFF] as [UInt64])
  func jumps(seed: UInt64) {
    let harness = ScrollScriptHarness(.jump, seed: seed, scrollable: 1_000_000)
    harness.run(frames: 1_000)
    var generator = SeededGenerator(seed: seed)
    for run in 0..<20 {
      let fraction = Double(generator.next() >> 11) / Double(1 << 53)
      let frames = harness.shown[(run * 50)..<(run * 50 + 50)]
      #expect(Set(frames.map(\.offset)) == [(fraction * 1_000_000).rounded()])
    }
  }

  @Test("Flip: a constant speed whose direction reverses every half second", arguments: [1_000.0, 8_000])
  func flips(speed: Double) {
    let harness = ScrollScriptHarness(.flip(speed: speed), scrollable: 1_000_000)
    harness.run(frames: 401)
    for frame in harness.shown {
      let half = Int(frame.milliseconds / 500)
      #expect(frame.velocity == (half % 2 == 0 ? speed : -speed))
      let within = frame.milliseconds - Double(half) * 500
      #expect(frame.offset == speed * (half % 2 == 0 ? within : 500 - within) / 1_000)
      #expect(frame.isTracked)
    }
  }

  @Test("Scrub: to the end and back in four seconds, with three pauses")
  func scrubs() throws {
    let harness = ScrollScriptHarness(.scrub, scrollable: 10_000)
    harness.run(frames: 801)
    let offsets = harness.shown.map(\.offset)
    try #require(offsets.count == 801)
    for second in [0, 4, 8] { #expect(offsets[second * 100] == 0) }
    for second in [2, 6] { #expect(offsets[second * 100] == 10_000) }
    // A pause is a run of frames of 10 ms in which the offset does not change.
    let pausedFrames = offsets.indices.dropFirst().filter { offsets[$0] == offsets[$0 - 1] && $0 < 400 }
    let pauses = pausedFrames.filter { !pausedFrames.contains($0 - 1) }
    #expect(pauses.count == 3 && pausedFrames.count >= 95 && pausedFrames.count <= 105)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { ($1 - $0).magnitude <= 10_000 / 150 + 1 })
    #expect(harness.shown.allSatisfy { $0.isTracked })
  }

  @Test("Mixed: two seconds of each script, starting where the previous one left the content")
  func mixes() throws {
    let harness = ScrollScriptHarness(.mixed, scrollable: 100_000)
    harness.run(frames: 1_001)
    try #require(harness.shown.count == 1_001)
    func part(_ index: Int) -> ArraySlice<ScrollScriptHarness.ShownFrame> {
      harness.shown[(index * 200)..<(index * 200 + 200)]
    }
    #expect(part(0).allSatisfy { $0.velocity == 3_000 } && harness.shown[199].offset == 5_970)
    #expect(part(1).first?.velocity == 3_000 && part(1).first?.offset == 6_000)
    #expect(part(1).dropFirst(149).first.map { $0.velocity.magnitude < 3_000 } == true)
    #expect(Set(part(2).map(\.velocity)) == [3_000, -3_000])
    #expect(Set(part(3).map(\.offset)).count == 4 && part(3).allSatisfy { $0.velocity == 0 })
    #expect(part(4).first?.offset == 0 && part(4).last.map { $0.offset == 100_000 } == true)
    // The sequence repeats.
    #expect(harness.shown[1_000].velocity.magnitude == 3_000)
  }

  @Test("Equal scripts and seeds show equal frames, and another seed shows others")
  func repeatable() {
    func shown(_ script: ScrollScript, _ seed: UInt64) -> [ScrollScriptHarness.ShownFrame] {
      let harness = ScrollScriptHarness(script, seed: seed, scrollable: 12_345)
      harness.run(frames: 300)
      return harness.shown
    }
    let scripts: [ScrollScript] = [
      .steady(speed: 777), .flick(speed: 5_000), .flip(speed: 900), .jump, .scrub, .mixed,
    ]
    for script in scripts {
      #expect(shown(script, 5) == shown(script, 5))
    }
    #expect(shown(.jump, 5) != shown(.jump, 6))
  }
}

// MARK: - Harness

/// A scroll view in a window on a recording display and a virtual clock, scrolled by a script.
///
/// The refresh interval is 10 ms, so that offsets of round speeds are round.
private final class ScrollScriptHarness {
  /// The state of the content in a frame.
  struct ShownFrame: Hashable {
    /// The target time in milliseconds since the first frame that scrolled.
    var milliseconds: Double
    /// The content offset.
    var offset: Double
    /// The velocity of the content at the target time, in points per second.
    var velocity: Double
    /// Whether the frame counts as scrolling.
    var isTracked: Bool
  }

  static let viewport = 300.0
  let scrollView = ScrollView()
  let clock = SimulatedClock(kind: .virtual)
  let display = RecordingDisplay(size: Size(width: 400, height: ScrollScriptHarness.viewport), frameLimit: 1)
  private(set) var shown: [ShownFrame] = []
  private let loop: CommitLoop
  private var start: FrameInstant?

  init(_ script: ScrollScript, seed: UInt64 = 1, scrollable: Double = 0) {
    let clock = clock
    let window = Window(
      rootView: scrollView, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: ScriptedEventSource(now: { clock.now() }), clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(10), isMeasured: false, reason: "test"))
    window.resize(to: display.info.size)
    scrollView.layoutIfNeeded()
    setScrollableLength(scrollable)
    window.addFirstParticipant(ScrollScriptDriver(script, scrollView: scrollView, seed: seed))
    window.addParticipant(scrollView)
    window.addParticipant(self)
  }

  /// Sets the length by which the content exceeds the viewport, in points.
  func setScrollableLength(_ points: Double) { scrollView.setContentLength(points + Self.viewport) }

  /// Runs the loop for a number of frames.
  func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// Runs the loop for a time without requesting frames.
  func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }
}

extension ScrollScriptHarness: FrameParticipant {
  func frameDidEnd(_ record: FrameRecord) {
    if start == nil, record.isTracked { start = record.target }
    shown.append(
      ShownFrame(
        milliseconds: (record.target - (start ?? record.target)).milliseconds, offset: scrollView.contentOffset,
        velocity: scrollView.scroll.velocity(at: record.target), isTracked: record.isTracked))
  }
}
