public import Threads

/// The reading of a library's stored catalogue, on a thread of its own.
///
/// The result is the library as an earlier run knew it, in the order of a scan. What has changed since is found by a scan
/// that follows.
public final class CatalogueRestoration: Sendable {
  private struct State {
    var result: PhotoCatalogue?
    var hasEnded = false
    var isCancelled = false
  }

  private let state: Lock<State>

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - store: The stored catalogue.
  ///   - roots: The roots of the library; only folders are restored.
  ///   - datesByFile: Whether the modification date of a file is used as its capture date if the file has none.
  ///   - wake: A closure that is called on the thread at the end.
  /// - Throws: `ThreadError` if the system has no thread available.
  public init(
    _ store: CatalogueStore, roots: [LibraryRoot], datesByFile: Bool = true,
    wake: @escaping @Sendable () -> Void = {}
  ) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    let thread = try WorkerThread(name: "vitrine-restore") {
      let catalogue = CatalogueRestoration.restore(store, roots, datesByFile) { state.withLock { !$0.isCancelled } }
      state.withLock { state in
        state.result = catalogue.count > 0 ? catalogue : nil
        state.hasEnded = true
      }
      state.wakeAll()
      wake()
    }
    // It accesses memory and the store only, which it keeps.
    thread.detach()
  }

  deinit { cancel() }

  /// Whether the reading has ended.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Takes the library, once; nil while it is read, or if nothing is known about it.
  public func takeResult() -> PhotoCatalogue? {
    state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }

  /// Waits until the reading has ended.
  public func waitUntilEnded() { state.wait { $0.hasEnded ? () : nil } }

  /// Ends the reading soon; what was read is dropped.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  private static func restore(
    _ store: CatalogueStore, _ roots: [LibraryRoot], _ datesByFile: Bool, _ shouldContinue: () -> Bool
  ) -> PhotoCatalogue {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    for root in roots where root.kind == .folder {
      guard let absolute = root.path.stored else { continue }
      let isRelative = !root.path.isAbsolute
      store.forEachFolder(within: absolute) { record in
        var record = record
        // Paths of a scan begin with the root as the user entered it.
        if isRelative {
          let rest = record.folder.bytes.dropFirst(absolute.bytes.count).drop { $0 == PhotoPath.slash }
          record.folder = rest.isEmpty ? root.path : root.path.appending(rest)
        }
        catalogue.restore(record)
        return shouldContinue()
      }
    }
    return shouldContinue() ? catalogue : PhotoCatalogue()
  }
}
