import VitrineFramePacing
import VitrineRendering
import VitrineThreads

/// The frames of an animated picture, decoded ahead on a thread of their own.
///
/// The thread decodes as long as frames are taken, and rests when enough are waiting. Release the object to end it.
@MainActor
public final class ImageAnimation {
  /// The condition of an animation.
  public enum Condition: Hashable, Sendable {
    /// The first frames are being decoded.
    case opening
    /// There are several frames.
    case playing
    /// The picture has one frame.
    case still
    /// The frames cannot be decoded, or no further one.
    case failed(ImageFailure)
  }

  /// The maximum number of bytes of decoded frames.
  public nonisolated static let byteLimit = 64 << 20

  private struct State {
    var buffer = AnimationBuffer(byteLimit: ImageAnimation.byteLimit)
    var condition = Condition.opening
    var isStopped = false
    /// Whether the main thread waits for a frame, and is to be woken.
    var isAwaited = true

    /// Whether a frame can be taken, or none will come.
    var isSettled: Bool {
      switch condition {
      case .opening: false
      case .playing: buffer.waitingCount > 0
      case .still, .failed: true
      }
    }

    /// Records a frame, or the end.
    ///
    /// - Returns: Whether further frames are to be decoded.
    mutating func apply(_ outcome: Result<AnimationFrame?, ImageFailure>) -> Bool {
      switch outcome {
      case .success(let frame?):
        buffer.append(frame)
        // One frame may be all there is.
        if buffer.waitingCount > 1 { condition = .playing }
        return true
      case .success(nil):
        let continues = buffer.endPass()
        if buffer.isStill { condition = .still }
        return continues
      case .failure(let failure):
        condition = .failed(failure)
        return false
      }
    }
  }

  private let state: Lock<State>
  private let reader: any AnimationReader
  private let waits: Bool

  /// Starts to decode.
  ///
  /// - Parameters:
  ///   - reader: The reader of the frames.
  ///   - waits: Whether ``takeFrame()`` waits for the frame, because the timeline is modelled: the same frames are then
  ///     shown in every run.
  ///   - waker: The waker of the loop, woken when a frame arrives that is waited for.
  /// - Throws: `ThreadError` if the system has no thread available.
  init(_ reader: any AnimationReader, waits: Bool, waker: any LoopWaker) throws(ThreadError) {
    self.waits = waits
    let state = Lock(State())
    self.state = state
    self.reader = reader
    let thread = try WorkerThread(name: "animation") { ImageAnimation.decode(reader, state, waker) }
    // It is never waited for: a file system that does not answer would hold up the frame.
    thread.detach()
  }

  deinit {
    state.withLock { $0.isStopped = true }
    state.wakeAll()
    reader.interrupt()
  }

  /// The condition.
  public var condition: Condition { state.withLock { $0.condition } }

  /// Whether ``takeFrame()`` returned nil, and has a frame now, so that the loop must not sleep.
  public var hasPendingFrame: Bool {
    let waits = waits
    return state.withLock { state in
      guard state.isAwaited else { return false }
      return state.condition == .playing && (waits || state.buffer.waitingCount > 0)
        || waits && state.condition == .opening
    }
  }

  /// Removes and returns the next frame, the first one after the last.
  ///
  /// - Returns: The frame, or nil if it is not decoded yet; the waker then wakes the loop when it is.
  public func takeFrame() -> AnimationFrame? {
    if waits { _ = state.wait { $0.isSettled ? true : nil } }
    let frame = state.withLock { state -> AnimationFrame? in
      guard state.condition == .playing else { return nil }
      let frame = state.buffer.takeFrame()
      state.isAwaited = frame == nil
      return frame
    }
    state.wakeAll()
    return frame
  }

  /// Decodes frames until the animation is released, cannot be decoded, or is in memory as a whole.
  private nonisolated static func decode(_ reader: any AnimationReader, _ state: Lock<State>, _ waker: any LoopWaker) {
    while state.wait(until: { state -> Bool? in
      if state.isStopped || state.buffer.isComplete { return false }
      return state.buffer.wantsFrame ? true : nil
    }) {
      let outcome: Result<AnimationFrame?, ImageFailure>
      do throws(ImageFailure) {
        outcome = .success(try reader.nextFrame())
      } catch {
        outcome = .failure(error)
      }
      let (continues, wakes) = state.withLock { state -> (Bool, Bool) in
        let continues = state.apply(outcome)
        return (continues, state.isAwaited && state.condition != .opening)
      }
      // Wakes a main thread that waits here, too.
      state.wakeAll()
      if wakes { waker.wake() }
      if !continues { break }
    }
    reader.close()
  }
}

extension ImagePipeline {
  /// Starts to decode the frames of an animated picture.
  ///
  /// - Parameter request: The file, and the size, the background and the limits of its frames, which fit the size.
  /// - Returns: The frames; nil if the decoders know no animations, or the system has no thread available.
  public func animation(_ request: ImageRequest) -> ImageAnimation? {
    guard let reader = makeAnimationReader(request) else { return nil }
    return try? ImageAnimation(reader, waits: modelledCompletions != nil, waker: waker)
  }
}
