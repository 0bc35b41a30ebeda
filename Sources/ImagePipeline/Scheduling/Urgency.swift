import FramePacing

/// The place of a waiting task: what is on screen and has nothing yet, then what is on screen and could be sharper, then
/// all others by the time they are needed; of equal ones the one asked for first.
struct Urgency: Comparable, Sendable {
  /// Which of these a task is.
  enum Band: UInt8, Comparable, Sendable {
    case missingOnScreen
    case unsharpOnScreen
    case other

    static func < (left: Band, right: Band) -> Bool { left.rawValue < right.rawValue }
  }

  let band: Band
  let deadline: FrameInstant
  let number: UInt64

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - deadline: when the picture is needed; before the clock's zero it is on screen now.
  ///   - number: the task's, rising in the order of asking.
  ///   - hasPreview: whether something is there to be looked at meanwhile.
  init(deadline: FrameInstant, number: UInt64, hasPreview: Bool = false) {
    self.deadline = deadline
    self.number = number
    band = !deadline.isOnScreen ? .other : hasPreview ? .unsharpOnScreen : .missingOnScreen
  }

  /// Whether the picture is on screen.
  var isOnScreen: Bool { band != .other }

  static func < (left: Urgency, right: Urgency) -> Bool {
    (left.band, left.deadline.nanoseconds, left.number) < (right.band, right.deadline.nanoseconds, right.number)
  }
}

extension FrameInstant {
  /// Whether this, as a deadline, says that the picture is on screen and waited for: it lies before the clock's zero.
  var isOnScreen: Bool { nanoseconds < 0 }
}
