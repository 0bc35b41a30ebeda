import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Asset load tracker")
struct AssetLoadTrackerTests {
  /// A test harness that drives a tracker and checks its invariants after every event.
  private struct Harness {
    var tracker = AssetLoadTracker<Int>()
    /// The tickets of the waiting requests, by asset.
    var waiting: [Int: [ImageTicket]] = [:]
    /// The running downloads and preparations, by their number.
    var operations: [UInt64: (id: Int, isDownload: Bool)] = [:]
    /// The requests that complete in the next collect phase.
    var deferred: [(ticket: ImageTicket, id: Int)] = []
    /// How often each request was completed.
    var completionCounts: [ImageTicket: Int] = [:]
    var now = FrameInstant.zero
    private var nextTicket: UInt64 = 1

    mutating func load(_ id: Int, by deadline: Double, stored: StoredImage?, retriesFailure: Bool = false)
      -> ImageTicket
    {
      let ticket = ImageTicket(number: nextTicket)
      nextTicket += 1
      waiting[id, default: []].append(ticket)
      handle(.load(id, ticket, deadline: at(deadline), stored: stored, retriesFailure: retriesFailure, at: now))
      return ticket
    }

    mutating func cancel(_ ticket: ImageTicket) {
      for id in waiting.keys { waiting[id]?.removeAll { $0 == ticket } }
      deferred.removeAll { $0.ticket == ticket }
      handle(.cancel(ticket))
    }

    mutating func handle(_ event: AssetLoadTracker<Int>.Event) {
      for effect in tracker.handle(event) {
        switch effect {
        case .download(let id, let work, _):
          // A load whose downloaded file was missing is downloaded again.
          #expect(
            operations[work]?.isDownload != true && !operations.contains { $0.value.id == id && $0.key != work },
            "asset \(id)")
          operations[work] = (id, true)
        case .prepare(let id, let work, _, _):
          #expect(!operations.values.contains { $0.id == id && !$0.isDownload }, "two operations for \(id)")
          operations[work] = (id, false)
        case .updateDeadline(let work, _): #expect(operations[work] != nil)
        case .cancel(let work): #expect(operations.removeValue(forKey: work) != nil)
        case .complete(let tickets, let id):
          let waiters = (waiting[id] ?? []).filter { ticket in !deferred.contains { $0.ticket == ticket } }
          #expect(tickets == waiters, "not completed for the requesters of \(id)")
          for ticket in tickets { complete(ticket, id) }
          operations = operations.filter { $0.value.id != id }
        case .completeLater(let ticket, let id): deferred.append((ticket, id))
        }
      }
      for (id, tickets) in waiting {
        let isWaiting = tickets.contains { ticket in !deferred.contains { $0.ticket == ticket } }
        #expect(isWaiting == (tracker.loadNumber(of: id) != nil), "asset \(id)")
      }
    }

    mutating func collect() {
      for (ticket, id) in deferred { complete(ticket, id) }
      deferred = []
    }

    private mutating func complete(_ ticket: ImageTicket, _ id: Int) {
      completionCounts[ticket, default: 0] += 1
      waiting[id]?.removeAll { $0 == ticket }
    }
  }

  @Test("Requests for one asset share a download and a preparation, which end with the last request")
  func joins() throws {
    var harness = Harness()
    let first = harness.load(1, by: 50, stored: nil)
    let second = harness.load(1, by: 10, stored: nil)
    #expect(harness.operations.count == 1)
    harness.handle(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    #expect(harness.operations[1]?.isDownload == false)
    #expect(harness.tracker.handle(.cancel(second)) == [.updateDeadline(work: 1, at(50))])
    #expect(harness.tracker.handle(.cancel(first)) == [.cancel(work: 1)])
    #expect(harness.tracker.loadCount == 0)
    #expect(
      harness.tracker.handle(.prepared(1, work: 1, generatedImage(key(1)), at: at(0))).isEmpty,
      "a late result is ignored")
  }

  @Test("A failure is remembered, and retried after its pause if it is transient")
  func failures() {
    var harness = Harness()
    _ = harness.load(1, by: 0, stored: nil)
    harness.handle(.downloaded(1, work: 1, .failure(.download(reason: "no route", isTransient: true)), at: at(0)))
    #expect(harness.tracker.failure(of: 1)?.description == "no route")
    #expect(!harness.tracker.canAttempt(1, at: at(1_999)) && harness.tracker.canAttempt(1, at: at(2_000)))
    let early = harness.load(1, by: 0, stored: nil)
    #expect(harness.deferred.count == 1 && harness.operations.isEmpty)
    harness.collect()
    #expect(harness.completionCounts[early] == 1)
    _ = harness.load(1, by: 0, stored: nil, retriesFailure: true)
    #expect(harness.operations.count == 1, "an explicit retry starts immediately")
    harness.handle(.downloaded(1, work: 2, .failure(.notFound), at: at(100)))
    #expect(!harness.tracker.canAttempt(1, at: .distantFuture))
  }

  @Test("A downloaded file that cannot be decoded is downloaded once more, a local file is not")
  func downloadsAgain() {
    var harness = Harness()
    _ = harness.load(1, by: 0, stored: nil)
    harness.handle(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    #expect(harness.tracker.downloadedImage(of: 1) != nil)
    harness.handle(.prepared(1, work: 1, .failure(.cannotOpen(2)), at: at(0)))
    #expect(
      harness.tracker.downloadedImage(of: 1) == nil && harness.operations[1]?.isDownload == true,
      "downloaded again immediately")
    #expect(harness.tracker.failure(of: 1) == nil)
    harness.handle(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    harness.handle(.prepared(1, work: 1, .failure(.cannotOpen(2)), at: at(0)))
    #expect(
      harness.operations.isEmpty && harness.tracker.failure(of: 1) == .image(.cannotOpen(2)),
      "not downloaded a third time")
    #expect(harness.tracker.downloadedImage(of: 1) == nil && harness.tracker.failedCount == 1)
    harness.now = at(3_000)
    _ = harness.load(1, by: 0, stored: nil)
    #expect(harness.operations.map(\.value.isDownload) == [true])
    _ = harness.load(2, by: 0, stored: stored(2))
    #expect(harness.operations.values.first { $0.id == 2 }?.isDownload == false)
    harness.handle(.prepared(2, work: 3, .failure(.cannotOpen(2)), at: at(3_000)))
    #expect(harness.tracker.failure(of: 2) == .image(.cannotOpen(2)) && harness.tracker.failedCount == 2)
  }

  @Test("Every request completes exactly once unless it was cancelled", arguments: 0..<20)
  func randomEvents(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = Harness()
    var tickets: [ImageTicket] = []
    var cancelled: Set<ImageTicket> = []
    func step(_ choice: Int) {
      switch choice {
      case 0..<4:
        let id = Int.random(in: 0..<12, using: &random)
        let isLocal = random.chance(oneIn: 2)
        tickets.append(
          harness.load(
            id, by: Double.random(in: -1...50, using: &random), stored: isLocal ? stored(id) : nil,
            retriesFailure: random.chance(oneIn: 5)))
      case 4:
        guard let ticket = tickets.suffix(8).randomElement(using: &random) else { return }
        if harness.completionCounts[ticket] == nil { cancelled.insert(ticket) }
        harness.cancel(ticket)
      case 5: harness.collect()
      case 6: harness.handle(.formChanged)
      case 7: harness.now = harness.now + .milliseconds(Double.random(in: 0...900, using: &random))
      default:
        guard let work = harness.operations.keys.sorted().randomElement(using: &random),
          let operation = harness.operations[work]
        else {
          return
        }
        if operation.isDownload {
          let result: Result<StoredImage, AssetFailure> =
            random.chance(oneIn: 3)
            ? .failure(.download(reason: "slow", isTransient: true)) : .success(stored(operation.id))
          harness.handle(.downloaded(operation.id, work: work, result, at: harness.now))
        } else {
          let failure = random.chance(oneIn: 2) ? ImageFailure.outOfMemory : .cannotOpen(2)
          let outcome = random.chance(oneIn: 3) ? .failure(failure) : generatedImage(key(operation.id))
          harness.handle(.prepared(operation.id, work: work, outcome, at: harness.now))
        }
        // A source that completes a download twice.
        harness.handle(.downloaded(operation.id, work: work, .failure(.notFound), at: harness.now))
      }
    }
    for _ in 0..<600 { step(Int.random(in: 0..<12, using: &random)) }
    while !harness.operations.isEmpty { step(11) }
    harness.collect()
    for ticket in tickets {
      #expect(harness.completionCounts[ticket, default: 0] == (cancelled.contains(ticket) ? 0 : 1))
    }
    #expect(harness.completionCounts.count > 50 && cancelled.count > 5)
  }
}
