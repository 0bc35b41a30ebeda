import FramePacing
import ScrollPhysics

/// A moment so many milliseconds after the clock's zero.
func moment(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

extension ScrollState {
  /// A scroll over a hundred thousand points in a viewport of 800.
  static func sample(offset: Double = 10_000, length: Double = 100_000) -> ScrollState {
    ScrollState(range: ScrollRange(contentLength: length, viewportLength: 800), offset: offset)
  }

  /// Feeds a burst of trackpad deltas and returns the instant of the last one.
  @discardableResult
  mutating func swipe(_ deltas: [Double], from start: Double, every gap: Double = 8) -> FrameInstant {
    for (index, delta) in deltas.enumerated() {
      handle(.wheel(distance: delta, kind: .continuous), at: moment(start + Double(index) * gap))
    }
    return moment(start + Double(deltas.count - 1) * gap)
  }
}
