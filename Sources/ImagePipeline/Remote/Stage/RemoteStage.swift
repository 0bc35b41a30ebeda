import FramePacing
import Threads

/// Has pictures downloaded before they are decoded.
///
/// On a modelled time line a download ends at its request and a delay that its address alone decides; where it is not there
/// by then, the loop waits for it, and the caller does not count that time.
@MainActor
final class DownloadCoordinator {
  /// A picture whose bytes are here, to be decoded.
  struct DecodableRequest {
    let request: ImageRequest
    let ticket: ImageTicket
    let deadline: FrameInstant
  }

  private struct Download {
    let transfer: RemoteTransfer
    let number: UInt64
    let due: FrameInstant
  }

  /// What has ended, as other threads tell it.
  private struct CompletedDownloads: Sendable {
    var items: [CompletedDownload] = []
    /// Whether nobody waits any more.
    var hasStoppedWaiting = false

    /// Takes all letters.
    mutating func takeAll() -> [CompletedDownload] {
      defer { items = [] }
      return items
    }
  }

  /// A download that has ended.
  private struct CompletedDownload: Sendable {
    let key: ImageKey
    let number: UInt64
    let result: Result<RemoteContent, RemoteFailure>
  }

  private let transfers: RemoteTransfers
  private let isModelled: Bool
  private let waker: any LoopWaker
  private let completed = Lock(CompletedDownloads())
  private var tracker = RemoteDownloadTracker()
  private var downloads: [ImageKey: Download] = [:]
  private var failures: [ImageArrival] = []
  private var nextNumber: UInt64 = 0

  /// Makes a stage where nothing is downloaded yet.
  init(_ transfers: RemoteTransfers, isModelled: Bool, waker: any LoopWaker) {
    self.transfers = transfers
    self.isModelled = isModelled
    self.waker = waker
  }

  /// Why a download failed, as the last try told.
  func failure(for key: ImageKey) -> ImageFailure? { tracker.failure(for: key) }

  /// Whether a download would be tried, rather than end at once with the failure that is known.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { tracker.canAttempt(key, at: instant) }

  /// Whether a picture waits for its download.
  func isPending(_ key: ImageKey) -> Bool { tracker.isPending(key) }

  /// Requests that ended with a failure of their download.
  var failedCount: Int { tracker.failedCount }

  /// Whether something waits to be collected.
  var hasPendingArrivals: Bool { !failures.isEmpty || !isModelled && completed.withLock { !$0.items.isEmpty } }

  /// When the next download ends on a modelled time line.
  var nextArrival: FrameInstant? { isModelled ? downloads.values.map(\.due).min() : nil }

  /// Takes a request in.
  /// - Returns: what can be decoded now.
  func addRequest(
    _ request: ImageRequest, _ remote: RemoteRequest, _ ticket: ImageTicket, deadline: FrameInstant,
    at now: FrameInstant
  ) -> [DecodableRequest] {
    perform(tracker.handle(.request(request, remote, ticket, deadline: deadline, at: now)), at: now)
  }

  /// Moves a request.
  /// - Returns: whether it waits for its download.
  func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) -> Bool {
    guard tracker.isWaiting(ticket) else { return false }
    _ = perform(tracker.handle(.updateDeadline(ticket, deadline)), at: .zero)
    return true
  }

  /// Takes a request back.
  /// - Returns: whether it waited for its download, or for its failure to be told.
  func cancel(_ ticket: ImageTicket) -> Bool {
    if tracker.isWaiting(ticket) {
      _ = perform(tracker.handle(.cancel(ticket)), at: .zero)
      return true
    }
    guard let place = failures.firstIndex(where: { $0.tickets.contains(ticket) }) else { return false }
    let arrival = failures[place]
    failures[place] = ImageArrival(
      key: arrival.key, tickets: arrival.tickets.filter { $0 != ticket }, outcome: arrival.outcome)
    if failures[place].tickets.isEmpty { failures.remove(at: place) }
    return true
  }

  /// Waits until all downloads that are due by an instant of a modelled time line have ended really.
  func wait(dueBy instant: FrameInstant) {
    guard isModelled else { return }
    for download in downloads.values where download.due <= instant {
      completed.wait { mail in mail.hasStoppedWaiting || mail.items.contains { $0.number == download.number } ? () : nil
      }
    }
  }

  /// Waits for no download any more; from any thread.
  nonisolated func stopWaiting() {
    completed.withLock { $0.hasStoppedWaiting = true }
    completed.wakeAll()
  }

  /// Takes in what was downloaded.
  ///
  /// - Returns: what can be decoded now.
  func collect(at now: FrameInstant) -> [DecodableRequest] {
    isModelled ? collectDue(now) : completed.withLock { $0.takeAll() }.flatMap { finishDownload($0, at: now) }
  }

  /// Takes what has failed.
  func takeFailures() -> [ImageArrival] {
    defer { failures = [] }
    return failures
  }

  /// Gives all downloads up.
  func shutdown() {
    for download in downloads.values { download.transfer.cancel() }
    downloads = [:]
    failures = []
  }

  private func collectDue(_ now: FrameInstant) -> [DecodableRequest] {
    let due = downloads.filter { $0.value.due <= now }.sorted {
      ($0.value.due.nanoseconds, $0.value.number) < ($1.value.due.nanoseconds, $1.value.number)
    }
    return due.flatMap { key, download -> [DecodableRequest] in
      let letter = completed.wait { mail -> CompletedDownload?? in
        if let place = mail.items.firstIndex(where: { $0.number == download.number }) {
          return .some(mail.items.remove(at: place))
        }
        return mail.hasStoppedWaiting ? .some(nil) : .none
      }
      return letter.map { finishDownload($0, at: now) } ?? []
    }
  }

  private func finishDownload(_ letter: CompletedDownload, at now: FrameInstant) -> [DecodableRequest] {
    guard downloads[letter.key]?.number == letter.number else { return [] }
    downloads[letter.key] = nil
    return perform(tracker.handle(.downloaded(letter.key, letter.result, at: now)), at: now)
  }

  private func perform(_ effects: [RemoteDownloadTracker.Effect], at now: FrameInstant) -> [DecodableRequest] {
    var orders: [DecodableRequest] = []
    for effect in effects {
      switch effect {
      case .download(let remote, let key, let deadline): startDownload(remote, key, deadline, now)
      case .updateDeadline(let key, let deadline):
        downloads[key]?.transfer.updateDeadline(deadline)
      case .cancel(let key):
        downloads.removeValue(forKey: key)?.transfer.cancel()
      case .decode(let request, let ticket, let deadline):
        orders.append(DecodableRequest(request: request, ticket: ticket, deadline: deadline))
      case .fail(let key, let tickets, let failure):
        failures.append(ImageArrival(key: key, tickets: tickets, outcome: .failure(failure)))
        waker.wake()
      }
    }
    return orders
  }

  private func startDownload(_ remote: RemoteRequest, _ key: ImageKey, _ deadline: FrameInstant, _ now: FrameInstant) {
    nextNumber += 1
    let number = nextNumber
    let (mail, waker, isModelled) = (completed, waker, isModelled)
    let transfer = transfers.fetch(remote, deadline: deadline) { result in
      mail.withLock { $0.items.append(CompletedDownload(key: key, number: number, result: result)) }
      mail.wakeAll()
      if !isModelled { waker.wake() }
    }
    downloads[key] = Download(
      transfer: transfer, number: number, due: now + DownloadCoordinator.modelledDelay(of: remote.url))
  }

  /// What a download takes on a modelled time line: between 20 and 200 ms, as its address decides.
  static func modelledDelay(of url: RemoteURL) -> FrameDuration { .milliseconds(20 + Double(url.digest % 180)) }
}
