import VitrineImageMetadata

/// A reader that follows a walker on another thread and reads the headers of the photographs it found.
///
/// Files that the stored catalogue knows and that have not changed are not opened.
struct HeaderReader: ~Copyable {
  /// The number of photographs to read at a time.
  private static let batchSize = 64

  private let mailbox: SynchronizedScanMailbox
  private let batches: BatchPolicy
  /// The folder of the last photograph, which usually contains the next one too.
  private var openFolder = FileDescriptor(adopting: -1)
  private var openFolderPath: PhotoPath?
  private let isUpdate: Bool
  private var known: KnownHeaders?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - roots: The roots of the scan.
  ///   - isUpdate: Whether only folders that changed are listed.
  ///   - options: The options of the scan.
  ///   - mailbox: The mailbox of the scan.
  init(roots: [LibraryRoot], isUpdate: Bool, options: ScanOptions, mailbox: SynchronizedScanMailbox) {
    self.mailbox = mailbox
    self.isUpdate = isUpdate
    batches = options.batches
    known = options.catalogue.map { KnownHeaders($0, roots: roots) }
  }

  /// Reads until all photographs have been read, or until the mailbox is stopped.
  mutating func run() {
    while true {
      let photos = mailbox.waitForUnreadPhotos(atMost: HeaderReader.batchSize)
      if photos.isEmpty { break }
      var results: [HeaderResult] = []
      var batchPolicy = batches
      for photo in photos {
        if mailbox.isStopped { return }
        results.append(readHeader(of: photo))
        if batchPolicy.isDue(count: results.count, at: SystemCalls.monotonicNanoseconds()) {
          mailbox.post(.headers(results))
          results = []
          batchPolicy.reset()
        }
      }
      if !results.isEmpty { mailbox.post(.headers(results)) }
    }
    guard !mailbox.isStopped else { return }
    known?.finish(isComplete: !isUpdate, offline: mailbox.problemFolders)
  }

  private mutating func readHeader(of photo: FoundPhoto) -> HeaderResult {
    if let result = known?.result(for: photo) { return result }
    let result = readFile(of: photo)
    known?.record(result, for: photo)
    return result
  }

  private mutating func readFile(of photo: FoundPhoto) -> HeaderResult {
    if let failure = photo.failure { return HeaderResult(ordinal: photo.ordinal, identity: nil, failure: failure) }
    do {
      try openFolderIfNeeded(photo.folder)
      let name = photo.name.asCString
      return try HeaderReader.readHeader(photo.ordinal, of: try SystemCalls.openFile(named: name, in: openFolder))
    } catch {
      return HeaderResult(ordinal: photo.ordinal, identity: nil, failure: PhotoFailure(error))
    }
  }

  /// Reads the header of an open file, usually with a single read of 4 KiB.
  static func readHeader(_ ordinal: UInt32, of file: borrowing FileDescriptor) throws(FileError) -> HeaderResult {
    let status = try SystemCalls.status(of: file)
    let identity = status.identity
    // The status is that of the open file, which cannot be replaced, unlike the file at its path.
    guard status.type == .file else {
      return HeaderResult(ordinal: ordinal, identity: identity, failure: .notARegularFile)
    }
    guard identity.byteCount > 0 else {
      return HeaderResult(ordinal: ordinal, identity: identity, failure: .emptyFile)
    }
    var parser = ImageHeaderParser(fileBytes: Int(clamping: identity.byteCount))
    while case .needsBytes(let range) = parser.step {
      parser.supplyBytes(try SystemCalls.read(file, from: range.lowerBound, count: range.count))
    }
    guard case .finished(let header?) = parser.step else {
      return HeaderResult(ordinal: ordinal, identity: identity, failure: .notAPicture)
    }
    return HeaderResult(ordinal: ordinal, identity: identity, header: header)
  }

  /// Opens the folder of the next photograph, unless it is already open.
  private mutating func openFolderIfNeeded(_ path: PhotoPath) throws(FileError) {
    if openFolderPath == path { return }
    openFolderPath = nil
    openFolder = try SystemCalls.openFolder(path)
    openFolderPath = path
  }
}

/// A policy that decides when a batch is large or old enough to be delivered.
///
/// The first batch is small, so that the first frame waits for one screen of photographs and not for a thousand.
package struct BatchPolicy: Hashable, Sendable {
  /// Batches of equal size, for ``FolderScan/takeBatch(count:)``: nothing depends on timing.
  package static let bySize = BatchPolicy(isTimed: false)
  /// Batches that are also delivered after a time, so that a slow disk does not keep a window empty.
  package static let bySizeAndAge = BatchPolicy(isTimed: true)

  /// The number of photographs in the first batch: about one screen.
  static let firstSize = 64
  /// The number of photographs in later batches.
  static let laterSize = 1000
  /// The maximum age of a batch in nanoseconds, if batches are timed.
  static let maximumAge: UInt64 = 50_000_000

  /// Whether the age of a batch counts.
  private let isTimed: Bool
  private var isFirst = true
  private var startTime: UInt64?

  private init(isTimed: Bool) { self.isTimed = isTimed }

  /// Returns whether a batch of the given size is due at the given time.
  ///
  /// - Parameters:
  ///   - count: The size.
  ///   - now: The time in nanoseconds, read only if the age of a batch counts.
  mutating func isDue(count: Int, at now: @autoclosure () -> UInt64) -> Bool {
    guard count > 0 else { return false }
    if count >= (isFirst ? BatchPolicy.firstSize : BatchPolicy.laterSize) { return true }
    guard isTimed else { return false }
    let now = now()
    let start = startTime ?? now
    startTime = start
    return now - start >= BatchPolicy.maximumAge
  }

  /// Records that the batch was delivered.
  mutating func reset() {
    isFirst = false
    startTime = nil
  }
}
