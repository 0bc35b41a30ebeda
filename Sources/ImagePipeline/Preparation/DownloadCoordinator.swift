import VitrineFramePacing
import VitrineThreads

/// The part of the pipeline that downloads images before they are decoded.
///
/// On a modelled timeline, a download ends after a delay that depends on its address only. If it has not ended by then, the
/// loop waits for it and does not count that time.
@MainActor
final class DownloadCoordinator {
  /// A request whose bytes are available and that can be decoded.
  struct DecodableRequest {
    let request: ImageRequest
    let ticket: ImageTicket
    let deadline: FrameInstant
  }

  private struct Download {
    let operation: (any Deferrable)?
    let number: UInt64
    let due: FrameInstant
  }

  /// The downloads that other threads have reported as ended.
  private struct CompletedDownloads: Sendable {
    var items: [CompletedDownload] = []
    /// Whether the render thread must no longer wait.
    var hasStoppedWaiting = false

    /// Removes and returns all items.
    mutating func takeItems() -> [CompletedDownload] {
      defer { items = [] }
      return items
    }
  }

  /// A download that has ended.
  private struct CompletedDownload: Sendable {
    let key: ImageKey
    let number: UInt64
    let result: Result<StoredImage, ImageFailure>
  }

  private let downloader: any ImageDownloader
  private let isModelled: Bool
  private let waker: any LoopWaker
  private let completed = Lock(CompletedDownloads())
  private var tracker = RemoteDownloadTracker()
  private var downloads: [ImageKey: Download] = [:]
  private var failures: [ImageArrival] = []
  private var nextNumber: UInt64 = 0

  /// Creates a coordinator without downloads.
  init(_ downloader: any ImageDownloader, isModelled: Bool, waker: any LoopWaker) {
    self.downloader = downloader
    self.isModelled = isModelled
    self.waker = waker
  }

  /// Returns the failure of the last download of an image.
  func failure(for key: ImageKey) -> ImageFailure? { tracker.failure(for: key) }

  /// Returns whether a download would be attempted, instead of failing immediately with the cached failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { tracker.canAttempt(key, at: instant) }

  /// Lets all images be downloaded again whose downloads failed until now.
  func endFailurePauses(at instant: FrameInstant) {
    tracker.endFailurePauses(at: instant)
    downloader.endPauses()
  }

  /// Returns whether an image is being downloaded.
  func isPending(_ key: ImageKey) -> Bool { tracker.isPending(key) }

  /// The number of requests that failed because of their download.
  var failedCount: Int { tracker.failedCount }

  /// Whether `collect(at:)` or `takeFailures()` has results.
  var hasPendingArrivals: Bool { !failures.isEmpty || !isModelled && completed.withLock { !$0.items.isEmpty } }

  /// The time at which the next download ends on a modelled timeline.
  var nextArrival: FrameInstant? { isModelled ? downloads.values.map(\.due).min() : nil }

  /// Adds a request.
  /// - Returns: The requests that can be decoded now.
  func addRequest(
    _ request: ImageRequest, _ remote: RemoteImage, _ ticket: ImageTicket, deadline: FrameInstant,
    at now: FrameInstant
  ) -> [DecodableRequest] {
    perform(tracker.handle(.request(request, remote, ticket, deadline: deadline, at: now)), at: now)
  }

  /// Changes the deadline of a request.
  /// - Returns: Whether the request waits for its download.
  func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) -> Bool {
    guard tracker.isWaiting(ticket) else { return false }
    _ = perform(tracker.handle(.updateDeadline(ticket, deadline)), at: .zero)
    return true
  }

  /// Cancels a request.
  /// - Returns: Whether the request was waiting for its download or for the report of its failure.
  func cancel(_ ticket: ImageTicket) -> Bool {
    if tracker.isWaiting(ticket) {
      _ = perform(tracker.handle(.cancel(ticket)), at: .zero)
      return true
    }
    guard let index = failures.firstIndex(where: { $0.tickets.contains(ticket) }) else { return false }
    let arrival = failures[index]
    failures[index] = ImageArrival(
      key: arrival.key, tickets: arrival.tickets.filter { $0 != ticket }, outcome: arrival.outcome)
    if failures[index].tickets.isEmpty { failures.remove(at: index) }
    return true
  }

  /// Waits until all downloads that are due by an instant of a modelled timeline have really ended.
  func wait(dueBy instant: FrameInstant) {
    guard isModelled else { return }
    for download in downloads.values where download.due <= instant {
      completed.wait { state in
        state.hasStoppedWaiting || state.items.contains { $0.number == download.number } ? () : nil
      }
    }
  }

  /// Ends all current and future waits, from any thread.
  nonisolated func stopWaiting() {
    completed.withLock { $0.hasStoppedWaiting = true }
    completed.wakeAll()
  }

  /// Handles the downloads that have ended.
  ///
  /// - Returns: The requests that can be decoded now.
  func collect(at now: FrameInstant) -> [DecodableRequest] {
    isModelled ? collectDue(now) : completed.withLock { $0.takeItems() }.flatMap { finishDownload($0, at: now) }
  }

  /// Removes and returns the failed requests.
  func takeFailures() -> [ImageArrival] {
    defer { failures = [] }
    return failures
  }

  /// Cancels all downloads.
  func shutdown() {
    for download in downloads.values { download.operation?.cancel() }
    downloads = [:]
    failures = []
  }

  private func collectDue(_ now: FrameInstant) -> [DecodableRequest] {
    let due = downloads.filter { $0.value.due <= now }.sorted {
      ($0.value.due.nanoseconds, $0.value.number) < ($1.value.due.nanoseconds, $1.value.number)
    }
    return due.flatMap { key, download -> [DecodableRequest] in
      let item = completed.wait { state -> CompletedDownload?? in
        if let index = state.items.firstIndex(where: { $0.number == download.number }) {
          return .some(state.items.remove(at: index))
        }
        return state.hasStoppedWaiting ? .some(nil) : .none
      }
      return item.map { finishDownload($0, at: now) } ?? []
    }
  }

  private func finishDownload(_ item: CompletedDownload, at now: FrameInstant) -> [DecodableRequest] {
    guard downloads[item.key]?.number == item.number else { return [] }
    downloads[item.key] = nil
    return perform(tracker.handle(.downloaded(item.key, item.result, at: now)), at: now)
  }

  private func perform(_ effects: [RemoteDownloadTracker.Effect], at now: FrameInstant) -> [DecodableRequest] {
    var requests: [DecodableRequest] = []
    for effect in effects {
      switch effect {
      case .download(let remote, let key, let deadline): startDownload(remote, key, deadline, now)
      case .updateDeadline(let key, let deadline):
        downloads[key]?.operation?.updateDeadline(deadline)
      case .cancel(let key):
        guard let download = downloads.removeValue(forKey: key) else { continue }
        download.operation?.cancel()
        // It may have ended before its modelled time, and would never be collected.
        if isModelled { completed.withLock { $0.items.removeAll { $0.number == download.number } } }
      case .decode(let request, let ticket, let deadline):
        requests.append(DecodableRequest(request: request, ticket: ticket, deadline: deadline))
      case .fail(let key, let tickets, let failure):
        failures.append(ImageArrival(key: key, tickets: tickets, outcome: .failure(failure)))
        waker.wake()
      }
    }
    return requests
  }

  private func startDownload(_ remote: RemoteImage, _ key: ImageKey, _ deadline: FrameInstant, _ now: FrameInstant) {
    nextNumber += 1
    let number = nextNumber
    let (completed, waker, isModelled) = (completed, waker, isModelled)
    let operation = downloader.download(remote, deadline: deadline) { result in
      completed.withLock { $0.items.append(CompletedDownload(key: key, number: number, result: result)) }
      completed.wakeAll()
      if !isModelled { waker.wake() }
    }
    downloads[key] = Download(
      operation: operation, number: number, due: now + remote.modelledDownloadDuration)
  }
}

// MARK: - Pending downloads

/// A state machine of the images that wait for downloads and of recent failures.
///
/// It receives events and returns effects. Each size of an image is downloaded separately: the downloader merges equal
/// downloads and knows whether a stored one is available and current.
struct RemoteDownloadTracker: Sendable {
  /// An event of the tracker.
  enum Event: Sendable {
    /// An image on the web is requested.
    case request(ImageRequest, RemoteImage, ImageTicket, deadline: FrameInstant, at: FrameInstant)
    /// The deadline of a request has changed.
    case updateDeadline(ImageTicket, FrameInstant)
    /// A request is cancelled.
    case cancel(ImageTicket)
    /// A download has ended.
    case downloaded(ImageKey, Result<StoredImage, ImageFailure>, at: FrameInstant)
  }

  /// An action that the coordinator performs.
  enum Effect: Hashable, Sendable {
    /// Start a download.
    case download(RemoteImage, for: ImageKey, deadline: FrameInstant)
    /// Change the deadline of a download.
    case updateDeadline(ImageKey, FrameInstant)
    /// Cancel a download.
    case cancel(ImageKey)
    /// Decode an image.
    case decode(ImageRequest, ImageTicket, deadline: FrameInstant)
    /// Report a failure to the requesters.
    case fail(ImageKey, [ImageTicket], ImageFailure)
  }

  private struct PendingDownload: Sendable {
    let request: ImageRequest
    var requesters = [(ticket: ImageTicket, deadline: FrameInstant)]()

    var deadline: FrameInstant { requesters.map(\.deadline).min() ?? .distantFuture }
  }

  private var downloads: [ImageKey: PendingDownload] = [:]
  private var keys: [ImageTicket: ImageKey] = [:]
  private var failures = FailureCache()
  /// The number of requests that failed because of their download.
  private(set) var failedCount = 0

  /// Returns whether an image is being downloaded.
  func isPending(_ key: ImageKey) -> Bool { downloads[key] != nil }

  /// Returns whether a request waits for its download.
  func isWaiting(_ ticket: ImageTicket) -> Bool { keys[ticket] != nil }

  /// Returns the failure of the last download of an image.
  mutating func failure(for key: ImageKey) -> ImageFailure? { failures.failure(for: key) }

  /// Returns whether a download would be attempted, instead of failing with the cached failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { failures.canAttempt(key, at: instant) }

  /// Ends the pauses of all failures until now.
  mutating func endFailurePauses(at instant: FrameInstant) { failures.endPauses(at: instant) }

  /// Handles an event.
  /// - Returns: The effects to perform.
  /// - Complexity: O(requests of the image).
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .request(let request, let remote, let ticket, let deadline, let now):
      return addRequest(request, remote, ticket, deadline, now)
    case .updateDeadline(let ticket, let deadline):
      return updateRequesters(ticket) { requesters in
        for index in requesters.indices where requesters[index].ticket == ticket {
          requesters[index].deadline = deadline
        }
      }
    case .cancel(let ticket):
      return updateRequesters(ticket, isLeaving: true) { $0.removeAll { $0.ticket == ticket } }
    case .downloaded(let key, let result, let now): return endDownload(key, result, now)
    }
  }

  private mutating func addRequest(
    _ request: ImageRequest, _ remote: RemoteImage, _ ticket: ImageTicket, _ deadline: FrameInstant,
    _ now: FrameInstant
  ) -> [Effect] {
    if downloads[request.key] != nil {
      keys[ticket] = request.key
      return updateRequesters(ticket) { $0.append((ticket, deadline)) }
    }
    guard failures.canAttempt(request.key, at: now) else {
      let failure = failures.failure(for: request.key) ?? .unsupportedSource
      failedCount += 1
      return [.fail(request.key, [ticket], failure)]
    }
    keys[ticket] = request.key
    downloads[request.key] = PendingDownload(request: request, requesters: [(ticket, deadline)])
    return [.download(remote, for: request.key, deadline: deadline)]
  }

  private mutating func updateRequesters(
    _ ticket: ImageTicket, isLeaving: Bool = false,
    _ body: (inout [(ticket: ImageTicket, deadline: FrameInstant)]) -> Void
  ) -> [Effect] {
    guard let key = keys[ticket], var task = downloads[key] else { return [] }
    let before = task.deadline
    body(&task.requesters)
    if isLeaving { keys[ticket] = nil }
    downloads[key] = task.requesters.isEmpty ? nil : task
    if task.requesters.isEmpty { return [.cancel(key)] }
    return task.deadline == before ? [] : [.updateDeadline(key, task.deadline)]
  }

  private mutating func endDownload(
    _ key: ImageKey, _ result: Result<StoredImage, ImageFailure>, _ now: FrameInstant
  ) -> [Effect] {
    guard let task = downloads.removeValue(forKey: key) else { return [] }
    for (ticket, _) in task.requesters { keys[ticket] = nil }
    switch result {
    case .success(let image):
      failures.removeFailure(key)
      return task.requesters.map {
        .decode(task.request.replacingSource(with: image), $0.ticket, deadline: $0.deadline)
      }
    case .failure(let failure):
      failures.recordFailure(failure, for: key, at: now)
      failedCount += task.requesters.count
      return [.fail(key, task.requesters.map(\.ticket), failure)]
    }
  }
}

extension ImageRequest {
  /// Returns the request with the downloaded file as its source.
  fileprivate func replacingSource(with image: StoredImage) -> ImageRequest {
    var request = self
    request.source = image.source
    request.fileBytes = image.byteCount
    return request
  }
}
