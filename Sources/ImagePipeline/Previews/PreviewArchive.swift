public import Threads

/// Reads and writes the previews that are kept on disk, on a thread of its own: nobody else waits for the disk.
///
/// Where there is nothing to be had, or nothing to write to, previews last as long as the program runs.
public final class PreviewArchive: Sendable {
  private struct State {
    /// What was on disk, until it is taken.
    var loaded: PreviewTable?
    var isLoaded = false
    var loadHandler: (@Sendable () -> Void)?
    var unwritten: [PreviewRecord] = []
    var isClosed = false
    var hasEnded = false
  }

  private let state: Lock<State>
  private let thread: WorkerThread

  /// Begins to read.
  ///
  /// - Parameter directory: the bytes of our cache folder's path; it is made where it is missing.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  public init(directory: [UInt8]) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    thread = try WorkerThread(name: "previews") { PreviewArchive.runThread(directory, state) }
  }

  /// Whether what was on disk is there and was not taken.
  public var hasLoaded: Bool { state.withLock { $0.loaded != nil } }

  /// Has a body called once what was on disk is there: from another thread, or at once where it is there already.
  public func notifyWhenLoaded(_ body: @escaping @Sendable () -> Void) {
    let isLoaded = state.withLock { state in
      if !state.isLoaded { state.loadHandler = body }
      return state.isLoaded
    }
    if isLoaded { body() }
  }

  /// Waits until what was on disk is there, so that equal runs have it in equal frames.
  public func waitUntilLoaded() {
    state.wait { $0.isLoaded ? () : nil }
  }

  /// Waits until what was on disk is there, but no longer than a time: a slow disk is not to hold up a first frame.
  ///
  /// - Returns: whether it is there.
  @discardableResult
  public func waitUntilLoaded(atMost limit: Duration) -> Bool {
    state.wait(atMost: limit) { $0.isLoaded ? () : nil } != nil
  }

  /// Takes what was on disk, once.
  public func takeLoadedTable() -> PreviewTable? {
    state.withLock { state in
      defer { state.loaded = nil }
      return state.loaded
    }
  }

  /// Has previews written, soon.
  ///
  /// Best some dozen at a time: each time is one write.
  public func append(_ records: [PreviewRecord]) {
    guard !records.isEmpty else { return }
    state.withLock { state in
      if !state.isClosed { state.unwritten += records }
    }
    state.wakeAll()
  }

  /// Writes what is left and ends the thread; nothing is taken afterwards, and again is no error.
  ///
  /// A disk that hangs, or another program that holds the file, is not to hold up leaving.
  ///
  /// - Parameter time: how long it waits, half a second unless told.
  public func close(within time: ShutdownBudget = ShutdownBudget()) {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
    let hasEnded = state.wait(atMost: time.remaining) { $0.hasEnded ? () : nil } != nil
    if hasEnded { thread.join() } else { thread.detach() }
  }

  deinit { close(within: ShutdownBudget(.zero)) }

  private static func runThread(_ directory: [UInt8], _ state: Lock<State>) {
    let log = try? PreviewLog.open(directory: directory)
    let table = (try? log?.load()) ?? PreviewTable()
    let tell = state.withLock { state in
      state.loaded = table
      state.isLoaded = true
      defer { state.loadHandler = nil }
      return state.loadHandler
    }
    state.wakeAll()
    tell?()
    while let records = nextBatch(state) {
      // Where the disk is full now it may not be later; a preview that is lost is made again.
      try? log?.append(records)
    }
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  /// The previews to be written next; nothing once all were.
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
