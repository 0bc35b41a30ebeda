import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImagePipeline

/// The queue of files to share thumbnails of: decides their order without accessing the disk.
///
/// The most recently seen file comes first. When too many files wait, the oldest is removed and treated as if it had
/// never been seen. When too many files are done, the oldest is forgotten and would be examined again.
struct SharingPlan: Sendable {
  /// The outcome of the work on a file.
  enum Outcome: Hashable, Sendable {
    /// There is no more work for the file.
    case done
    /// The work was not started; the file is next.
    case notStarted
    /// The work was stopped for something more urgent. The file is next, or last after ``maximumStopsBeforeDemotion``
    /// stops.
    case stopped
    /// The system lacked a resource. The file is last, and the next one waits for ``delay``.
    case postponed
    /// The file cannot be shared now, and is tried when it is seen again.
    case dropped
  }

  /// The number of times a file is stopped before it is moved to the end of the queue.
  static let maximumStopsBeforeDemotion = 2
  /// The number of times a file is tried before it is removed.
  static let maximumAttempts = 6
  /// The shortest and the longest delay.
  static let delays = Duration.seconds(1)...Duration.seconds(64)

  private struct Entry {
    var candidate: SharingCandidate
    /// The number of times the work was stopped or postponed.
    var tries = 0
  }

  private let maximumWaiting: Int
  /// The waiting files, newest last.
  private var waiting = Deque<Entry>()
  /// The files that are waiting or in progress.
  private var pending: Set<FileFingerprint> = []
  private var doneNames: LRUCache<FileFingerprint, Bool>
  private var currentEntry: Entry?
  /// The time to wait before the next file, after a transient failure.
  private(set) var delay = Duration.zero
  /// The file in progress.
  var current: SharingCandidate? { currentEntry?.candidate }

  /// Creates an empty plan.
  ///
  /// - Parameters:
  ///   - maximumWaiting: The maximum number of waiting files, at least 1.
  ///   - maximumDone: The maximum number of remembered files that are done.
  init(maximumWaiting: Int = 1_024, maximumDone: Int = 1 << 14) {
    checkPrecondition(maximumWaiting > 0, "The maximum number of waiting thumbnails must be positive.")
    self.maximumWaiting = maximumWaiting
    doneNames = LRUCache(costLimit: maximumDone)
  }

  /// The number of waiting files.
  var waitingCount: Int { waiting.count }
  /// The number of remembered files.
  var knownCount: Int { pending.count + doneNames.count }
  /// Whether any file is waiting.
  var hasWork: Bool { !waiting.isEmpty }

  /// Adds a file that may be shared.
  ///
  /// - Returns: Whether the file was added.
  /// - Complexity: O(1).
  mutating func addCandidate(_ candidate: SharingCandidate) -> Bool {
    let name = candidate.name
    guard doneNames.value(for: name) == nil, pending.insert(name).inserted else { return false }
    enqueue(Entry(candidate: candidate))
    return true
  }

  /// Removes the next file from the queue, which becomes ``current``, and returns it.
  /// - Precondition: No file is in progress.
  mutating func takeNextCandidate() -> SharingCandidate? {
    checkPrecondition(currentEntry == nil, "one picture is shared at a time")
    currentEntry = waiting.popLast()
    return current
  }

  /// Ends the work on ``current``.
  /// - Precondition: A file is in progress.
  mutating func endCurrent(_ outcome: Outcome) {
    guard var entry = currentEntry else { failPrecondition("no picture is being shared") }
    currentEntry = nil
    entry.tries += outcome == .stopped || outcome == .postponed ? 1 : 0
    let isLast = outcome == .postponed || entry.tries > SharingPlan.maximumStopsBeforeDemotion
    switch outcome {
    case .done:
      pending.remove(entry.candidate.name)
      doneNames.insert(true, for: entry.candidate.name, cost: 1)
      delay = .zero
    case .dropped: pending.remove(entry.candidate.name)
    case .notStarted: enqueue(entry)
    case .stopped, .postponed:
      if outcome == .postponed {
        delay = min(max(delay * 2, SharingPlan.delays.lowerBound), SharingPlan.delays.upperBound)
      }
      if entry.tries >= SharingPlan.maximumAttempts || (isLast && waiting.count >= maximumWaiting) {
        pending.remove(entry.candidate.name)
      } else if isLast {
        waiting.prepend(entry)
      } else {
        enqueue(entry)
      }
    }
  }

  /// Removes all waiting files.
  mutating func dropWaiting() {
    waiting.removeAll()
    pending = currentEntry.map { [$0.candidate.name] } ?? []
  }

  private mutating func enqueue(_ entry: Entry) {
    waiting.append(entry)
    if waiting.count > maximumWaiting, let oldest = waiting.popFirst() { pending.remove(oldest.candidate.name) }
  }
}

/// A file whose thumbnail, or whose failure, may be shared.
struct SharingCandidate: Hashable, Sendable {
  /// The path of the file.
  var path: [UInt8]
  /// The version of the file.
  var version: ImageFile.Version
  /// The size of the thumbnail.
  var size: SharedThumbnailSize
  /// Whether the image could not be shown.
  var hasFailed: Bool

  /// The identity of the candidate: one version of a file at one size.
  var name: FileFingerprint {
    let file = version.identity
    return FileFingerprint(words: [
      file.device, file.node, UInt64(bitPattern: Int64(file.byteCount)),
      UInt64(bitPattern: file.modificationNanoseconds), UInt64(bitPattern: Int64(version.changedSeconds)),
      UInt64(bitPattern: Int64(version.changedNanoseconds)), UInt64(size.side), hasFailed ? 1 : 0,
    ])
  }
}

extension SharingCandidate {
  /// Returns a candidate for an image that was shown, whether decoded now or by an earlier run.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - version: The version that was shown.
  ///   - request: The request.
  ///   - source: The size of the original.
  /// - Returns: Nil if the original is no larger than its thumbnail, or the image was shown larger than any thumbnail.
  static func shown(
    _ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, of source: PixelSize?
  ) -> SharingCandidate? {
    guard let source, let size = covering(request), max(source.width, source.height) > size.side else { return nil }
    return SharingCandidate(path: path, version: version, size: size, hasFailed: false)
  }

  /// Returns a candidate for an image that was decoded, or could not be.
  ///
  /// - Returns: Nil if there is nothing to share, as most failures depend on time or machine.
  static func decoded(
    _ path: [UInt8], _ version: ImageFile.Version, _ request: ImageRequest, _ outcome: ImageOutcome
  ) -> SharingCandidate? {
    switch outcome {
    case .success(let image): return image.isDamaged ? nil : shown(path, version, request, of: image.sourceSize)
    case .failure(let failure):
      // The worker checks the file's format, which must allow recording a failure.
      guard failure == .refused(.damaged), let size = covering(request) else { return nil }
      return SharingCandidate(path: path, version: version, size: size, hasFailed: true)
    }
  }

  private static func covering(_ request: ImageRequest) -> SharedThumbnailSize? {
    SharedThumbnailSize.covering(max(request.key.size.width, request.key.size.height))
  }
}
