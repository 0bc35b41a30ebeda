import ImageMetadata

/// Walks folders on its own thread and reports the photographs in them in their final order.
///
/// A folder's own pictures come first, in natural order, then its subfolders with all in them. Everything is opened
/// relative to its folder's descriptor: a path may be longer than the kernel takes, and a folder that is moved meanwhile
/// is still the same one.
struct FolderWalk {
  private struct Subfolder {
    var name: [UInt8]
    var isLink: Bool
  }

  private struct Place {
    var path: PhotoPath
    var key: FileKey
    var depth: Int
  }

  private let desk: ScanDesk
  private let roots: [LibraryRoot]
  private let excluded: Set<FileKey>
  private let isWaitedFor: Bool

  private var visited: Set<FileKey> = []
  private var files = SeenFiles()
  /// Pictures that were given by name, so that their folder does not list them again.
  private var given: [FileKey: Set<[UInt8]>] = [:]

  private var batch: [FoundPhoto] = []
  private var gauge: BatchGauge
  private var progress = ScanProgress()
  private var summary = ScanSummary()

  /// Prepares a walk.
  init(roots: [LibraryRoot], options: ScanOptions, desk: ScanDesk) {
    self.desk = desk
    self.roots = roots
    isWaitedFor = options.isWaitedFor
    gauge = BatchGauge(isTimed: !options.isWaitedFor)
    var excluded: Set<FileKey> = []
    for folder in options.excludedFolders {
      // A cache that does not exist yet need not be left out.
      if let status = try? SystemCalls.status(of: folder) { excluded.insert(status.key) }
    }
    self.excluded = excluded
  }

  /// Walks all roots to the end, or until the desk is stopped.
  mutating func run() {
    progress.foldersKnown = roots.count { $0.kind == .folder }
    for root in roots where !desk.isStopped {
      switch root.kind {
      case .picture: visitPicture(root.path)
      case .folder: visitRoot(root.path)
      }
    }
    flush()
    summary.found = progress.found
    desk.post(.finished(summary))
  }

  // MARK: - Roots

  /// Lists a picture that was given by name.
  private mutating func visitPicture(_ path: PhotoPath) {
    let (folder, name) = (path.parent, Array(path.lastComponent))
    do {
      let status = try SystemCalls.status(of: path)
      guard given[try SystemCalls.status(of: folder).key, default: []].insert(name).inserted else { return }
      list(name, in: folder, status.identity, status.type == .file ? nil : .notARegularFile)
    } catch {
      list(name, in: folder, .unknown, PhotoFailure(error))
    }
  }

  private mutating func visitRoot(_ path: PhotoPath) {
    do {
      try visit(try SystemCalls.openFolder(path), path, depth: 0)
    } catch {
      giveUp(path, .system(error))
    }
  }

  // MARK: - Folders

  /// Lists a folder's pictures and goes on into its subfolders.
  ///
  /// - Throws: where the folder cannot be asked which one it is.
  private mutating func visit(
    _ folder: consuming Descriptor, _ path: PhotoPath, depth: Int
  ) throws(FileError) {
    let key = try SystemCalls.status(of: folder).key
    guard !excluded.contains(key), visited.insert(key).inserted else {
      progress.foldersRead += 1
      return
    }
    let place = Place(path: path, key: key, depth: depth)
    let subfolders = listPictures(of: folder, place)
    for subfolder in subfolders where !desk.isStopped { enter(subfolder, in: folder, place) }
  }

  /// Goes into a subfolder; it may be gone by now, or replaced.
  private mutating func enter(_ subfolder: Subfolder, in folder: borrowing Descriptor, _ place: Place) {
    let path = place.path.appending(subfolder.name)
    guard place.depth < FolderScan.mostDepth else { return giveUp(path, .tooDeep) }
    do {
      let name = subfolder.name.asCString
      let opened = try SystemCalls.openFolder(named: name, in: folder, followingLink: subfolder.isLink)
      try visit(opened, path, depth: place.depth + 1)
    } catch {
      if error.isAbsence || error.isLinkLoop {
        progress.foldersRead += 1
      } else {
        giveUp(path, .system(error))
      }
    }
  }

  /// Lists the pictures in a folder and returns its subfolders, both in order.
  private mutating func listPictures(of folder: borrowing Descriptor, _ place: Place) -> [Subfolder] {
    var names = NameList()
    var types: [EntryType] = []
    var failure: FileError?
    do {
      try SystemCalls.list(folder) { name, type in
        guard !EntryVerdict.isHidden(name) else { return }
        names.append(name)
        types.append(type)
      }
    } catch {
      // What was listed before stands.
      failure = error
    }
    var subfolders: [Subfolder] = []
    for index in NaturalSort.order(of: names) {
      if desk.isStopped { return [] }
      do {
        try consider(names, index, types[index], in: folder, place, &subfolders)
      } catch {
        if !error.isAbsence { failure = failure ?? error }
      }
    }
    summary.folders += 1
    progress.foldersRead += 1
    progress.foldersKnown += subfolders.count
    if let failure { report(place.path, .system(failure)) }
    return subfolders
  }

  // MARK: - Entries

  /// Decides what becomes of one name.
  ///
  /// - Throws: where the system says nothing about a name that promises no picture.
  private mutating func consider(
    _ names: NameList, _ index: Int, _ type: EntryType, in folder: borrowing Descriptor, _ place: Place,
    _ subfolders: inout [Subfolder]
  ) throws(FileError) {
    let name = names[index]
    if type == .folder {
      subfolders.append(Subfolder(name: Array(name), isLink: false))
      return
    }
    let text = name.asCString
    var status: FileStatus?
    var refusal: FileError?
    var isLink = false
    do {
      var own = try SystemCalls.status(named: text, in: folder, followingLink: false)
      isLink = own.type == .link
      if isLink { own = try SystemCalls.status(named: text, in: folder, followingLink: true) }
      status = own
    } catch {
      // Gone since the folder was listed: as if it had never been there.
      if error.isAbsence, !isLink { return }
      refusal = error
    }
    switch EntryVerdict.of(name, FolderWalk.target(status, refusal)) {
    case .skip:
      if let refusal, refusal.isDenial, !isLink { throw refusal }
    case .enter: subfolders.append(Subfolder(name: Array(name), isLink: isLink))
    case .fail(let failure): list(Array(name), in: place.path, status?.identity ?? .unknown, failure)
    case .list: listFile(Array(name), place, status, isLink)
    case .sniff:
      if try FolderWalk.isPicture(text, in: folder) { listFile(Array(name), place, status, isLink) }
    }
  }

  private static func target(_ status: FileStatus?, _ refusal: FileError?) -> EntryTarget {
    switch status?.type {
    case .file: .file(byteCount: status?.identity.byteCount ?? 0)
    case .folder: .folder
    case .link, .special, .unknown: .special
    case nil:
      refusal.map { $0.isAbsence || $0.isLinkLoop } ?? true
        ? .brokenLink : .refused(refusal.map { PhotoFailure($0) } ?? .unreadable)
    }
  }

  /// Whether a file's first bytes are those of a picture; a file that may not be read is none.
  private static func isPicture(
    _ name: [CChar], in folder: borrowing Descriptor
  ) throws(FileError) -> Bool {
    do {
      let file = try SystemCalls.openFile(named: name, in: folder)
      guard try SystemCalls.status(of: file).type == .file else { return false }
      return ImageFormat(magic: try SystemCalls.read(file, from: 0, count: ImageFormat.magicByteCount)) != nil
    } catch {
      if error.isDenial || error.isAbsence { return false }
      throw error
    }
  }

  // MARK: - Reporting

  /// Lists a regular file, unless it was listed before.
  private mutating func listFile(_ name: [UInt8], _ place: Place, _ status: FileStatus?, _ isLink: Bool) {
    guard let status, given[place.key]?.contains(name) != true else { return }
    guard isLink ? files.admitsLink(to: status.key) : files.admitsFile(status.key) else { return }
    list(name, in: place.path, status.identity, nil)
  }

  private mutating func list(
    _ name: [UInt8], in folder: PhotoPath, _ identity: FileIdentity, _ failure: PhotoFailure?
  ) {
    batch.append(
      FoundPhoto(
        ordinal: UInt32(progress.found), folder: folder, name: name, identity: identity, failure: failure))
    progress.found += 1
    if gauge.isDue(count: batch.count, at: isWaitedFor ? 0 : SystemCalls.monotonicNanoseconds()) { flush() }
  }

  private mutating func giveUp(_ folder: PhotoPath, _ reason: ScanProblem.Reason) {
    progress.foldersRead += 1
    report(folder, reason)
  }

  private mutating func report(_ folder: PhotoPath, _ reason: ScanProblem.Reason) {
    flush()
    summary.problems += 1
    desk.post(.problem(ScanProblem(folder: folder, reason: reason)))
  }

  /// Hands over what was found since the last time.
  private mutating func flush() {
    if !batch.isEmpty { desk.post(.found(batch)) }
    batch.removeAll(keepingCapacity: false)
    gauge.reset()
    desk.post(.progress(progress))
  }
}
