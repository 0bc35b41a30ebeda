import FramePacing
import ScrollPhysics
import Testing

@Suite("Wheels and trackpads are told apart by their numbers")
struct WheelClassifierTests {
  private func classify(_ deltas: [Double], every milliseconds: Double = 8) -> [WheelKind] {
    var classifier = WheelClassifier()
    return deltas.enumerated().map { index, delta in
      classifier.classify(deltaX: 0, deltaY: delta, at: .zero + .milliseconds(Double(index) * milliseconds))
    }
  }

  @Test("Whole numbers are notches")
  func notches() { #expect(classify([1, -1, 3, 0]) == [.notch, .notch, .notch, .notch]) }

  @Test("Parts of 1/120 are a high-resolution wheel")
  func highResolution() {
    #expect(
      classify([0.125, 0.25, 1, 1.0 / 120]) == [.highResolution, .highResolution, .highResolution, .highResolution])
  }

  @Test("Anything else is a trackpad, and stays one for the burst")
  func continuous() {
    #expect(classify([1, 0.371, 1, 0.5]) == [.notch, .continuous, .continuous, .continuous])
  }

  @Test("A pause begins a new burst, and what was before is soon forgotten")
  func pauseBeginsAnew() {
    #expect(classify([0.125, 1], every: 500) == [.highResolution, .notch])
    #expect(classify([0.371, 1], every: 2_000) == [.continuous, .notch])
  }

  /// What comes in: a delta, and how many milliseconds after the one before.
  private typealias Turn = (delta: Double, after: Double, kind: WheelKind)

  @Test("A hand that goes from the trackpad to the mouse is followed, and a pad's whole deltas stay a pad's")
  func devices() {
    let tables: [[Turn]] = [
      // A mouse right after the pad, within its burst: the second notch tells.
      [(0.371, 0, .continuous), (1, 100, .continuous), (1, 90, .notch), (1, 90, .notch), (-2, 30, .notch)],
      // A fine wheel right after it: three do.
      [(0.371, 0, .continuous), (0.125, 100, .continuous), (0.25, 20, .continuous), (0.25, 20, .highResolution)],
      // After the burst, soon: the same device is likelier, for one delta.
      [(0.371, 0, .continuous), (1, 500, .continuous), (1, 90, .notch)],
      // A pad's whole deltas in its burst, and as its first one soon after another burst.
      [(0.371, 0, .continuous), (1, 8, .continuous), (1, 8, .continuous), (2, 8, .continuous), (0.41, 8, .continuous)],
      [(0.371, 0, .continuous), (1, 500, .continuous), (0.41, 8, .continuous), (1, 8, .continuous)],
      [(0.371, 0, .continuous), (0.2, 500, .continuous), (0.3, 8, .continuous), (0.41, 8, .continuous)],
      // Its first one ever is taken for a notch, until the next.
      [(1, 0, .notch), (0.371, 8, .continuous), (1, 8, .continuous)],
      // The pad after the mouse at once, and the mouse again.
      [(1, 0, .notch), (1, 100, .notch), (0.41, 100, .continuous), (1, 100, .continuous), (1, 100, .notch)],
      // Nothing at all is neither.
      [(0.371, 0, .continuous), (0, 100, .continuous), (0, 100, .continuous), (0, 100, .continuous)],
    ]
    for table in tables {
      var (classifier, time) = (WheelClassifier(), FrameInstant.zero)
      for (place, turn) in table.enumerated() {
        time = time + .milliseconds(turn.after)
        #expect(classifier.classify(deltaX: 0, deltaY: turn.delta, at: time) == turn.kind, "\(table), \(place)")
      }
    }
  }

  @Test("The other axis counts too")
  func otherAxis() {
    var classifier = WheelClassifier()
    #expect(classifier.classify(deltaX: 0.371, deltaY: 1, at: .zero) == .continuous)
  }

  @Test("Numbers that are none are no trackpad", arguments: [Double.nan, .infinity, 1e300])
  func extremes(delta: Double) { #expect(classify([delta]) == [.notch]) }
}
