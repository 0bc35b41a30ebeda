import VitrineDataStructures
package import VitrineFileReading
package import VitrineThreads

/// A scan that finds the photographs in folders and reads their headers, on two threads.
///
/// Names are delivered first, in batches and in their final order: a reported photograph never moves. Headers follow.
/// Files are opened for reading only and never memory-mapped.
///
///     let scan = FolderScan(roots: [try LibraryRoot(checking: path)]) { waker.wake() }
///     try scan.start()
///     // each frame:
///     for event in scan.takeEvents(atMost: 1000) { … }
package final class FolderScan: Sendable {
  /// The maximum depth of nested folders.
  package static let maximumDepth = 64

  private let mailbox: SynchronizedScanMailbox
  private let roots: [LibraryRoot]
  /// The folders to list again, or nil to scan all folders of the roots.
  private let changes: [FolderChange]?
  private let options: ScanOptions
  private let threads = Lock<[WorkerThread]>([])

  /// Creates a scan without starting it.
  ///
  /// - Parameters:
  ///   - roots: The roots to scan, in order. A folder inside another root is scanned once.
  ///   - options: The folders to exclude, and whether batches are deterministic.
  ///   - wake: A closure that is called on the scan's threads when events become available, once until they are taken.
  package init(
    roots: [LibraryRoot], options: ScanOptions = ScanOptions(), wake: @escaping @Sendable () -> Void = {}
  ) {
    self.roots = roots
    changes = nil
    self.options = options
    mailbox = SynchronizedScanMailbox(wake: wake)
  }

  /// Creates a scan of folders that changed while the library was open, and of the folders within them that the watcher
  /// does not know yet.
  ///
  /// For each of the changed folders, ``LibraryEvent/relisted(_:)`` follows its photographs.
  ///
  /// - Parameters:
  ///   - changes: The folders that changed.
  ///   - roots: The roots of the library.
  ///   - options: The options of the library's scan, with its watcher.
  ///   - wake: A closure that is called on the scan's threads when events become available, once until they are taken.
  package init(
    of changes: [FolderChange], within roots: [LibraryRoot], options: ScanOptions,
    wake: @escaping @Sendable () -> Void = {}
  ) {
    self.roots = roots
    self.changes = changes
    self.options = options
    mailbox = SynchronizedScanMailbox(wake: wake)
  }

  deinit { mailbox.stop() }

  /// Starts the threads.
  ///
  /// Call it only once.
  ///
  /// - Throws: ``ThreadError`` if the system cannot create the threads; the scan is then over.
  package func start() throws(ThreadError) {
    threads.withLock { checkPrecondition($0.isEmpty, "a scan is started once") }
    let (mailbox, roots, changes, options) = (mailbox, roots, changes, options)
    do {
      // Default priority, because the main thread shares the lock.
      let walker = try WorkerThread(name: "vitrine-scan") {
        var walk = FolderWalker(roots: roots, options: options, mailbox: mailbox)
        if let changes { walk.run(changes) } else { walk.run() }
      }
      threads.withLock { $0.append(walker) }
      let reader = try WorkerThread(name: "vitrine-headers") {
        var reader = HeaderReader(roots: roots, isUpdate: changes != nil, options: options, mailbox: mailbox)
        reader.run()
      }
      threads.withLock { $0.append(reader) }
    } catch {
      mailbox.stop()
      join()
      throw error
    }
  }

  /// Takes the available events without waiting.
  ///
  /// - Parameter count: The maximum number of photographs, headers and other events, so that a frame can limit its
  ///   work.
  /// - Returns: The events in order; empty if none are available, or after ``LibraryEvent/finished(_:)``.
  package func takeEvents(atMost count: Int) -> [LibraryEvent] { mailbox.takeEvents(atMost: count) }

  /// Whether events are available.
  package var hasEvents: Bool { mailbox.hasEvents }

  /// Waits for the next photographs and all their headers, and takes them.
  ///
  /// For the simulated clock, with ``BatchPolicy/bySize``: the batches depend only on the files, not on
  /// timing. Each contains `count` photographs; the last one contains fewer or none, and ends with
  /// ``LibraryEvent/finished(_:)``.
  ///
  /// - Precondition: The scan was started, events are taken in no other way, and `count` is at most 10,000.
  package func takeBatch(count: Int) -> [LibraryEvent] { mailbox.waitForBatch(of: count) }

  /// Requests the threads to stop, and returns immediately.
  ///
  /// They stop at the next file name, unless a disk or network blocks them. A program that quits does not have to wait.
  package func cancel() { mailbox.stop() }

  /// Waits until the threads have stopped, which is soon after ``cancel()`` or the last event.
  package func join() {
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in running { thread.join() }
  }
}

/// The options of a scan.
package struct ScanOptions: Sendable {
  /// Folders to exclude with their contents, by whatever name they are reached, such as the cache folders of this
  /// program.
  package var excludedFolders: [PhotoPath] = []
  /// The policy that decides when photographs that were found are delivered.
  ///
  /// Default: ``BatchPolicy/bySizeAndAge``.
  package var batches = BatchPolicy.bySizeAndAge
  /// The stored catalogue, from which the headers of unchanged files are taken, and which is brought up to date; nil to
  /// read every file.
  package var catalogue: CatalogueStore?
  /// The watcher of all folders that are listed, or nil.
  package var watcher: FolderWatcher?
  /// The reader of the photographs' headers.
  package var reader: FileReader

  /// Creates the options.
  package init(
    excludedFolders: [PhotoPath] = [], batches: BatchPolicy = .bySizeAndAge, catalogue: CatalogueStore? = nil,
    watcher: FolderWatcher? = nil, reader: FileReader = FileReader()
  ) {
    self.excludedFolders = excludedFolders
    self.batches = batches
    self.catalogue = catalogue
    self.watcher = watcher
    self.reader = reader
  }
}
