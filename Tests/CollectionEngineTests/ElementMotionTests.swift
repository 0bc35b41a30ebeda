import CollectionEngine
import FramePacing
import Geometry
import TestSupport
import Testing

@Suite("An element's way is a function of time that begins where the element is and ends at its place")
struct ElementMotionTests {
  private static func random(_ random: inout SeededGenerator) -> Displacement {
    Displacement(
      x: .random(in: -900...900, using: &random), y: .random(in: -900...900, using: &random),
      width: .random(in: -300...300, using: &random), height: .random(in: -300...300, using: &random),
      opacity: .random(in: -1...1, using: &random))
  }

  private static var parts: [KeyPath<Displacement, Double>] { [\.x, \.y, \.width, \.height, \.opacity] }

  private static func instant(_ seconds: Double) -> FrameInstant { .zero + .seconds(10 + seconds) }

  private static func motions(_ start: Displacement, at seconds: Double = 0) -> ElementAnimator {
    var motions = ElementAnimator()
    motions.startTransitions([ElementTransition(element: .item(1), place: .zero, start: start)], at: instant(seconds))
    return motions
  }

  @Test("From rest it begins where it is, without a leap, and comes nearer all the time, never past its place")
  func monotone() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let start = Self.random(&random)
      let motion = ElementAnimation(from: start)
      #expect(motion.displacement(after: 0) == start)
      #expect(motion.velocity(after: 0).extent < 1e-9)
      var before = start
      for frame in 1...60 {
        let now = motion.displacement(after: Double(frame) / 60)
        for part in Self.parts {
          #expect(now[keyPath: part].magnitude <= before[keyPath: part].magnitude)
          #expect(now[keyPath: part] * start[keyPath: part] >= 0)
        }
        before = now
      }
      #expect(motion.displacement(after: motion.duration).extent <= 0.11)
      #expect(motion.displacement(after: motion.duration * 0.8).extent > 0.1 || start.extent < 1)
    }
  }

  @Test("Its velocity is how fast its displacement changes")
  func velocity() {
    let motion = ElementAnimation(from: Displacement(x: 300, y: -40), velocity: Displacement(x: -900, y: 500))
    for time in stride(from: 0.01, to: 0.6, by: 0.03) {
      let step = 1e-6
      let (before, after) = (motion.displacement(after: time - step), motion.displacement(after: time + step))
      #expect(abs((after.x - before.x) / (2 * step) - motion.velocity(after: time).x) < 0.01)
      #expect(abs((after.y - before.y) / (2 * step) - motion.velocity(after: time).y) < 0.01)
    }
  }

  @Test("Sent elsewhere on the way, it goes on from where it is as fast as it goes, and ends at the last place")
  func retarget() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      var motions = Self.motions(Self.random(&random))
      var time = 0.0
      for _ in 0..<4 {
        time += .random(in: 0.001...0.2, using: &random)
        let before = motions.displacement(of: .item(1), at: Self.instant(time))
        let slightlyBefore = motions.displacement(of: .item(1), at: Self.instant(time - 1e-4))
        let jump = Self.random(&random)
        let transition = ElementTransition(element: .item(1), place: .zero, start: before + jump)
        motions.startTransitions([transition], at: Self.instant(time))
        let after = motions.displacement(of: .item(1), at: Self.instant(time))
        let slightlyAfter = motions.displacement(of: .item(1), at: Self.instant(time + 1e-4))
        #expect((after + (before + jump) * -1).extent < 1e-9)
        // As fast as before: the two steps differ by what a tenth of a millisecond bends the way.
        let bend = (slightlyAfter + after * -1) + (before + slightlyBefore * -1) * -1
        #expect(bend.extent < 0.05)
      }
      #expect(!motions.hasEnded(by: Self.instant(time + 0.1)))
      #expect(motions.hasEnded(by: Self.instant(time + 2)))
      #expect(motions.displacement(of: .item(1), at: Self.instant(time + 2)).extent < 0.1)
    }
  }

  @Test("Under another name, with its place elsewhere, it is shown where it was and goes on as fast")
  func moved() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let start = Self.random(&random)
      var (motions, still) = (Self.motions(start), Self.motions(start))
      let time = Double.random(in: 0...0.4, using: &random)
      let jump = Self.random(&random)
      motions.retarget(.item(1), to: .disappearing(4), by: jump, at: Self.instant(time))
      #expect(!motions.isMoving(.item(1)))
      let before = still.displacement(of: .item(1), at: Self.instant(time))
      let after = motions.displacement(of: .disappearing(4), at: Self.instant(time))
      #expect((after + (before + jump) * -1).extent < 1e-6)
      // The same as sent anew from there.
      still.startTransitions(
        [ElementTransition(element: .item(1), place: .zero, start: before + jump)], at: Self.instant(time))
      for later in stride(from: time, to: time + 0.6, by: 0.05) {
        let first = motions.displacement(of: .disappearing(4), at: Self.instant(later))
        let second = still.displacement(of: .item(1), at: Self.instant(later))
        #expect((first + second * -1).extent < 1e-6)
      }
      #expect(motions.hasEnded(by: Self.instant(time + 2)))
    }
  }

  @Test("What is not sent again stands, what has no name any more is forgotten, and nothing moves without a way")
  func names() {
    var motions = ElementAnimator()
    let way = Displacement(y: 40)
    let all = (0..<6).map { ElementTransition(element: .item($0), place: .zero, start: way) }
    motions.startTransitions(all, at: Self.instant(0))
    #expect(motions.count == 6 && motions.isRunning)
    motions.remapElements { element in
      guard case .item(let index) = element else { return element }
      return index == 3 ? nil : .item(index + 10)
    }
    #expect(motions.count == 5 && motions.isMoving(.item(12)) && !motions.isMoving(.item(13)))
    #expect(motions.displacement(of: .item(12), at: Self.instant(0)) == way)
    #expect(motions.displacement(of: .item(2), at: Self.instant(0)) == .zero)
    let still = ElementTransition(element: .item(1), place: .zero)
    motions.startTransitions([still], at: Self.instant(1))
    #expect(!motions.isRunning && !motions.hasEnded(by: Self.instant(9)))
  }

  @Test("Instants before the beginning count as the beginning")
  func before() {
    let motions = Self.motions(Displacement(x: 7), at: 1)
    #expect(motions.displacement(of: .item(1), at: Self.instant(0)) == Displacement(x: 7))
    #expect(motions.displacements(at: Self.instant(0))(.item(1)) == Displacement(x: 7))
  }

  @Test("A displaced element has its middle and its size moved, and never a size below nothing")
  func frames() {
    let place = Rect(x: 100, y: 50, width: 40, height: 20)
    #expect(Displacement.zero.applied(to: place) == place)
    let shown = Rect(x: 10, y: 80, width: 60, height: 30)
    #expect(Displacement(of: shown, from: place).applied(to: place) == shown)
    #expect(
      Displacement(width: -50, height: -8).applied(to: place) == Rect(x: 120, y: 54, width: 0, height: 12))
  }
}
