import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineScrollPhysics

@Suite("Orthogonal scrolling")
struct OrthogonalScrollingTests {
  private let range = ScrollRange(minimum: 0, maximum: 1_000, viewportLength: 200)

  /// Returns the nearest page of 200 points, at most one page away.
  private func paging(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
    let page = (proposed / 200).rounded() * 200
    return min(from + 200, max(from - 200, page))
  }

  private func free(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double { proposed }

  private func instant(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  @Test("Content that moves because of sizes before it moves all positions, and motion continues")
  func shift() {
    var scrolling = OrthogonalScrolling()
    let range = ScrollRange(minimum: 0, maximum: 5_000, viewportLength: 400)
    let now = FrameInstant.zero + .seconds(1)
    scrolling.shift(3, by: 100, in: range, at: now)
    #expect(scrolling.count == 0, "it has never moved")
    scrolling.handle(.scrollTo(1_000, animated: false), in: 3, range: range, at: now) { _, _, proposed, _ in proposed }
    scrolling.handle(.scrollTo(1_200, animated: true), in: 3, range: range, at: now) { _, _, proposed, _ in proposed }
    let later = now + .milliseconds(80)
    let before = scrolling.offset(of: 3, at: later)
    scrolling.shift(3, by: -40, in: ScrollRange(minimum: 0, maximum: 4_960, viewportLength: 400), at: later)
    #expect((scrolling.offset(of: 3, at: later) - (before - 40)).magnitude < 1e-9)
    #expect(scrolling.projectedOffset(of: 3) == 1_160 && scrolling.isMoving(at: later))
  }

  @Test("A section has offset zero until it is scrolled")
  func initialOffset() {
    let scrolling = OrthogonalScrolling()
    #expect(scrolling.offset(of: 3, at: instant(9)) == 0 && scrolling.motion(of: 3) == nil)
    #expect(!scrolling.isMoving(at: .zero) && !scrolling.isTracked(at: .zero))
  }

  @Test("A wheel notch scrolls its section and no other")
  func notch() {
    var scrolling = OrthogonalScrolling()
    scrolling.handle(
      .wheel(distance: 130, kind: .notch), in: 2, range: range, at: instant(1), resting: free)
    #expect(scrolling.isMoving(at: instant(1)) && scrolling.isTracked(at: instant(1)))
    #expect(scrolling.offset(of: 2, at: instant(1)) == 0)
    #expect((scrolling.offset(of: 2, at: instant(5)) - 130).magnitude < 0.5)
    #expect(scrolling.offset(of: 1, at: instant(5)) == 0)
    scrolling.advance(to: instant(5), resting: free)
    #expect(!scrolling.isMoving(at: instant(5)))
  }

  @Test("Sections rest by their paging behavior, at most one page from the last resting offset")
  func pages() {
    var scrolling = OrthogonalScrolling()
    for _ in 0..<3 {
      scrolling.handle(.wheel(distance: 150, kind: .notch), in: 0, range: range, at: instant(1), resting: paging)
    }
    // Three notches in one movement turn one page.
    #expect((scrolling.offset(of: 0, at: instant(5)) - 200).magnitude < 0.5)
    scrolling.handle(.wheel(distance: 150, kind: .notch), in: 0, range: range, at: instant(6), resting: paging)
    #expect((scrolling.offset(of: 0, at: instant(9)) - 400).magnitude < 0.5)
  }

  @Test("Each notch moves to the next resting offset, even if that is farther than the notch", arguments: [1.0, -1])
  func shortNotches(direction: Double) {
    var scrolling = OrthogonalScrolling()
    func nearest(_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double {
      (proposed / 500).rounded() * 500
    }
    scrolling.handle(.jump(to: 500), in: 0, range: range, at: instant(0), resting: nearest)
    scrolling.handle(
      .wheel(distance: direction * 60, kind: .notch), in: 0, range: range, at: instant(1), resting: nearest)
    #expect(scrolling.projectedOffset(of: 0) == 500 + direction * 500)
    // At the end there is no next offset.
    scrolling.handle(.advance(by: direction * 60), in: 0, range: range, at: instant(5), resting: nearest)
    #expect(scrolling.projectedOffset(of: 0) == 500 + direction * 500)
  }

  @Test("Sections follow a trackpad immediately, and come to rest after its release")
  func trackpad() {
    var scrolling = OrthogonalScrolling()
    for step in 0..<4 {
      scrolling.handle(
        .wheel(distance: 30, kind: .continuous), in: 0, range: range, at: instant(1 + 0.016 * Double(step)),
        resting: paging)
    }
    #expect((scrolling.offset(of: 0, at: instant(1.05)) - 120).magnitude < 40)
    #expect(scrolling.isMoving(at: instant(1.05)))
    for frame in 0..<300 { scrolling.advance(to: instant(1.05 + Double(frame) / 60), resting: paging) }
    let rest = scrolling.offset(of: 0, at: instant(9))
    #expect((rest - 200).magnitude < 0.5, "rests at \(rest)")
    #expect(!scrolling.isMoving(at: instant(9)))
  }

  @Test("Sections come to rest after a pause without frames, however soon before it the trackpad was released")
  func pauseAfterRelease() {
    var scrolling = OrthogonalScrolling()
    for step in 0..<4 {
      scrolling.handle(
        .wheel(distance: 30, kind: .continuous), in: 0, range: range, at: instant(1 + 0.016 * Double(step)),
        resting: paging)
    }
    // The last frame before the pause targets an instant after the release, when the section is not yet sent to rest.
    scrolling.delay(by: .seconds(2), after: instant(1.2))
    for frame in 0..<300 { scrolling.advance(to: instant(3.2 + Double(frame) / 60), resting: paging) }
    #expect(!scrolling.isMoving(at: instant(9)))
    #expect((scrolling.offset(of: 0, at: instant(9)) - 200).magnitude < 0.5)
  }

  @Test("Sections keep their offsets when they are renumbered, and are removed when they are deleted")
  func renumbering() {
    var scrolling = OrthogonalScrolling()
    for section in [4, 1, 2] {
      scrolling.handle(
        .wheel(distance: Double(section * 10), kind: .notch), in: section, range: range, at: instant(0), resting: free)
    }
    scrolling.apply(IndexMap(sections: Array(0..<5), to: [4, 10, 11, 12, 13, 14, 15, 1]))
    #expect((0..<9).filter { scrolling.motion(of: $0) != nil } == [0, 7])
    #expect((scrolling.offset(of: 0, at: instant(9)) - 40).magnitude < 0.5)
    #expect((scrolling.offset(of: 7, at: instant(9)) - 10).magnitude < 0.5)
  }

  @Test("Sections are active while they move or are held, and no longer")
  func activity() {
    var scrolling = OrthogonalScrolling()
    func advance(at seconds: Double) {
      scrolling.advance(to: instant(seconds), resting: free)
      scrolling.deactivateIdleSections(at: instant(seconds))
    }
    for section in 0..<100 {
      scrolling.handle(.scrollTo(50, animated: false), in: section, range: range, at: instant(0), resting: free)
    }
    #expect(scrolling.count == 100 && scrolling.activeCount == 100)
    advance(at: 0.1)
    #expect(scrolling.activeCount == 0 && !scrolling.isTracked(at: instant(0.1)))
    scrolling.handle(.wheel(distance: 90, kind: .notch), in: 40, range: range, at: instant(1), resting: free)
    scrolling.handle(.hold, in: 70, range: range, at: instant(1), resting: free)
    advance(at: 1.1)
    #expect(scrolling.activeCount == 2 && scrolling.isActive(at: 40) && scrolling.isActive(at: 70))
    advance(at: 9)
    #expect(scrolling.activeCount == 1 && scrolling.isTracked(at: instant(9)), "a held section stays active")
    // A held section becomes inactive when it is deleted or can no longer scroll.
    var other = scrolling
    other.apply(IndexMap(sections: Array(0..<71), to: Array(0..<70)))
    #expect(other.activeCount == 0)
    scrolling.stop(70, at: instant(10))
    scrolling.stop(3, at: instant(10))
    advance(at: 10)
    #expect(scrolling.activeCount == 0 && scrolling.offset(of: 70, at: instant(11)) == 50)
    // The hold of a slow trackpad scroll moves no content, and ends.
    scrolling.handle(.wheel(distance: 1, kind: .continuous), in: 5, range: range, at: instant(20), resting: free)
    advance(at: 20.01)
    #expect(scrolling.activeCount == 1 && scrolling.isMoving(at: instant(20.01)))
    advance(at: 20.1)
    #expect(scrolling.activeCount == 0)
  }

  @Test("Offsets stay within a range that became shorter")
  func shorterRange() {
    var scrolling = OrthogonalScrolling()
    scrolling.handle(.wheel(distance: 900, kind: .notch), in: 0, range: range, at: instant(0), resting: free)
    let shorter = ScrollRange(minimum: 0, maximum: 50, viewportLength: 200)
    scrolling.handle(.wheel(distance: 10, kind: .notch), in: 0, range: shorter, at: instant(5), resting: free)
    #expect((0...50).contains(scrolling.offset(of: 0, at: instant(9))))
  }
}
