import VitrineImagePipeline
import VitrineFileReading
import VitrineImageMetadata
import VitrineReadingProtocol

/// A reader that follows a walker on another thread and has the headers of the photographs read that it found.
///
/// It opens the files; a confined process reads them (``FileReader``). Files that the stored catalogue knows and that have
/// not changed are not opened.
struct HeaderReader: ~Copyable {
  /// The number of photographs to read at a time.
  private static let batchSize = 64
  /// The number of files that are sent to the process before its first answer is awaited.
  private static let window = 16

  private let mailbox: SynchronizedScanMailbox
  private let batches: BatchPolicy
  /// The results that have not been delivered.
  private var results: [HeaderResult] = []
  private var batch: BatchPolicy
  private let reader: FileReader
  /// The folder of the last photograph, which usually contains the next one too.
  private var openFolder = FileDescriptor(adopting: -1)
  private var openFolderPath: PhotoPath?
  private let isUpdate: Bool
  private var known: KnownHeaders?
  private var hasToldOfReader = false

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
    batch = batches
    reader = options.reader
    known = options.catalogue.map { KnownHeaders($0, roots: roots) }
  }

  /// Reads until all photographs have been read, or until the mailbox is stopped.
  mutating func run() {
    while true {
      let photos = mailbox.waitForUnreadPhotos(atMost: HeaderReader.batchSize)
      if photos.isEmpty { break }
      batch = batches
      var rest = photos[...]
      while !rest.isEmpty {
        if mailbox.isStopped { return }
        readNext(&rest)
      }
      postResults()
    }
    guard !mailbox.isStopped else { return }
    known?.finish(isComplete: !isUpdate, offline: mailbox.problemFolders)
  }

  /// Delivers a result together with others, but on a slow disk soon.
  private mutating func deliver(_ result: HeaderResult) {
    results.append(result)
    if batch.isDue(count: results.count, at: SystemCalls.monotonicNanoseconds()) {
      postResults()
      batch.reset()
    }
  }

  private mutating func postResults() {
    guard !results.isEmpty else { return }
    mailbox.post(.headers(results))
    results = []
  }

  /// Reads the first of some photographs, and removes them: more than one if the process reads ahead.
  private mutating func readNext(_ photos: inout ArraySlice<FoundPhoto>) {
    guard let first = photos.first else { return }
    if let result = known?.result(for: first) {
      photos.removeFirst()
      return deliver(result)
    }
    // Until the next one that is known, whose result comes after these.
    var count = 1
    while count < min(HeaderReader.window, photos.count), isUnknown(photos[photos.startIndex + count], like: first) {
      count += 1
    }
    var group = photos.prefix(count)
    photos = photos.dropFirst(count)
    while !group.isEmpty, !mailbox.isStopped { readFiles(of: &group) }
  }

  /// Has the files of photographs read by one process, and removes those that it has answered, or failed to.
  private mutating func readFiles(of photos: inout ArraySlice<FoundPhoto>) {
    do throws(FileReadingError) {
      try reader.withProcess { process throws(FileReadingError) in
        var sent: [(photo: FoundPhoto, result: Result<FileIdentity, Refusal>)] = []
        for photo in photos { sent.append((photo, try send(photo, to: process))) }
        for (photo, result) in sent {
          switch result {
          case .success(let identity):
            let reply = try process.receiveReply { [mailbox] in !mailbox.isStopped }
            reader.recordAnswer(of: identity.device, isInTime: true)
            deliver(HeaderResult(ordinal: photo.ordinal, identity: identity, reply: reply), for: photo)
          case .failure(let refusal):
            deliver(
              HeaderResult(ordinal: photo.ordinal, identity: refusal.identity, failure: refusal.failure), for: photo)
          }
          photos.removeFirst()
        }
      }
    } catch {
      guard error != .cancelled, let photo = photos.popFirst() else { return }
      // It was reading this one. The others are read by another process.
      if error == .fault(.timedOut) { reader.recordAnswer(of: photo.identity.device, isInTime: false) }
      if case .unavailable = error, !hasToldOfReader {
        hasToldOfReader = true
        mailbox.post(.problem(ScanProblem(folder: photo.folder, reason: .noReader(error.description))))
      }
      deliver(HeaderResult(ordinal: photo.ordinal, identity: nil, failure: .unreadable), for: photo)
    }
  }

  /// Returns whether the file of a photograph must be read, as that of another one in the same folder.
  private mutating func isUnknown(_ photo: FoundPhoto, like other: FoundPhoto) -> Bool {
    guard known != nil else { return true }
    return photo.folder == other.folder && known?.knows(photo) == false
  }

  private mutating func deliver(_ result: HeaderResult, for photo: FoundPhoto) {
    known?.record(result, for: photo)
    deliver(result)
  }

  /// Sends the file of a photograph to a process.
  ///
  /// - Returns: The identity of the file, or why it need not or cannot be read.
  private mutating func send(
    _ photo: FoundPhoto, to process: ReaderProcess
  ) throws(FileReadingError) -> Result<FileIdentity, Refusal> {
    if let failure = photo.failure { return .failure(Refusal(failure: failure)) }
    if reader.isSilent(photo.identity.device) {
      return .failure(Refusal(failure: .unreadable))
    }
    let file: FileDescriptor
    do throws(FileError) {
      file = try open(photo)
    } catch {
      return .failure(Refusal(failure: PhotoFailure(error)))
    }
    let status: FileStatus
    do throws(FileError) {
      status = try SystemCalls.status(of: file)
    } catch {
      return .failure(Refusal(failure: PhotoFailure(error)))
    }
    // The status is that of the open file, which cannot be replaced, unlike the file at its path.
    if let failure = PhotoFailure(unreadable: status) {
      return .failure(Refusal(failure: failure, identity: status.identity))
    }
    try process.send(ReadingRequest(.header, fileBytes: UInt64(status.identity.byteCount)), file: file.number)
    return .success(status.identity)
  }

  /// Why a file need not be read.
  private struct Refusal: Error {
    var failure: PhotoFailure
    var identity: FileIdentity?
  }

  /// Has the header of an open file read.
  static func readHeader(
    _ ordinal: UInt32, of file: borrowing FileDescriptor, by reader: FileReader
  ) throws(FileError) -> HeaderResult {
    let status = try SystemCalls.status(of: file)
    let identity = status.identity
    if let failure = PhotoFailure(unreadable: status) {
      return HeaderResult(ordinal: ordinal, identity: identity, failure: failure)
    }
    do {
      let contents = try reader.read(.header, of: file.number, byteCount: identity.byteCount)
      guard let header = contents?.header else {
        return HeaderResult(ordinal: ordinal, identity: identity, failure: .notAPicture)
      }
      return HeaderResult(ordinal: ordinal, identity: identity, header: header)
    } catch {
      return HeaderResult(ordinal: ordinal, identity: identity, failure: .unreadable)
    }
  }

  private mutating func open(_ photo: FoundPhoto) throws(FileError) -> FileDescriptor {
    try openFolderIfNeeded(photo.folder)
    return try SystemCalls.openFile(named: photo.name.asCString, in: openFolder)
  }

  /// Opens the folder of the next photograph, unless it is already open.
  private mutating func openFolderIfNeeded(_ path: PhotoPath) throws(FileError) {
    if openFolderPath == path { return }
    openFolderPath = nil
    openFolder = try SystemCalls.openFolder(path)
    openFolderPath = path
  }
}

extension HeaderResult {
  /// Creates the result that a reading process has answered.
  fileprivate init(ordinal: UInt32, identity: FileIdentity, reply: ReadingReply) {
    switch reply {
    case .contents(let contents):
      if let header = contents.header {
        self.init(ordinal: ordinal, identity: identity, header: header)
      } else {
        self.init(ordinal: ordinal, identity: identity, failure: .notAPicture)
      }
    case .notRecognized, .listEnd:
      self.init(ordinal: ordinal, identity: identity, failure: .notAPicture)
    case .unreadable:
      self.init(ordinal: ordinal, identity: identity, failure: .unreadable)
    }
  }
}

extension PhotoFailure {
  /// Creates the failure of an open file that need not be read, or returns nil if it must be.
  fileprivate init?(unreadable status: FileStatus) {
    guard status.type == .file else {
      self = .notARegularFile
      return
    }
    guard status.identity.byteCount <= 0 else { return nil }
    self = .emptyFile
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
