import VitrineRendering

/// The decoded frames of an animation: those that are shown next, and all of them if they are not too large.
///
/// A value that an ``ImageAnimation`` shares with the thread that decodes. Once all frames are in it, nothing is decoded
/// any more.
///
/// Invariants:
/// - Its bitmaps need at most the limit, unless two frames need more.
/// - It has at most ``maximumCount`` frames, because files may have a million of one pixel.
/// - Frames are taken in the order in which they were appended, from the first one again after the last.
struct AnimationBuffer {
  /// The number of frames that may wait, whatever they need.
  private static let minimumWaitingCount = 2
  /// The maximum number of frames, whatever they need.
  static let maximumCount = 4096

  private let byteLimit: Int
  private var frames: [AnimationFrame] = []
  /// The index of the next frame to take.
  private var position = 0
  private var byteCount = 0
  /// The bytes of the frames that can be taken, unless the buffer is complete.
  private var waitingByteCount = 0
  /// Whether frames were removed, so that the animation has to be decoded again.
  private var hasRemovedFrames = false
  /// Whether any frame was appended since the first frame was decoded last.
  private var hasFramesOfPass = false
  /// Whether all frames of the animation are in the buffer.
  private(set) var isComplete = false

  /// Creates an empty buffer.
  ///
  /// - Parameter byteLimit: The maximum number of bytes of its bitmaps.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The number of frames that can be taken before another one is appended.
  var waitingCount: Int { isComplete ? frames.count : frames.count - position }

  /// Whether the animation has one frame, which is all that is to be shown.
  var isStill: Bool { isComplete && frames.count < 2 }

  /// Whether another frame should be decoded.
  var wantsFrame: Bool {
    guard !isComplete else { return false }
    guard waitingCount >= AnimationBuffer.minimumWaitingCount else { return true }
    return waitingCount < AnimationBuffer.maximumCount
      && waitingByteCount + (frames.last?.bitmap.byteCount ?? 0) <= byteLimit
  }

  /// Appends the next frame, in place of frames that were taken if there is no room.
  ///
  /// - Complexity: O(frames).
  mutating func append(_ frame: AnimationFrame) {
    frames.append(frame)
    byteCount += frame.bitmap.byteCount
    waitingByteCount += frame.bitmap.byteCount
    hasFramesOfPass = true
    while byteCount > byteLimit || frames.count > AnimationBuffer.maximumCount, position > 0 {
      byteCount -= frames.removeFirst().bitmap.byteCount
      position -= 1
      hasRemovedFrames = true
    }
  }

  /// Records that the last frame was appended, so that the next one is the first again.
  ///
  /// - Returns: Whether further frames are to be decoded.
  mutating func endPass() -> Bool {
    isComplete = !hasRemovedFrames || !hasFramesOfPass
    hasFramesOfPass = false
    if isComplete, position == frames.count { position = 0 }
    return !isComplete
  }

  /// Removes and returns the next frame, or nil if it is not decoded yet.
  mutating func takeFrame() -> AnimationFrame? {
    guard position < frames.count else { return nil }
    defer {
      waitingByteCount -= frames[position].bitmap.byteCount
      position += 1
      if isComplete, position == frames.count { position = 0 }
    }
    return frames[position]
  }
}
