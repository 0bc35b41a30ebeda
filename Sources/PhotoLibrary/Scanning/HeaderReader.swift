import ImageMetadata

/// Follows a walk on a thread of its own and reads the first bytes of what was found.
struct HeaderReader: ~Copyable {
  /// Photographs that are read before their facts are handed over.
  private static let batchSize = 64

  private let desk: ScanDesk
  private let isWaitedFor: Bool
  /// The folder that the last photograph lay in: the next one most often lies there too.
  private var folder = Descriptor(adopting: -1)
  private var folderPath: PhotoPath?

  /// Prepares to read.
  init(options: ScanOptions, desk: ScanDesk) {
    self.desk = desk
    isWaitedFor = options.isWaitedFor
  }

  /// Reads until all was read, or until the desk is stopped.
  mutating func run() {
    while true {
      let photos = desk.waitForUnread(atMost: HeaderReader.batchSize)
      if photos.isEmpty { return }
      var facts: [HeaderFact] = []
      var gauge = BatchGauge(isTimed: !isWaitedFor)
      for photo in photos {
        if desk.isStopped { return }
        facts.append(fact(of: photo))
        if gauge.isDue(count: facts.count, at: isWaitedFor ? 0 : SystemCalls.monotonicNanoseconds()) {
          desk.post(.headers(facts))
          facts = []
          gauge.reset()
        }
      }
      if !facts.isEmpty { desk.post(.headers(facts)) }
    }
  }

  private mutating func fact(of photo: FoundPhoto) -> HeaderFact {
    if let failure = photo.failure { return HeaderFact(ordinal: photo.ordinal, identity: nil, failure: failure) }
    do {
      try reach(photo.folder)
      let name = photo.name.asCString
      return try HeaderReader.fact(photo.ordinal, of: try SystemCalls.openFile(named: name, in: folder))
    } catch {
      return HeaderFact(ordinal: photo.ordinal, identity: nil, failure: PhotoFailure(error))
    }
  }

  /// Reads an open file's header, mostly with one call for 4 KiB.
  private static func fact(_ ordinal: UInt32, of file: borrowing Descriptor) throws(FileError) -> HeaderFact {
    let status = try SystemCalls.status(of: file)
    let identity = status.identity
    // Asked of the open file, which cannot be exchanged any more, and not of its name.
    guard status.type == .file else {
      return HeaderFact(ordinal: ordinal, identity: identity, failure: .notARegularFile)
    }
    guard identity.byteCount > 0 else {
      return HeaderFact(ordinal: ordinal, identity: identity, failure: .emptyFile)
    }
    var parser = ImageHeaderParser(fileBytes: Int(clamping: identity.byteCount))
    while case .needs(let range) = parser.step {
      parser.supply(try SystemCalls.read(file, from: range.lowerBound, count: range.count))
    }
    guard case .finished(let header?) = parser.step else {
      return HeaderFact(ordinal: ordinal, identity: identity, failure: .notAPicture)
    }
    return HeaderFact(ordinal: ordinal, identity: identity, header: header)
  }

  /// Opens the folder of the next photograph, if it is another one.
  private mutating func reach(_ path: PhotoPath) throws(FileError) {
    if folderPath == path { return }
    folderPath = nil
    folder = try SystemCalls.openFolder(path)
    folderPath = path
  }
}
