public import VitrineFramePacing

/// A timer whose handler is called in the update phase of the first frame that is shown at or after its time.
///
/// The loop rests in between: a timer wakes it once for each call. Times are those at which frames are shown, so that what
/// the handler changes is visible at that time. A timer that is late skips the calls that it missed.
@MainActor
public final class FrameTimer: FrameParticipant {
  /// The time between calls.
  public let interval: FrameDuration
  /// Whether the handler is called repeatedly.
  public let repeats: Bool
  /// The time of the next call, or nil before the first frame and when the timer is not running.
  public private(set) var fireInstant: FrameInstant?

  private let handler: (FrameInstant) -> Void
  private weak var window: Window?

  /// Creates a timer, which does not run yet.
  ///
  /// - Parameters:
  ///   - interval: The time until the first call, and between calls; at least 1 ms.
  ///   - repeats: Whether the handler is called repeatedly. Default: true.
  ///   - handler: Called with the time at which the frame is shown.
  public init(interval: FrameDuration, repeats: Bool = true, handler: @escaping (FrameInstant) -> Void) {
    self.interval = max(interval, .milliseconds(1))
    self.repeats = repeats
    self.handler = handler
  }

  /// Whether the timer is running.
  public var isValid: Bool { window != nil }

  /// Starts the timer with the next frame of a window, unless it is running.
  public func start(in window: Window) {
    guard self.window == nil else { return }
    self.window = window
    window.addParticipant(self)
  }

  /// Stops the timer.
  ///
  /// It can be started again.
  public func invalidate() {
    let window = window
    self.window = nil
    fireInstant = nil
    window?.removeParticipant(self)
  }

  /// Whether the time of the first call is not known yet.
  public var needsFrames: Bool { isValid && fireInstant == nil }

  /// The time of the next call.
  public var nextFrame: FrameInstant? { fireInstant }

  /// Calls the handler if it is time.
  public func update(at target: FrameInstant) {
    guard isValid else { return }
    guard let due = fireInstant else { return fireInstant = target + interval }
    guard target >= due else { return }
    if repeats {
      let missed = (target - due).nanoseconds / interval.nanoseconds
      fireInstant = due + FrameDuration(nanoseconds: interval.nanoseconds * (missed + 1))
    } else {
      invalidate()
    }
    handler(target)
  }

  /// Stops the timer, because there are no more frames.
  public func framesDidEnd() {
    window = nil
    fireInstant = nil
  }
}

/// A link to the frames of a window, whose handler is called in the update phase of each frame.
///
/// While it runs, the window is drawn at each refresh. Pause or stop it when nothing changes, so that the loop rests.
@MainActor
public final class DisplayLink: FrameParticipant {
  /// Whether no frames are requested and the handler is not called.
  ///
  /// Default: false.
  public var isPaused = false {
    didSet {
      guard isPaused != oldValue else { return }
      lastTarget = nil
      if !isPaused { window?.setNeedsFrame() }
    }
  }

  private let handler: (_ target: FrameInstant, _ elapsed: FrameDuration) -> Void
  private weak var window: Window?
  private var lastTarget: FrameInstant?

  /// Creates a link, which does not run yet.
  ///
  /// - Parameter handler: Called with the time at which the frame is shown, and the time since the last one, which is
  ///   zero for the first.
  public init(handler: @escaping (_ target: FrameInstant, _ elapsed: FrameDuration) -> Void) { self.handler = handler }

  /// Starts the link, unless it is running.
  public func start(in window: Window) {
    guard self.window == nil else { return }
    (self.window, lastTarget) = (window, nil)
    window.addParticipant(self)
  }

  /// Stops the link.
  ///
  /// It can be started again.
  public func invalidate() {
    let window = window
    self.window = nil
    window?.removeParticipant(self)
  }

  /// Whether the link runs.
  public var needsFrames: Bool { window != nil && !isPaused }

  /// Calls the handler.
  public func update(at target: FrameInstant) {
    guard needsFrames else { return }
    let elapsed = lastTarget.map { target - $0 } ?? .zero
    lastTarget = target
    handler(target, elapsed)
  }

  /// Skips the time of a stall.
  public func didStall(for duration: FrameDuration) { lastTarget = lastTarget.map { $0 + duration } }

  /// Stops the link, because there are no more frames.
  public func framesDidEnd() { window = nil }
}
