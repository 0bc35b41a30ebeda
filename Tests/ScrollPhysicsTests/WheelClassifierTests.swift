import Testing
import VitrineFramePacing
import VitrineScrollPhysics

@Suite("Wheels and trackpads are distinguished by their deltas")
struct WheelClassifierTests {
  private func classify(_ deltas: [Double], every milliseconds: Double = 8) -> [WheelKind] {
    var classifier = WheelClassifier()
    return deltas.enumerated().map { index, delta in
      classifier.classify(deltaX: 0, deltaY: delta, at: .zero + .milliseconds(Double(index) * milliseconds))
    }
  }

  @Test("Whole numbers are notches")
  func notches() { #expect(classify([1, -1, 3, 0]) == [.notch, .notch, .notch, .notch]) }

  @Test("Multiples of 1/120 are a high-resolution wheel")
  func highResolution() {
    #expect(
      classify([0.125, 0.25, 1, 1.0 / 120]) == [.highResolution, .highResolution, .highResolution, .highResolution])
  }

  @Test("Other numbers are a trackpad for the rest of the burst")
  func continuous() {
    #expect(classify([1, 0.371, 1, 0.5]) == [.notch, .continuous, .continuous, .continuous])
  }

  @Test("A pause starts a new burst, and the previous device is soon forgotten")
  func pauseStartsBurst() {
    #expect(classify([0.125, 1], every: 500) == [.highResolution, .notch])
    #expect(classify([0.371, 1], every: 2_000) == [.continuous, .notch])
  }

  /// A delta, the time since the previous one in milliseconds, and the expected kind.
  private typealias Step = (delta: Double, after: Double, kind: WheelKind)

  @Test("A change of device is detected, and whole deltas of a trackpad remain a trackpad's")
  func deviceChanges() {
    let tables: [[Step]] = [
      // A mouse within the trackpad's burst is detected at the second notch.
      [(0.371, 0, .continuous), (1, 100, .continuous), (1, 90, .notch), (1, 90, .notch), (-2, 30, .notch)],
      // A high-resolution wheel within the trackpad's burst is detected at the third delta.
      [(0.371, 0, .continuous), (0.125, 100, .continuous), (0.25, 20, .continuous), (0.25, 20, .highResolution)],
      // Soon after the burst, the first delta counts as the same device.
      [(0.371, 0, .continuous), (1, 500, .continuous), (1, 90, .notch)],
      // Whole deltas of a trackpad in its burst, and as the first delta soon after another burst.
      [(0.371, 0, .continuous), (1, 8, .continuous), (1, 8, .continuous), (2, 8, .continuous), (0.41, 8, .continuous)],
      [(0.371, 0, .continuous), (1, 500, .continuous), (0.41, 8, .continuous), (1, 8, .continuous)],
      [(0.371, 0, .continuous), (0.2, 500, .continuous), (0.3, 8, .continuous), (0.41, 8, .continuous)],
      // The very first whole delta of a trackpad counts as a notch until the next delta.
      [(1, 0, .notch), (0.371, 8, .continuous), (1, 8, .continuous)],
      // A trackpad immediately after the mouse, and then the mouse again.
      [(1, 0, .notch), (1, 100, .notch), (0.41, 100, .continuous), (1, 100, .continuous), (1, 100, .notch)],
      // Deltas of zero do not change the device.
      [(0.371, 0, .continuous), (0, 100, .continuous), (0, 100, .continuous), (0, 100, .continuous)],
    ]
    for table in tables {
      var (classifier, time) = (WheelClassifier(), FrameInstant.zero)
      for (index, step) in table.enumerated() {
        time = time + .milliseconds(step.after)
        #expect(classifier.classify(deltaX: 0, deltaY: step.delta, at: time) == step.kind, "\(table), \(index)")
      }
    }
  }

  @Test("The other axis is classified too")
  func otherAxis() {
    var classifier = WheelClassifier()
    #expect(classifier.classify(deltaX: 0.371, deltaY: 1, at: .zero) == .continuous)
  }

  @Test("Invalid deltas do not count as a trackpad", arguments: [Double.nan, .infinity, 1e300])
  func extremes(delta: Double) { #expect(classify([delta]) == [.notch]) }

  @Test("A trackpad burst keeps its axis until a pause")
  func axisLatch() {
    var latch = AxisLatch()
    // The last delta has an earlier time stamp, so it belongs to the burst.
    let moves = [(-2.0, 1.0, 0.0), (0.1, 9, 16), (0.1, -9, 216), (9, 0, 232), (9, 0, 5)]
    let results = moves.map { latch.latchesCrossAxis(mainDelta: $0.0, crossDelta: $0.1, at: moment($0.2)) }
    #expect(results == [false, false, true, true, true])
  }
}
