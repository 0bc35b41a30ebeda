public import VitrineFramePacing
public import VitrineGeometry

/// An animation of the opacity, the frame and the transform of views, from where they are.
///
/// It takes part in the frames of the views' window and is evaluated at the time at which each frame is shown. It ends by
/// itself, after which the loop rests. An animator that is started for a property that another one animates takes over
/// from where the view is; a spring also from its velocity.
///
/// ```swift
/// let animator = ViewAnimator(duration: .milliseconds(300), curve: .spring(dampingRatio: 0.8))
/// animator.animate(panel, alpha: 1, frame: shownFrame)
/// animator.addCompletion { isFinished in … }
/// animator.start()
/// ```
@MainActor
public final class ViewAnimator: FrameParticipant {
  /// The state of an animator.
  public nonisolated enum State: Hashable, Sendable {
    /// Not started.
    case inactive
    /// Running.
    case running
    /// Paused: views remain where they are.
    case paused
    /// Ended; it can be started again with other animations.
    case ended
  }

  /// The values that views get when an animator is stopped.
  public nonisolated enum Position: Hashable, Sendable {
    /// Those that they had before.
    case start
    /// Those that they have.
    case current
    /// Those that the animation leads to.
    case end
  }

  private nonisolated enum Property: Hashable { case alpha, frame, transform }

  private struct Track {
    let view: View
    let property: Property
    var numbers: [AnimatedNumber]
  }

  /// The duration of the motion.
  public let duration: FrameDuration
  /// The time before the motion.
  public let delay: FrameDuration
  /// The course of the motion.
  public let curve: AnimationCurve
  /// The state.
  public private(set) var state = State.inactive

  private var tracks: [Track] = []
  private var completions: [(Bool) -> Void] = []
  private weak var window: Window?
  /// The time at which the first frame was shown, or nil before.
  private var startInstant: FrameInstant?
  /// The time since the start, including the delay.
  private var elapsed = FrameDuration.zero

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: The duration of the motion.
  ///   - delay: The time before the motion. Default: none.
  ///   - curve: The course of the motion. Default: slowly at first and at the end.
  public init(duration: FrameDuration, delay: FrameDuration = .zero, curve: AnimationCurve = .easeInOut) {
    self.duration = max(.zero, duration)
    self.delay = max(.zero, delay)
    self.curve = curve
  }

  /// Adds an animation of a view, or replaces the one of the same properties.
  ///
  /// Add all animations before the animator is started. A property with a number that is not finite, or a frame of negative
  /// size, is not animated, and the mistake is reported.
  ///
  /// - Parameters:
  ///   - view: The view, which is retained until the end.
  ///   - alpha: The opacity at the end, or nil if it is not animated.
  ///   - frame: The frame at the end, or nil if it is not animated.
  ///   - transform: The transform at the end, or nil if it is not animated. Its six numbers are animated one by one.
  public func animate(_ view: View, alpha: Double? = nil, frame: Rect? = nil, transform: Transform? = nil) {
    func add(_ property: Property, _ ends: [Double]) {
      guard ends.allSatisfy(\.isFinite), property != .frame || min(ends[2], ends[3]) >= 0 else {
        view.window?.misuse.report(
          "animate(_:alpha:frame:transform:) was called with a number that is not finite, or a negative size. The property "
            + "keeps its value. Compute the values from bounds that are known.")
        return
      }
      tracks.removeAll { $0.view === view && $0.property == property }
      tracks.append(Track(view: view, property: property, numbers: ends.map { AnimatedNumber(start: $0, end: $0) }))
    }
    if let alpha { add(.alpha, [alpha]) }
    if let frame { add(.frame, [frame.minX, frame.minY, frame.width, frame.height]) }
    if let transform {
      add(.transform, [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty])
    }
  }

  /// Adds a closure that is called when the animation has ended.
  ///
  /// - Parameter completion: Receives whether the animation reached its end, rather than being stopped or replaced.
  public func addCompletion(_ completion: @escaping (_ isFinished: Bool) -> Void) { completions.append(completion) }

  /// Starts the animation from where the views are, or continues a paused one.
  ///
  /// Views that are in no window get their final values immediately. If the window reduces motion, frames and transforms
  /// change at once, and only the opacity is animated.
  public func start() {
    guard state != .running else { return }
    if state == .paused {
      state = .running
      startInstant = nil
      window?.setNeedsFrame()
      return
    }
    guard let window = tracks.lazy.compactMap(\.view.window).first else {
      state = .running
      return end(at: .end, isFinished: true)
    }
    self.window = window
    (startInstant, elapsed) = (nil, .zero)
    state = .running
    for index in tracks.indices { prepareTrack(at: index, in: window) }
    window.addParticipant(self)
  }

  /// Pauses the animation; views remain where they are.
  public func pause() {
    guard state == .running else { return }
    state = .paused
  }

  /// Ends the animation.
  ///
  /// - Parameter position: The values that the views get. Default: those that they have.
  public func stop(at position: Position = .current) {
    guard state == .running || state == .paused else { return }
    end(at: position, isFinished: false)
  }

  /// The part of the motion that is over, 0 to 1.
  ///
  /// Setting it while the animator is paused moves the views, for a motion that follows a gesture.
  public var fractionComplete: Double {
    get { duration > .zero ? max(0, min(1, (elapsed - delay).seconds / duration.seconds)) : state == .ended ? 1 : 0 }
    set {
      guard state == .paused, newValue.isFinite else { return }
      elapsed = delay + duration * max(0, min(1, newValue))
      applyNumbers()
    }
  }

  // MARK: - Frames

  /// Whether the animation is running.
  public var needsFrames: Bool { state == .running }
  /// Whether the animation is running.
  public var isTracked: Bool { state == .running }

  /// Moves the views to where they are at the time at which the frame is shown.
  public func update(at target: FrameInstant) {
    guard state == .running else { return }
    let start = startInstant ?? target - elapsed
    startInstant = start
    elapsed = max(.zero, target - start)
    guard elapsed < delay + duration else { return end(at: .end, isFinished: true) }
    applyNumbers()
  }

  /// Continues from where the views were shown last.
  public func didStall(for duration: FrameDuration) { startInstant = startInstant.map { $0 + duration } }

  /// Ends the animation, because there are no more frames.
  public func framesDidEnd() {
    guard state == .running || state == .paused else { return }
    end(at: .end, isFinished: false)
  }

  // MARK: - Implementation

  private var motionSeconds: Double { max(.zero, elapsed - delay).seconds }

  private func prepareTrack(at index: Int, in window: Window) {
    let (view, property) = (tracks[index].view, tracks[index].property)
    var velocities: [Double]?
    for participant in window.participants {
      guard let other = participant as? ViewAnimator, other !== self else { continue }
      velocities = other.endTrack(of: view, property) ?? velocities
    }
    let values = ViewAnimator.values(of: property, view)
    for position in tracks[index].numbers.indices {
      let isImmediate = window.reducesMotion && property != .alpha
      tracks[index].numbers[position].start = isImmediate ? tracks[index].numbers[position].end : values[position]
      tracks[index].numbers[position].velocity = isImmediate ? 0 : velocities?[position] ?? 0
    }
  }

  /// Ends the animation of a property that another animator continues.
  ///
  /// - Returns: The velocities, or nil if the property is not animated.
  private func endTrack(of view: View, _ property: Property) -> [Double]? {
    guard let index = tracks.firstIndex(where: { $0.view === view && $0.property == property }) else { return nil }
    let seconds = motionSeconds
    let velocities = tracks[index].numbers.map { $0.velocity(at: seconds, of: duration.seconds, curve) }
    tracks.remove(at: index)
    if tracks.isEmpty { end(at: .current, isFinished: false) }
    return state == .paused ? nil : velocities
  }

  private func end(at position: Position, isFinished: Bool) {
    if position == .end { for track in tracks { apply(track.numbers.map(\.end), to: track) } }
    if position == .start { for track in tracks { apply(track.numbers.map(\.start), to: track) } }
    state = .ended
    if isFinished { elapsed = delay + duration }
    tracks.removeAll()
    let (window, completions) = (window, completions)
    self.window = nil
    self.completions.removeAll()
    window?.removeParticipant(self)
    for completion in completions { completion(isFinished) }
  }

  private func applyNumbers() {
    let seconds = motionSeconds
    for track in tracks { apply(track.numbers.map { $0.value(at: seconds, of: duration.seconds, curve) }, to: track) }
  }

  private func apply(_ values: [Double], to track: Track) {
    switch track.property {
    case .alpha: track.view.alpha = values[0]
    case .frame: track.view.frame = Rect(x: values[0], y: values[1], width: values[2], height: values[3])
    case .transform:
      track.view.transform = Transform(
        a: values[0], b: values[1], c: values[2], d: values[3], tx: values[4], ty: values[5])
    }
  }

  private static func values(of property: Property, _ view: View) -> [Double] {
    switch property {
    case .alpha: [view.alpha]
    case .frame: [view.frame.minX, view.frame.minY, view.frame.width, view.frame.height]
    case .transform:
      [
        view.transform.a, view.transform.b, view.transform.c, view.transform.d, view.transform.tx, view.transform.ty,
      ]
    }
  }
}
