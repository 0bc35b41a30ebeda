public import ImagePipeline
public import Threads

/// Reads lists of pictures, one after the other, on a thread of its own, as a scan reads folders.
///
/// What comes of a place is all of it, or a problem: the other places are read all the same.
public final class ManifestScan: Sendable {
  private struct Portion: Sendable {
    var items: ArraySlice<ManifestItem>
    let list: Int
    let isFromPublicServer: Bool
  }

  private struct State: Sendable {
    var portions: [Portion] = []
    var problems: [String] = []
    var found = 0
    /// Whether all places were read.
    var isRead = false
    var isCancelled = false
    /// Whether the last event was taken.
    var isOver = false
  }

  private let places: [ManifestPlace]
  private let transfers: RemoteTransfers
  private let wake: @Sendable () -> Void
  private let state = Lock(State())

  /// Makes a scan that has not begun.
  ///
  /// - Parameters:
  ///   - places: where the lists are.
  ///   - transfers: who brings those that are on the web.
  ///   - wake: called from the scan's thread when there is something to take.
  public init(places: [ManifestPlace], transfers: RemoteTransfers, wake: @escaping @Sendable () -> Void) {
    self.places = places
    self.transfers = transfers
    self.wake = wake
  }

  /// Begins; call it once.
  ///
  /// - Throws: `ThreadError` where the system has no thread to give.
  public func start() throws(ThreadError) {
    try WorkerThread(name: "lists") { [self] in
      for (number, place) in places.enumerated() where !state.withLock(\.isCancelled) { read(place, number) }
      state.withLock { $0.isRead = true }
      state.wakeAll()
      wake()
    }.detach()
  }

  /// Whether there is something to take.
  public var hasEvents: Bool { state.withLock { !$0.isOver && (!$0.portions.isEmpty || $0.isRead || $0.isCancelled) } }

  /// What was wrong, a line for each place or kind of flaw.
  public var problems: [String] { state.withLock(\.problems) }

  /// Takes the next events, the last of them once.
  ///
  /// - Parameters:
  ///   - count: the most pictures.
  ///   - isWaitedFor: whether to wait until all places were read, so that equal runs take equal portions.
  public func take(atMost count: Int, isWaitedFor: Bool) -> [LibraryEvent] {
    if isWaitedFor { state.wait { $0.isRead || $0.isCancelled ? () : nil } }
    return state.withLock { state in
      guard !state.isOver else { return [] }
      var events: [LibraryEvent] = []
      var room = count
      while room > 0, !state.isCancelled, let portion = state.portions.first {
        let items = portion.items.prefix(room)
        events.append(.entries(Array(items), list: portion.list, isFromPublicServer: portion.isFromPublicServer))
        state.found += items.count
        room -= items.count
        state.portions[0].items = portion.items.dropFirst(items.count)
        if state.portions[0].items.isEmpty { state.portions.removeFirst() }
      }
      guard state.isCancelled || state.isRead && state.portions.isEmpty else { return events }
      state.isOver = true
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

  private func read(_ place: ManifestPlace, _ list: Int) {
    do {
      switch place {
      case .file(let path):
        let bytes = try AtomicFile.read(path, atMost: ManifestReader.mostBytes)
        add(try ManifestReader.read(bytes), of: place, list, isFromPublicServer: false)
      case .web(let url):
        let content = try transfers.fetching(RemoteRequest(url, kind: .manifest))
        let bytes = try content.bytes(atMost: ManifestReader.mostBytes)
        let manifest = try ManifestReader.read(
          bytes, base: url, isFromPublicServer: content.isFromPublicServer)
        add(manifest, of: place, list, isFromPublicServer: content.isFromPublicServer)
      }
    } catch RemoteFailure.unexpected(.picture, _) {
      guard case .web(let url) = place else { return }
      let manifest = Manifest(picture: url)
      state.withLock { $0.portions.append(Portion(items: manifest.items[...], list: list, isFromPublicServer: false)) }
      wake()
    } catch {
      state.withLock { $0.problems.append("\(place): \(error)") }
      wake()
    }
  }

  private func add(_ manifest: Manifest, of place: ManifestPlace, _ list: Int, isFromPublicServer: Bool) {
    state.withLock { state in
      if !manifest.items.isEmpty {
        state.portions.append(Portion(items: manifest.items[...], list: list, isFromPublicServer: isFromPublicServer))
      }
      if let text = manifest.flawText { state.problems.append("\(place): \(text)") }
    }
    wake()
  }
}
