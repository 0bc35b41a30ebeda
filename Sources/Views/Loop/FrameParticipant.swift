public import FramePacing
public import Geometry
public import Rendering

/// An object that takes part in every frame: scrolling, delivery of finished work, preparing ahead.
///
/// Each method belongs to one phase; all do nothing unless implemented.
public protocol FrameParticipant: AnyObject {
  /// Whether it needs the next frame even if nothing else does.
  var needsFrames: Bool { get }
  /// When it needs a frame though nothing else happens until then; nothing where it needs none by itself.
  ///
  /// For what changes in steps, such as a clock's hand: the loop rests until then. Asked while it rests; the frame that is
  /// made then is to lead to a later instant, or to nothing.
  var nextFrame: FrameInstant? { get }
  /// Whether content moves because of it: hitches are counted in such frames.
  var isTracked: Bool { get }
  /// When, on a simulated clock, something will arrive for it that is not there yet.
  var nextArrival: FrameInstant? { get }
  /// Whether something that was awaited is there by an instant, and waits for a collect phase.
  func hasArrivals(by now: FrameInstant) -> Bool

  /// The display has so many pixels a point: told when it becomes a participant, and when that changes.
  func displayScaleDidChange(_ scale: DisplayScale)
  /// Between frames: nobody worked for so long though something moved, as where the process was stopped or presenting was
  /// held back. Motion goes on from where it was shown last.
  func didStall(for duration: FrameDuration)
  /// Takes an event before the views do.
  /// - Returns: whether it was used.
  func intercept(_ event: InputEvent) -> Bool
  /// Phase 2: evaluates motion at the frame's target time.
  func update(at target: FrameInstant)
  /// Phase 3: takes in finished work of other threads.
  func collect(_ budget: FrameBudget)
  /// Phase 4: turns the visible rectangle into items.
  func layout()
  /// Phase 5, before drawing: prepares what enters.
  func commit(_ record: inout FrameRecord)
  /// Phase 8: does one step of work ahead, if it has one that fits.
  /// - Returns: whether a step was done.
  func performSlackStep(_ budget: FrameBudget) -> Bool
  /// After phase 8: input came that can do no more than move content, and the frame may be drawn once more with what it does.
  ///
  /// Asked before views are given that input.
  /// - Returns: whether that may be; all must agree.
  func allowsInputResampling() -> Bool
  /// Views were given that input: evaluates what it moved, again for the same target time, and nothing else. What comes with
  /// it, such as other cells, is the next frame's.
  /// - Returns: whether that can be drawn as it is. Where it can't, the frame that was drawn before is shown.
  func resampleInput(at target: FrameInstant) -> Bool
  /// Whether ``carryOverStep(_:)`` is to be asked after presenting a frame in which something moves.
  ///
  /// Asked first, as the loop looks for input and reads its clocks before a step that may hold the next frame up.
  var hasDeferredSteps: Bool { get }
  /// After presenting, where that does not wait for the refresh: does one step that did not fit before, if it fits before
  /// the next frame's deadline less what that frame's commit is expected to cost.
  ///
  /// It holds the next frame up, so nothing that this frame will need may be unprepared. Asked once in frames in which
  /// something moves, and otherwise until it declines, there is input or something that was awaited is there: nobody sees a
  /// frame that is held up then. While something moves, only those are asked who say ``mayCarryOver``.
  /// - Returns: whether a step was done.
  func performDeferredStep(_ budget: FrameBudget) -> Bool
  /// At rest, when nothing else is to be done: does one step of what the first frames of a motion would have to make.
  ///
  /// For what any motion will need, such as cells to be filled later. Asked one step after the other, until it declines, there
  /// is input or a frame is wanted: a step holds the first input up, and is to be short.
  /// - Returns: whether a step was done.
  func prepareForMotion() -> Bool
  /// After presenting: the frame's record is final.
  func frameDidEnd(_ record: FrameRecord)
  /// Between frames: memory is short; lets go of what can be had again.
  func handleMemoryPressure()
  /// Between frames: none came for a while, and none is expected; gives back memory that is held for the next ones, where that
  /// costs little to have again. Called once until the next frame.
  func releaseIdleResources()
  /// It takes part in no more frames: whoever waits for one need not any longer.
  func framesDidEnd()
}

extension FrameParticipant {
  /// Nothing by itself.
  public var needsFrames: Bool { false }
  /// Nothing changes by itself.
  public var nextFrame: FrameInstant? { nil }
  /// Nothing moves.
  public var isTracked: Bool { false }
  /// Nothing is awaited.
  public var nextArrival: FrameInstant? { nil }
  /// What arrives next on a simulated clock, once it is due.
  public func hasArrivals(by now: FrameInstant) -> Bool { nextArrival.map { $0 <= now } ?? false }
  /// Nothing moves.
  public func didStall(for duration: FrameDuration) {}
  /// Not interested.
  public func displayScaleDidChange(_ scale: DisplayScale) {}
  /// Declines.
  public func intercept(_ event: InputEvent) -> Bool { false }
  /// Nothing moves.
  public func update(at target: FrameInstant) {}
  /// Nothing is awaited.
  public func collect(_ budget: FrameBudget) {}
  /// Nothing to place.
  public func layout() {}
  /// Nothing enters.
  public func commit(_ record: inout FrameRecord) {}
  /// Nothing to do ahead.
  public func performSlackStep(_ budget: FrameBudget) -> Bool { false }
  /// Nothing of it is in the way.
  public func allowsInputResampling() -> Bool { true }
  /// Nothing moves.
  public func resampleInput(at target: FrameInstant) -> Bool { true }
  /// Nothing is left to do.
  public var hasDeferredSteps: Bool { false }
  /// Nothing to do ahead.
  public func performDeferredStep(_ budget: FrameBudget) -> Bool { false }
  /// Nothing to make.
  public func prepareForMotion() -> Bool { false }
  /// Not interested.
  public func frameDidEnd(_ record: FrameRecord) {}
  /// Nothing can be had again.
  public func handleMemoryPressure() {}
  /// Nothing is held for the next frames.
  public func releaseIdleResources() {}
  /// Nobody waits.
  public func framesDidEnd() {}
}
