import ImageMetadata

/// Walks folders on its own thread and reports the photographs in them in their final order.
///
/// A folder's own pictures come first, in natural order, then its subfolders with all in them. Everything is opened
/// relative to its folder's descriptor: a path may be longer than the kernel takes, and a folder that is moved meanwhile
/// is still the same one.
struct FolderWalker {
  private struct Subfolder {
    var name: [UInt8]
    var isLink: Bool
  }

  private struct FolderContext {
    var path: PhotoPath
    var key: FileKey
    var depth: Int
  }

  private let mailbox: SynchronizedScanMailbox
  private let roots: [LibraryRoot]
  private let excluded: Set<FileKey>
  private let isDeterministic: Bool

  private var visited: Set<FileKey> = []
  private var deduplicator = FileDeduplicator()
  /// Pictures that were given by name, so that their folder does not list them again.
  private var explicitPictures: [FileKey: Set<[UInt8]>] = [:]

  private var batch: [FoundPhoto] = []
  private var batchPolicy: BatchPolicy
  private var progress = ScanProgress()
  private var summary = ScanSummary()

  /// Prepares a walk.
  init(roots: [LibraryRoot], options: ScanOptions, mailbox: SynchronizedScanMailbox) {
    self.mailbox = mailbox
    self.roots = roots
    isDeterministic = options.isDeterministic
    batchPolicy = BatchPolicy(isTimed: !options.isDeterministic)
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
    for root in roots where !mailbox.isStopped {
      switch root.kind {
      case .picture: listExplicitPicture(root.path)
      case .folder: visitRoot(root.path)
      }
    }
    flushBatch()
    summary.found = progress.found
    mailbox.post(.finished(summary))
  }

  // MARK: - Roots

  /// Lists a picture that was given by name.
  private mutating func listExplicitPicture(_ path: PhotoPath) {
    let (folder, name) = (path.parent, Array(path.lastComponent))
    do {
      let status = try SystemCalls.status(of: path)
      guard explicitPictures[try SystemCalls.status(of: folder).key, default: []].insert(name).inserted else { return }
      appendPhoto(name, in: folder, status.identity, status.type == .file ? nil : .notARegularFile)
    } catch {
      appendPhoto(name, in: folder, .unknown, PhotoFailure(error))
    }
  }

  private mutating func visitRoot(_ path: PhotoPath) {
    do {
      try visitFolder(try SystemCalls.openFolder(path), path, depth: 0)
    } catch {
      skipFolder(path, .system(error))
    }
  }

  // MARK: - Folders

  /// Lists a folder's pictures and goes on into its subfolders.
  ///
  /// - Throws: where the folder cannot be asked which one it is.
  private mutating func visitFolder(
    _ folder: consuming FileDescriptor, _ path: PhotoPath, depth: Int
  ) throws(FileError) {
    let key = try SystemCalls.status(of: folder).key
    guard !excluded.contains(key), visited.insert(key).inserted else {
      progress.foldersRead += 1
      return
    }
    let place = FolderContext(path: path, key: key, depth: depth)
    let subfolders = listPictures(of: folder, place)
    for subfolder in subfolders where !mailbox.isStopped { enterSubfolder(subfolder, in: folder, place) }
  }

  /// Goes into a subfolder; it may be gone by now, or replaced.
  private mutating func enterSubfolder(
    _ subfolder: Subfolder, in folder: borrowing FileDescriptor, _ place: FolderContext
  ) {
    let path = place.path.appending(subfolder.name)
    guard place.depth < FolderScan.maximumDepth else { return skipFolder(path, .tooDeep) }
    do {
      let name = subfolder.name.asCString
      let opened = try SystemCalls.openFolder(named: name, in: folder, followingLink: subfolder.isLink)
      try visitFolder(opened, path, depth: place.depth + 1)
    } catch {
      if error.isNotFound || error.isSymbolicLinkLoop {
        progress.foldersRead += 1
      } else {
        skipFolder(path, .system(error))
      }
    }
  }

  /// Lists the pictures in a folder and returns its subfolders, both in order.
  private mutating func listPictures(of folder: borrowing FileDescriptor, _ place: FolderContext) -> [Subfolder] {
    var names = NameList()
    var types: [EntryType] = []
    var failure: FileError?
    do {
      try SystemCalls.forEachEntry(in: folder) { name, type in
        guard !EntryAction.isHidden(name) else { return }
        names.append(name)
        types.append(type)
      }
    } catch {
      // What was listed before stands.
      failure = error
    }
    var subfolders: [Subfolder] = []
    for index in NaturalSort.sortedIndices(of: names) {
      if mailbox.isStopped { return [] }
      do {
        try processEntry(names, index, types[index], in: folder, place, &subfolders)
      } catch {
        if !error.isNotFound { failure = failure ?? error }
      }
    }
    summary.folders += 1
    progress.foldersRead += 1
    progress.foldersKnown += subfolders.count
    if let failure { reportProblem(place.path, .system(failure)) }
    return subfolders
  }

  // MARK: - Entries

  /// Decides what becomes of one name.
  ///
  /// - Throws: where the system says nothing about a name that promises no picture.
  private mutating func processEntry(
    _ names: NameList, _ index: Int, _ type: EntryType, in folder: borrowing FileDescriptor, _ place: FolderContext,
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
      if error.isNotFound, !isLink { return }
      refusal = error
    }
    switch EntryAction.action(for: name, target: FolderWalker.target(for: status, error: refusal)) {
    case .skip:
      if let refusal, refusal.isPermissionDenied, !isLink { throw refusal }
    case .enter: subfolders.append(Subfolder(name: Array(name), isLink: isLink))
    case .fail(let failure): appendPhoto(Array(name), in: place.path, status?.identity ?? .unknown, failure)
    case .list: listFile(Array(name), place, status, isLink)
    case .sniff:
      if try FolderWalker.isPicture(text, in: folder) { listFile(Array(name), place, status, isLink) }
    }
  }

  private static func target(for status: FileStatus?, error refusal: FileError?) -> EntryTarget {
    switch status?.type {
    case .file: .file(byteCount: status?.identity.byteCount ?? 0)
    case .folder: .folder
    case .link, .special, .unknown: .special
    case nil:
      refusal.map { $0.isNotFound || $0.isSymbolicLinkLoop } ?? true
        ? .brokenLink : .inaccessible(refusal.map { PhotoFailure($0) } ?? .unreadable)
    }
  }

  /// Whether a file's first bytes are those of a picture; a file that may not be read is none.
  private static func isPicture(
    _ name: [CChar], in folder: borrowing FileDescriptor
  ) throws(FileError) -> Bool {
    do {
      let file = try SystemCalls.openFile(named: name, in: folder)
      guard try SystemCalls.status(of: file).type == .file else { return false }
      return ImageFormat(magic: try SystemCalls.read(file, from: 0, count: ImageFormat.magicByteCount)) != nil
    } catch {
      if error.isPermissionDenied || error.isNotFound { return false }
      throw error
    }
  }

  // MARK: - Reporting

  /// Lists a regular file, unless it was listed before.
  private mutating func listFile(_ name: [UInt8], _ place: FolderContext, _ status: FileStatus?, _ isLink: Bool) {
    guard let status, explicitPictures[place.key]?.contains(name) != true else { return }
    guard isLink ? deduplicator.shouldListLink(to: status.key) : deduplicator.shouldListFile(status.key) else { return }
    appendPhoto(name, in: place.path, status.identity, nil)
  }

  private mutating func appendPhoto(
    _ name: [UInt8], in folder: PhotoPath, _ identity: FileIdentity, _ failure: PhotoFailure?
  ) {
    batch.append(
      FoundPhoto(
        ordinal: UInt32(progress.found), folder: folder, name: name, identity: identity, failure: failure))
    progress.found += 1
    if batchPolicy.isDue(count: batch.count, at: isDeterministic ? 0 : SystemCalls.monotonicNanoseconds()) {
      flushBatch()
    }
  }

  private mutating func skipFolder(_ folder: PhotoPath, _ reason: ScanProblem.Reason) {
    progress.foldersRead += 1
    reportProblem(folder, reason)
  }

  private mutating func reportProblem(_ folder: PhotoPath, _ reason: ScanProblem.Reason) {
    flushBatch()
    summary.problems += 1
    mailbox.post(.problem(ScanProblem(folder: folder, reason: reason)))
  }

  /// Hands over what was found since the last time.
  private mutating func flushBatch() {
    if !batch.isEmpty { mailbox.post(.found(batch)) }
    batch.removeAll(keepingCapacity: false)
    batchPolicy.reset()
    mailbox.post(.progress(progress))
  }
}
