import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary

@Suite("The scan mailbox")
struct ScanMailboxTests {
  private static func photo(_ ordinal: Int) -> FoundPhoto {
    FoundPhoto(
      ordinal: UInt32(ordinal), folder: PhotoPath("/p"), name: Array("\(ordinal)".utf8), identity: .unknown)
  }

  private static func header(_ photo: FoundPhoto) -> HeaderResult {
    HeaderResult(ordinal: photo.ordinal, identity: nil, failure: .missing)
  }

  private static func problem(_ number: Int) -> ScanProblem {
    ScanProblem(folder: PhotoPath("/\(number)"), reason: .tooDeep)
  }

  /// Returns the events of a walk over a number of photos: batches of odd sizes, with problems and progress between
  /// them.
  private static func walkEvents(of count: Int, seed: UInt64) -> [LibraryEvent] {
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

  /// Runs the walker, the header reader and the client in random order, and returns the batches that the client
  /// received.
  private static func run(
    _ walkEvents: [LibraryEvent], seed: UInt64, drainingWith drain: (inout ScanMailbox) -> [LibraryEvent]
  ) -> [[LibraryEvent]] {
    var random = SeededGenerator(seed: seed)
    var mailbox = ScanMailbox()
    var remainingEvents = walkEvents[...]
    var unreadPhotos: [FoundPhoto] = []
    var drained: [[LibraryEvent]] = []
    while drained.last?.last.map(isFinish) != true {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: if let event = remainingEvents.popFirst() { mailbox.post(event) }
      case 1:
        if unreadPhotos.isEmpty {
          unreadPhotos = mailbox.takeUnreadPhotos(atMost: Int.random(in: 1...70, using: &random)) ?? []
        }
      case 2:
        let part = unreadPhotos.prefix(Int.random(in: 0...70, using: &random))
        mailbox.appendHeaders(part.map(header))
        unreadPhotos.removeFirst(part.count)
      default:
        let events = drain(&mailbox)
        if !events.isEmpty { drained.append(events) }
      }
    }
    return drained
  }

  private static func isFinish(_ event: LibraryEvent) -> Bool {
    if case .finished = event { true } else { false }
  }

  private static func photos(in events: [LibraryEvent]) -> [FoundPhoto] {
    events.flatMap { event -> [FoundPhoto] in
      if case .found(let photos) = event { photos } else { [] }
    }
  }

  private static func headers(in events: [LibraryEvent]) -> [HeaderResult] {
    events.flatMap { event -> [HeaderResult] in
      if case .headers(let headers) = event { headers } else { [] }
    }
  }

  @Test(
    "Batches depend on the walk alone, and not on the relative speed of the threads",
    arguments: [0, 1, 99, 100, 200, 777])
  func batches(count: Int) {
    let walkEvents = Self.walkEvents(of: count, seed: UInt64(count))
    var outcomes: Set<[[LibraryEvent]]> = []
    for seed in 0..<20 {
      outcomes.insert(Self.run(walkEvents, seed: UInt64(seed)) { $0.takeBatch(of: 100) ?? [] })
    }
    #expect(outcomes.count == 1)
    let batches = outcomes.first ?? []
    for (index, batch) in batches.enumerated() {
      let photos = Self.photos(in: batch)
      #expect(photos.map(\.ordinal) == Self.headers(in: batch).map(\.ordinal))
      #expect(photos.count == (index < count / 100 ? 100 : count % 100))
      #expect(batch.contains(where: Self.isFinish) == (index == batches.count - 1))
    }
    #expect(batches.flatMap(Self.photos).map { Int($0.ordinal) } == Array(0..<count))
  }

  @Test("Every item is received once and in order, headers after their photos, up to the maximum count")
  func live() {
    for seed in 0..<40 {
      let walkEvents = Self.walkEvents(of: 500, seed: UInt64(seed))
      var calls: [[LibraryEvent]] = []
      let drained = Self.run(walkEvents, seed: UInt64(seed) + 100) { mailbox in
        let hadEvents = mailbox.hasEvents
        let events = mailbox.takeEvents(atMost: 37)
        if hadEvents == events.isEmpty { Issue.record("has events: \(hadEvents), took \(events.count)") }
        calls.append(events)
        return events
      }
      var photoCount = 0
      var headerCount = 0
      for events in drained {
        photoCount += Self.photos(in: events).count
        headerCount += Self.headers(in: events).count
        #expect(headerCount <= photoCount)
        #expect(Self.photos(in: events).count + Self.headers(in: events).count <= 37)
      }
      #expect(drained.flatMap(Self.photos).map { Int($0.ordinal) } == Array(0..<500))
      #expect(drained.flatMap(Self.headers).map { Int($0.ordinal) } == Array(0..<500))
      let problems = drained.joined().filter { if case .problem = $0 { true } else { false } }
      #expect(problems == walkEvents.filter { if case .problem = $0 { true } else { false } })
    }
  }

  @Test("Only the latest progress is stored")
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

  @Test("The header reader waits for the client, and the walker for the header reader")
  func limits() {
    var mailbox = ScanMailbox()
    let batch = 5_000
    var found = 0
    while mailbox.hasSpace {
      mailbox.post(.found((found..<found + batch).map(Self.photo)))
      found += batch
    }
    #expect(found == ScanMailbox.maximumUnread)
    var read = 0
    while let photos = mailbox.takeUnreadPhotos(atMost: batch) {
      mailbox.appendHeaders(photos.map(Self.header))
      read += photos.count
    }
    #expect(read == ScanMailbox.maximumHeaders && mailbox.hasSpace)
    // The largest batch needs no more headers than the reader delivers.
    #expect(mailbox.takeBatch(of: ScanMailbox.maximumHeaders)?.isEmpty == false)
    #expect(mailbox.takeUnreadPhotos(atMost: batch)?.count == batch)
    mailbox.post(.found((found..<found + ScanMailbox.maximumUnread).map(Self.photo)))
    #expect(!mailbox.hasSpace)
    mailbox.stop()
    #expect(mailbox.hasSpace, "a stopped scan keeps no thread waiting")
  }

  @Test("A scan of more photographs than the mailbox holds ends")
  func waitingThreads() throws {
    let mailbox = SynchronizedScanMailbox {}
    let count = ScanMailbox.maximumUnread + 2 * ScanMailbox.maximumHeaders
    let walker = try WorkerThread(name: "walker") {
      for first in stride(from: 0, to: count, by: 1_000) {
        mailbox.post(.found((first..<first + 1_000).map(Self.photo)))
      }
      mailbox.post(.finished(ScanSummary()))
    }
    let reader = try WorkerThread(name: "reader") {
      while case let photos = mailbox.waitForUnreadPhotos(atMost: 500), !photos.isEmpty {
        mailbox.post(.headers(photos.map(Self.header)))
      }
    }
    var (photos, headers, isFinished) = (0, 0, false)
    while !isFinished {
      let events = mailbox.waitForBatch(of: 1_000)
      photos += Self.photos(in: events).count
      headers += Self.headers(in: events).count
      isFinished = events.last.map(Self.isFinish) ?? false
    }
    #expect(photos == count && headers == count)
    walker.join()
    reader.join()
  }

  @Test("Stopping the scan releases waiting threads")
  func stop() {
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
