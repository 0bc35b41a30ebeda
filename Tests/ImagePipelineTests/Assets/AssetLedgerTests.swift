import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What is done for assets, for whom")
struct AssetLedgerTests {
  /// Drives a ledger and checks after every event what must always hold.
  private struct Harness {
    var ledger = AssetLoadTracker<Int>()
    /// Those who wait, by asset.
    var waiting: [Int: [ImageTicket]] = [:]
    /// What is under way, by its number; whether it is a download.
    var works: [UInt64: (id: Int, isDownload: Bool)] = [:]
    /// Those who are told in the next collect phase.
    var later: [(ticket: ImageTicket, id: Int)] = []
    /// How often each was told.
    var ends: [ImageTicket: Int] = [:]
    var now = FrameInstant.zero
    private var nextTicket: UInt64 = 1

    mutating func load(_ id: Int, by deadline: Double, stored: StoredImage?, again: Bool = false) -> ImageTicket {
      let ticket = ImageTicket(number: nextTicket)
      nextTicket += 1
      waiting[id, default: []].append(ticket)
      tell(.load(id, ticket, deadline: at(deadline), stored: stored, triesAgain: again, at: now))
      return ticket
    }

    mutating func cancel(_ ticket: ImageTicket) {
      for id in waiting.keys { waiting[id]?.removeAll { $0 == ticket } }
      later.removeAll { $0.ticket == ticket }
      tell(.cancel(ticket))
    }

    mutating func tell(_ event: AssetLoadTracker<Int>.Event) {
      for effect in ledger.handle(event) {
        switch effect {
        case .download(let id, let work, _):
          // The one whose picture was gone from where it was kept begins anew.
          #expect(
            works[work]?.isDownload != true && !works.contains { $0.value.id == id && $0.key != work }, "asset \(id)")
          works[work] = (id, true)
        case .prepare(let id, let work, _, _):
          #expect(!works.values.contains { $0.id == id && !$0.isDownload }, "two works for \(id)")
          works[work] = (id, false)
        case .updateDeadline(let work, _): #expect(works[work] != nil)
        case .cancel(let work): #expect(works.removeValue(forKey: work) != nil)
        case .complete(let tickets, let id):
          let waiters = (waiting[id] ?? []).filter { ticket in !later.contains { $0.ticket == ticket } }
          #expect(tickets == waiters, "not told to those who wait for \(id)")
          for ticket in tickets { end(ticket, id) }
          works = works.filter { $0.value.id != id }
        case .completeLater(let ticket, let id): later.append((ticket, id))
        }
      }
      for (id, tickets) in waiting {
        let isWaiting = tickets.contains { ticket in !later.contains { $0.ticket == ticket } }
        #expect(isWaiting == (ledger.loadNumber(of: id) != nil), "asset \(id)")
      }
    }

    mutating func collect() {
      for (ticket, id) in later { end(ticket, id) }
      later = []
    }

    private mutating func end(_ ticket: ImageTicket, _ id: Int) {
      ends[ticket, default: 0] += 1
      waiting[id]?.removeAll { $0 == ticket }
    }
  }

  @Test("Several who want one asset wait for one download and one preparation; the last who leaves ends it")
  func joins() throws {
    var harness = Harness()
    let first = harness.load(1, by: 50, stored: nil)
    let second = harness.load(1, by: 10, stored: nil)
    #expect(harness.works.count == 1)
    harness.tell(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    #expect(harness.works[1]?.isDownload == false)
    #expect(harness.ledger.handle(.cancel(second)) == [.updateDeadline(work: 1, at(50))])
    #expect(harness.ledger.handle(.cancel(first)) == [.cancel(work: 1)])
    #expect(harness.ledger.loadCount == 0)
    #expect(
      harness.ledger.handle(.prepared(1, work: 1, picture(key(1)), at: at(0))).isEmpty, "late, and of no interest")
  }

  @Test("A failure is known, and tried again after its pause where it may pass")
  func failures() {
    var harness = Harness()
    _ = harness.load(1, by: 0, stored: nil)
    harness.tell(.downloaded(1, work: 1, .failure(.download(reason: "no route", isTransient: true)), at: at(0)))
    #expect(harness.ledger.failure(of: 1)?.description == "no route")
    #expect(!harness.ledger.canAttempt(1, at: at(1_999)) && harness.ledger.canAttempt(1, at: at(2_000)))
    let early = harness.load(1, by: 0, stored: nil)
    #expect(harness.later.count == 1 && harness.works.isEmpty)
    harness.collect()
    #expect(harness.ends[early] == 1)
    _ = harness.load(1, by: 0, stored: nil, again: true)
    #expect(harness.works.count == 1, "who says so tries at once")
    harness.tell(.downloaded(1, work: 2, .failure(.notFound), at: at(100)))
    #expect(!harness.ledger.canAttempt(1, at: .distantFuture))
  }

  @Test("What was downloaded and gives no picture is downloaded anew, not what is a file here")
  func forgetsDownloads() {
    var harness = Harness()
    _ = harness.load(1, by: 0, stored: nil)
    harness.tell(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    #expect(harness.ledger.downloadedImage(of: 1) != nil)
    harness.tell(.prepared(1, work: 1, .failure(.cannotOpen(2)), at: at(0)))
    #expect(harness.ledger.downloadedImage(of: 1) == nil && harness.works[1]?.isDownload == true, "once more, at once")
    #expect(harness.ledger.failure(of: 1) == nil)
    harness.tell(.downloaded(1, work: 1, .success(stored(1)), at: at(0)))
    harness.tell(.prepared(1, work: 1, .failure(.cannotOpen(2)), at: at(0)))
    #expect(harness.works.isEmpty && harness.ledger.failure(of: 1) == .image(.cannotOpen(2)), "and not again")
    #expect(harness.ledger.downloadedImage(of: 1) == nil && harness.ledger.failedCount == 1)
    harness.now = at(3_000)
    _ = harness.load(1, by: 0, stored: nil)
    #expect(harness.works.map(\.value.isDownload) == [true])
    _ = harness.load(2, by: 0, stored: stored(2))
    #expect(harness.works.values.first { $0.id == 2 }?.isDownload == false)
    harness.tell(.prepared(2, work: 3, .failure(.cannotOpen(2)), at: at(3_000)))
    #expect(harness.ledger.failure(of: 2) == .image(.cannotOpen(2)) && harness.ledger.failedCount == 2)
  }

  @Test("Everyone is told once unless they left, whatever happens", arguments: 0..<20)
  func storm(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var harness = Harness()
    var tickets: [ImageTicket] = []
    var left: Set<ImageTicket> = []
    func step(_ choice: Int) {
      switch choice {
      case 0..<4:
        let id = Int.random(in: 0..<12, using: &random)
        let isHere = random.chance(oneIn: 2)
        tickets.append(
          harness.load(
            id, by: Double.random(in: -1...50, using: &random), stored: isHere ? stored(id) : nil,
            again: random.chance(oneIn: 5)))
      case 4:
        guard let ticket = tickets.suffix(8).randomElement(using: &random) else { return }
        if harness.ends[ticket] == nil { left.insert(ticket) }
        harness.cancel(ticket)
      case 5: harness.collect()
      case 6: harness.tell(.formChanged)
      case 7: harness.now = harness.now + .milliseconds(Double.random(in: 0...900, using: &random))
      default:
        guard let work = harness.works.keys.sorted().randomElement(using: &random), let doing = harness.works[work]
        else {
          return
        }
        if doing.isDownload {
          let result: Result<StoredImage, AssetFailure> =
            random.chance(oneIn: 3)
            ? .failure(.download(reason: "slow", isTransient: true)) : .success(stored(doing.id))
          harness.tell(.downloaded(doing.id, work: work, result, at: harness.now))
        } else {
          let failure = random.chance(oneIn: 2) ? ImageFailure.outOfMemory : .cannotOpen(2)
          let outcome = random.chance(oneIn: 3) ? .failure(failure) : picture(key(doing.id))
          harness.tell(.prepared(doing.id, work: work, outcome, at: harness.now))
        }
        // Told twice by a source that does not keep its word.
        harness.tell(.downloaded(doing.id, work: work, .failure(.notFound), at: harness.now))
      }
    }
    for _ in 0..<600 { step(Int.random(in: 0..<12, using: &random)) }
    while !harness.works.isEmpty { step(11) }
    harness.collect()
    for ticket in tickets { #expect(harness.ends[ticket, default: 0] == (left.contains(ticket) ? 0 : 1)) }
    #expect(harness.ends.count > 50 && left.count > 5)
  }
}
