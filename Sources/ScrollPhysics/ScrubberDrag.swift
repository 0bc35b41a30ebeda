public import VitrineFramePacing

/// The position of the scroll bar's thumb while the pointer drags it.
///
/// At full gain the thumb follows the pointer and reaches an end with it; a thumb that finer gains left behind catches
/// up on the way there, without a jump. At a finer gain it moves by a fraction of the pointer's distance.
public struct ScrubberDrag: Hashable, Sendable {
  /// The position of the thumb as a fraction of its track, 0 to 1.
  public private(set) var share: Double
  /// The ratio of the thumb's movement to the pointer's.
  public private(set) var gain = ScrubberGain.whole
  /// The position of the pointer as a fraction of the same track.
  private var pointer: Double

  /// Creates the state at the start of a drag.
  ///
  /// - Parameters:
  ///   - share: The position of the thumb.
  ///   - pointer: The position that the thumb would have if it followed the pointer.
  public init(share: Double, pointer: Double) {
    self.share = ScrubberDrag.bounded(share)
    self.pointer = ScrubberDrag.bounded(pointer)
  }

  /// Moves the pointer.
  ///
  /// - Parameters:
  ///   - position: The position that the thumb would have if it followed the pointer; NaN is ignored.
  ///   - gain: The gain for the pointer's distance from the edge.
  public mutating func move(to position: Double, gain: ScrubberGain) {
    guard !position.isNaN else { return }
    let position = ScrubberDrag.bounded(position)
    self.gain = gain
    if gain != .whole {
      share = ScrubberDrag.bounded(share + (position - pointer) * gain.rawValue)
    } else if position > pointer {
      share = position == 1 ? 1 : ScrubberDrag.bounded(1 - (1 - share) * (1 - position) / (1 - pointer))
    } else if position < pointer {
      share = ScrubberDrag.bounded(share * position / pointer)
    }
    pointer = position
  }

  /// Sets the position of the thumb after the content changed its length or was scrolled by other means.
  public mutating func setShare(_ share: Double) { self.share = ScrubberDrag.bounded(share) }

  private static func bounded(_ share: Double) -> Double { share.isNaN ? 0 : max(0, min(1, share)) }
}

/// The ratio of the content's movement to that of the pointer that drags the thumb.
///
/// The gain is finer the farther the pointer is from the scroll bar's edge, so that a single day in ten years can be
/// found.
public enum ScrubberGain: Double, CaseIterable, Sendable {
  /// The full distance of the pointer.
  case whole = 1
  /// Half the distance.
  case half = 0.5
  /// A quarter of the distance.
  case quarter = 0.25
  /// A tenth of the distance.
  case tenth = 0.1

  /// Creates the gain for a pointer.
  ///
  /// - Parameters:
  ///   - distance: The distance of the pointer from the scroll bar along the cross axis, in points; 0 inside it.
  ///   - maximumDistance: The maximum distance in points; a narrow view has closer steps.
  public init(distance: Double, maximumDistance: Double) {
    let room = maximumDistance.isFinite ? max(0, maximumDistance) : 0
    let steps: [(distance: Double, gain: ScrubberGain)] = [
      (min(240, room * 0.6), .tenth), (min(140, room * 0.4), .quarter), (min(60, room * 0.2), .half),
    ]
    self = steps.first { distance > 0 && distance >= $0.distance }?.gain ?? .whole
  }
}

/// A detector of content that is scrubbed too fast to be looked at.
///
/// Fed with one offset per frame. Scrubbing is fast from two viewports per second, and slow below that, after 80 ms
/// without movement, or when the thumb is released; only slow content is worth decoding.
public struct ScrubPace: Sendable {
  /// The speed in viewports per second from which scrubbing is fast.
  public static let fastSpeed = 2.0
  /// The time without movement after which scrubbing is slow.
  public static let idleTime = FrameDuration.milliseconds(80)

  /// Whether the content is scrubbed fast.
  public private(set) var isFast = false
  private var offset: Double?
  private var movement = FrameInstant.distantPast

  /// Creates the state of content at rest.
  public init() {}

  /// Records the offset of a frame.
  ///
  /// - Parameters:
  ///   - offset: The offset in points.
  ///   - viewportLength: The length of the viewport in points.
  ///   - isDragging: Whether the thumb is being dragged.
  ///   - instant: The frame's target time.
  /// - Returns: Whether ``isFast`` changed.
  public mutating func update(
    offset: Double, viewportLength: Double, isDragging: Bool, at instant: FrameInstant
  ) -> Bool {
    let wasFast = isFast
    let last = self.offset ?? offset
    self.offset = offset
    if offset != last {
      // Content that was idle for longer has moved this far since then.
      let time = max(.milliseconds(1), min(ScrubPace.idleTime, instant - movement))
      movement = instant
      isFast = isDragging && (offset - last).magnitude >= ScrubPace.fastSpeed * viewportLength * time.seconds
    } else if !isDragging || instant - movement >= ScrubPace.idleTime {
      isFast = false
    }
    return isFast != wasFast
  }
}
