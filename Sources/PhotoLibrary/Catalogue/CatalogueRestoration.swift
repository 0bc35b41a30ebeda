package import VitrineThreads

/// The reading of a library's stored catalogue, on a thread of its own.
///
/// The result is the library as an earlier run knew it, in the order of a scan. What has changed since is found by a scan
/// that follows. The first photographs are available before the others have been read.
package final class CatalogueRestoration: Sendable {
  /// What has been read.
  package enum Result: Sendable {
    /// The first photographs of the library.
    case part(PhotoCatalogue)
    /// All photographs, in which those of the part have the same identifiers; nil if nothing is known about the library.
    case whole(PhotoCatalogue?)
  }

  private struct State {
    var result: Result?
    var hasEnded = false
    var isCancelled = false
  }

  /// The number of photographs in a part: more than a window shows.
  static let partSize = 2_000

  private let state: Lock<State>

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - store: The stored catalogue.
  ///   - roots: The roots of the library; only folders are restored.
  ///   - picture: A picture of the library that is known already, which becomes the first photograph, or nil.
  ///   - datesByFile: Whether the modification date of a file is used as its capture date if the file has none.
  ///   - wake: A closure that is called on the thread when there is a result.
  /// - Throws: `ThreadError` if the system has no thread available.
  package init(
    _ store: CatalogueStore, roots: [LibraryRoot], picture: OpenedPicture? = nil, datesByFile: Bool = true,
    wake: @escaping @Sendable () -> Void = {}
  ) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    let thread = try WorkerThread(name: "vitrine-restore") {
      let catalogue = CatalogueRestoration.restore(store, roots, picture, datesByFile) { part in
        state.withLock { $0.result = .part(part) }
        wake()
      } shouldContinue: {
        state.withLock { !$0.isCancelled }
      }
      state.withLock { state in
        state.result = .whole(catalogue.count > (picture == nil ? 0 : 1) ? catalogue : nil)
        state.hasEnded = true
      }
      state.wakeAll()
      wake()
    }
    // It accesses memory and the store only, which it keeps.
    thread.detach()
  }

  deinit { cancel() }

  /// Whether ``takeResult()`` has a result.
  package var hasResult: Bool { state.withLock { $0.result != nil } }

  /// Takes what has been read: at most once a part, and once the whole; nil while there is neither.
  package func takeResult() -> Result? {
    state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }

  /// Waits until the reading has ended.
  package func waitUntilEnded() { state.wait { $0.hasEnded ? () : nil } }

  /// Ends the reading soon; what was read is dropped.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  private static func restore(
    _ store: CatalogueStore, _ roots: [LibraryRoot], _ picture: OpenedPicture?, _ datesByFile: Bool,
    _ publish: (PhotoCatalogue) -> Void, shouldContinue: () -> Bool
  ) -> PhotoCatalogue {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    if let picture { catalogue.insert(picture) }
    var hasPublished = false
    for root in roots where root.kind == .folder {
      guard let absolute = root.path.stored else { continue }
      let isRelative = !root.path.isAbsolute
      store.forEachFolder(within: absolute) { folder, entries in
        var folder = folder
        // Paths of a scan begin with the root as the user entered it.
        if isRelative {
          let rest = folder.bytes.dropFirst(absolute.bytes.count).drop { $0 == PhotoPath.slash }
          folder = rest.isEmpty ? root.path : root.path.appending(rest)
        }
        catalogue.restore(folder, entries)
        if !hasPublished, catalogue.count >= partSize {
          hasPublished = true
          publish(catalogue)
        }
        return shouldContinue()
      }
    }
    return shouldContinue() ? catalogue : PhotoCatalogue()
  }
}
