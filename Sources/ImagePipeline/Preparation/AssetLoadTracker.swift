import VitrineDataStructures
import VitrineFramePacing

/// A state machine that tracks the loads of assets, their requesters, and failures.
///
/// Requests for one asset share a load, which is cancelled with the last of them. Images are not stored here but in the
/// pipeline's cache. The tracker remembers the results of the 65,536 most recently used assets.
struct AssetLoadTracker<ID: Hashable & Sendable>: Sendable {
  private enum State: Sendable {
    case downloading
    case preparing(StoredImage)
  }

  private struct Load: Sendable {
    var number: UInt64
    var state: State
    var requesters: Requesters
    /// Whether the image is downloaded again because the stored file was missing.
    var isRetry = false
  }

  private struct Record: Sendable {
    let failure: AssetFailure
    /// The number of consecutive failures.
    let count: Int
    /// The time from which the asset may be tried again; nil if never.
    let nextAttempt: FrameInstant?
  }

  private var loads: [ID: Load] = [:]
  private var ids: [ImageTicket: ID] = [:]
  private var records = LRUCache<ID, Record>(costLimit: 1 << 16)
  /// The locations of downloaded images.
  private var downloads = LRUCache<ID, StoredImage>(costLimit: 1 << 16)
  private var nextNumber: UInt64 = 1

  /// The number of assets that are being loaded.
  var loadCount: Int { loads.count }

  /// Returns the number of an asset's load, or nil if it is not being loaded.
  func loadNumber(of id: ID) -> UInt64? { loads[id]?.number }

  /// Returns the location of an asset's downloaded image, or nil if there is none.
  func downloadedImage(of id: ID) -> StoredImage? { downloads.peekValue(for: id) }

  /// The number of assets whose last load failed.
  var failedCount: Int { records.count }

  /// Returns the failure of an asset's last load, or nil if it succeeded or was never tried.
  func failure(of id: ID) -> AssetFailure? { records.peekValue(for: id)?.failure }

  /// Returns whether a load would be attempted instead of reporting the known failure.
  func canAttempt(_ id: ID, at instant: FrameInstant) -> Bool {
    guard let record = records.peekValue(for: id) else { return true }
    return record.nextAttempt.map { $0 <= instant } ?? false
  }

  /// Handles an event and returns the effects to perform.
  /// - Complexity: O(requesters of the asset); O(loads log loads) for ``Event/formChanged``.
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .load(let id, let ticket, let deadline, let stored, let retriesFailure, let now):
      if loads[id] != nil { return joinLoad(id, ticket, deadline) }
      guard retriesFailure || canAttempt(id, at: now) else { return [.completeLater(ticket, id)] }
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

  /// Handles a failed preparation.
  private mutating func handleFailure(_ id: ID, _ work: Load, _ failure: ImageFailure, at now: FrameInstant) -> [Effect]
  {
    // The stored download may have been evicted, so it is downloaded once more.
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

  /// Changes the requesters of an asset and updates or cancels its load.
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
      let nextAttempt = failure.isTransient ? now + FailureCache.retryPolicy.pause(after: count) : nil
      records.insert(Record(failure: failure, count: count, nextAttempt: nextAttempt), for: id, cost: 1)
    } else {
      records.remove(id)
    }
    return [.complete(tickets, id)]
  }

  private mutating func restartPreparations() -> [Effect] {
    // In order of creation, so that runs are reproducible.
    loads.sorted { $0.value.number < $1.value.number }.flatMap { id, work -> [Effect] in
      guard case .preparing(let stored) = work.state, let deadline = work.requesters.deadline else { return [] }
      let number = makeLoadNumber()
      loads[id]?.number = number
      return [.cancel(work: work.number), .prepare(id, work: number, stored, deadline: deadline)]
    }
  }
}

extension AssetLoadTracker {
  /// An input of the tracker.
  enum Event: Sendable {
    /// An asset is requested. `stored` is its image on this machine, if any; `retriesFailure` ignores a recent failure.
    case load(ID, ImageTicket, deadline: FrameInstant, stored: StoredImage?, retriesFailure: Bool, at: FrameInstant)
    /// A request is cancelled.
    case cancel(ImageTicket)
    /// A download has finished.
    case downloaded(ID, work: UInt64, Result<StoredImage, AssetFailure>, at: FrameInstant)
    /// A preparation has finished.
    case prepared(ID, work: UInt64, ImageOutcome, at: FrameInstant)
    /// The form of images has changed, so running preparations are restarted.
    case formChanged
  }

  /// An output of the tracker.
  enum Effect: Hashable, Sendable {
    /// Start the download of an asset.
    case download(ID, work: UInt64, deadline: FrameInstant)
    /// Start the preparation of an asset's image.
    case prepare(ID, work: UInt64, StoredImage, deadline: FrameInstant)
    /// Change the deadline of a download or preparation.
    case updateDeadline(work: UInt64, FrameInstant)
    /// Cancel a download or preparation.
    case cancel(work: UInt64)
    /// Call the completions of requests, within the current collect phase.
    case complete([ImageTicket], ID)
    /// Call the completion of a request in the next collect phase.
    case completeLater(ImageTicket, ID)
  }
}
