import CVitrinePlatform
import Glibc
import VitrineDataStructures
import VitrineThreads

/// An opener of files that a disk or server that does not answer keeps for a limited time.
///
/// Opening a file on a server that is out of reach can block a thread until the server is back, and no signal ends that.
/// Therefore such a file is opened on a thread of its own, which is abandoned after the time limit. Files of folders on
/// disks of this computer are opened on the calling thread: a thread costs some 50 µs. The opener is thread-safe.
final class FileOpener: Sendable {
  /// Opens the file at a path, and returns its descriptor, or its `errno` as a negative number.
  typealias Open = @Sendable (_ path: [UInt8]) -> Int32

  private struct State {
    /// Folders on disks of this computer.
    var localFolders = LRUCache<[UInt8], Bool>(costLimit: 4_096)
    /// The number of threads that were abandoned and have not returned.
    var abandonedCount = 0
    /// The number of those that were abandoned because of the limit, for each folder.
    var lateCounts: [[UInt8]: Int] = [:]

    mutating func addAbandoned(_ folder: [UInt8], isLate: Bool) {
      abandonedCount += 1
      if isLate { lateCounts[folder, default: 0] += 1 }
    }

    mutating func removeAbandoned(_ folder: [UInt8], isLate: Bool) {
      abandonedCount -= 1
      guard isLate, let count = lateCounts[folder] else { return }
      lateCounts[folder] = count > 1 ? count - 1 : nil
    }
  }

  /// The answer of a thread.
  private struct Answer {
    /// The descriptor, or the negative `errno`; nil before there is one.
    var number: Int32?
    var isAbandoned = false
    /// Whether it was abandoned because of the limit.
    var isLate = false
  }

  /// The maximum number of abandoned threads, above which no file is opened on another thread.
  private static let maximumAbandoned = 16
  /// The time in which a waiting caller looks whether it is still to wait.
  private static let step = Duration.milliseconds(40)

  private let limit: Duration
  private let open: Open
  private let isLocal: @Sendable (Int32) -> Bool
  private let state = Lock(State())

  /// Creates an opener.
  ///
  /// - Parameters:
  ///   - limit: The time limit. Default: 5 s.
  ///   - open: Opens a file. Default: `openat` without waiting for the writer of a FIFO.
  ///   - isLocal: Returns whether an open file is on a disk of this computer. Default: by the kind of file system.
  init(
    limit: Duration = .seconds(5), open: @escaping Open = FileOpener.openFile,
    isLocal: @escaping @Sendable (Int32) -> Bool = FileOpener.isOnLocalDisk
  ) {
    self.limit = limit
    self.open = open
    self.isLocal = isLocal
  }

  /// The number of threads that were abandoned and have not returned.
  var abandonedCount: Int { state.withLock { $0.abandonedCount } }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The bytes of the path.
  ///   - shouldContinue: A closure called every 40 ms that returns whether to continue waiting.
  /// - Throws: ``ImageFailure/cannotOpen(_:)``, with ETIMEDOUT if there is no answer in time, or a file of the same folder
  ///   is still being waited for after its time; ``ImageFailure/interrupted`` if the closure returned false.
  func file(at path: [UInt8], shouldContinue: () -> Bool) throws(ImageFailure) -> ImageFile {
    let folder = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
    let answer: Int32
    if state.withLock({ $0.localFolders.value(for: folder) }) != nil {
      answer = open(path)
    } else {
      let isSilent = state.withLock {
        $0.lateCounts[folder] != nil || $0.abandonedCount >= FileOpener.maximumAbandoned
      }
      guard !isSilent else { throw .cannotOpen(ETIMEDOUT) }
      answer = try openOnThread(path, in: folder, shouldContinue: shouldContinue)
      if answer >= 0, isLocal(answer) { state.withLock { _ = $0.localFolders.insert(true, for: folder, cost: 1) } }
    }
    guard answer >= 0 else { throw .cannotOpen(-answer) }
    return try ImageFile(adopting: answer)
  }

  private func openOnThread(
    _ path: [UInt8], in folder: [UInt8], shouldContinue: () -> Bool
  ) throws(ImageFailure) -> Int32 {
    let answer = Lock(Answer())
    let (state, open) = (state, open)
    let thread: WorkerThread
    do throws(ThreadError) {
      thread = try WorkerThread(name: "open", stackBytes: 1 << 16) {
        let number = open(path)
        let (isAbandoned, isLate) = answer.withLock { answer in
          answer.number = number
          return (answer.isAbandoned, answer.isLate)
        }
        answer.wakeAll()
        guard isAbandoned else { return }
        if number >= 0 { close(number) }
        state.withLock { $0.removeAbandoned(folder, isLate: isLate) }
      }
    } catch {
      throw .cannotOpen(error.status)
    }
    let start = ContinuousClock.now
    while true {
      if let number = answer.wait(atMost: min(FileOpener.step, limit), until: { $0.number }) {
        thread.join()
        return number
      }
      let isLate = ContinuousClock.now - start >= limit
      guard isLate || !shouldContinue() else { continue }
      // Counted before the thread can know that it is abandoned.
      state.withLock { $0.addAbandoned(folder, isLate: isLate) }
      let number = answer.withLock { answer in
        (answer.isAbandoned, answer.isLate) = (answer.number == nil, isLate)
        return answer.number
      }
      guard let number else {
        thread.detach()
        throw isLate ? .cannotOpen(ETIMEDOUT) : .interrupted
      }
      state.withLock { $0.removeAbandoned(folder, isLate: isLate) }
      thread.join()
      return number
    }
  }

  private static let openFile: Open = { path in
    // A zero byte would truncate the path, so that it names another file.
    guard !path.contains(0) else { return -EINVAL }
    let number = platform_open_for_reading(path.map { CChar(bitPattern: $0) } + [0])
    return number >= 0 ? number : -errno
  }

  /// The kinds of file systems on disks of this computer, which answer or report an error: `f_type` of `statfs`.
  private static let localKinds: Set<Int64> = [
    // ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, JFS, ReiserFS, NILFS.
    0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0xCA45_1A4E, 0x2FC1_2FC1, 0x3153_464A, 0x5265_4973, 0x3434,
    // Memory and layers over others.
    0x0102_1994, 0x8584_58F6, 0x794C_7630,
    // FAT, exFAT, NTFS, HFS+, ISO 9660, UDF, SquashFS, EROFS.
    0x4D44, 0x2011_BAB0, 0x7366_746E, 0x5346_544E, 0x482B, 0x9660, 0x1501_3346, 0x7371_7368, 0xE0F5_E1E2,
  ]

  private static let isOnLocalDisk: @Sendable (Int32) -> Bool = { localKinds.contains(platform_file_system_kind($0)) }
}
