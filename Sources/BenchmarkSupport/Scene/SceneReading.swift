/// What one run of the scene took, as one line that another process reads.
public struct SceneReading: Hashable, Sendable {
  /// The parts of a frame's time that are told apart.
  public enum Part: String, CaseIterable, Hashable, Sendable {
    /// Input is read.
    case events
    /// From update to commit.
    case commit
    /// Bitmaps become textures.
    case upload
    /// The list is drawn.
    case raster
    /// Work ahead.
    case slack
    /// The frame is handed to the window system.
    case present
  }

  /// Frames measured.
  public var frames = 0
  /// Processor time of the whole process, user's and system's, in nanoseconds.
  public var processorTime = 0
  /// Wall times of the parts, in nanoseconds of all frames.
  public var parts: [Part: Int] = [:]
  /// The time from a frame's begin to the end of drawing that 99 in 100 frames keep, in nanoseconds.
  public var longCommit = 0
  /// Frames that were late, by however little.
  public var hitches = 0
  /// Of those, frames that were late for this program's work, and not for the system or the window system.
  public var ownHitches = 0
  /// Frames that were shown more than 25 ms after the one before, which is what peers' hitches were counted as.
  public var longGaps = 0
  /// The longest time from one frame to the next, in nanoseconds.
  public var longestGap = 0
  /// Bytes resident at the end.
  public var resident = 0
  /// The most bytes that were resident.
  public var mostResident = 0
  /// Bytes from the allocator at the end.
  public var allocated = 0
  /// Frames of which pixels were moved.
  public var movedFrames = 0
  /// Whether the last frame's pixels were those of the frame drawn whole.
  public var hasRightPixels = false

  /// No frame.
  public init() {}

  /// Processor time a frame, in nanoseconds.
  public var timeAFrame: Double { frames > 0 ? Double(processorTime) / Double(frames) : 0 }

  /// Wall time of a part a frame, in nanoseconds.
  public func timeAFrame(of part: Part) -> Double { frames > 0 ? Double(parts[part] ?? 0) / Double(frames) : 0 }

  /// The time from one frame to the next from which on it counts, in nanoseconds.
  public static let longGap = 25_000_000
  private static let head = "scene"

  /// All figures in one line.
  public var line: String {
    let numbers =
      [
        frames, processorTime, longCommit, hitches, ownHitches, longGaps, longestGap, resident, mostResident, allocated,
        movedFrames, hasRightPixels ? 1 : 0,
      ] + Part.allCases.map { parts[$0] ?? 0 }
    return ([SceneReading.head] + numbers.map(String.init)).joined(separator: " ")
  }

  /// Reads a line; nothing where it is none.
  public init?(line: String) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.first.map(String.init) == SceneReading.head, numbers.count == words.count - 1,
      numbers.count == 12 + Part.allCases.count
    else { return nil }
    (frames, processorTime, longCommit) = (numbers[0], numbers[1], numbers[2])
    (hitches, ownHitches, longGaps, longestGap) = (numbers[3], numbers[4], numbers[5], numbers[6])
    (resident, mostResident, allocated, movedFrames) = (numbers[7], numbers[8], numbers[9], numbers[10])
    hasRightPixels = numbers[11] == 1
    for (part, time) in zip(Part.allCases, numbers[12...]) { parts[part] = time }
  }
}
