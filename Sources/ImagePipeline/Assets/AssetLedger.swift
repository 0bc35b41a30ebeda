import DataStructures
import FramePacing

/// Knows what is being done for each asset, for whom, and what failed: a machine that is told events and answers with
/// effects.
///
/// Those who want one asset wait for one work, which is given up when the last of them leaves. Pictures are not its affair:
/// they are in the pipeline's memory, or are not; what it keeps is small, and of 65,536 assets and more that have come to
/// rest the ones touched least recently are forgotten.
struct AssetLoadTracker<ID: Hashable & Sendable>: Sendable {
  private enum State: Sendable {
    case downloading
    case preparing(StoredImage)
  }

  private struct Load: Sendable {
    var number: UInt64
    var state: State
    var requesters: Requesters
    /// Whether it was downloaded once more, as it was gone from where it was kept.
    var isRetry = false
  }

  private struct Record: Sendable {
    let failure: AssetFailure
    /// Failures in a row.
    let count: Int
    /// From when on it is tried again; nothing where it never is.
    let nextAttempt: FrameInstant?
  }

  private var loads: [ID: Load] = [:]
  private var ids: [ImageTicket: ID] = [:]
  private var records = LRUCache<ID, Record>(costLimit: 1 << 16)
  /// Where the pictures are that were downloaded.
  private var downloads = LRUCache<ID, StoredImage>(costLimit: 1 << 16)
  private var nextNumber: UInt64 = 1

  /// Assets that something is being done for.
  var loadCount: Int { loads.count }

  /// The number of what is being done for an asset; nothing where nothing is.
  func loadNumber(of id: ID) -> UInt64? { loads[id]?.number }

  /// Where the picture of an asset is that was downloaded.
  func downloadedImage(of id: ID) -> StoredImage? { downloads.peekValue(for: id) }

  /// Assets that have no picture, as the last try told.
  var failedCount: Int { records.count }

  /// Why an asset has no picture, as the last try told.
  func failure(of id: ID) -> AssetFailure? { records.peekValue(for: id)?.failure }

  /// Whether an asset is to be tried at a moment, rather than its known failure be told.
  func canAttempt(_ id: ID, at instant: FrameInstant) -> Bool {
    guard let record = records.peekValue(for: id) else { return true }
    return record.nextAttempt.map { $0 <= instant } ?? false
  }

  /// Takes an event in.
  /// - Complexity: O(those who want the asset), and for ``Event/formChanged`` O(works log works).
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .load(let id, let ticket, let deadline, let stored, let triesAgain, let now):
      if loads[id] != nil { return joinLoad(id, ticket, deadline) }
      guard triesAgain || canAttempt(id, at: now) else { return [.completeLater(ticket, id)] }
      return beginLoad(id, ticket, deadline, stored ?? downloads.value(for: id))
    case .cancel(let ticket): return cancelRequest(ticket)
    case .downloaded(let id, let number, let result, let now):
      guard var work = loads[id], work.number == number, case .downloading = work.state else { return [] }
      switch result {
      case .success(let stored):
        downloads.insert(stored, for: id, cost: 1)
        work.state = .preparing(stored)
        loads[id] = work
        return [.prepare(id, work: number, stored, deadline: work.requesters.deadline ?? .zero)]
      case .failure(let failure): return endLoad(id, work, failure, at: now)
      }
    case .prepared(let id, let number, let outcome, let now):
      guard let work = loads[id], work.number == number, case .preparing = work.state else { return [] }
      guard case .failure(let failure) = outcome else { return endLoad(id, work, nil, at: now) }
      return handleFailure(id, work, failure, at: now)
    case .formChanged: return restartPreparations()
    }
  }

  /// A picture could not be prepared.
  private mutating func handleFailure(_ id: ID, _ work: Load, _ failure: ImageFailure, at now: FrameInstant) -> [Effect]
  {
    // Where it was may be the reason, as who keeps downloads lets go of them for others: it is got anew.
    let wasDownloaded = downloads.remove(id) != nil
    guard wasDownloaded, !work.isRetry, case .cannotOpen = failure else {
      return endLoad(id, work, .image(failure), at: now)
    }
    var work = work
    work.state = .downloading
    work.isRetry = true
    loads[id] = work
    return [.download(id, work: work.number, deadline: work.requesters.deadline ?? .zero)]
  }

  private mutating func beginLoad(
    _ id: ID, _ ticket: ImageTicket, _ deadline: FrameInstant, _ stored: StoredImage?
  ) -> [Effect] {
    var work = Load(
      number: makeLoadNumber(), state: stored.map(State.preparing) ?? .downloading, requesters: Requesters())
    work.requesters.setDeadline(deadline, for: ticket)
    loads[id] = work
    ids[ticket] = id
    guard let stored else { return [.download(id, work: work.number, deadline: deadline)] }
    return [.prepare(id, work: work.number, stored, deadline: deadline)]
  }

  private mutating func makeLoadNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func joinLoad(_ id: ID, _ ticket: ImageTicket, _ deadline: FrameInstant) -> [Effect] {
    ids[ticket] = id
    return updateRequesters(id) { $0.setDeadline(deadline, for: ticket) }
  }

  private mutating func cancelRequest(_ ticket: ImageTicket) -> [Effect] {
    guard let id = ids.removeValue(forKey: ticket) else { return [] }
    return updateRequesters(id) { $0.remove(ticket) }
  }

  /// Changes who wants an asset, and what follows from that for its work.
  private mutating func updateRequesters(_ id: ID, _ body: (inout Requesters) -> Void) -> [Effect] {
    guard var work = loads[id] else { return [] }
    let before = work.requesters.deadline
    body(&work.requesters)
    guard let deadline = work.requesters.deadline else {
      loads[id] = nil
      return [.cancel(work: work.number)]
    }
    loads[id] = work
    return deadline == before ? [] : [.updateDeadline(work: work.number, deadline)]
  }

  private mutating func endLoad(_ id: ID, _ work: Load, _ failure: AssetFailure?, at now: FrameInstant) -> [Effect] {
    loads[id] = nil
    let tickets = work.requesters.tickets
    for ticket in tickets { ids[ticket] = nil }
    if let failure {
      let count = (records.peekValue(for: id)?.count ?? 0) + 1
      let nextTry = failure.isTransient ? now + FailureCache.pause(after: count) : nil
      records.insert(Record(failure: failure, count: count, nextAttempt: nextTry), for: id, cost: 1)
    } else {
      records.remove(id)
    }
    return [.complete(tickets, id)]
  }

  private mutating func restartPreparations() -> [Effect] {
    // In the order of beginning, as runs are to repeat.
    loads.sorted { $0.value.number < $1.value.number }.flatMap { id, work -> [Effect] in
      guard case .preparing(let stored) = work.state, let deadline = work.requesters.deadline else { return [] }
      let number = makeLoadNumber()
      loads[id]?.number = number
      return [.cancel(work: work.number), .prepare(id, work: number, stored, deadline: deadline)]
    }
  }
}
