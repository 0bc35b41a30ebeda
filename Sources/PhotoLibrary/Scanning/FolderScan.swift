import DataStructures
public import Threads

/// Finds the photographs in folders and reads their headers, on two threads of its own.
///
/// The names come first, in batches and in their final order: nothing that was reported ever moves. The headers follow
/// behind. Users' files are opened for reading alone and never mapped into memory.
///
///     let scan = FolderScan(roots: [try LibraryRoot(checking: path)]) { waker.wake() }
///     try scan.start()
///     // each frame:
///     for event in scan.takeEvents(atMost: 1000) { … }
public final class FolderScan: Sendable {
  /// Folders below folders that are read at most.
  public static let maximumDepth = 64

  private let mailbox: SynchronizedScanMailbox
  private let roots: [LibraryRoot]
  private let options: ScanOptions
  private let threads = Lock<[WorkerThread]>([])

  /// Prepares a scan.
  ///
  /// - Parameters:
  ///   - roots: the places to scan, in their order; a folder that another one holds is scanned once.
  ///   - options: what to leave out, and whether somebody waits.
  ///   - wake: called from the scan's threads when there is something to take, once until it was taken.
  public init(
    roots: [LibraryRoot], options: ScanOptions = ScanOptions(), wake: @escaping @Sendable () -> Void = {}
  ) {
    self.roots = roots
    self.options = options
    mailbox = SynchronizedScanMailbox(wake: wake)
  }

  deinit { mailbox.stop() }

  /// Starts the threads; call it once.
  ///
  /// - Throws: ``ThreadError`` where the system has no threads to give; the scan is then over.
  public func start() throws(ThreadError) {
    threads.withLock { checkPrecondition($0.isEmpty, "a scan is started once") }
    let (desk, roots, options) = (mailbox, roots, options)
    do {
      // Of ordinary priority: the thread that draws shares its lock.
      let walker = try WorkerThread(name: "vitrine-scan") {
        var walk = FolderWalker(roots: roots, options: options, mailbox: desk)
        walk.run()
      }
      threads.withLock { $0.append(walker) }
      let reader = try WorkerThread(name: "vitrine-headers") {
        var reader = HeaderReader(options: options, mailbox: desk)
        reader.run()
      }
      threads.withLock { $0.append(reader) }
    } catch {
      desk.stop()
      join()
      throw error
    }
  }

  /// Takes what was found meanwhile; never waits.
  ///
  /// - Parameter count: photographs, facts and other events at most, so that a frame can bound what it does.
  /// - Returns: the events in order; empty when there are none yet, or after ``LibraryEvent/finished(_:)``.
  public func takeEvents(atMost count: Int) -> [LibraryEvent] { mailbox.takeEvents(atMost: count) }

  /// Whether ``takeEvents(atMost:)`` left something behind, or something came since.
  public var hasEvents: Bool { mailbox.hasEvents }

  /// Waits for the next photographs and all their headers, and takes them.
  ///
  /// For the virtual clock, with ``ScanOptions/isWaitedFor``: the batches depend on the files alone, however long anything takes.
  /// Each holds `count` photographs, the last fewer or none, and ends with ``LibraryEvent/finished(_:)``.
  ///
  /// - Precondition: the scan was started, and is taken from in no other way.
  public func takeBatch(count: Int) -> [LibraryEvent] { mailbox.waitForBatch(of: count) }

  /// Tells the threads to leave, and returns at once.
  ///
  /// They leave with the next name, unless a disk or a network keeps them; a program that quits need not wait.
  public func cancel() { mailbox.stop() }

  /// Waits until the threads have left; soon after ``cancel()`` or the last event.
  public func join() {
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in running { thread.join() }
  }
}
