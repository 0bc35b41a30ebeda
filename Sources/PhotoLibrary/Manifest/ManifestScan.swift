package import VitrineRemoteImages
package import VitrineThreads

/// A scan that reads lists of pictures one after the other on its own thread.
///
/// Each location yields all its pictures or a problem. A problem does not prevent the other locations from being read.
package final class ManifestScan: Sendable {
  private struct Batch: Sendable {
    var items: ArraySlice<ManifestItem>
    let list: Int
    let isFromPublicServer: Bool
  }

  private struct State: Sendable {
    var batches: [Batch] = []
    var problems: [String] = []
    var found = 0
    /// Whether all locations have been read.
    var hasReadAll = false
    var isCancelled = false
    /// Whether the last event has been taken.
    var isFinished = false
  }

  private let locations: [ManifestLocation]
  private let transfers: RemoteTransfers
  private let wake: @Sendable () -> Void
  private let state = Lock(State())

  /// Creates a scan without starting it.
  ///
  /// - Parameters:
  ///   - locations: The locations of the lists.
  ///   - transfers: The transfers that download lists from the web.
  ///   - wake: A closure that is called on the scan's thread when events are available.
  package init(locations: [ManifestLocation], transfers: RemoteTransfers, wake: @escaping @Sendable () -> Void) {
    self.locations = locations
    self.transfers = transfers
    self.wake = wake
  }

  /// Starts the scan.
  ///
  /// Call it only once.
  ///
  /// - Throws: `ThreadError` if the system cannot create a thread.
  package func start() throws(ThreadError) {
    try WorkerThread(name: "lists") { [self] in
      for (number, location) in locations.enumerated() where !state.withLock(\.isCancelled) {
        readManifest(location, number)
      }
      state.withLock { $0.hasReadAll = true }
      state.wakeAll()
      wake()
    }.detach()
  }

  /// Whether events are available.
  package var hasEvents: Bool {
    state.withLock { !$0.isFinished && (!$0.batches.isEmpty || $0.hasReadAll || $0.isCancelled) }
  }

  /// The problems, one line per location or kind of flaw.
  package var problems: [String] { state.withLock(\.problems) }

  /// Takes the next events.
  ///
  /// The last event is delivered once.
  ///
  /// - Parameters:
  ///   - count: The maximum number of pictures.
  ///   - waitsUntilRead: Whether to wait until all locations have been read, so that equal runs get equal batches.
  package func takeEvents(atMost count: Int, waitsUntilRead: Bool) -> [LibraryEvent] {
    if waitsUntilRead { state.wait { $0.hasReadAll || $0.isCancelled ? () : nil } }
    return state.withLock { state in
      guard !state.isFinished else { return [] }
      var events: [LibraryEvent] = []
      var remaining = count
      while remaining > 0, !state.isCancelled, let batch = state.batches.first {
        let items = batch.items.prefix(remaining)
        events.append(.entries(Array(items), list: batch.list, isFromPublicServer: batch.isFromPublicServer))
        state.found += items.count
        remaining -= items.count
        state.batches[0].items = batch.items.dropFirst(items.count)
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

  /// Cancels the scan.
  ///
  /// Events that have not been taken are dropped, and the result of the current read is ignored.
  package func cancel() {
    state.withLock { $0.isCancelled = true }
    state.wakeAll()
    wake()
  }

  private func readManifest(_ location: ManifestLocation, _ list: Int) {
    do {
      switch location {
      case .file(let path):
        let bytes = try AtomicFile.read(path, atMost: ManifestReader.maximumBytes)
        addManifest(try ManifestReader.read(bytes), of: location, list, isFromPublicServer: false)
      case .web(let url):
        let content = try transfers.fetchSynchronously(RemoteRequest(url, kind: .manifest))
        let bytes = try content.bytes(atMost: ManifestReader.maximumBytes)
        let manifest = try ManifestReader.read(
          bytes, base: url, isFromPublicServer: content.isFromPublicServer)
        addManifest(manifest, of: location, list, isFromPublicServer: content.isFromPublicServer)
      }
    } catch RemoteFailure.unexpected(.picture, _) {
      guard case .web(let url) = location else { return }
      let manifest = Manifest(picture: url)
      state.withLock { $0.batches.append(Batch(items: manifest.items[...], list: list, isFromPublicServer: false)) }
      wake()
    } catch {
      state.withLock { $0.problems.append("\(location): \(error)") }
      wake()
    }
  }

  private func addManifest(_ manifest: Manifest, of location: ManifestLocation, _ list: Int, isFromPublicServer: Bool) {
    state.withLock { state in
      if !manifest.items.isEmpty {
        state.batches.append(Batch(items: manifest.items[...], list: list, isFromPublicServer: isFromPublicServer))
      }
      if let text = manifest.flawSummary { state.problems.append("\(location): \(text)") }
    }
    wake()
  }
}

/// The location of a list of pictures, or of one picture on the web.
package enum ManifestLocation: Hashable, Sendable, CustomStringConvertible {
  /// A web address. The response determines whether it is a list or a picture.
  case web(RemoteURL)
  /// A list in a local file.
  case file(PhotoPath)

  /// Parses a location from user input: an address that starts with `http://` or `https://`, or a path that ends in
  /// `.json`.
  ///
  /// - Returns: The location, or nil if the input is neither; then it is the path of a folder or a picture.
  /// - Throws: ``ManifestLocationError`` for an invalid address with one of these prefixes.
  package static func parse(_ bytes: [UInt8]) throws(ManifestLocationError) -> ManifestLocation? {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") {
      guard let url = RemoteURL(text), text.utf8.elementsEqual(bytes) else {
        throw ManifestLocationError(input: bytes, isLibraryInstalled: RemoteURL.isAvailable)
      }
      return .web(url)
    }
    let path = PhotoPath(bytes)
    guard path.lastComponent.count > 5,
      String(decoding: path.lastComponent.suffix(5), as: UTF8.self).lowercased() == ".json",
      (try? SystemCalls.status(of: path).type) == .file
    else { return nil }
    return .file(path)
  }

  /// The location for display, without user name, password and query.
  package var description: String {
    switch self {
    case .web(let url): url.description
    case .file(let path): path.printable
    }
  }

  /// The title of a window that shows only this location.
  package var title: String {
    switch self {
    case .web(let url): url.description.split(separator: "/").dropFirst().joined(separator: "/")
    case .file(let path): path.absolute.label
    }
  }
}

/// An error that is thrown for an invalid web address.
package struct ManifestLocationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address as the user entered it.
  package let input: [UInt8]
  /// Whether libcurl is installed, without which no address can be opened.
  private(set) var isLibraryInstalled = true

  /// A line with the address and the expected format, or what to install.
  package var description: String {
    PhotoPath.printable(input)
      + (isLibraryInstalled
        ? ": no address of the web; give one such as https://example.org/pictures.json"
        : ": libcurl, which opens addresses of the web, is not installed or too old (Debian: libcurl4)")
  }
}
