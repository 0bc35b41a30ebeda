import VitrineFramePacing
import VitrineViews

/// A frame of a recorded run in which the main queue's jobs were run.
///
/// A replay runs the jobs of the same frame, and waits for them if they have not arrived.
public nonisolated struct RecordedJobs: Hashable, Codable, Sendable {
  /// The time since the start of the run, in nanoseconds, at which the frame started.
  public var ns: Int64
  /// The number of the frame, or of the next one if the window was invisible.
  public var frame: Int

  /// Creates a record.
  public init(ns: Int64, frame: Int) {
    self.ns = ns
    self.frame = frame
  }

  /// Whether the values are possible.
  var isValid: Bool { (0...EventFields.longestDuration).contains(ns) && frame >= 0 }
}

/// A queue of jobs that records the frames in which the jobs of another queue are run.
final class RecordingJobQueue: JobQueue {
  /// The frames so far.
  private(set) var recordedJobs: [RecordedJobs] = []
  private let source: any JobQueue
  private let start: FrameInstant

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - source: The queue with the jobs.
  ///   - start: The start of the run on its clock.
  init(_ source: any JobQueue, from start: FrameInstant) {
    self.source = source
    self.start = start
  }

  func hasJobs(at now: FrameInstant) -> Bool { source.hasJobs(at: now) }

  var nextArrival: FrameInstant? { source.nextArrival }

  func runJobs(inFrame frame: Int, startedAt instant: FrameInstant) -> Bool {
    guard source.runJobs(inFrame: frame, startedAt: instant) else { return false }
    recordedJobs.append(RecordedJobs(ns: max(0, (instant - start).nanoseconds), frame: frame))
    return true
  }

  func waitForJobs(atMost duration: FrameDuration) -> Bool { source.waitForJobs(atMost: duration) }
}

/// A queue of jobs that runs the jobs of another queue in the frames of a recording.
///
/// Like recorded input, jobs are due at their times. Jobs that arrive earlier wait. Jobs that arrive later are awaited,
/// in real time.
final class ReplayJobQueue: JobQueue {
  /// The maximum time for which a frame waits for jobs that the recorded run had.
  ///
  /// It only passes if the replayed program does something else, in which case no later frame waits.
  static let timeout = FrameDuration.seconds(10)

  /// The number of recorded frames whose jobs did not arrive.
  private(set) var missedFrames = 0
  private let recorded: [RecordedJobs]
  private let source: any JobQueue
  private let start: FrameInstant
  private let clock: any FrameClock
  private var next = 0

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - recorded: The frames in which jobs are run, in order.
  ///   - source: The queue with the jobs.
  ///   - clock: The run's clock, which does not advance while a frame waits for jobs.
  ///   - start: The start of the run on the clock.
  init(_ recorded: [RecordedJobs], of source: any JobQueue, clock: any FrameClock, from start: FrameInstant) {
    self.recorded = recorded
    self.source = source
    self.clock = clock
    self.start = start
  }

  var nextArrival: FrameInstant? {
    next < recorded.count ? start + FrameDuration(nanoseconds: recorded[next].ns) : nil
  }

  func hasJobs(at now: FrameInstant) -> Bool { nextArrival.map { $0 <= now } ?? false }

  func runJobs(inFrame frame: Int, startedAt instant: FrameInstant) -> Bool {
    guard hasJobs(at: instant) else { return false }
    next += 1
    let limit = missedFrames == 0 ? ReplayJobQueue.timeout : .zero
    let hasArrived = clock.performUncounted { source.waitForJobs(atMost: limit) }
    if !hasArrived { missedFrames += 1 }
    return source.runJobs(inFrame: frame, startedAt: instant)
  }

  func waitForJobs(atMost duration: FrameDuration) -> Bool { source.waitForJobs(atMost: duration) }
}
