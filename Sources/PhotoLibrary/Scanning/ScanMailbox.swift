/// What the two threads of a scan have found and nobody has taken yet: decides what may be handed out next.
///
/// Two streams run beside each other, the walk's in its order and the headers' in the order of the photographs, the
/// latter behind the former. A photograph's facts never leave before the photograph itself.
struct ScanMailbox: Sendable {
  /// What the walk reports, in order; the first entry may be taken in part.
  private var walkEvents: [LibraryEvent] = []
  private var headers: [HeaderResult] = []
  private var headersTaken = 0
  /// Photographs whose headers are still to be read, in order.
  private var unreadPhotos: [FoundPhoto] = []
  private var unreadTaken = 0

  /// Photographs and facts that were handed out.
  private var deliveredCounts = (photos: 0, facts: 0)
  private var receivedCounts = (photos: 0, facts: 0)
  private var summary: ScanSummary?
  private var isStopped = false
  private var hasReportedFinish = false

  // MARK: - From the threads

  /// Takes what the walk reports, but for its end.
  mutating func post(_ event: LibraryEvent) {
    switch event {
    case .found(let photos):
      receivedCounts.photos += photos.count
      unreadPhotos += photos
      walkEvents.append(event)
    case .progress:
      // Only the latest counts.
      if case .progress? = walkEvents.last { walkEvents.removeLast() }
      walkEvents.append(event)
    case .problem, .listed, .entries: walkEvents.append(event)
    case .headers(let facts): appendHeaders(facts)
    case .finished(let summary): recordWalkEnd(summary)
    }
  }

  /// Takes facts, the next ones in the order of the photographs.
  mutating func appendHeaders(_ new: [HeaderResult]) {
    receivedCounts.facts += new.count
    headers += new
  }

  /// Notes that the walk is over.
  mutating func recordWalkEnd(_ summary: ScanSummary) { self.summary = summary }

  /// Notes that no more will come: whoever waits gets what is there.
  mutating func stop() {
    isStopped = true
    unreadPhotos = []
    unreadTaken = 0
  }

  /// The next photographs to be read; an empty list at the end, nothing while there are none yet.
  mutating func takeUnreadPhotos(atMost count: Int) -> [FoundPhoto]? {
    if isStopped { return [] }
    let next = Array(unreadPhotos[unreadTaken...].prefix(count))
    if next.isEmpty { return summary == nil ? nil : [] }
    unreadTaken += next.count
    removeTaken(&unreadPhotos, &unreadTaken)
    return next
  }

  // MARK: - To the owner

  /// Whether something can be taken.
  var hasEvents: Bool {
    !walkEvents.isEmpty || (headersTaken < headers.count && deliveredCounts.facts < deliveredCounts.photos)
      || (isDrained && !hasReportedFinish)
  }

  /// Takes what is there, so many photographs, facts and other events at most.
  mutating func takeEvents(atMost count: Int) -> [LibraryEvent] {
    // A quarter is kept for facts, or a long walk would keep them all back.
    let ready = min(headers.count - headersTaken, count / 4)
    var events: [LibraryEvent] = []
    let left = count - takeWalkEvents(atMost: count - ready, countingPhotosAlone: false, into: &events)
    takeHeaders(atMost: left, into: &events)
    takeFinishEvent(into: &events)
    return events
  }

  /// Takes the next photographs with all their facts; nothing while not enough are there.
  ///
  /// Depends on the tree alone and not on when anything came: the cut stands right behind the last photograph, and the
  /// end is told in a batch that is not full.
  mutating func takeBatch(of count: Int) -> [LibraryEvent]? {
    let wanted = deliveredCounts.photos + count
    guard receivedCounts.facts >= wanted || hasReceivedAll else { return nil }
    var events: [LibraryEvent] = []
    let before = deliveredCounts.photos
    _ = takeWalkEvents(atMost: count, countingPhotosAlone: true, into: &events)
    takeHeaders(atMost: deliveredCounts.photos - deliveredCounts.facts, into: &events)
    if deliveredCounts.photos - before < count { takeFinishEvent(into: &events) }
    return events
  }

  // MARK: - Parts

  /// Whether all was received.
  private var hasReceivedAll: Bool { isStopped || (summary != nil && receivedCounts.facts == receivedCounts.photos) }

  /// Whether all was received and handed out but for the end itself.
  private var isDrained: Bool {
    hasReceivedAll && walkEvents.isEmpty && (isStopped || deliveredCounts.facts == deliveredCounts.photos)
  }

  /// Takes entries of the walk and returns how much of the allowance they used.
  private mutating func takeWalkEvents(
    atMost count: Int, countingPhotosAlone: Bool, into events: inout [LibraryEvent]
  ) -> Int {
    var used = 0
    var taken = 0
    var progress: LibraryEvent?
    loop: while used < count, taken < walkEvents.count {
      switch walkEvents[taken] {
      case .found(let photos):
        let part = photos.prefix(count - used)
        appendPhotos(part, to: &events)
        used += part.count
        deliveredCounts.photos += part.count
        if part.count < photos.count {
          walkEvents[taken] = .found(Array(photos[part.count...]))
          break loop
        }
      case .progress: progress = walkEvents[taken]
      default:
        events.append(walkEvents[taken])
        used += countingPhotosAlone ? 0 : 1
      }
      taken += 1
    }
    // Once, and last: nobody is helped by how far the scan was before.
    if let progress { events.append(progress) }
    walkEvents.removeFirst(taken)
    return used
  }

  /// Adds photographs, to the last event where that holds photographs too.
  private func appendPhotos(_ photos: ArraySlice<FoundPhoto>, to events: inout [LibraryEvent]) {
    guard case .found(let before)? = events.last else {
      events.append(.found(Array(photos)))
      return
    }
    events[events.count - 1] = .found(before + photos)
  }

  private mutating func takeHeaders(atMost count: Int, into events: inout [LibraryEvent]) {
    let allowed = min(count, deliveredCounts.photos - deliveredCounts.facts)
    let part = Array(headers[headersTaken...].prefix(max(0, allowed)))
    guard !part.isEmpty else { return }
    events.append(.headers(part))
    headersTaken += part.count
    deliveredCounts.facts += part.count
    removeTaken(&headers, &headersTaken)
  }

  private mutating func takeFinishEvent(into events: inout [LibraryEvent]) {
    guard isDrained, !hasReportedFinish else { return }
    hasReportedFinish = true
    var end = summary ?? ScanSummary()
    end.wasCancelled = isStopped
    events.append(.finished(end))
  }

  /// Lets go of a list's used front once it is the larger part.
  private func removeTaken<Element>(_ list: inout [Element], _ used: inout Int) {
    guard used * 2 >= list.count else { return }
    // An empty list lets its memory go too.
    if used == list.count { list = [] } else { list.removeFirst(used) }
    used = 0
  }
}
