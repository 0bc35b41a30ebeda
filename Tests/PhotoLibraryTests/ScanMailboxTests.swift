import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("What a scan hands over")
struct ScanMailboxTests {
  private static func photo(_ ordinal: Int) -> FoundPhoto {
    FoundPhoto(
      ordinal: UInt32(ordinal), folder: PhotoPath("/p"), name: Array("\(ordinal)".utf8), identity: .unknown)
  }

  private static func fact(_ photo: FoundPhoto) -> HeaderResult {
    HeaderResult(ordinal: photo.ordinal, identity: nil, failure: .missing)
  }

  private static func problem(_ number: Int) -> ScanProblem {
    ScanProblem(folder: PhotoPath("/\(number)"), reason: .tooDeep)
  }

  /// What a walk over so many photographs reports: batches of odd sizes with problems and progress between them.
  private static func walk(of count: Int, seed: UInt64) -> [LibraryEvent] {
    var random = SeededGenerator(seed: seed)
    var events: [LibraryEvent] = []
    var next = 0
    while next < count {
      let end = min(count, next + Int.random(in: 1...90, using: &random))
      events.append(.found((next..<end).map(photo)))
      next = end
      if Int.random(in: 0..<3, using: &random) == 0 { events.append(.problem(problem(next))) }
      var progress = ScanProgress()
      progress.found = next
      events.append(.progress(progress))
    }
    var summary = ScanSummary()
    summary.found = count
    return events + [.finished(summary)]
  }

  /// Lets walk, reader and owner take turns at random, and returns what the owner was handed.
  private static func play(
    _ walk: [LibraryEvent], seed: UInt64, taking take: (inout ScanMailbox) -> [LibraryEvent]
  ) -> [[LibraryEvent]] {
    var random = SeededGenerator(seed: seed)
    var mailbox = ScanMailbox()
    var rest = walk[...]
    var inHand: [FoundPhoto] = []
    var taken: [[LibraryEvent]] = []
    while taken.last?.last.map(isFinish) != true {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: if let event = rest.popFirst() { mailbox.post(event) }
      case 1:
        if inHand.isEmpty { inHand = mailbox.takeUnreadPhotos(atMost: Int.random(in: 1...70, using: &random)) ?? [] }
      case 2:
        let part = inHand.prefix(Int.random(in: 0...70, using: &random))
        mailbox.appendHeaders(part.map(fact))
        inHand.removeFirst(part.count)
      default:
        let events = take(&mailbox)
        if !events.isEmpty { taken.append(events) }
      }
    }
    return taken
  }

  private static func isFinish(_ event: LibraryEvent) -> Bool {
    if case .finished = event { true } else { false }
  }

  private static func photos(in events: [LibraryEvent]) -> [FoundPhoto] {
    events.flatMap { event -> [FoundPhoto] in
      if case .found(let photos) = event { photos } else { [] }
    }
  }

  private static func facts(in events: [LibraryEvent]) -> [HeaderResult] {
    events.flatMap { event -> [HeaderResult] in
      if case .headers(let facts) = event { facts } else { [] }
    }
  }

  @Test("Batches depend on the walk alone, whoever is faster", arguments: [0, 1, 99, 100, 200, 777])
  func batches(count: Int) {
    let walk = Self.walk(of: count, seed: UInt64(count))
    var seen: Set<[[LibraryEvent]]> = []
    for seed in 0..<20 {
      seen.insert(Self.play(walk, seed: UInt64(seed)) { $0.takeBatch(of: 100) ?? [] })
    }
    #expect(seen.count == 1)
    let batches = seen.first ?? []
    for (index, batch) in batches.enumerated() {
      let photos = Self.photos(in: batch)
      #expect(photos.map(\.ordinal) == Self.facts(in: batch).map(\.ordinal))
      #expect(photos.count == (index < count / 100 ? 100 : count % 100))
      #expect(batch.contains(where: Self.isFinish) == (index == batches.count - 1))
    }
    #expect(batches.flatMap(Self.photos).map { Int($0.ordinal) } == Array(0..<count))
  }

  @Test("Everything is handed over once, in order, facts behind their photographs, within the allowance")
  func live() {
    for seed in 0..<40 {
      let walk = Self.walk(of: 500, seed: UInt64(seed))
      var takes: [[LibraryEvent]] = []
      let taken = Self.play(walk, seed: UInt64(seed) + 100) { mailbox in
        let could = mailbox.hasEvents
        let events = mailbox.takeEvents(atMost: 37)
        if could == events.isEmpty { Issue.record("has events: \(could), took \(events.count)") }
        takes.append(events)
        return events
      }
      var photoCount = 0
      var factCount = 0
      for events in taken {
        photoCount += Self.photos(in: events).count
        factCount += Self.facts(in: events).count
        #expect(factCount <= photoCount)
        #expect(Self.photos(in: events).count + Self.facts(in: events).count <= 37)
      }
      #expect(taken.flatMap(Self.photos).map { Int($0.ordinal) } == Array(0..<500))
      #expect(taken.flatMap(Self.facts).map { Int($0.ordinal) } == Array(0..<500))
      let problems = taken.joined().filter { if case .problem = $0 { true } else { false } }
      #expect(problems == walk.filter { if case .problem = $0 { true } else { false } })
    }
  }

  @Test("Of progress only the latest is kept")
  func progress() {
    var mailbox = ScanMailbox()
    for found in 1...5 {
      var progress = ScanProgress()
      progress.found = found
      mailbox.post(.progress(progress))
    }
    var latest = ScanProgress()
    latest.found = 5
    #expect(mailbox.takeEvents(atMost: 10) == [.progress(latest)])
    #expect(!mailbox.hasEvents)
  }

  @Test("Whoever waits is let go when the scan is stopped")
  func stopping() {
    var mailbox = ScanMailbox()
    mailbox.post(.found((0..<10).map(Self.photo)))
    #expect(mailbox.takeBatch(of: 100) == nil)
    #expect(mailbox.takeUnreadPhotos(atMost: 4)?.count == 4)
    mailbox.stop()
    #expect(mailbox.takeUnreadPhotos(atMost: 4)?.isEmpty == true)
    let batch = mailbox.takeBatch(of: 100) ?? []
    var summary = ScanSummary()
    summary.wasCancelled = true
    #expect(batch == [.found((0..<10).map(Self.photo)), .finished(summary)])
    #expect(mailbox.takeBatch(of: 100)?.isEmpty == true)
    #expect(mailbox.takeEvents(atMost: 5).isEmpty)
  }
}
