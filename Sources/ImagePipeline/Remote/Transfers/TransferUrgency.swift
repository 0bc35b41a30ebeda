import FramePacing

/// The place of one who waits for a connection: by when it is needed; of equal ones the one asked for first.
struct TransferUrgency: Comparable, Sendable {
  let deadline: FrameInstant
  let number: UInt64

  static func < (left: TransferUrgency, right: TransferUrgency) -> Bool {
    (left.deadline.nanoseconds, left.number) < (right.deadline.nanoseconds, right.number)
  }
}
