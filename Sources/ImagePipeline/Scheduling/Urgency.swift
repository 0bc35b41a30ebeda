import FramePacing

/// The place of a waiting request: by the time its picture is needed, then by the order of asking.
struct Urgency: Comparable, Sendable {
  var deadline: FrameInstant
  var number: UInt64

  static func < (left: Urgency, right: Urgency) -> Bool {
    (left.deadline.nanoseconds, left.number) < (right.deadline.nanoseconds, right.number)
  }
}
