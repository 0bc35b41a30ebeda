import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("VelocityTracker")
struct VelocityTrackerTests {
  @Test("A constant velocity is measured in both directions", arguments: [120.0, -120, 9_000, -9_000])
  func constantVelocity(velocity: Double) {
    var tracker = VelocityTracker()
    for step in 0...30 {
      tracker.add(position: velocity * Double(step) * 0.008, at: moment(Double(step) * 8))
    }
    #expect((tracker.velocity / velocity - 1).magnitude < 1e-6)
  }

  @Test("An outlier has less effect than in a difference of adjacent samples", arguments: 4...11)
  func outlier(index: Int) {
    var tracker = VelocityTracker()
    var worstDifference = 0.0
    var before = 0.0
    for step in 0...12 {
      let position = 8 * Double(step) + (step == index ? 6 : 0)
      if step > 0 { worstDifference = max(worstDifference, ((position - before) / 0.008 - 1_000).magnitude) }
      before = position
      tracker.add(position: position, at: moment(Double(step) * 8))
    }
    #expect((tracker.velocity - 1_000).magnitude < worstDifference)
  }

  @Test("The velocity of two samples is their slope, that of one is zero")
  func twoSamples() {
    var tracker = VelocityTracker()
    tracker.add(position: 0, at: moment(0))
    #expect(tracker.velocity == 0)
    tracker.add(position: 8, at: moment(8))
    #expect((tracker.velocity - 1_000).magnitude < 1e-6)
  }

  @Test("Samples older than the horizon are ignored")
  func horizon() {
    var tracker = VelocityTracker()
    for step in 0..<10 { tracker.add(position: -5_000 * Double(step) * 0.01, at: moment(Double(step) * 10)) }
    let reversal = -5_000 * 0.09
    for step in 1...11 {
      tracker.add(position: reversal + 400 * Double(step) * 0.01, at: moment(90 + Double(step) * 10))
    }
    #expect((tracker.velocity - 400).magnitude < 1)
  }

  @Test("A pause of 40 ms resets the velocity to zero")
  func pause() {
    var tracker = VelocityTracker()
    for step in 0..<10 { tracker.add(position: Double(step) * 10, at: moment(Double(step) * 10)) }
    #expect(tracker.velocity(at: moment(129.9)) > 900)
    #expect(tracker.velocity(at: moment(130)) == 0)
    tracker.add(position: 91, at: moment(130))
    #expect(tracker.velocity == 0)
  }

  @Test("The last of several samples with one time stamp is used, and time stamps never decrease")
  func sameTimeStamp() {
    var tracker = VelocityTracker()
    for step in 0..<10 {
      tracker.add(position: -77, at: moment(Double(step) * 10))
      tracker.add(position: Double(step) * 10, at: moment(Double(step) * 10))
    }
    #expect((tracker.velocity - 1_000).magnitude < 1e-6)
    tracker.add(position: 95, at: moment(3))
    #expect(tracker.velocity.isFinite)
  }

  @Test("Extreme samples keep the velocity finite and within the limit")
  func extremes() {
    var random = SeededGenerator(seed: 8)
    var tracker = VelocityTracker()
    for _ in 0..<5_000 {
      let position = EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0
      let step = Int64(EdgeCaseNumbers.integers.randomElement(using: &random) ?? 0)
      let nanoseconds = random.chance(oneIn: 3) ? step : Int64.random(in: 0...100_000_000, using: &random)
      tracker.add(position: position, at: FrameInstant(nanoseconds: nanoseconds))
      #expect(tracker.velocity.magnitude <= VelocityTracker.maximumSpeed)
      #expect(tracker.velocity(at: FrameInstant(nanoseconds: step)).isFinite)
    }
  }

  /// Returns the slope at the last sample of the least-squares parabola through the positions of the last 100 ms, as a
  /// reference for the estimate.
  private func leastSquares(_ samples: [(seconds: Double, position: Double)]) -> Double {
    guard let last = samples.last else { return 0 }
    let used = samples.filter { last.seconds - $0.seconds <= 0.1 }
    // Normal equations of a + bt + ct² with t from the last sample, solved by Cramer's rule: b is the slope there.
    var sums = [Double](repeating: 0, count: 5)
    var rightSide = [Double](repeating: 0, count: 3)
    for sample in used {
      let time = sample.seconds - last.seconds
      var power = 1.0
      for index in 0..<5 {
        sums[index] += power
        if index < 3 { rightSide[index] += power * (sample.position - last.position) }
        power *= time
      }
    }
    func determinant(_ columns: [[Double]]) -> Double {
      let (a, b, c) = (columns[0], columns[1], columns[2])
      return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
    }
    let columns = [Array(sums[0..<3]), Array(sums[1..<4]), Array(sums[2..<5])]
    return determinant([columns[0], rightSide, columns[2]]) / determinant(columns)
  }

  @Test("The velocity matches a least-squares parabola for accelerating, decelerating and jittering input")
  func matchesLeastSquares() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      let velocity = Double.random(in: 500...6_000, using: &random) * (random.chance(oneIn: 2) ? 1 : -1)
      let change = velocity * Double.random(in: -2...2, using: &random)
      var tracker = VelocityTracker()
      var samples: [(seconds: Double, position: Double)] = []
      var seconds = 0.0
      for _ in 0..<16 {
        seconds += .random(in: 0.006...0.010, using: &random)
        let jitter = Double.random(in: -0.1...0.1, using: &random)
        let position = velocity * seconds + change * seconds * seconds / 2 + jitter
        samples.append((seconds, position))
        tracker.add(position: position, at: moment(seconds * 1_000))
      }
      let expected = leastSquares(samples)
      #expect((tracker.velocity - expected).magnitude < 0.06 * expected.magnitude + 10)
    }
  }
}
