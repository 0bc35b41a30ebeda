internal import FramePacing

/// The way of a scroll from now on if nobody touches it again: one leg, and perhaps another after it.
///
/// The second leg is the motion that follows when fingers are thought to have left the trackpad. Its beginning is known
/// as soon as the last delta is, so no timer and no event is needed to start it.
struct ScrollCourse: Hashable, Sendable {
  private(set) var current: ScrollLeg
  private(set) var next: ScrollLeg?

  init(_ current: ScrollLeg, then next: ScrollLeg? = nil) {
    self.current = current
    self.next = next
  }

  /// The leg that holds at an instant.
  func leg(at instant: FrameInstant) -> ScrollLeg {
    guard let next, current.hasEnded(by: instant) else { return current }
    return next
  }

  /// Forgets what is over.
  mutating func settle(at instant: FrameInstant) {
    guard let next, current.hasEnded(by: instant) else { return }
    current = next
    self.next = nil
  }

  /// Where it will rest.
  var restOffset: Double { (next ?? current).restOffset }

  /// When it will rest; nothing while a hand holds it.
  var restInstant: FrameInstant? { (next ?? current).end }

  func instant(reaching offset: Double, after instant: FrameInstant) -> FrameInstant? {
    if !(next != nil && current.hasEnded(by: instant)),
      let reached = current.instant(reaching: offset, after: instant)
    {
      return reached
    }
    return next?.instant(reaching: offset, after: instant)
  }

  mutating func adapt(to range: ScrollRange, translatedBy points: Double, at instant: FrameInstant) {
    current = current.adapted(to: range, translatedBy: points, at: instant)
    next = next.map { $0.adapted(to: range, translatedBy: points, at: instant) }
  }
}
