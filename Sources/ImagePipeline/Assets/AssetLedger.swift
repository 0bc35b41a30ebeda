import DataStructures
import FramePacing

/// Knows what is being done for each asset, for whom, and what failed: a machine that is told events and answers with
/// effects.
///
/// Those who want one asset wait for one work, which is given up when the last of them leaves. Pictures are not its affair:
/// they are in the pipeline's memory, or are not; what it keeps is small, and of 65,536 assets and more that have come to
/// rest the ones touched least recently are forgotten.
struct AssetLedger<ID: Hashable & Sendable>: Sendable {
  private enum Stage: Sendable {
    case downloading
    case preparing(StoredImage)
  }

  private struct Work: Sendable {
    var number: UInt64
    var stage: Stage
    var requesters: Requesters
    /// Whether it was downloaded once more, as it was gone from where it was kept.
    var isAnew = false
  }

  private struct Record: Sendable {
    let failure: AssetFailure
    /// Failures in a row.
    let count: Int
    /// From when on it is tried again; nothing where it never is.
    let nextTry: FrameInstant?
  }

  private var works: [ID: Work] = [:]
  private var ids: [ImageTicket: ID] = [:]
  private var records = LeastRecentlyUsed<ID, Record>(costLimit: 1 << 16)
  /// Where the pictures are that were downloaded.
  private var downloads = LeastRecentlyUsed<ID, StoredImage>(costLimit: 1 << 16)
  private var nextNumber: UInt64 = 1

  /// Assets that something is being done for.
  var workCount: Int { works.count }

  /// The number of what is being done for an asset; nothing where nothing is.
  func work(of id: ID) -> UInt64? { works[id]?.number }

  /// Where the picture of an asset is that was downloaded.
  func download(of id: ID) -> StoredImage? { downloads.peek(id) }

  /// Assets that have no picture, as the last try told.
  var failedCount: Int { records.count }

  /// Why an asset has no picture, as the last try told.
  func failure(of id: ID) -> AssetFailure? { records.peek(id)?.failure }

  /// Whether an asset is to be tried at a moment, rather than its known failure be told.
  func mayTry(_ id: ID, at instant: FrameInstant) -> Bool {
    guard let record = records.peek(id) else { return true }
    return record.nextTry.map { $0 <= instant } ?? false
  }

  /// Takes an event in.
  /// - Complexity: O(those who want the asset), and for ``Event/formChanged`` O(works log works).
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .load(let id, let ticket, let deadline, let stored, let triesAgain, let now):
      if works[id] != nil { return join(id, ticket, deadline) }
      guard triesAgain || mayTry(id, at: now) else { return [.answerLater(ticket, id)] }
      return begin(id, ticket, deadline, stored ?? downloads.value(for: id))
    case .cancel(let ticket): return cancel(ticket)
    case .downloaded(let id, let number, let result, let now):
      guard var work = works[id], work.number == number, case .downloading = work.stage else { return [] }
      switch result {
      case .success(let stored):
        downloads.insert(stored, for: id, cost: 1)
        work.stage = .preparing(stored)
        works[id] = work
        return [.prepare(id, work: number, stored, deadline: work.requesters.deadline ?? .zero)]
      case .failure(let failure): return end(id, work, failure, at: now)
      }
    case .prepared(let id, let number, let outcome, let now):
      guard let work = works[id], work.number == number, case .preparing = work.stage else { return [] }
      guard case .failure(let failure) = outcome else { return end(id, work, nil, at: now) }
      return fail(id, work, failure, at: now)
    case .formChanged: return prepareAnew()
    }
  }

  /// A picture could not be prepared.
  private mutating func fail(_ id: ID, _ work: Work, _ failure: ImageFailure, at now: FrameInstant) -> [Effect] {
    // Where it was may be the reason, as who keeps downloads lets go of them for others: it is got anew.
    let wasDownloaded = downloads.remove(id) != nil
    guard wasDownloaded, !work.isAnew, case .cannotOpen = failure else {
      return end(id, work, .image(failure), at: now)
    }
    var work = work
    work.stage = .downloading
    work.isAnew = true
    works[id] = work
    return [.download(id, work: work.number, deadline: work.requesters.deadline ?? .zero)]
  }

  private mutating func begin(
    _ id: ID, _ ticket: ImageTicket, _ deadline: FrameInstant, _ stored: StoredImage?
  ) -> [Effect] {
    var work = Work(number: takeNumber(), stage: stored.map(Stage.preparing) ?? .downloading, requesters: Requesters())
    work.requesters.set(deadline, for: ticket)
    works[id] = work
    ids[ticket] = id
    guard let stored else { return [.download(id, work: work.number, deadline: deadline)] }
    return [.prepare(id, work: work.number, stored, deadline: deadline)]
  }

  private mutating func takeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func join(_ id: ID, _ ticket: ImageTicket, _ deadline: FrameInstant) -> [Effect] {
    ids[ticket] = id
    return change(id) { $0.set(deadline, for: ticket) }
  }

  private mutating func cancel(_ ticket: ImageTicket) -> [Effect] {
    guard let id = ids.removeValue(forKey: ticket) else { return [] }
    return change(id) { $0.remove(ticket) }
  }

  /// Changes who wants an asset, and what follows from that for its work.
  private mutating func change(_ id: ID, _ body: (inout Requesters) -> Void) -> [Effect] {
    guard var work = works[id] else { return [] }
    let before = work.requesters.deadline
    body(&work.requesters)
    guard let deadline = work.requesters.deadline else {
      works[id] = nil
      return [.stop(work: work.number)]
    }
    works[id] = work
    return deadline == before ? [] : [.move(work: work.number, deadline)]
  }

  private mutating func end(_ id: ID, _ work: Work, _ failure: AssetFailure?, at now: FrameInstant) -> [Effect] {
    works[id] = nil
    let tickets = work.requesters.tickets
    for ticket in tickets { ids[ticket] = nil }
    if let failure {
      let count = (records.peek(id)?.count ?? 0) + 1
      let nextTry = failure.isPassing ? now + FailureMemory.pause(after: count) : nil
      records.insert(Record(failure: failure, count: count, nextTry: nextTry), for: id, cost: 1)
    } else {
      records.remove(id)
    }
    return [.answer(tickets, id)]
  }

  private mutating func prepareAnew() -> [Effect] {
    // In the order of beginning, as runs are to repeat.
    works.sorted { $0.value.number < $1.value.number }.flatMap { id, work -> [Effect] in
      guard case .preparing(let stored) = work.stage, let deadline = work.requesters.deadline else { return [] }
      let number = takeNumber()
      works[id]?.number = number
      return [.stop(work: work.number), .prepare(id, work: number, stored, deadline: deadline)]
    }
  }
}
