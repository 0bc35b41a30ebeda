import CVitrinePlatform
import Glibc
import VitrineThreads

/// A watcher that reports which folders changed, so that their photographs are listed again.
///
/// The system reports changes of folders on local disks (inotify). Folders on network file systems, whose changes by
/// other machines it does not report, and folders beyond the user's limit of watched folders are examined regularly
/// instead: that finds files that were added, removed or renamed, but not files that were overwritten in place.
///
/// A root of the library is also watched for being moved together with a folder that contains it. While a root is out
/// of reach it is examined regularly, as the system does not report that it is back. A folder that could not be read
/// completely is reported again after a while (``FolderRetries``).
///
/// Watching opens and reads no file. A folder is watched before it is listed, so that no change is missed.
package final class FolderWatcher: Sendable {
  /// What changed since it was taken last.
  package struct Changes: Hashable, Sendable {
    /// The folders to list again.
    package var folders: [FolderChange] = []
    /// The folders whose file system was removed; their photographs are offline, not deleted.
    package var unmounted: [PhotoPath] = []
    /// Whether changes were lost, so that the whole library must be read again.
    package var needsRescan = false

    /// Creates an empty value.
    package init() {}

    /// Whether nothing changed.
    package var isEmpty: Bool { folders.isEmpty && unmounted.isEmpty && !needsRescan }

    /// Adds later changes, which replace those of the same folders.
    mutating func merge(_ later: Changes) {
      let changed = Set(later.folders.map(\.folder))
      folders = folders.filter { !changed.contains($0.folder) } + later.folders
      unmounted += later.unmounted
      needsRescan = needsRescan || later.needsRescan
    }
  }

  private struct State {
    var paths: [InotifyQueue.WatchNumber: PhotoPath] = [:]
    var numbers: [PhotoPath: InotifyQueue.WatchNumber] = [:]
    /// The folders that are examined regularly, and their modification dates.
    var examined: [PhotoPath: Int64] = [:]
    /// The roots of the library.
    var roots: Set<PhotoPath> = []
    /// The folders that contain roots and are watched for being moved, with those roots.
    var ancestors: [InotifyQueue.WatchNumber: Set<PhotoPath>] = [:]
    var unreachableFolders: UnreachableFolders
    var retries = FolderRetries()
    /// Whether a folder is examined because no further one can be watched.
    var hasReachedLimit = false
    var isClosed = false
  }

  private let state: Lock<State>
  /// The changes to take, with a lock of their own: the client must not wait while the thread records events.
  private let changes = Lock(Changes())
  private let queue: InotifyQueue
  /// An event that wakes the thread, because it is closed or has another folder to examine.
  private let wakeup: FileDescriptor
  /// The time between two examinations, in nanoseconds.
  private let examinationInterval: UInt64
  private let maximumWatchCount: Int
  private let wake: @Sendable () -> Void
  private let thread = Lock<WorkerThread?>(nil)

  /// Creates a watcher without folders, and starts its thread.
  ///
  /// - Parameters:
  ///   - examinationInterval: The time between two examinations of folders that the system cannot watch. Default: ten
  ///     seconds.
  ///   - rootInterval: The time between two examinations of roots that are out of reach. Default: one second.
  ///   - maximumWatchCount: The number of folders that are watched at most, in addition to the user's limit. Default: no
  ///     limit.
  ///   - wake: A closure that is called on the thread when there are changes to take.
  /// - Throws: ``FileError`` if the system allows no further watcher or thread.
  package init(
    examinationInterval: Duration = .seconds(10), rootInterval: Duration = .seconds(1), maximumWatchCount: Int = .max,
    wake: @escaping @Sendable () -> Void = {}
  ) throws(FileError) {
    queue = try InotifyQueue()
    let number = platform_eventfd()
    guard number >= 0 else { throw FileError(.watch, code: errno) }
    wakeup = FileDescriptor(adopting: number)
    self.examinationInterval = FolderWatcher.nanoseconds(examinationInterval)
    state = Lock(State(unreachableFolders: UnreachableFolders(interval: FolderWatcher.nanoseconds(rootInterval))))
    self.maximumWatchCount = maximumWatchCount
    self.wake = wake
    do throws(ThreadError) {
      // The thread ends when the watcher is closed, and keeps it until then.
      let started = try WorkerThread(name: "vitrine-watch") { [self] in run() }
      thread.withLock { $0 = started }
    } catch {
      throw FileError(.watch, code: EAGAIN)
    }
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = max(.zero, duration).components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
  }

  /// The number of folders that are watched or examined.
  package var count: Int { state.withLock { $0.numbers.count + $0.examined.count } }

  /// Watches a folder; has no effect if it is watched already.
  ///
  /// Call it before listing the folder. It may block as long as the folder's disk or network does.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isOnNetwork: Whether it is on a network file system.
  ///   - replacesPath: Whether a folder that is watched by another path, such as a link, is watched by this one from now
  ///     on. Default: true.
  ///   - isRoot: Whether it is a root of the library, of which changes are also reported when a folder that contains it is
  ///     moved. Default: false.
  /// - Returns: False if the folder is watched by another path, which it keeps.
  @discardableResult
  package func watch(
    _ folder: PhotoPath, isOnNetwork: Bool = false, replacesPath: Bool = true, isRoot: Bool = false
  ) -> Bool {
    if isRoot { watchAncestors(of: folder) }
    let isKnown = state.withLock { state in
      // What was out of reach is being read.
      if !isRoot { state.unreachableFolders.remove(folder) }
      return state.isClosed || state.numbers[folder] != nil || state.examined[folder] != nil
    }
    if isKnown { return true }
    if isOnNetwork {
      examine(folder)
      return true
    }
    do throws(FileError) {
      guard state.withLock({ $0.numbers.count < maximumWatchCount }) else { throw FileError(.watch, code: ENOSPC) }
      let number = try queue.watch(folder)
      return state.withLock { state in
        if let former = state.paths[number] {
          guard replacesPath else { return false }
          state.numbers[former] = nil
        }
        state.paths[number] = folder
        state.numbers[folder] = number
        return true
      }
    } catch {
      // A missing folder is found by the list of its parent.
      if !error.isNotFound { examine(folder) }
      if error.code == ENOSPC { state.withLock { $0.hasReachedLimit = true } }
      return true
    }
  }

  private func watchAncestors(of root: PhotoPath) {
    let path = root.absolute
    // The path may contain symbolic links to folders that are moved.
    let ancestors = Set(path.ancestors + (SystemCalls.resolvedPath(path)?.ancestors ?? []))
    let isClosed = state.withLock { state in
      state.roots.insert(root)
      state.unreachableFolders.remove(root)
      return state.isClosed
    }
    guard !isClosed else { return }
    // Without the lock, because a disk or network may not answer. A folder that may not be read cannot be watched.
    for ancestor in ancestors {
      guard let number = try? queue.watchMove(of: ancestor) else { continue }
      state.withLock { _ = $0.ancestors[number, default: []].insert(root) }
    }
  }

  /// Starts to examine a folder that could not be read, regularly and until it is watched again.
  ///
  /// When something else is found at its path, ``Changes/needsRescan`` is set.
  ///
  /// - Parameters:
  ///   - folder: A root, or a folder at which a disk was mounted.
  ///   - error: Why it could not be read, or nil if its disk was removed.
  ///   - isRoot: Whether it is a root of the library.
  func examineUnreachableFolder(_ folder: PhotoPath, after error: FileError?, isRoot: Bool) {
    let finding =
      error.map { UnreachableFolders.Finding.failure($0.code) } ?? UnreachableFolders.Finding(at: folder)
    state.withLock {
      $0.unreachableFolders.insert(folder, finding, isRoot: isRoot, at: SystemCalls.monotonicNanoseconds())
    }
    // The thread may be waiting without a time limit.
    wakeThread()
  }

  /// Reports folders as changed after a while, because an error kept them or files in them from being read.
  ///
  /// - Parameter folders: The folders. If there are many, some of them are retried.
  package func retry(_ folders: Set<PhotoPath>) {
    state.withLock { state in
      for folder in folders.prefix(FolderRetries.maximumCount) {
        state.retries.insert(folder, at: SystemCalls.monotonicNanoseconds())
      }
    }
    // The thread may be waiting without a time limit.
    wakeThread()
  }

  private func examine(_ folder: PhotoPath) {
    let date = FolderWatcher.modificationDate(of: folder)
    let isFirst = state.withLock { state in
      state.examined[folder] = date
      return state.examined.count == 1
    }
    // The thread may be waiting without a time limit.
    if isFirst { wakeThread() }
  }

  private func wakeThread() {
    var one: UInt64 = 1
    _ = write(wakeup.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Whether more folders were to be watched than the user's limit allows (`fs.inotify.max_user_watches`), so that changes
  /// in some are found later.
  package var hasReachedLimit: Bool { state.withLock { $0.hasReachedLimit } }

  /// Returns whether a folder is watched or examined.
  package func isWatching(_ folder: PhotoPath) -> Bool {
    state.withLock { $0.numbers[folder] != nil || $0.examined[folder] != nil }
  }

  /// Whether ``takeChanges()`` returns changes.
  package var hasChanges: Bool { changes.withLock { !$0.isEmpty } }

  /// Takes the changes since the last call.
  package func takeChanges() -> Changes {
    changes.withLock { changes in
      defer { changes = Changes() }
      return changes
    }
  }

  /// Stops watching and ends the thread.
  ///
  /// Returns without waiting for a disk or network that blocks the thread. Has no effect when called again.
  package func close() {
    let wasClosed = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed
    }
    guard !wasClosed else { return }
    wakeThread()
    thread.withLock { thread in
      thread?.detach()
      thread = nil
    }
  }

  // MARK: - Thread

  private func run() {
    var collector = FolderChangeCollector()
    var nextExamination = SystemCalls.monotonicNanoseconds() + examinationInterval
    while !state.withLock({ $0.isClosed }) {
      waitForEvents(until: nextExamination, or: collector.nextTime)
      let events = queue.takeEvents()
      let now = SystemCalls.monotonicNanoseconds()
      let changed = now >= nextExamination ? examineFolders() : []
      if now >= nextExamination { nextExamination = now + examinationInterval }
      var new = Changes()
      state.withLock { state in
        for event in events { record(event, &state, &collector, &new, at: now) }
      }
      if examineUnreachableFolders(at: now) { new.needsRescan = true }
      for folder in new.unmounted {
        examineUnreachableFolder(folder, after: nil, isRoot: state.withLock { $0.roots.contains(folder) })
      }
      let retried = state.withLock { $0.retries.takeDueFolders(at: now) }
      for folder in changed + retried { collector.recordChange(of: folder, at: now) }
      new.folders = collector.takeChanges(at: now)
      guard !new.isEmpty else { continue }
      changes.withLock { [new] in $0.merge(new) }
      wake()
    }
  }

  /// Waits until events arrive, collected changes are due, or the watcher is closed.
  private func waitForEvents(until nextExamination: UInt64, or due: UInt64?) {
    let now = SystemCalls.monotonicNanoseconds()
    let times = state.withLock { state in
      // Without folders to examine, an idle watcher does not wake up.
      [due, state.examined.isEmpty ? nil : nextExamination, state.unreachableFolders.nextTime, state.retries.nextTime]
    }
    let time = times.compactMap { $0 }.min()
    let timeout = time.map { Int32(clamping: $0 <= now ? 0 : ($0 - now + 999_999) / 1_000_000) } ?? -1
    var descriptors = [
      pollfd(fd: queue.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, nfds_t(descriptors.count), timeout)
    var count: UInt64 = 0
    _ = read(wakeup.number, &count, MemoryLayout<UInt64>.size)
  }

  /// Examines the folders that are not watched.
  ///
  /// - Returns: Those that changed.
  private func examineFolders() -> [PhotoPath] {
    var changed: [PhotoPath] = []
    for (folder, before) in state.withLock({ $0.examined }) {
      let date = FolderWatcher.modificationDate(of: folder)
      guard date != before else { continue }
      changed.append(folder)
      state.withLock { state in if state.examined[folder] != nil { state.examined[folder] = date } }
    }
    return changed
  }

  /// Examines the folders that are out of reach, if it is time.
  ///
  /// - Returns: Whether the library must be read again.
  private func examineUnreachableFolders(at now: UInt64) -> Bool {
    let folders = state.withLock { ($0.unreachableFolders.nextTime ?? .max) <= now ? $0.unreachableFolders.paths : [] }
    guard !folders.isEmpty else { return false }
    var found: [PhotoPath: UnreachableFolders.Finding] = [:]
    // Without the lock, because a disk or network may not answer.
    for folder in folders { found[folder] = UnreachableFolders.Finding(at: folder) }
    return state.withLock { [found] in
      $0.unreachableFolders.update(found, at: SystemCalls.monotonicNanoseconds())
    }
  }

  /// Records an event in the collector of the thread, or in its changes.
  private func record(
    _ event: InotifyQueue.Event, _ state: inout State, _ collector: inout FolderChangeCollector,
    _ changes: inout Changes, at now: UInt64
  ) {
    switch event {
    case .entry(let number, let event, let name, let isFolder):
      guard let path = state.paths[number] else { return }
      // The folder is found again by the list of its parent, and watched by its new path.
      if isFolder, event == .removed { forget(path.appending(name), &state) }
      collector.record(event, of: name, in: path, at: now)
    case .folderGone(let number, let wasUnmounted):
      if !wasUnmounted {
        for root in state.ancestors[number] ?? [] {
          forget(root, &state)
          collector.recordChange(of: root, at: now)
        }
        forgetAncestor(number, &state)
      }
      guard let path = state.paths[number] else { return }
      if wasUnmounted {
        changes.unmounted.append(path)
      } else {
        // Another folder may take its place.
        forget(path, &state)
        collector.recordChange(of: path, at: now)
      }
    case .ended(let number):
      state.ancestors[number] = nil
      guard let path = state.paths.removeValue(forKey: number) else { return }
      if state.numbers[path] == number { state.numbers[path] = nil }
    case .overflow: changes.needsRescan = true
    }
  }

  /// Forgets the paths of a folder that was removed or renamed, and of those within.
  private func forget(_ folder: PhotoPath, _ state: inout State) {
    guard state.numbers[folder] != nil || !state.examined.isEmpty else { return }
    for (path, number) in state.numbers where path.isWithin(folder) {
      state.numbers[path] = nil
      state.paths[number] = nil
      queue.unwatch(number)
    }
    state.examined = state.examined.filter { !$0.key.isWithin(folder) }
  }

  /// Stops watching a folder that contained roots, and was moved.
  private func forgetAncestor(_ number: InotifyQueue.WatchNumber, _ state: inout State) {
    guard state.ancestors.removeValue(forKey: number) != nil, state.paths[number] == nil else { return }
    queue.unwatch(number)
  }

  /// Returns the modification date of a folder, or the smallest number if it cannot be examined.
  private static func modificationDate(of folder: PhotoPath) -> Int64 {
    (try? SystemCalls.status(of: folder))?.identity.modificationNanoseconds ?? .min
  }
}
