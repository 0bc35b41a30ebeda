import Glibc
package import VitrineFileReading
import VitrineImagePipeline
import VitrineReadingProtocol
package import VitrineRemoteImages
package import VitrineThreads

/// A scan that reads lists of pictures one after the other on its own thread.
///
/// Each location yields all its pictures, or those before a problem and ``LibraryEvent/unread(list:)``. A problem does
/// not prevent the other locations from being read.
package final class ManifestScan: Sendable {
  private struct Batch: Sendable {
    var items: ArraySlice<ManifestItem>
    let list: Int
    let isFromPublicServer: Bool
  }

  private struct State: Sendable {
    var batches: [Batch] = []
    var problems: [String] = []
    /// The lists that could not be read to their end.
    var unreadLists: [Int] = []
    var found = 0
    /// Whether all locations have been read.
    var hasReadAll = false
    var isCancelled = false
    /// Whether the last event has been taken.
    var isFinished = false
    /// The number of pictures in the batches.
    var waitingCount = 0
    /// Whether events are taken only after everything has been read, so that any number of pictures may wait.
    var waitsUntilRead = false
  }

  private let locations: [ManifestLocation]
  /// The number of pictures that may wait to be taken, so that a long list is not in memory twice.
  private static let maximumWaiting = 20_000

  private let transfers: RemoteTransfers
  private let reader: FileReader
  private let wake: @Sendable () -> Void
  private let state = Lock(State())

  /// Creates a scan without starting it.
  ///
  /// - Parameters:
  ///   - locations: The locations of the lists.
  ///   - transfers: The transfers that download lists from the web.
  ///   - reader: The reader of the lists. Default: one of its own.
  ///   - wake: A closure that is called on the scan's thread when events are available.
  package init(
    locations: [ManifestLocation], transfers: RemoteTransfers, reader: FileReader = FileReader(),
    wake: @escaping @Sendable () -> Void
  ) {
    self.locations = locations
    self.transfers = transfers
    self.reader = reader
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
    if waitsUntilRead {
      state.withLock { $0.waitsUntilRead = true }
      state.wakeAll()
      state.wait { $0.hasReadAll || $0.isCancelled ? () : nil }
    }
    defer { state.wakeAll() }
    return state.withLock { state in
      guard !state.isFinished else { return [] }
      var events: [LibraryEvent] = []
      var remaining = count
      while remaining > 0, !state.isCancelled, let batch = state.batches.first {
        let items = batch.items.prefix(remaining)
        events.append(.entries(Array(items), list: batch.list, isFromPublicServer: batch.isFromPublicServer))
        state.found += items.count
        state.waitingCount -= items.count
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
      return events + state.unreadLists.map { .unread(list: $0) } + [.finished(summary)]
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
        let file = try SystemCalls.openFile(path)
        let status = try SystemCalls.status(of: file)
        guard status.type == .file else { throw FileError(.read, code: EINVAL) }
        try readList(file.number, status.identity.byteCount, of: location, list, ManifestReader())
      case .web(let url):
        let content = try transfers.fetchSynchronously(RemoteRequest(url, kind: .manifest))
        let file = try content.open()
        let manifest = ManifestReader(base: url, isFromPublicServer: content.isFromPublicServer)
        try readList(
          file.number, Int64(content.byteCount), of: location, list, manifest,
          isFromPublicServer: content.isFromPublicServer)
      }
    } catch RemoteFailure.unexpected(.picture, _) {
      guard case .web(let url) = location else { return }
      addBatch(Batch(items: Manifest(picture: url).items[...], list: list, isFromPublicServer: false))
    } catch {
      state.withLock { state in
        state.problems.append("\(location): \(error)")
        state.unreadLists.append(list)
      }
      wake()
    }
  }

  /// Has a list read, and adds its pictures as they are found.
  private func readList(
    _ file: Int32, _ byteCount: Int64, of location: ManifestLocation, _ list: Int, _ manifest: ManifestReader,
    isFromPublicServer: Bool = false
  ) throws {
    guard byteCount <= Int64(ManifestReader.maximumBytes) else {
      throw ManifestError.tooLarge(limit: ManifestReader.maximumBytes)
    }
    var manifest = manifest
    do {
      let end = try reader.readList(
        file, byteCount: byteCount, shouldContinue: { !state.withLock(\.isCancelled) },
        onBatch: { batch in
          let items = manifest.pictures(of: batch)
          if !items.isEmpty { addBatch(Batch(items: items[...], list: list, isFromPublicServer: isFromPublicServer)) }
        })
      let flaws = try manifest.finish(end)
      if let text = Manifest(items: [], flaws: flaws).flawSummary {
        state.withLock { $0.problems.append("\(location): \(text)") }
        wake()
      }
    } catch FileReadingError.cancelled {
      return
    }
  }

  /// Adds pictures, and waits while many are waiting to be taken.
  private func addBatch(_ batch: Batch) {
    state.withLock { state in
      state.batches.append(batch)
      state.waitingCount += batch.items.count
    }
    wake()
    state.wait { state in
      state.waitingCount < ManifestScan.maximumWaiting || state.waitsUntilRead || state.isCancelled ? () : nil
    }
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
