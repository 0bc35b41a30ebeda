import ImageMetadata

/// Follows a walk on a thread of its own and reads the first bytes of what was found.
struct HeaderReader: ~Copyable {
  /// Photographs that are read before their facts are handed over.
  private static let batchSize = 64

  private let mailbox: SynchronizedScanMailbox
  private let isDeterministic: Bool
  /// The folder that the last photograph lay in: the next one most often lies there too.
  private var openFolder = FileDescriptor(adopting: -1)
  private var openFolderPath: PhotoPath?

  /// Prepares to read.
  init(options: ScanOptions, mailbox: SynchronizedScanMailbox) {
    self.mailbox = mailbox
    isDeterministic = options.isDeterministic
  }

  /// Reads until all was read, or until the desk is stopped.
  mutating func run() {
    while true {
      let photos = mailbox.waitForUnreadPhotos(atMost: HeaderReader.batchSize)
      if photos.isEmpty { return }
      var facts: [HeaderResult] = []
      var gauge = BatchPolicy(isTimed: !isDeterministic)
      for photo in photos {
        if mailbox.isStopped { return }
        facts.append(readHeader(of: photo))
        if gauge.isDue(count: facts.count, at: isDeterministic ? 0 : SystemCalls.monotonicNanoseconds()) {
          mailbox.post(.headers(facts))
          facts = []
          gauge.reset()
        }
      }
      if !facts.isEmpty { mailbox.post(.headers(facts)) }
    }
  }

  private mutating func readHeader(of photo: FoundPhoto) -> HeaderResult {
    if let failure = photo.failure { return HeaderResult(ordinal: photo.ordinal, identity: nil, failure: failure) }
    do {
      try openFolderIfNeeded(photo.folder)
      let name = photo.name.asCString
      return try HeaderReader.readHeader(photo.ordinal, of: try SystemCalls.openFile(named: name, in: openFolder))
    } catch {
      return HeaderResult(ordinal: photo.ordinal, identity: nil, failure: PhotoFailure(error))
    }
  }

  /// Reads an open file's header, mostly with one call for 4 KiB.
  private static func readHeader(_ ordinal: UInt32, of file: borrowing FileDescriptor) throws(FileError) -> HeaderResult
  {
    let status = try SystemCalls.status(of: file)
    let identity = status.identity
    // Asked of the open file, which cannot be exchanged any more, and not of its name.
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

  /// Opens the folder of the next photograph, if it is another one.
  private mutating func openFolderIfNeeded(_ path: PhotoPath) throws(FileError) {
    if openFolderPath == path { return }
    openFolderPath = nil
    openFolder = try SystemCalls.openFolder(path)
    openFolderPath = path
  }
}
