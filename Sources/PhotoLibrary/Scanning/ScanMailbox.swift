/// What the two threads of a scan have found and nobody has taken yet: decides what may be handed out next.
///
/// Two streams run beside each other, the walk's in its order and the headers' in the order of the photographs, the
/// latter behind the former. A photograph's facts never leave before the photograph itself.
struct ScanMailbox: Sendable {
  /// What the walk reports, in order; the first entry may be taken in part.
  private var walked: [LibraryEvent] = []
  private var facts: [HeaderFact] = []
  private var factsTaken = 0
  /// Photographs whose headers are still to be read, in order.
  private var unread: [FoundPhoto] = []
  private var unreadTaken = 0

  /// Photographs and facts that were handed out.
  private var handedOut = (photos: 0, facts: 0)
  private var received = (photos: 0, facts: 0)
  private var summary: ScanSummary?
  private var isStopped = false
  private var saidFinished = false

  // MARK: - From the threads

  /// Takes what the walk reports, but for its end.
  mutating func post(_ event: LibraryEvent) {
    switch event {
    case .found(let photos):
      received.photos += photos.count
      unread += photos
      walked.append(event)
    case .progress:
      // Only the latest counts.
      if case .progress? = walked.last { walked.removeLast() }
      walked.append(event)
    case .problem, .numbered, .entries: walked.append(event)
    case .headers(let facts): post(facts)
    case .finished(let summary): finishWalk(summary)
    }
  }

  /// Takes facts, the next ones in the order of the photographs.
  mutating func post(_ new: [HeaderFact]) {
    received.facts += new.count
    facts += new
  }

  /// Notes that the walk is over.
  mutating func finishWalk(_ summary: ScanSummary) { self.summary = summary }

  /// Notes that no more will come: whoever waits gets what is there.
  mutating func stop() {
    isStopped = true
    unread = []
    unreadTaken = 0
  }

  /// The next photographs to be read; an empty list at the end, nothing while there are none yet.
  mutating func takeUnread(atMost count: Int) -> [FoundPhoto]? {
    if isStopped { return [] }
    let next = Array(unread[unreadTaken...].prefix(count))
    if next.isEmpty { return summary == nil ? nil : [] }
    unreadTaken += next.count
    compact(&unread, &unreadTaken)
    return next
  }

  // MARK: - To the owner

  /// Whether something can be taken.
  var hasEvents: Bool {
    !walked.isEmpty || (factsTaken < facts.count && handedOut.facts < handedOut.photos) || (isOver && !saidFinished)
  }

  /// Takes what is there, so many photographs, facts and other events at most.
  mutating func take(atMost count: Int) -> [LibraryEvent] {
    // A quarter is kept for facts, or a long walk would keep them all back.
    let ready = min(facts.count - factsTaken, count / 4)
    var events: [LibraryEvent] = []
    let left = count - takeWalked(atMost: count - ready, countingPhotosAlone: false, into: &events)
    takeFacts(atMost: left, into: &events)
    takeFinish(into: &events)
    return events
  }

  /// Takes the next photographs with all their facts; nothing while not enough are there.
  ///
  /// Depends on the tree alone and not on when anything came: the cut stands right behind the last photograph, and the
  /// end is told in a batch that is not full.
  mutating func takeBatch(of count: Int) -> [LibraryEvent]? {
    let wanted = handedOut.photos + count
    guard received.facts >= wanted || isOverButForTaking else { return nil }
    var events: [LibraryEvent] = []
    let before = handedOut.photos
    _ = takeWalked(atMost: count, countingPhotosAlone: true, into: &events)
    takeFacts(atMost: handedOut.photos - handedOut.facts, into: &events)
    if handedOut.photos - before < count { takeFinish(into: &events) }
    return events
  }

  // MARK: - Parts

  /// Whether all was received.
  private var isOverButForTaking: Bool { isStopped || (summary != nil && received.facts == received.photos) }

  /// Whether all was received and handed out but for the end itself.
  private var isOver: Bool {
    isOverButForTaking && walked.isEmpty && (isStopped || handedOut.facts == handedOut.photos)
  }

  /// Takes entries of the walk and returns how much of the allowance they used.
  private mutating func takeWalked(
    atMost count: Int, countingPhotosAlone: Bool, into events: inout [LibraryEvent]
  ) -> Int {
    var used = 0
    var taken = 0
    var progress: LibraryEvent?
    loop: while used < count, taken < walked.count {
      switch walked[taken] {
      case .found(let photos):
        let part = photos.prefix(count - used)
        append(part, to: &events)
        used += part.count
        handedOut.photos += part.count
        if part.count < photos.count {
          walked[taken] = .found(Array(photos[part.count...]))
          break loop
        }
      case .progress: progress = walked[taken]
      default:
        events.append(walked[taken])
        used += countingPhotosAlone ? 0 : 1
      }
      taken += 1
    }
    // Once, and last: nobody is helped by how far the scan was before.
    if let progress { events.append(progress) }
    walked.removeFirst(taken)
    return used
  }

  /// Adds photographs, to the last event where that holds photographs too.
  private func append(_ photos: ArraySlice<FoundPhoto>, to events: inout [LibraryEvent]) {
    guard case .found(let before)? = events.last else {
      events.append(.found(Array(photos)))
      return
    }
    events[events.count - 1] = .found(before + photos)
  }

  private mutating func takeFacts(atMost count: Int, into events: inout [LibraryEvent]) {
    let allowed = min(count, handedOut.photos - handedOut.facts)
    let part = Array(facts[factsTaken...].prefix(max(0, allowed)))
    guard !part.isEmpty else { return }
    events.append(.headers(part))
    factsTaken += part.count
    handedOut.facts += part.count
    compact(&facts, &factsTaken)
  }

  private mutating func takeFinish(into events: inout [LibraryEvent]) {
    guard isOver, !saidFinished else { return }
    saidFinished = true
    var end = summary ?? ScanSummary()
    end.wasCancelled = isStopped
    events.append(.finished(end))
  }

  /// Lets go of a list's used front once it is the larger part.
  private func compact<Element>(_ list: inout [Element], _ used: inout Int) {
    guard used * 2 >= list.count else { return }
    // An empty list lets its memory go too.
    if used == list.count { list = [] } else { list.removeFirst(used) }
    used = 0
  }
}
