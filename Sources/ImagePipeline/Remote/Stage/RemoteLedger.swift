import FramePacing

/// Knows which pictures wait for their download, who waits for them, and which downloads failed of late: a machine that is told
/// events and answers with effects.
///
/// Every size is asked for by itself: who keeps what was downloaded knows whether it is still there and still good, and
/// makes one transfer of all that is asked for meanwhile.
struct RemoteDownloadTracker: Sendable {
  /// What the ledger is told.
  enum Event: Sendable {
    /// Pixels of something on the web are wanted, and by when.
    case request(ImageRequest, RemoteRequest, ImageTicket, deadline: FrameInstant, at: FrameInstant)
    /// They are needed at another time.
    case updateDeadline(ImageTicket, FrameInstant)
    /// They are no longer wanted by one who asked.
    case cancel(ImageTicket)
    /// A download has ended.
    case downloaded(ImageKey, Result<RemoteContent, RemoteFailure>, at: FrameInstant)
  }

  /// What the ledger wants done.
  enum Effect: Hashable, Sendable {
    /// Have something downloaded, for this key.
    case download(RemoteRequest, for: ImageKey, deadline: FrameInstant)
    /// A download is needed at another time.
    case updateDeadline(ImageKey, FrameInstant)
    /// Give a download up.
    case cancel(ImageKey)
    /// Have a picture decoded.
    case decode(ImageRequest, ImageTicket, deadline: FrameInstant)
    /// Tell those who asked why there is no picture.
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
  /// Requests that ended with a failure of their download.
  private(set) var failedCount = 0

  /// Whether a picture waits for its download.
  func isPending(_ key: ImageKey) -> Bool { downloads[key] != nil }

  /// Whether one who asked waits for a download.
  func isWaiting(_ ticket: ImageTicket) -> Bool { keys[ticket] != nil }

  /// Why a picture was not to be had, as the last try told.
  mutating func failure(for key: ImageKey) -> ImageFailure? { failures.failure(for: key) }

  /// Whether a download is to be tried at a moment, rather than its known failure be told.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool { failures.canAttempt(key, at: instant) }

  /// Takes an event in.
  /// - Complexity: O(those who want the picture).
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .request(let request, let remote, let ticket, let deadline, let now):
      return addRequest(request, remote, ticket, deadline, now)
    case .updateDeadline(let ticket, let deadline):
      return updateRequesters(ticket) { requesters in
        for place in requesters.indices where requesters[place].ticket == ticket {
          requesters[place].deadline = deadline
        }
      }
    case .cancel(let ticket):
      return updateRequesters(ticket, isLeaving: true) { $0.removeAll { $0.ticket == ticket } }
    case .downloaded(let key, let result, let now): return endDownload(key, result, now)
    }
  }

  private mutating func addRequest(
    _ request: ImageRequest, _ remote: RemoteRequest, _ ticket: ImageTicket, _ deadline: FrameInstant,
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
    _ key: ImageKey, _ result: Result<RemoteContent, RemoteFailure>, _ now: FrameInstant
  ) -> [Effect] {
    guard let task = downloads.removeValue(forKey: key) else { return [] }
    for (ticket, _) in task.requesters { keys[ticket] = nil }
    switch result {
    case .success(let content):
      failures.removeFailure(key)
      return task.requesters.map { .decode(task.request.replacingSource(content), $0.ticket, deadline: $0.deadline) }
    case .failure(let failure):
      failures.recordFailure(.remote(failure), for: key, at: now)
      failedCount += task.requesters.count
      return [.fail(key, task.requesters.map(\.ticket), .remote(failure))]
    }
  }
}

extension ImageRequest {
  /// The same pixels, from where they are now.
  fileprivate func replacingSource(_ content: RemoteContent) -> ImageRequest {
    var request = self
    request.source = content.source
    request.fileBytes = content.byteCount
    return request
  }
}
