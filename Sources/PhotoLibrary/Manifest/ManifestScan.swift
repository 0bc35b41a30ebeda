public import ImagePipeline
public import Threads

/// Reads lists of pictures, one after the other, on a thread of its own, as a scan reads folders.
///
/// What comes of a place is all of it, or a problem: the other places are read all the same.
public final class ManifestScan: Sendable {
  private struct Batch: Sendable {
    var items: ArraySlice<ManifestItem>
    let list: Int
    let isFromPublicServer: Bool
  }

  private struct State: Sendable {
    var batches: [Batch] = []
    var problems: [String] = []
    var found = 0
    /// Whether all places were read.
    var hasReadAll = false
    var isCancelled = false
    /// Whether the last event was taken.
    var isFinished = false
  }

  private let locations: [ManifestLocation]
  private let transfers: RemoteTransfers
  private let wake: @Sendable () -> Void
  private let state = Lock(State())

  /// Makes a scan that has not begun.
  ///
  /// - Parameters:
  ///   - places: where the lists are.
  ///   - transfers: who brings those that are on the web.
  ///   - wake: called from the scan's thread when there is something to take.
  public init(locations: [ManifestLocation], transfers: RemoteTransfers, wake: @escaping @Sendable () -> Void) {
    self.locations = locations
    self.transfers = transfers
    self.wake = wake
  }

  /// Begins; call it once.
  ///
  /// - Throws: `ThreadError` where the system has no thread to give.
  public func start() throws(ThreadError) {
    try WorkerThread(name: "lists") { [self] in
      for (number, place) in locations.enumerated() where !state.withLock(\.isCancelled) { readManifest(place, number) }
      state.withLock { $0.hasReadAll = true }
      state.wakeAll()
      wake()
    }.detach()
  }

  /// Whether there is something to take.
  public var hasEvents: Bool {
    state.withLock { !$0.isFinished && (!$0.batches.isEmpty || $0.hasReadAll || $0.isCancelled) }
  }

  /// What was wrong, a line for each place or kind of flaw.
  public var problems: [String] { state.withLock(\.problems) }

  /// Takes the next events, the last of them once.
  ///
  /// - Parameters:
  ///   - count: the most pictures.
  ///   - isWaitedFor: whether to wait until all places were read, so that equal runs take equal portions.
  public func takeEvents(atMost count: Int, waitsUntilRead: Bool) -> [LibraryEvent] {
    if waitsUntilRead { state.wait { $0.hasReadAll || $0.isCancelled ? () : nil } }
    return state.withLock { state in
      guard !state.isFinished else { return [] }
      var events: [LibraryEvent] = []
      var room = count
      while room > 0, !state.isCancelled, let portion = state.batches.first {
        let items = portion.items.prefix(room)
        events.append(.entries(Array(items), list: portion.list, isFromPublicServer: portion.isFromPublicServer))
        state.found += items.count
        room -= items.count
        state.batches[0].items = portion.items.dropFirst(items.count)
        if state.batches[0].items.isEmpty { state.batches.removeFirst() }
      }
      guard state.isCancelled || state.hasReadAll && state.batches.isEmpty else { return events }
      state.isFinished = true
      var summary = ScanSummary()
      summary.found = state.found
      summary.problems = state.problems.count
      summary.wasCancelled = state.isCancelled
      return events + [.finished(summary)]
    }
  }

  /// Ends it: what was not taken is not told, and what is being read is of no interest.
  public func cancel() {
    state.withLock { $0.isCancelled = true }
    state.wakeAll()
    wake()
  }

  private func readManifest(_ place: ManifestLocation, _ list: Int) {
    do {
      switch place {
      case .file(let path):
        let bytes = try AtomicFile.read(path, atMost: ManifestReader.maximumBytes)
        addManifest(try ManifestReader.read(bytes), of: place, list, isFromPublicServer: false)
      case .web(let url):
        let content = try transfers.fetchSynchronously(RemoteRequest(url, kind: .manifest))
        let bytes = try content.bytes(atMost: ManifestReader.maximumBytes)
        let manifest = try ManifestReader.read(
          bytes, base: url, isFromPublicServer: content.isFromPublicServer)
        addManifest(manifest, of: place, list, isFromPublicServer: content.isFromPublicServer)
      }
    } catch RemoteFailure.unexpected(.picture, _) {
      guard case .web(let url) = place else { return }
      let manifest = Manifest(picture: url)
      state.withLock { $0.batches.append(Batch(items: manifest.items[...], list: list, isFromPublicServer: false)) }
      wake()
    } catch {
      state.withLock { $0.problems.append("\(place): \(error)") }
      wake()
    }
  }

  private func addManifest(_ manifest: Manifest, of place: ManifestLocation, _ list: Int, isFromPublicServer: Bool) {
    state.withLock { state in
      if !manifest.items.isEmpty {
        state.batches.append(Batch(items: manifest.items[...], list: list, isFromPublicServer: isFromPublicServer))
      }
      if let text = manifest.flawSummary { state.problems.append("\(place): \(text)") }
    }
    wake()
  }
}
