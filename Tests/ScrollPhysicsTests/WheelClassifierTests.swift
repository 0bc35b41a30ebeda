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

  @Test("A pause begins a new burst")
  func pauseBeginsAnew() { #expect(classify([0.371, 1], every: 500) == [.continuous, .notch]) }

  @Test("The other axis counts too")
  func otherAxis() {
    var classifier = WheelClassifier()
    #expect(classifier.classify(deltaX: 0.371, deltaY: 1, at: .zero) == .continuous)
  }

  @Test("Numbers that are none are no trackpad", arguments: [Double.nan, .infinity, 1e300])
  func extremes(delta: Double) { #expect(classify([delta]) == [.notch]) }
}
