import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("ScrollRange")
struct ScrollRangeTests {
  @Test("Content longer than the viewport scrolls by the difference")
  func longContent() {
    let range = ScrollRange(contentLength: 1_000, viewportLength: 300)
    #expect(range == ScrollRange(minimum: 0, maximum: 700, viewportLength: 300))
    #expect(range.clamp(-5) == 0)
    #expect(range.clamp(701) == 700)
    #expect(range.clamp(12.5) == 12.5)
  }

  @Test("Content that fits rests at its start")
  func shortContent() {
    let range = ScrollRange(contentLength: 100, viewportLength: 300, leadingInset: 20, trailingInset: 10)
    #expect(range.minimum == -20)
    #expect(range.maximum == -20)
    #expect(range.length == 0)
  }

  @Test("Insets extend the range at both edges")
  func insets() {
    let range = ScrollRange(contentLength: 1_000, viewportLength: 300, leadingInset: 20, trailingInset: 10)
    #expect(range.minimum == -20)
    #expect(range.maximum == 710)
  }

  @Test("Extreme numbers produce valid offsets")
  func extremes() {
    for first in EdgeCaseNumbers.doubles {
      for second in EdgeCaseNumbers.doubles {
        for range in [
          ScrollRange(minimum: first, maximum: second, viewportLength: first),
          ScrollRange(contentLength: first, viewportLength: second, leadingInset: second, trailingInset: first),
        ] {
          #expect(range.minimum.isFinite && range.maximum.isFinite && range.length >= 0)
          #expect(range.viewportLength >= 0)
          for offset in EdgeCaseNumbers.doubles { #expect(range.contains(range.clamp(offset))) }
        }
      }
    }
  }
}

@Suite("Range changes during a scroll")
struct ScrollStateRangeTests {
  private static let movements: [ScrollEvent] = [
    .flick(velocity: 3_000, accumulating: false), .wheel(distance: 900, kind: .notch), .steady(velocity: -1_500),
    .page(by: -1), .thumbDrag(to: 12_345), .wheel(distance: 33.25, kind: .continuous), .stop,
  ]

  @Test(
    "An adjustment translates the whole trajectory without changing the velocity and does not count as movement",
    arguments: movements)
  func adjustment(event: ScrollEvent) {
    var state = ScrollState.sample()
    state.handle(event, at: moment(0))
    let unadjusted = state
    let longer = ScrollRange(contentLength: 100_640, viewportLength: 800)
    let effects = state.handle(.rangeChanged(longer, offsetAdjustment: 640), at: moment(50))
    #expect(effects == (unadjusted.projectedOffset == 0 ? .projectionChanged : []))
    for step in 0..<300 {
      let now = moment(50 + Double(step) * 5)
      #expect((state.offset(at: now) - unadjusted.offset(at: now) - 640).magnitude < 1e-8)
      #expect((state.velocity(at: now) - unadjusted.velocity(at: now)).magnitude < 1e-6)
      #expect(state.phase(at: now) == unadjusted.phase(at: now))
    }
  }

  @Test("An adjustment during a trackpad burst does not change the deceleration that follows")
  func adjustmentDuringBurst() {
    var state = ScrollState.sample()
    state.swipe(.init(repeating: 16, count: 8), from: 0)
    state.handle(.offsetAdjusted(by: 5_000), at: moment(60))
    let last = state.swipe(.init(repeating: 16, count: 8), from: 64)
    #expect(state.offset(at: last) == 15_000 + 16 * 16)
    let release = last + .milliseconds(24)
    #expect((state.velocity(at: release) - 2_000).magnitude < 1)
    state.handle(.offsetAdjusted(by: -5_000), at: last)
    #expect(state.offset(at: release) == 10_000 + 16 * 16)
    #expect((state.velocity(at: release) - 2_000).magnitude < 1)
  }

  @Test("Shorter content clamps moving and resting content", arguments: movements)
  func shorterContent(event: ScrollEvent) {
    var state = ScrollState.sample()
    state.handle(event, at: moment(0))
    let shorter = ScrollRange(contentLength: 6_800, viewportLength: 800)
    let effects = state.handle(.rangeChanged(shorter, offsetAdjustment: 0), at: moment(50))
    #expect(effects.contains(.moved) && effects.contains(.teleported))
    for step in 0..<300 { #expect(shorter.contains(state.offset(at: moment(50 + Double(step) * 5)))) }
    #expect(shorter.contains(state.projectedOffset))
    #expect(state.range == shorter)
  }

  @Test("A flick toward an edge that moves away continues past the previous edge")
  func longerContent() {
    var state = ScrollState.sample(offset: 99_000)
    state.handle(.flick(velocity: 4_000, accumulating: false), at: moment(0))
    #expect(state.projectedOffset == 99_200)
    let longer = ScrollRange(contentLength: 200_000, viewportLength: 800)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 0), at: moment(20)) == .projectionChanged)
    #expect(state.projectedOffset > 100_900)
    #expect(state.velocity(at: moment(400)) > 1_500)
  }

  @Test(
    "Content that has come to rest at an edge stays there when the edge moves away",
    arguments: [.flick(velocity: 4_000, accumulating: false), .steady(velocity: 4_000)] as [ScrollEvent])
  func longerContentAtRest(event: ScrollEvent) {
    var state = ScrollState.sample(offset: 99_000)
    state.handle(event, at: moment(0))
    #expect(state.phase(at: moment(1_000)) == .idle)
    let longer = ScrollRange(contentLength: 200_000, viewportLength: 800)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 0), at: moment(1_000)) == [])
    #expect(state.offset(at: moment(1_000)) == 99_200)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 50), at: moment(1_200)) == [])
    for now in [1_200.0, 2_000, 5_000] {
      #expect(state.offset(at: moment(now)) == 99_250)
      #expect(state.phase(at: moment(now)) == .idle)
    }
  }

  @Test("A spring whose target is out of range retargets to the new edge without a jump in velocity")
  func retargetsSpring() {
    var state = ScrollState.sample()
    state.handle(.scrollTo(11_000, animated: true), at: moment(0))
    let before = (offset: state.offset(at: moment(60)), velocity: state.velocity(at: moment(60)))
    let shorter = ScrollRange(minimum: 0, maximum: 10_700, viewportLength: 800)
    state.handle(.rangeChanged(shorter, offsetAdjustment: 0), at: moment(60))
    #expect(state.offset(at: moment(60)) == before.offset)
    #expect((state.velocity(at: moment(60)) - before.velocity).magnitude < 1e-6)
    #expect(state.projectedOffset == 10_700)
  }

  @Test("Events with earlier time stamps take effect at the latest time stamp")
  func timeStampsOutOfOrder() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(100))
    let offset = state.offset(at: moment(100))
    state.handle(.stop, at: moment(40))
    #expect(state.offset(at: moment(500)) == offset)
    #expect(state.restInstant == moment(100))
  }
}

@Suite("RubberBand")
struct RubberBandTests {
  @Test(
    "The curve matches UIKit's", arguments: [(10.0, 5.5), (100, 51.5), (400, 172.5), (800, 283.9)])
  func publishedValues(pulled: Double, shown: Double) {
    let band = RubberBand(viewportLength: 800)
    #expect((band.shown(pulled: pulled) - shown).magnitude < 0.1)
    #expect((band.shown(pulled: -pulled) + shown).magnitude < 0.1)
  }

  @Test("The inverse restores the distance")
  func inverse() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let band = RubberBand(viewportLength: .random(in: 1...4_000, using: &random))
      let pulled = Double.random(in: -1e5...1e5, using: &random)
      let restored = band.pulled(shown: band.shown(pulled: pulled))
      #expect((restored - pulled).magnitude <= 1e-9 * max(1, pulled * pulled))
    }
  }

  @Test("Extreme numbers keep the distance finite and within the viewport length")
  func extremes() {
    for length in EdgeCaseNumbers.doubles {
      for number in EdgeCaseNumbers.doubles {
        let band = RubberBand(viewportLength: length, coefficient: number)
        for pull in EdgeCaseNumbers.doubles {
          #expect(band.shown(pulled: pull).magnitude <= band.viewportLength)
          #expect(band.pulled(shown: pull).isFinite)
        }
      }
    }
  }
}
