import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport

@Suite("The animation of an element is a function of time, from its displayed frame to its final frame")
struct ElementAnimatorTests {
  private static func random(_ random: inout SeededGenerator) -> Displacement {
    Displacement(
      x: .random(in: -900...900, using: &random), y: .random(in: -900...900, using: &random),
      width: .random(in: -300...300, using: &random), height: .random(in: -300...300, using: &random),
      opacity: .random(in: -1...1, using: &random))
  }

  private static var parts: [KeyPath<Displacement, Double>] { [\.x, \.y, \.width, \.height, \.opacity] }

  private static func instant(_ seconds: Double) -> FrameInstant { .zero + .seconds(10 + seconds) }

  private static func animator(_ start: Displacement, at seconds: Double = 0) -> ElementAnimator {
    var animator = ElementAnimator()
    animator.startTransitions(
      [ElementTransition(element: .item(1), finalFrame: .zero, initialDisplacement: start)], at: instant(seconds))
    return animator
  }

  @Test("From rest, an animation starts without a jump and approaches its end monotonically, without overshoot")
  func monotonic() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let start = Self.random(&random)
      let animation = ElementAnimation(from: start)
      #expect(animation.displacement(after: 0) == start)
      #expect(animation.velocity(after: 0).extent < 1e-9)
      var before = start
      for frame in 1...60 {
        let now = animation.displacement(after: Double(frame) / 60)
        for part in Self.parts {
          #expect(now[keyPath: part].magnitude <= before[keyPath: part].magnitude)
          #expect(now[keyPath: part] * start[keyPath: part] >= 0)
        }
        before = now
      }
      #expect(animation.displacement(after: animation.duration).extent <= 0.11)
      #expect(animation.displacement(after: animation.duration * 0.8).extent > 0.1 || start.extent < 1)
    }
  }

  @Test("The velocity is the derivative of the displacement")
  func velocity() {
    let animation = ElementAnimation(from: Displacement(x: 300, y: -40), velocity: Displacement(x: -900, y: 500))
    for time in stride(from: 0.01, to: 0.6, by: 0.03) {
      let step = 1e-6
      let (before, after) = (animation.displacement(after: time - step), animation.displacement(after: time + step))
      #expect(abs((after.x - before.x) / (2 * step) - animation.velocity(after: time).x) < 0.01)
      #expect(abs((after.y - before.y) / (2 * step) - animation.velocity(after: time).y) < 0.01)
    }
  }

  @Test("A retargeted element continues from its current displacement and velocity, and ends at the last target")
  func retarget() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      var animator = Self.animator(Self.random(&random))
      var time = 0.0
      for _ in 0..<4 {
        time += .random(in: 0.001...0.2, using: &random)
        let before = animator.displacement(of: .item(1), at: Self.instant(time))
        let slightlyBefore = animator.displacement(of: .item(1), at: Self.instant(time - 1e-4))
        let jump = Self.random(&random)
        let transition = ElementTransition(element: .item(1), finalFrame: .zero, initialDisplacement: before + jump)
        animator.startTransitions([transition], at: Self.instant(time))
        let after = animator.displacement(of: .item(1), at: Self.instant(time))
        let slightlyAfter = animator.displacement(of: .item(1), at: Self.instant(time + 1e-4))
        #expect((after + (before + jump) * -1).extent < 1e-9)
        // The velocity is continuous: the two steps differ only by the curvature over a tenth of a millisecond.
        let bend = (slightlyAfter + after * -1) + (before + slightlyBefore * -1) * -1
        #expect(bend.extent < 0.05)
      }
      #expect(!animator.hasEnded(by: Self.instant(time + 0.1)))
      #expect(animator.hasEnded(by: Self.instant(time + 2)))
      #expect(animator.displacement(of: .item(1), at: Self.instant(time + 2)).extent < 0.1)
    }
  }

  @Test("An animation that continues for another element keeps its displayed frame and velocity")
  func changedElement() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let start = Self.random(&random)
      var (animator, still) = (Self.animator(start), Self.animator(start))
      let time = Double.random(in: 0...0.4, using: &random)
      let jump = Self.random(&random)
      animator.retarget(.item(1), to: .disappearing(4), by: jump, at: Self.instant(time))
      #expect(!animator.isMoving(.item(1)))
      let before = still.displacement(of: .item(1), at: Self.instant(time))
      let after = animator.displacement(of: .disappearing(4), at: Self.instant(time))
      #expect((after + (before + jump) * -1).extent < 1e-6)
      // The same as a new transition from there.
      still.startTransitions(
        [ElementTransition(element: .item(1), finalFrame: .zero, initialDisplacement: before + jump)],
        at: Self.instant(time))
      for later in stride(from: time, to: time + 0.6, by: 0.05) {
        let first = animator.displacement(of: .disappearing(4), at: Self.instant(later))
        let second = still.displacement(of: .item(1), at: Self.instant(later))
        #expect((first + second * -1).extent < 1e-6)
      }
      #expect(animator.hasEnded(by: Self.instant(time + 2)))
    }
  }

  @Test(
    "Starting transitions replaces all animations, remapping removes deleted elements, and zero displacements do not run"
  )
  func remapping() {
    var animator = ElementAnimator()
    let displacement = Displacement(y: 40)
    let all = (0..<6).map {
      ElementTransition(element: .item($0), finalFrame: .zero, initialDisplacement: displacement)
    }
    animator.startTransitions(all, at: Self.instant(0))
    #expect(animator.count == 6 && animator.isRunning)
    animator.apply(IndexMap { $0 == 3 ? nil : $0 + 10 })
    #expect(animator.count == 5 && animator.isMoving(.item(12)) && !animator.isMoving(.item(13)))
    #expect(animator.displacement(of: .item(12), at: Self.instant(0)) == displacement)
    #expect(animator.displacement(of: .item(2), at: Self.instant(0)) == .zero)
    let still = ElementTransition(element: .item(1), finalFrame: .zero)
    animator.startTransitions([still], at: Self.instant(1))
    #expect(!animator.isRunning && !animator.hasEnded(by: Self.instant(9)))
  }

  @Test("Instants before the start count as the start")
  func beforeStart() {
    let animator = Self.animator(Displacement(x: 7), at: 1)
    #expect(animator.displacement(of: .item(1), at: Self.instant(0)) == Displacement(x: 7))
    #expect(animator.displacements(at: Self.instant(0))(.item(1)) == Displacement(x: 7))
  }

  @Test("A displacement changes the center and the size of an element, and the size is never negative")
  func frames() {
    let frame = Rect(x: 100, y: 50, width: 40, height: 20)
    #expect(Displacement.zero.applied(to: frame) == frame)
    let shown = Rect(x: 10, y: 80, width: 60, height: 30)
    #expect(Displacement(of: shown, from: frame).applied(to: frame) == shown)
    #expect(
      Displacement(width: -50, height: -8).applied(to: frame) == Rect(x: 120, y: 54, width: 0, height: 12))
  }
}
