import VitrineFileReading
import VitrineFramePacing
import VitrineImagePipeline
import VitrineRendering
import VitrineThreads

/// The thumbnails on disk, which workers read, and which a thread owned by the store writes.
///
/// Compressed thumbnails are written soon after they are made. The pixels of shown thumbnails wait until no more are
/// shown for a while, so that the last screens are written and not all that passed. After a write error no more
/// thumbnails are written, ``status`` describes the error, and existing ones can still be read. If a file cannot be
/// opened, its thumbnails are neither read nor written: images are then decoded from their files.
final class ThumbnailStore: Sendable {
  private struct Files: Sendable {
    let pixels: PixelThumbnails?
    let compressed: CompressedThumbnails?
  }

  private struct State {
    var files: Files?
    /// Whether opening the files has succeeded or failed.
    var hasFinishedOpening = false
    /// Whether a worker's wait for the files has timed out; later calls do not wait.
    var didOpenTimeOut = false
    var shown = ShownThumbnails(byteLimit: ThumbnailStore.maximumShownBytes)
    var compressed: [(version: ImageFile.Version, thumbnail: CompressedThumbnail)] = []
    /// The files whose compressed thumbnails are to be removed.
    var obsolete: [ImageFile.Version] = []
    /// The description of the first error of opening a file, or nil.
    var openingFault: String?
    /// The description of the last error of writing, or nil if nothing failed since.
    var fault: String?
    /// The time of that fault.
    var faultTime = ContinuousClock.now
    /// Whether thumbnails are to be written: not for a while after a fault, which may be over then.
    var isWriting: Bool { fault == nil || ContinuousClock.now - faultTime >= ThumbnailStore.faultPause }
    /// The numbers and sizes after the last write.
    var status = StorageStatus()
    /// Whether the oldest pixels may be removed soon, and whether the oldest compressed thumbnails may be.
    var isNearlyFull = (pixels: false, compressed: false)
    var isClosing = false
    var hasEnded = false

    var hasWork: Bool { !shown.isEmpty || !compressed.isEmpty || !obsolete.isEmpty }
  }

  /// The maximum size of the pixels that wait to be written, in bytes: some screens.
  private static let maximumShownBytes = 48 << 20
  /// The size of the pixels written at a time, in bytes.
  private static let batchBytes = 8 << 20
  /// The number of compressed thumbnails that are written at a time, about a megabyte.
  private static let compressedBatch = 96
  /// The time after an error of writing in which nothing is written.
  private static let faultPause = Duration.seconds(30)
  /// The time without new thumbnails after which the waiting ones are written.
  private static let restTime = Duration.seconds(1)
  /// The maximum time that the first worker waits until the files are open, longer than a disk usually takes.
  private static let openTimeout = Duration.milliseconds(250)

  private let state: Lock<State>
  private let thread: WorkerThread
  private let fixes: SecurityFixes
  /// The thumbnails that programs share by the freedesktop.org specification; nil if the configuration excludes them.
  let sharedThumbnails: SharedThumbnails?

  /// Creates a store and starts to open its files on its thread.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - pixels: The layout of thumbnails in memory.
  ///   - reader: The reader of files of other programs. Default: one of its own.
  /// - Throws: `ThreadError` if the system has no thread available. If a file cannot be opened, ``status`` says so.
  init(
    _ configuration: StorageConfiguration, pixels: PixelStorage = PixelStorage(), reader: FileReader = FileReader()
  ) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    let fixes = configuration.securityFixes
    self.fixes = fixes
    sharedThumbnails = configuration.sharedThumbnails.flatMap { SharedThumbnails($0, fixes: fixes, reader: reader) }
    // Normal priority, because it briefly holds locks that workers wait for.
    thread = try WorkerThread(name: "thumbnails") { ThumbnailStore.runWriter(state, configuration, pixels) }
  }

  // MARK: - Access by the workers

  /// Returns the pixels of a thumbnail, or nil if there are none.
  ///
  /// Waits until the files are open, 250 ms at most.
  func pixels(for key: FileFingerprint) -> StoredThumbnail? {
    guard let pixels = waitForFiles()?.pixels else { return nil }
    switch pixels.find(key) {
    case .found(let found):
      // It would be removed although it is in use.
      if state.withLock({ $0.isNearlyFull.pixels }), !pixels.isRecent(key) { enqueue(found, for: key) }
      return found
    case .rejected:
      recordRejection()
      return nil
    case .missing: return nil
    }
  }

  /// Writes the pixels of a thumbnail later.
  ///
  /// Has no effect for transparent and large images, and for those whose origin would not be accepted later.
  func insertPixels(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    guard let pixels = waitForFiles()?.pixels, pixels.canStore(thumbnail.bitmap), fixes.accepts(thumbnail.origin)
    else { return }
    enqueue(thumbnail, for: key)
  }

  /// Returns the compressed thumbnail of a file, or nil if there is none.
  ///
  /// One of another version is removed, so that it is made again. One whose origin is not accepted is replaced.
  func compressedThumbnail(of version: ImageFile.Version) -> CompressedThumbnail? {
    switch waitForFiles()?.compressed?.find(version) {
    case .found(let thumbnail): return thumbnail
    case .outdated:
      removeCompressedThumbnail(of: version)
      return nil
    case .rejected:
      recordRejection()
      return nil
    case .missing, nil: return nil
    }
  }

  /// Returns the compressed thumbnail of a file whose metadata may have changed since, or nil if there is none.
  func compressedThumbnail(for key: FileFingerprint) -> CompressedThumbnail? {
    waitForFiles()?.compressed?.thumbnail(for: key)
  }

  /// Whether another compressed thumbnail would soon replace the oldest ones.
  var isNearlyFull: Bool { state.withLock { $0.isNearlyFull.compressed } }

  /// Returns whether a file has a compressed thumbnail, without reading it.
  func presenceOfCompressedThumbnail(for key: FileFingerprint) -> CompressedThumbnails.Presence {
    waitForFiles()?.compressed?.presence(of: key) ?? .missing
  }

  /// Writes a compressed thumbnail soon.
  ///
  /// Has no effect if its origin would not be accepted later.
  ///
  /// - Returns: False if nothing can be written any more.
  func insert(_ thumbnail: CompressedThumbnail, of version: ImageFile.Version) -> Bool {
    guard waitForFiles()?.compressed?.isWritable == true else { return false }
    guard fixes.accepts(thumbnail.origin) else { return true }
    let isAccepted = state.withLock { state in
      guard state.isWriting, !state.isClosing else { return false }
      state.compressed.append((version, thumbnail))
      return true
    }
    if isAccepted { state.wakeAll() }
    return isAccepted
  }

  /// Removes a compressed thumbnail that cannot be used.
  func removeCompressedThumbnail(of version: ImageFile.Version) {
    state.withLock { $0.obsolete.append(version) }
    state.wakeAll()
  }

  private func recordRejection() { state.withLock { $0.status.rejected += 1 } }

  private func enqueue(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    state.withLock { state in
      guard state.isWriting, !state.isClosing else { return }
      state.shown.insert(thumbnail, for: key)
    }
    state.wakeAll()
  }

  /// Waits until the files are open and returns them, or nil if opening failed or takes too long.
  private func waitForFiles() -> Files? {
    let files = state.wait(atMost: ThumbnailStore.openTimeout) { state -> Files?? in
      state.hasFinishedOpening || state.didOpenTimeOut ? .some(state.files) : nil
    }
    guard let files else {
      state.withLock { $0.didOpenTimeOut = true }
      return nil
    }
    return files
  }

  // MARK: - Status and shutdown

  /// The number and size of the stored thumbnails, what was written, and the first error.
  var status: StorageStatus {
    state.withLock { state in
      var status = state.status
      status.fault = state.openingFault ?? state.fault
      return status
    }
  }

  /// Writes what waits within a time limit and ends the thread.
  ///
  /// After the limit the thumbnails that still wait are dropped, and the thread is detached; the batch that it is
  /// writing may be completed. A second call may wait again for such a thread.
  func close(within limit: Duration) {
    state.withLock { $0.isClosing = true }
    state.wakeAll()
    let hasEnded = state.wait(atMost: limit) { state -> Void? in state.hasEnded ? () : nil } != nil
    if hasEnded {
      thread.join()
    } else {
      state.withLock { state in
        state.status.dropped += state.shown.count + state.compressed.count
        state.shown.removeAll()
        state.compressed = []
      }
      thread.detach()
    }
  }

  deinit { close(within: .zero) }

  // MARK: - Writer thread

  private struct WriterTask: Sendable {
    var shown: [ShownThumbnails.Item] = []
    var compressed: [(version: ImageFile.Version, thumbnail: CompressedThumbnail)] = []
    var obsolete: [ImageFile.Version] = []
  }

  private static func runWriter(_ state: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage) {
    let files = openFiles(state, configuration, pixels)
    while let task = nextTask(state) {
      do throws(StorageError) {
        if !task.obsolete.isEmpty { try files.compressed?.remove(task.obsolete) }
        if !task.compressed.isEmpty { try files.compressed?.insert(task.compressed) }
        if !task.shown.isEmpty { try files.pixels?.insert(task.shown.map { ($0.key, $0.thumbnail) }) }
        let written = task.compressed.count + task.shown.count
        state.withLock { state in
          state.status.written += written
          state.fault = nil
        }
      } catch {
        let dropped = task.compressed.count + task.shown.count
        state.withLock { state in
          state.status.dropped += dropped
          // Another instance that writes for long is no fault.
          guard !error.isTransient else { return }
          state.fault = StorageFault.text(for: error, in: configuration.directory)
          state.faultTime = .now
        }
      }
      updateStatus(state, files)
    }
    files.pixels?.close()
    files.compressed?.close()
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  /// Waits until thumbnails are to be written; nil once all are written and the store is closed.
  private static func nextTask(_ state: Lock<State>) -> WriterTask? {
    state.wait { $0.hasWork || $0.isClosing ? () : nil }
    while true {
      // Thumbnails that arrive in the meantime start the time again, except compressed ones.
      let count = state.withLock { $0.shown.insertionCount }
      _ = state.wait(atMost: restTime) { state in
        state.isClosing || state.compressed.count >= compressedBatch ? () : nil
      }
      let task = state.withLock { state -> WriterTask in
        var task = WriterTask(compressed: state.compressed, obsolete: state.obsolete)
        state.compressed = []
        state.obsolete = []
        if state.isClosing || state.shown.insertionCount == count {
          task.shown = state.shown.takeItems(atMost: batchBytes)
        }
        return task
      }
      if !task.shown.isEmpty || !task.compressed.isEmpty || !task.obsolete.isEmpty { return task }
      if state.withLock({ $0.isClosing && !$0.hasWork }) { return nil }
    }
  }

  private static func openFiles(
    _ state: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage
  ) -> Files {
    let (directory, fault) = (configuration.directory, Lock<String?>(nil))
    func open<Result>(_ body: () throws(StorageError) -> Result) -> Result? {
      do throws(StorageError) {
        return try body()
      } catch {
        let text = StorageFault.text(for: error, in: directory)
        fault.withLock { $0 = $0 ?? text }
        return nil
      }
    }
    let files = Files(
      pixels: open { () throws(StorageError) in
        try PixelThumbnails(
          in: directory, byteLimit: configuration.pixelBytes, pixels: pixels, fixes: configuration.securityFixes)
      },
      compressed: open { () throws(StorageError) in
        try CompressedThumbnails(
          in: directory, byteLimit: configuration.thumbnailBytes, fixes: configuration.securityFixes)
      })
    state.withLock { state in
      state.files = files
      state.openingFault = fault.withLock { $0 }
      state.hasFinishedOpening = true
    }
    state.wakeAll()
    updateStatus(state, files)
    FormerCache.remove(from: directory)
    return files
  }

  private static func updateStatus(_ state: Lock<State>, _ files: Files) {
    let count = (files.pixels?.count ?? 0) + (files.compressed?.count ?? 0)
    let pixelBytes = files.pixels?.byteCount ?? 0
    let compressedBytes = files.compressed?.byteCount ?? 0
    state.withLock { state in
      (state.status.count, state.status.byteCount) = (count, pixelBytes + compressedBytes)
      state.isNearlyFull.pixels = pixelBytes > (files.pixels?.byteLimit ?? 0) / 2
      state.isNearlyFull.compressed = compressedBytes > (files.compressed?.byteLimit ?? 0) / 16 * 15
    }
  }
}

// MARK: - Shown thumbnails

/// The thumbnails shown last, limited in bytes: the oldest are removed.
struct ShownThumbnails: Sendable {
  /// A thumbnail, and the fingerprint of its source file.
  struct Item: Sendable {
    var key: FileFingerprint
    var thumbnail: StoredThumbnail
  }

  /// The maximum size of the pixels, in bytes.
  let byteLimit: Int
  /// The number of insertions so far.
  private(set) var insertionCount = 0
  private var items: [Item] = []
  private var byteCount = 0

  /// Creates an empty list.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Whether there are none.
  var isEmpty: Bool { items.isEmpty }
  /// The number of thumbnails.
  var count: Int { items.count }

  /// Inserts a thumbnail as the newest one.
  mutating func insert(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    insertionCount += 1
    items.append(Item(key: key, thumbnail: thumbnail))
    byteCount += thumbnail.bitmap.byteCount
    var removed = 0
    while byteCount > byteLimit, removed < items.count {
      byteCount -= items[removed].thumbnail.bitmap.byteCount
      removed += 1
    }
    items.removeFirst(removed)
  }

  /// Removes and returns the oldest thumbnails with at most the given bytes of pixels, but at least one if there are
  /// any.
  mutating func takeItems(atMost bytes: Int) -> [Item] {
    var taken = 0
    var count = 0
    while count < items.count, count == 0 || taken + items[count].thumbnail.bitmap.byteCount <= bytes {
      taken += items[count].thumbnail.bitmap.byteCount
      count += 1
    }
    defer { items.removeFirst(count) }
    byteCount -= taken
    return Array(items[..<count])
  }

  /// Removes all thumbnails.
  mutating func removeAll() {
    items = []
    byteCount = 0
  }
}

// MARK: - Former files

/// The files in which earlier versions of the program stored thumbnails and previews.
enum FormerCache {
  /// Removes the files from the cache folder.
  static func remove(from directory: [UInt8]) {
    guard let folder = try? StorageFolder(existing: directory) else { return }
    for name in ["previews-1.log", "previews-1.log.new", "previews-1.log.unreadable"] { folder.remove(name) }
    let name = "thumbnails-1"
    guard folder.inode(of: Array(name.utf8)) != nil, let thumbnails = try? folder.openSubfolder(name) else { return }
    for name in (try? thumbnails.names()) ?? [] {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      // A segment's number, and what it contains.
      if parts.count > 1, UInt32(parts[0]) != nil, ["pixels", "list"].contains(parts[1]) { thumbnails.remove(name) }
    }
    folder.removeFolder(name)
  }
}
