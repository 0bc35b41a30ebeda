public import VitrineImagePipeline
public import VitrineThreads

/// The stored previews, read and written on a separate thread so that no other thread waits for the disk.
///
/// Without a readable or writable file, previews last only as long as the program runs.
public final class PreviewArchive: Sendable {
  private struct State {
    /// The loaded previews, until they are taken.
    var loaded: PreviewTable?
    var isLoaded = false
    var loadHandler: (@Sendable () -> Void)?
    var unwritten: [PreviewRecord] = []
    var isClosed = false
    var hasEnded = false
  }

  private let state: Lock<State>
  private let thread: WorkerThread

  /// Starts to load.
  ///
  /// - Parameter directory: The bytes of the cache folder's path; the folder is created if it is missing.
  /// - Throws: `ThreadError` if the system has no thread available.
  public init(directory: [UInt8]) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    thread = try WorkerThread(name: "previews") { PreviewArchive.runThread(directory, state) }
  }

  /// Whether the previews are loaded and not taken yet.
  public var hasLoaded: Bool { state.withLock { $0.loaded != nil } }

  /// Calls a closure once the previews are loaded: on another thread, or immediately if they are loaded already.
  public func notifyWhenLoaded(_ body: @escaping @Sendable () -> Void) {
    let isLoaded = state.withLock { state in
      if !state.isLoaded { state.loadHandler = body }
      return state.isLoaded
    }
    if isLoaded { body() }
  }

  /// Waits until the previews are loaded, so that equal runs have them in equal frames.
  public func waitUntilLoaded() {
    state.wait { $0.isLoaded ? () : nil }
  }

  /// Waits until the previews are loaded, up to a time limit, so that a slow disk does not delay the first frame.
  ///
  /// - Returns: Whether they are loaded.
  @discardableResult
  public func waitUntilLoaded(atMost limit: Duration) -> Bool {
    state.wait(atMost: limit) { $0.isLoaded ? () : nil } != nil
  }

  /// Returns the loaded previews once; nil when called again.
  public func takeLoadedTable() -> PreviewTable? {
    state.withLock { state in
      defer { state.loaded = nil }
      return state.loaded
    }
  }

  /// Writes previews asynchronously.
  ///
  /// Each call is one write, so pass some dozen previews at a time.
  public func append(_ records: [PreviewRecord]) {
    guard !records.isEmpty else { return }
    state.withLock { state in
      if !state.isClosed { state.unwritten += records }
    }
    state.wakeAll()
  }

  /// Finishes pending writes and ends the thread.
  ///
  /// Has no effect when called again.
  ///
  /// A disk that hangs, or another program that locks the file, does not delay the end of the program beyond the given
  /// time.
  ///
  /// - Parameter time: The maximum time to wait. Default: half a second.
  public func close(within time: ShutdownBudget = ShutdownBudget()) {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
    let hasEnded = state.wait(atMost: time.remaining) { $0.hasEnded ? () : nil } != nil
    if hasEnded { thread.join() } else { thread.detach() }
  }

  deinit { close(within: ShutdownBudget(.zero)) }

  private static func runThread(_ directory: [UInt8], _ state: Lock<State>) {
    let store = try? PreviewStore(directory: directory)
    let table = store?.load() ?? PreviewTable()
    let loadHandler = state.withLock { state in
      state.loaded = table
      state.isLoaded = true
      defer { state.loadHandler = nil }
      return state.loadHandler
    }
    state.wakeAll()
    loadHandler?()
    while let records = nextBatch(state) {
      // A full disk may have space later; a lost preview is made again.
      try? store?.append(records)
    }
    store?.close()
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  /// Returns the next previews to write, or nil after the last.
  private static func nextBatch(_ state: Lock<State>) -> [PreviewRecord]? {
    state.wait { state -> [PreviewRecord]?? in
      guard state.unwritten.isEmpty else {
        defer { state.unwritten = [] }
        return .some(state.unwritten)
      }
      return state.isClosed ? .some(nil) : nil
    }
  }
}
