/// How far content goes for the way of the pointer that drags the thumb.
///
/// The farther the pointer is from the edge at which the thumb is, the finer: so that one day of ten years is found too.
public enum ScrubberGain: Double, CaseIterable, Sendable {
  /// As far as the pointer.
  case whole = 1
  /// Half as far.
  case half = 0.5
  /// A quarter as far.
  case quarter = 0.25
  /// A tenth as far.
  case tenth = 0.1

  /// The gain of a pointer.
  ///
  /// - Parameters:
  ///   - distance: how far it is from the edge's strip, across, in points; none where it is in it.
  ///   - room: how far it could be, in points: in a narrow view the steps are nearer.
  public init(distance: Double, room: Double) {
    let room = room.isFinite ? max(0, room) : 0
    let steps: [(distance: Double, gain: ScrubberGain)] = [
      (min(240, room * 0.6), .tenth), (min(140, room * 0.4), .quarter), (min(60, room * 0.2), .half),
    ]
    self = steps.first { distance > 0 && distance >= $0.distance }?.gain ?? .whole
  }
}
