import Synchronization
import VitrineDataStructures
import VitrineThreads

/// The results of a scan's two threads that have not been taken yet.
///
/// There are two streams: the walker's events in their order, and the headers in the order of the photographs. A header
/// is never delivered before its photograph.
///
/// Its memory is limited: the header reader waits for the owner, and the walker for the header reader, so that a library
/// of a million photographs is not in memory twice.
struct ScanMailbox: Sendable {
  /// The maximum numbers of photographs whose headers have not been read, and of headers that have not been taken.
  ///
  /// A few more are possible, as threads post several at a time.
  static let (maximumUnread, maximumHeaders) = (100_000, 10_000)

  /// The walker's events, in order.
  ///
  /// The first one may be partly taken.
  private var walkEvents: [LibraryEvent] = []
  private var headers: [HeaderResult] = []
  private var headersTaken = 0
  /// Photographs whose headers have not been read, in order.
  private var unreadPhotos: [FoundPhoto] = []
  private var unreadTaken = 0

  /// The numbers of photographs and headers that were delivered.
  private var deliveredCounts = (photos: 0, headers: 0)
  private var receivedCounts = (photos: 0, headers: 0)
  private var summary: ScanSummary?
  private var isStopped = false
  private var hasReportedFinish = false

  // MARK: - Receiving events

  /// Adds an event.
  mutating func post(_ event: LibraryEvent) {
    switch event {
    case .found(let photos):
      receivedCounts.photos += photos.count
      unreadPhotos += photos
      walkEvents.append(event)
    case .progress:
      // Only the latest progress is relevant.
      if case .progress? = walkEvents.last { walkEvents.removeLast() }
      walkEvents.append(event)
    case .problem, .listed, .entries, .unread, .updating, .relisted: walkEvents.append(event)
    case .headers(let results): appendHeaders(results)
    case .finished(let summary): recordWalkEnd(summary)
    }
  }

  /// Adds headers, which must be the next ones in the order of the photographs.
  mutating func appendHeaders(_ new: [HeaderResult]) {
    receivedCounts.headers += new.count
    headers += new
  }

  /// Records that the walk is over.
  mutating func recordWalkEnd(_ summary: ScanSummary) { self.summary = summary }

  /// Records that no more events will arrive, so that waiting threads continue.
  mutating func stop() {
    isStopped = true
    unreadPhotos = []
    unreadTaken = 0
  }

  /// Takes the next photographs to read.
  ///
  /// - Returns: An empty array at the end, or nil if none are available yet or too many headers have not been taken.
  mutating func takeUnreadPhotos(atMost count: Int) -> [FoundPhoto]? {
    if isStopped { return [] }
    guard headers.count - headersTaken < ScanMailbox.maximumHeaders else { return nil }
    let next = Array(unreadPhotos[unreadTaken...].prefix(count))
    if next.isEmpty { return summary == nil ? nil : [] }
    unreadTaken += next.count
    removeTaken(&unreadPhotos, &unreadTaken)
    return next
  }

  /// Whether the walker may find more photographs before the headers of others are read.
  var hasSpace: Bool { isStopped || unreadPhotos.count - unreadTaken < ScanMailbox.maximumUnread }

  // MARK: - Delivering events

  /// Whether events are available.
  var hasEvents: Bool {
    !walkEvents.isEmpty || (headersTaken < headers.count && deliveredCounts.headers < deliveredCounts.photos)
      || (isDrained && !hasReportedFinish)
  }

  /// Takes the available events, at most `count` photographs, headers and other events.
  mutating func takeEvents(atMost count: Int) -> [LibraryEvent] {
    // A quarter is reserved for headers, because a long walk would delay them all.
    let ready = min(headers.count - headersTaken, count / 4)
    var events: [LibraryEvent] = []
    let left = count - takeWalkEvents(atMost: count - ready, countsOnlyPhotos: false, into: &events)
    takeHeaders(atMost: left, into: &events)
    takeFinishEvent(into: &events)
    return events
  }

  /// Takes the next photographs with all their headers, or returns nil if not enough are available.
  ///
  /// The result depends only on the files, not on timing. A batch is cut directly after its last photograph, and the
  /// end is reported in a batch that is not full.
  mutating func takeBatch(of count: Int) -> [LibraryEvent]? {
    let targetCount = deliveredCounts.photos + count
    guard receivedCounts.headers >= targetCount || hasReceivedAll else { return nil }
    var events: [LibraryEvent] = []
    let before = deliveredCounts.photos
    _ = takeWalkEvents(atMost: count, countsOnlyPhotos: true, into: &events)
    takeHeaders(atMost: deliveredCounts.photos - deliveredCounts.headers, into: &events)
    if deliveredCounts.photos - before < count { takeFinishEvent(into: &events) }
    return events
  }

  // MARK: - Taking events

  /// Whether everything has been received.
  private var hasReceivedAll: Bool { isStopped || (summary != nil && receivedCounts.headers == receivedCounts.photos) }

  /// Whether everything has been received and delivered, except for the final event.
  private var isDrained: Bool {
    hasReceivedAll && walkEvents.isEmpty && (isStopped || deliveredCounts.headers == deliveredCounts.photos)
  }

  /// Takes walker events, and returns how much of the allowance they used.
  private mutating func takeWalkEvents(
    atMost count: Int, countsOnlyPhotos: Bool, into events: inout [LibraryEvent]
  ) -> Int {
    var usedCount = 0
    var taken = 0
    var progress: LibraryEvent?
    loop: while usedCount < count, taken < walkEvents.count {
      switch walkEvents[taken] {
      case .found(let photos):
        let part = photos.prefix(count - usedCount)
        appendPhotos(part, to: &events)
        usedCount += part.count
        deliveredCounts.photos += part.count
        if part.count < photos.count {
          walkEvents[taken] = .found(Array(photos[part.count...]))
          break loop
        }
      case .progress: progress = walkEvents[taken]
      default:
        events.append(walkEvents[taken])
        usedCount += countsOnlyPhotos ? 0 : 1
      }
      taken += 1
    }
    // Once and last, because only the latest progress is of use.
    if let progress { events.append(progress) }
    walkEvents.removeFirst(taken)
    return usedCount
  }

  /// Adds photographs, merging them with the last event if it contains photographs too.
  private func appendPhotos(_ photos: ArraySlice<FoundPhoto>, to events: inout [LibraryEvent]) {
    guard case .found(let before)? = events.last else {
      events.append(.found(Array(photos)))
      return
    }
    events[events.count - 1] = .found(before + photos)
  }

  private mutating func takeHeaders(atMost count: Int, into events: inout [LibraryEvent]) {
    let allowed = min(count, deliveredCounts.photos - deliveredCounts.headers)
    let part = Array(headers[headersTaken...].prefix(max(0, allowed)))
    guard !part.isEmpty else { return }
    events.append(.headers(part))
    headersTaken += part.count
    deliveredCounts.headers += part.count
    removeTaken(&headers, &headersTaken)
  }

  private mutating func takeFinishEvent(into events: inout [LibraryEvent]) {
    guard isDrained, !hasReportedFinish else { return }
    hasReportedFinish = true
    var end = summary ?? ScanSummary()
    end.wasCancelled = isStopped
    events.append(.finished(end))
  }

  /// Removes the taken elements from the front of an array once they are more than half of it.
  private func removeTaken<Element>(_ list: inout [Element], _ usedCount: inout Int) {
    guard usedCount * 2 >= list.count else { return }
    // Replacing the array also frees its memory.
    if usedCount == list.count { list = [] } else { list.removeFirst(usedCount) }
    usedCount = 0
  }
}

// MARK: - Synchronization

/// A thread-safe mailbox between the threads of a scan and its owner.
final class SynchronizedScanMailbox: Sendable {
  private struct State: Sendable {
    var mailbox = ScanMailbox()
    /// Whether the owner was woken and has taken no events since.
    var isWoken = false
    /// The folders that could not be read completely.
    var problemFolders: [PhotoPath] = []
  }

  private let state = Lock(State())
  private let stopFlag = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// Creates a mailbox.
  ///
  /// - Parameter wake: A closure that is called on any thread when events become available, once until the owner takes
  ///   them.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether the threads must stop.
  var isStopped: Bool { stopFlag.load(ordering: .relaxed) }

  /// The folders that could not be read completely, so far.
  var problemFolders: [PhotoPath] { state.withLock { $0.problemFolders } }

  /// Adds an event, and waits if too many photographs are unread.
  func post(_ event: LibraryEvent) {
    if case .problem(let problem) = event, !problem.isLeftOut {
      state.withLock { $0.problemFolders.append(problem.folder) }
    }
    updateMailbox { $0.post(event) }
    if case .found = event { state.wait { $0.mailbox.hasSpace ? () : nil } }
  }

  /// Waits for photographs to read.
  ///
  /// Returns an empty array when there are no more.
  func waitForUnreadPhotos(atMost count: Int) -> [FoundPhoto] {
    let photos = state.wait { $0.mailbox.takeUnreadPhotos(atMost: count) }
    // The walker may be waiting for it.
    state.wakeAll()
    return photos
  }

  /// Requests the threads to stop, and wakes all waiting threads.
  func stop() {
    stopFlag.store(true, ordering: .relaxed)
    updateMailbox { $0.stop() }
  }

  /// Whether events are available.
  var hasEvents: Bool { state.withLock { $0.mailbox.hasEvents } }

  /// Takes the available events.
  func takeEvents(atMost count: Int) -> [LibraryEvent] {
    let events = state.withLock {
      $0.isWoken = false
      return $0.mailbox.takeEvents(atMost: count)
    }
    // The header reader may be waiting for it.
    state.wakeAll()
    return events
  }

  /// Waits for the next batch, and takes it.
  ///
  /// - Precondition: The batch is at most ``ScanMailbox/maximumHeaders``, which the header reader does not exceed.
  func waitForBatch(of count: Int) -> [LibraryEvent] {
    checkPrecondition(count <= ScanMailbox.maximumHeaders, "A scan delivers at most 10,000 photographs at once.")
    let events = state.wait {
      $0.isWoken = false
      return $0.mailbox.takeBatch(of: count)
    }
    state.wakeAll()
    return events
  }

  /// Modifies the mailbox, and wakes the threads and the owner.
  private func updateMailbox(_ body: (inout ScanMailbox) -> Void) {
    let shouldWake = state.withLock {
      body(&$0.mailbox)
      let wasWoken = $0.isWoken
      $0.isWoken = true
      return !wasWoken
    }
    state.wakeAll()
    if shouldWake { wake() }
  }
}
