import CVitrinePlatform
import VitrineFileReading
import VitrineImageMetadata
import VitrineReadingProtocol

/// A traversal of folders that reports the photographs in their final order.
///
/// The pictures of a folder come first, in natural order, followed by its subfolders. Everything is opened relative to
/// the descriptor of its folder, so that paths may exceed the kernel's limit and a folder stays the same if it is
/// moved.
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
  private let watcher: FolderWatcher?
  private let reader: FileReader
  private let catalogue: CatalogueStore?

  private var visited: Set<FileKey> = []
  private var leftOutFolders: LeftOutFolders
  private var deduplicator = FileDeduplicator()
  /// Pictures given by name, so that their folder does not list them again.
  private var explicitPictures: [FileKey: Set<[UInt8]>] = [:]

  /// Whether changed folders are listed, and the names in each that are left out.
  private var isUpdate = false
  private var unfinishedNames: [PhotoPath: Set<[UInt8]>] = [:]

  private var batch: [FoundPhoto] = []
  private var batchPolicy: BatchPolicy
  private var progress = ScanProgress()
  private var summary = ScanSummary()

  /// Creates a walker.
  init(roots: [LibraryRoot], options: ScanOptions, mailbox: SynchronizedScanMailbox) {
    self.mailbox = mailbox
    self.roots = roots
    batchPolicy = options.batches
    watcher = options.watcher
    reader = options.reader
    catalogue = options.catalogue
    var excluded: Set<FileKey> = []
    for folder in options.excludedFolders {
      // A cache folder that does not exist yet cannot be excluded.
      if let status = try? SystemCalls.status(of: folder) { excluded.insert(status.key) }
    }
    self.excluded = excluded
    leftOutFolders = LeftOutFolders(roots: roots)
  }

  /// Walks all roots, until the end or until the mailbox is stopped.
  mutating func run() {
    progress.foldersKnown = roots.count { $0.kind == .folder }
    for root in roots where !mailbox.isStopped {
      switch root.kind {
      case .picture: listExplicitPicture(root.path)
      case .folder:
        visitRoot(root.path)
        reportRemovedDisks(within: root.path) { SystemCalls.fileSystem(ofFolder: $0) }
      }
    }
    flushBatch()
    summary.found = progress.found
    mailbox.post(.finished(summary))
  }

  /// Lists folders that changed, until the end or until the mailbox is stopped.
  mutating func run(_ changes: [FolderChange]) {
    isUpdate = true
    progress.foldersKnown = changes.count
    for change in changes { unfinishedNames[change.folder] = change.unfinishedNames }
    for change in changes where !mailbox.isStopped { listAgain(change.folder) }
    flushBatch()
    summary.found = progress.found
    mailbox.post(.finished(summary))
  }

  // MARK: - Changed folders

  /// Lists a folder again, and visits the folders within that are not known yet.
  private mutating func listAgain(_ path: PhotoPath) {
    guard let (root, depth) = root(of: path) else { return }
    do {
      try visitFolder(try SystemCalls.openFolder(path), path, depth: depth)
    } catch {
      guard error.isNotFound else { return skipFolder(path, .system(error)) }
      // If the root is missing too, its disk was removed.
      guard depth > 0, (try? SystemCalls.status(of: root)) != nil else { return skipFolder(root, .system(error)) }
      let problems = summary.problems
      reportRemovedDisks(within: root, in: path) { SystemCalls.fileSystem(ofFolder: $0) }
      // A part of the folder may have been on another disk. It stays as a whole, as what was deleted is found by a scan.
      guard summary.problems == problems else { return }
      var listing = FolderListing(folder: path, ordinals: 0..<0)
      listing.isMissing = true
      mailbox.post(.relisted(listing))
      try? catalogue?.removeFolders(within: path.stored ?? path) { _ in false }
    }
  }

  /// Reports what a folder contains, after its photographs.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - first: The ordinal of its first photograph.
  ///   - subfolders: The folders within.
  private mutating func reportListing(of path: PhotoPath, from first: Int, _ subfolders: [Subfolder]) {
    let names = Set(subfolders.map(\.name))
    reportRemovedDisks(within: path) { folder in
      // Only what the list does not contain is examined.
      names.contains(folder.component(behind: path)) && folder != path ? 0 : SystemCalls.fileSystem(ofFolder: folder)
    }
    flushBatch()
    guard !mailbox.isStopped else { return }
    mailbox.post(
      .relisted(
        FolderListing(
          folder: path, ordinals: UInt32(first)..<UInt32(progress.found), subfolders: names,
          unfinishedNames: unfinishedNames[path] ?? [])))
    // The reader of headers hears of folders with photographs only.
    if first == progress.found, let stored = path.stored {
      try? catalogue?.store([FolderRecord(folder: stored, entries: [])])
    }
  }

  /// Returns whether a folder within another one must be visited: always by a scan, and by an update if it is not known.
  private func mustVisit(_ subfolder: Subfolder, in folder: PhotoPath) -> Bool {
    guard isUpdate else { return true }
    let path = folder.appending(subfolder.name)
    if watcher?.isWatching(path) == true { return false }
    return !subfolder.isLink || shownPath(ofLink: path) == nil
  }

  /// Returns the path within the library to which a link refers, or nil if it refers to something else.
  private func shownPath(ofLink path: PhotoPath) -> PhotoPath? {
    guard let target = SystemCalls.resolvedPath(path) else { return nil }
    for root in roots where root.kind == .folder {
      guard let folder = SystemCalls.resolvedPath(root.path), target.isWithin(folder) else { continue }
      let rest = target.bytes.dropFirst(folder.bytes.count).drop { $0 == PhotoPath.slash }
      return rest.isEmpty ? root.path : root.path.appending(rest)
    }
    return nil
  }

  /// Returns the root that contains a folder, and the folder's depth within it, or nil if no root contains it.
  private func root(of path: PhotoPath) -> (root: PhotoPath, depth: Int)? {
    roots.lazy.filter { $0.kind == .folder && path.isWithin($0.path) }.map { root in
      (root.path, path.bytes.dropFirst(root.path.bytes.count).split(separator: PhotoPath.slash).count)
    }.min { $0.1 < $1.1 }
  }

  // MARK: - Removed disks

  /// Returns whether an empty folder is empty because the disk that was mounted there was removed.
  private func isWithoutDisk(_ folder: borrowing FileDescriptor, _ path: PhotoPath) -> Bool {
    guard !mailbox.isStopped, let catalogue, let stored = path.stored,
      let fileSystem = try? SystemCalls.fileSystem(of: folder)
    else { return false }
    return RemovedDisks.leftEmpty(
      catalogue.knownFolders(within: stored), on: fileSystem,
      in: SystemCalls.fileSystem(ofFolder: path.appending("..")))
  }

  /// Reports the folders that do not exist because their disk was removed together with the folder at which it was
  /// mounted.
  ///
  /// - Parameters:
  ///   - root: A folder that exists.
  ///   - part: The folder within whose known folders are examined. Default: the root.
  ///   - fileSystem: Returns the file system of a folder, or nil if it does not exist.
  private mutating func reportRemovedDisks(
    within root: PhotoPath, in part: PhotoPath? = nil, fileSystem: (PhotoPath) -> UInt64?
  ) {
    guard !mailbox.isStopped, let catalogue, let stored = root.stored, let storedPart = (part ?? root).stored else {
      return
    }
    /// Paths of a scan begin with the root as the user entered it.
    func entered(_ path: PhotoPath) -> PhotoPath {
      if root.isAbsolute { return path }
      let rest = path.bytes.dropFirst(stored.bytes.count).drop { $0 == PhotoPath.slash }
      return rest.isEmpty ? root : root.appending(rest)
    }
    let folders = RemovedDisks.missingFolders(among: catalogue.knownFolders(within: storedPart), within: stored) {
      fileSystem(entered($0))
    }
    let reported = mailbox.problemFolders
    for folder in folders.map(entered) where !reported.contains(where: folder.isWithin) {
      reportProblem(folder, .unmounted)
    }
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

  /// Lists the pictures of a folder, and then visits its subfolders.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - path: Its path.
  ///   - depth: The number of folders of the library that contain it.
  ///   - parentDevice: The device of the folder that contains it, or nil for a root and a folder that changed.
  ///   - isLink: Whether a symbolic link leads to it.
  /// - Throws: ``FileError`` if the status of the folder cannot be read.
  private mutating func visitFolder(
    _ folder: consuming FileDescriptor, _ path: PhotoPath, depth: Int, parentDevice: UInt64? = nil, isLink: Bool = false
  ) throws(FileError) {
    let key = try SystemCalls.status(of: folder).key
    guard !excluded.contains(key), visited.insert(key).inserted else {
      progress.foldersRead += 1
      return
    }
    if let reason = leftOutFolders.reason(for: folder, key, parentDevice: parentDevice, isLink: isLink) {
      return skipFolder(path, reason)
    }
    let context = FolderContext(path: path, key: key, depth: depth)
    // Before the folder is listed, so that no change is missed. An update does not list what is shown by another path.
    let isShownHere =
      watcher?.watch(
        path, isOnNetwork: platform_is_on_network(folder.number) == 1, replacesPath: !isUpdate, isRoot: depth == 0)
      ?? true
    guard isShownHere else { return }
    let (first, problems) = (progress.found, summary.problems)
    let subfolders = listPictures(of: folder, context)
    if progress.found == first, subfolders.isEmpty, summary.problems == problems, isWithoutDisk(folder, path) {
      return reportProblem(path, .unmounted)
    }
    if depth == 0, progress.found == first, subfolders.isEmpty, summary.problems == problems {
      // A disk may be mounted there later, which is not a change of this folder.
      watcher?.examineUnreachableFolder(path, after: nil, isRoot: true)
    }
    // An incomplete list says nothing about what is missing from it.
    if isUpdate, summary.problems == problems { reportListing(of: path, from: first, subfolders) }
    for subfolder in subfolders where !mailbox.isStopped && mustVisit(subfolder, in: path) {
      enterSubfolder(subfolder, in: folder, context)
    }
  }

  /// Enters a subfolder, which may have been deleted or replaced since it was listed.
  private mutating func enterSubfolder(
    _ subfolder: Subfolder, in folder: borrowing FileDescriptor, _ context: FolderContext
  ) {
    let path = context.path.appending(subfolder.name)
    guard context.depth < FolderScan.maximumDepth else { return skipFolder(path, .tooDeep) }
    do {
      let name = subfolder.name.asCString
      let opened = try SystemCalls.openFolder(named: name, in: folder, followingLink: subfolder.isLink)
      try visitFolder(
        opened, path, depth: context.depth + 1, parentDevice: context.key.device, isLink: subfolder.isLink)
    } catch {
      if error.isNotFound || error.isSymbolicLinkLoop {
        progress.foldersRead += 1
      } else {
        skipFolder(path, .system(error))
      }
    }
  }

  /// Lists the pictures in a folder.
  ///
  /// - Returns: The subfolders, in order.
  private mutating func listPictures(of folder: borrowing FileDescriptor, _ context: FolderContext) -> [Subfolder] {
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
      // The names listed before the error remain valid.
      failure = error
    }
    var subfolders: [Subfolder] = []
    for index in NaturalSort.sortedIndices(of: names) {
      if mailbox.isStopped { return [] }
      do {
        try processEntry(names, index, types[index], in: folder, context, &subfolders)
      } catch {
        if !error.isNotFound { failure = failure ?? error }
      }
    }
    summary.folders += 1
    progress.foldersRead += 1
    progress.foldersKnown += subfolders.count
    if let failure { reportProblem(context.path, .system(failure), isOpen: true) }
    return subfolders
  }

  // MARK: - Entries

  /// Processes one name of a folder.
  ///
  /// - Throws: ``FileError`` if the status of a file without an image extension cannot be read.
  private mutating func processEntry(
    _ names: NameList, _ index: Int, _ type: EntryType, in folder: borrowing FileDescriptor, _ context: FolderContext,
    _ subfolders: inout [Subfolder]
  ) throws(FileError) {
    let name = names[index]
    if type == .folder {
      subfolders.append(Subfolder(name: Array(name), isLink: false))
      return
    }
    let text = name.asCString
    var status: FileStatus?
    var statusError: FileError?
    var isLink = false
    do {
      var entryStatus = try SystemCalls.status(named: text, in: folder, followingLink: false)
      isLink = entryStatus.type == .link
      if isLink { entryStatus = try SystemCalls.status(named: text, in: folder, followingLink: true) }
      status = entryStatus
    } catch {
      // Deleted since the folder was listed: treated as if it had never existed.
      if error.isNotFound, !isLink { return }
      statusError = error
    }
    switch EntryAction.action(for: name, target: FolderWalker.target(for: status, error: statusError)) {
    case .skip:
      if let statusError, statusError.isPermissionDenied, !isLink { throw statusError }
    case .enter: subfolders.append(Subfolder(name: Array(name), isLink: isLink))
    case .fail(let failure): appendPhoto(Array(name), in: context.path, status?.identity ?? .unknown, failure)
    case .list: listFile(Array(name), context, status, isLink)
    case .sniff:
      if try isPicture(text, in: folder) { listFile(Array(name), context, status, isLink) }
    }
  }

  private static func target(for status: FileStatus?, error statusError: FileError?) -> EntryTarget {
    switch status?.type {
    case .file: .file(byteCount: status?.identity.byteCount ?? 0)
    case .folder: .folder
    case .link, .special, .unknown: .special
    case nil:
      statusError.map { $0.isNotFound || $0.isSymbolicLinkLoop } ?? true
        ? .brokenLink : .inaccessible(statusError.map { PhotoFailure($0) } ?? .unreadable)
    }
  }

  /// Returns whether the first bytes of a file are those of a picture, which a reading process finds out.
  ///
  /// Returns false if the file may not be read, or if reading it breaks two processes.
  private func isPicture(
    _ name: [CChar], in folder: borrowing FileDescriptor
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      let file = try SystemCalls.openFile(named: name, in: folder)
      let status = try SystemCalls.status(of: file)
      guard status.type == .file, status.identity.byteCount > 0 else { return false }
      // A process may also have been killed for another reason than its file.
      for _ in 0..<2 {
        do throws(FileReadingError) {
          return try reader.read(
            .header, of: file.number, byteCount: status.identity.byteCount, on: status.identity.device,
            shouldContinue: { [mailbox] in !mailbox.isStopped }) != nil
        } catch {
          if let error = FileError(error) { throw error }
          if error == .cancelled { return false }
        }
      }
      return false
    } catch {
      if error.isPermissionDenied || error.isNotFound { return false }
      throw error
    }
  }

  // MARK: - Reporting

  /// Lists a regular file, unless it has been listed before.
  private mutating func listFile(_ name: [UInt8], _ context: FolderContext, _ status: FileStatus?, _ isLink: Bool) {
    guard let status, explicitPictures[context.key]?.contains(name) != true else { return }
    if isUpdate {
      if unfinishedNames[context.path]?.contains(name) == true { return }
      let shownPath = isLink ? shownPath(ofLink: context.path.appending(name)) : nil
      return appendPhoto(name, in: context.path, status.identity, nil, isLink: isLink, shownPath: shownPath)
    }
    guard isLink ? deduplicator.shouldListLink(to: status.key) : deduplicator.shouldListFile(status.key) else { return }
    appendPhoto(name, in: context.path, status.identity, nil, isLink: isLink)
  }

  private mutating func appendPhoto(
    _ name: [UInt8], in folder: PhotoPath, _ identity: FileIdentity, _ failure: PhotoFailure?, isLink: Bool = false,
    shownPath: PhotoPath? = nil
  ) {
    var photo = FoundPhoto(
      ordinal: UInt32(progress.found), folder: folder, name: name, identity: identity, failure: failure)
    (photo.isLink, photo.shownPath) = (isLink, shownPath)
    batch.append(photo)
    progress.found += 1
    if batchPolicy.isDue(count: batch.count, at: SystemCalls.monotonicNanoseconds()) {
      flushBatch()
    }
  }

  private mutating func skipFolder(_ folder: PhotoPath, _ reason: ScanProblem.Reason) {
    progress.foldersRead += 1
    reportProblem(folder, reason)
  }

  /// Reports that a folder could not be read completely.
  ///
  /// - Parameter isOpen: Whether it could be opened. Default: false.
  private mutating func reportProblem(_ folder: PhotoPath, _ reason: ScanProblem.Reason, isOpen: Bool = false) {
    flushBatch()
    summary.problems += 1
    watchForRecovery(of: folder, reason, isOpen: isOpen)
    mailbox.post(.problem(ScanProblem(folder: folder, reason: reason)))
  }

  /// Lets the watcher examine a root that cannot be opened, or a folder whose disk was removed, until it is there again,
  /// and report another folder that could not be read again after a while.
  private func watchForRecovery(of folder: PhotoPath, _ reason: ScanProblem.Reason, isOpen: Bool) {
    guard let watcher else { return }
    let isRoot = roots.contains { $0.kind == .folder && $0.path == folder }
    switch reason {
    case .system(let error) where isRoot && !isOpen:
      watcher.examineUnreachableFolder(folder, after: error, isRoot: true)
    // A change of permissions is a change of the folder that contains it.
    case .system(let error): if !error.isPermissionDenied { watcher.retry([folder]) }
    case .unmounted: watcher.examineUnreachableFolder(folder, after: nil, isRoot: isRoot)
    case .tooDeep, .kernelFileSystem, .linkToContainingFolder, .noReader: break
    }
  }

  /// Posts the photographs found since the last flush.
  private mutating func flushBatch() {
    if !batch.isEmpty { mailbox.post(.found(batch)) }
    batch.removeAll(keepingCapacity: false)
    batchPolicy.reset()
    mailbox.post(.progress(progress))
  }
}

// MARK: - Entry actions

/// The action that a scan takes for a file name.
enum EntryAction: Hashable, Sendable {
  /// Ignores the file.
  case skip
  /// Enters the folder, after the pictures.
  case enter
  /// Lists the file as a picture.
  case list
  /// Lists the file if its first bytes are those of a picture.
  case sniff
  /// Lists the file as a picture that cannot be shown.
  case fail(PhotoFailure)

  /// Returns the action for a name and the target to which it refers.
  static func action(for name: some BidirectionalCollection<UInt8>, target: EntryTarget) -> EntryAction {
    if isHidden(name) { return .skip }
    let hasImageExtension = ImageFileExtensions.isImageFileName(name)
    switch target {
    case .folder: return .enter
    case .file(let byteCount): return hasImageExtension ? .list : byteCount > 0 ? .sniff : .skip
    case .special: return hasImageExtension ? .fail(.notARegularFile) : .skip
    case .brokenLink: return hasImageExtension ? .fail(.brokenLink) : .skip
    case .inaccessible(let failure): return hasImageExtension ? .fail(failure) : .skip
    }
  }

  /// Returns whether the name is that of a hidden file.
  static func isHidden(_ name: some Collection<UInt8>) -> Bool { name.first == UInt8(ascii: ".") }
}

/// The target of a name in a folder, after following symbolic links.
enum EntryTarget: Hashable, Sendable {
  /// A regular file of the given size.
  case file(byteCount: Int64)
  /// A folder.
  case folder
  /// A FIFO, socket or device.
  case special
  /// A symbolic link without a target, or a cycle of links.
  case brokenLink
  /// A target whose status cannot be read.
  case inaccessible(PhotoFailure)
}

// MARK: - File names

/// The file name extensions of pictures, which are those of the formats in `ImageFormat.table`.
///
/// A file with such an extension is listed and then read. A file without one is listed only if its first bytes are
/// those of a picture.
enum ImageFileExtensions {
  /// Returns whether a name has the extension of a picture, in upper or lower case, with at least one character before
  /// it.
  static func isImageFileName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return false }
    let ending = name[name.index(after: dot)...]
    guard (2...5).contains(ending.count) else { return false }
    // The lowercase letters of the extension, packed into one number.
    return extensions.contains(ending.reduce(UInt64(0)) { $0 << 8 | UInt64(NaturalOrder.lowercased($1)) })
  }

  /// The extensions of all formats, each packed into one number.
  private static let extensions = Set(
    ImageFormat.table.flatMap(\.fileExtensions).map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })
}

// MARK: - Duplicates

/// A record of the listed files, so that symbolic links do not list a file twice.
///
/// Each plain name of a file is an item. A link to a file that was listed before adds no item. A link that comes before
/// the file replaces one of its plain names.
struct FileDeduplicator {
  private var listed: [UInt64: Set<UInt64>] = [:]
  private var linked: Set<FileKey> = []

  /// Returns whether to list a plain name, and records it.
  mutating func shouldListFile(_ key: FileKey) -> Bool {
    if linked.remove(key) != nil { return false }
    // One set per file system takes half the memory of a set of pairs.
    listed[key.device, default: []].insert(key.inode)
    return true
  }

  /// Returns whether to list a link to a file, and records it.
  mutating func shouldListLink(to key: FileKey) -> Bool {
    guard listed[key.device, default: []].insert(key.inode).inserted else { return false }
    linked.insert(key)
    return true
  }
}
