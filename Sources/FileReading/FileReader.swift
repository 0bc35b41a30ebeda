import Glibc
package import VitrineFramePacing
package import VitrineImageMetadata
import VitrineImagePipeline
package import VitrineReadingProtocol
import VitrineThreads

/// A reader of files that other programs have written: headers of pictures, the texts of thumbnails, and lists.
///
/// No byte of such a file reaches this process. A confined process reads it and answers with values, which are checked. A
/// file that never ends, a disk that does not answer or bytes that break a reader cost that process, which is then
/// replaced.
///
/// A disk that has not answered for three files in a row is not asked for 30 s.
///
/// Processes are started when they are first needed, and at most two are kept for later. They end with the reader. A list
/// has a process of its own: addresses from it are requested from servers, so nothing else may be known where it is read.
package final class FileReader: Sendable {
  private struct State {
    var idle: [ReaderProcess] = []
    var startedCount = 0
    /// The last time that no process could be started, and why.
    var failure: (time: Stopwatch, error: FileReadingError)?
    var disks = SilentDisks()
  }

  /// The maximum number of processes that are kept.
  private static let maximumIdle = 2
  /// The number of attempts to start a process while the system lacks a resource, and the milliseconds between them.
  private static let (startAttempts, startPause): (Int, Int32) = (5, 50)

  private let state = Lock(State())
  private let executable: String?
  private let timeout: ProcessTimeout

  /// Creates a reader, which starts no process yet.
  ///
  /// - Parameters:
  ///   - executable: The path of `vitrine-read`, or nil if it is next to the program. Default: nil.
  ///   - timeout: The time for a process to read one file, or the next entries of a list. Default: 5 s.
  package init(executable: String? = nil, timeout: FrameDuration = .seconds(5)) {
    self.executable = executable
    self.timeout = ProcessTimeout(limit: timeout)
  }

  /// The number of processes that were started.
  package var startedCount: Int { state.withLock(\.startedCount) }

  // MARK: - Processes

  /// Calls a closure with a process, which no other thread uses meanwhile.
  ///
  /// - Parameter body: The closure. If it leaves requests without an answer, the process ends.
  /// - Throws: ``FileReadingError/unavailable(_:)`` if no process can be started, and the closure's error.
  package func withProcess<Result>(
    _ body: (ReaderProcess) throws(FileReadingError) -> Result
  ) throws(FileReadingError) -> Result {
    let process = try takeProcess()
    defer { keep(process) }
    return try body(process)
  }

  private func takeProcess() throws(FileReadingError) -> ReaderProcess {
    while let process = state.withLock({ $0.idle.popLast() }) {
      if process.isReusable { return process }
    }
    return try startProcess()
  }

  private func startProcess() throws(FileReadingError) -> ReaderProcess {
    if let failure = state.withLock({ $0.failure }), failure.time.elapsed < failure.error.pauseBeforeNextStart {
      throw failure.error
    }
    var attempt = 1
    while true {
      do throws(FileReadingError) {
        return try launch()
      } catch {
        guard error.isShortage, attempt < FileReader.startAttempts else {
          state.withLock { $0.failure = (Stopwatch(), error) }
          throw error
        }
        attempt += 1
        poll(nil, 0, FileReader.startPause)
      }
    }
  }

  private func launch() throws(FileReadingError) -> ReaderProcess {
    let path: [UInt8]
    do {
      path = try DecoderExecutable.locate(explicit: executable, name: ReadingLaunch.executableName)
    } catch {
      throw .unavailable(error)
    }
    state.withLock { $0.startedCount += 1 }
    return try ReaderProcess(executable: path, timeout: timeout)
  }

  private func keep(_ process: ReaderProcess) {
    guard process.isReusable else { return }
    state.withLock { if $0.idle.count < FileReader.maximumIdle { $0.idle.append(process) } }
  }

  // MARK: - Disks

  /// Returns whether the files of a disk are not to be read at the moment, because it has not answered.
  ///
  /// - Parameter device: The number of its file system.
  package func isSilent(_ device: UInt64) -> Bool { state.withLock { $0.disks.isSilent(device) } }

  /// Records whether a disk has answered in time.
  package func recordAnswer(of device: UInt64, isInTime: Bool) {
    state.withLock { $0.disks.recordAnswer(of: device, isInTime: isInTime) }
  }

  // MARK: - Single files

  /// Reads an open file.
  ///
  /// Blocks until it is read, so do not call this on the thread that draws.
  ///
  /// - Parameters:
  ///   - operation: What to read, but no list.
  ///   - file: The descriptor of a regular file, which stays open.
  ///   - byteCount: The length of the file in bytes.
  ///   - device: The number of its file system, or nil if it is not known whether its disk answers. Default: nil.
  ///   - shouldContinue: A closure called from time to time that returns whether to continue. Default: always.
  /// - Returns: The contents, or nil if the file is not what is asked for.
  /// - Throws: ``FileReadingError``.
  package func read(
    _ operation: ReadingRequest.Operation, of file: Int32, byteCount: Int64, on device: UInt64? = nil,
    shouldContinue: () -> Bool = { true }
  ) throws(FileReadingError) -> ReadingContents? {
    if let device, isSilent(device) { throw .fault(.timedOut) }
    do throws(FileReadingError) {
      return try withProcess { process throws(FileReadingError) in
        try process.send(ReadingRequest(operation, fileBytes: UInt64(clamping: byteCount)), file: file)
        let reply = try process.receiveReply(shouldContinue: shouldContinue)
        if let device { recordAnswer(of: device, isInTime: true) }
        switch reply {
        case .contents(let contents): return contents
        case .unreadable(let code): throw .unreadable(code)
        case .notRecognized, .listEnd: return nil
        }
      }
    } catch {
      if let device, error == .fault(.timedOut) { recordAnswer(of: device, isInTime: false) }
      throw error
    }
  }

  /// Returns the header of an open file, or nil if it is no picture or cannot be read.
  package func header(of file: Int32, byteCount: Int64) -> ImageHeader? {
    (try? read(.header, of: file, byteCount: byteCount))?.header
  }

  /// Returns the size and the texts of an open PNG file, or nil if it is none or cannot be read.
  package func texts(of file: Int32, byteCount: Int64) -> PNGDescription? {
    (try? read(.texts, of: file, byteCount: byteCount))?.texts
  }

  // MARK: - Lists

  /// Reads a list of pictures, in a process of its own.
  ///
  /// Blocks until it is read.
  ///
  /// - Parameters:
  ///   - file: The descriptor of a regular file, which stays open.
  ///   - byteCount: The length of the file in bytes.
  ///   - shouldContinue: A closure called from time to time that returns whether to continue.
  ///   - onBatch: A closure called with the next entries, in the order of the list.
  /// - Returns: How the list ends.
  /// - Throws: ``FileReadingError``; entries that were read before were passed to the closure.
  package func readList(
    _ file: Int32, byteCount: Int64, shouldContinue: () -> Bool, onBatch: (ListBatch) -> Void
  ) throws(FileReadingError) -> ListEnd {
    let process = try startProcess()
    try process.send(ReadingRequest(.list, fileBytes: UInt64(clamping: byteCount)), file: file)
    while true {
      guard shouldContinue() else { throw .cancelled }
      guard let reply = try process.receiveListPart(onBatch: onBatch, shouldContinue: shouldContinue) else { continue }
      switch reply {
      case .listEnd(let end): return end
      case .unreadable(let code): throw .unreadable(code)
      case .contents, .notRecognized: throw .fault(.invalidReply)
      }
    }
  }
}

extension FileReadingError {
  /// Whether the system lacks a resource that a process needs, such as a descriptor.
  fileprivate var isShortage: Bool { if case .unavailable(.system) = self { true } else { false } }

  /// The pause before it is tried again to start a process.
  fileprivate var pauseBeforeNextStart: FrameDuration { isShortage ? .milliseconds(250) : .seconds(10) }
}

/// The disks that do not answer, so that each of their files does not cost the time that one may take.
private struct SilentDisks {
  /// The number of consecutive files without an answer after which the disk is not asked.
  private static let maximumTimeouts = 3
  /// The time after which it is asked again.
  private static let pause = FrameDuration.seconds(30)

  private var timeouts: [UInt64: (count: Int, last: Stopwatch)] = [:]

  mutating func recordAnswer(of device: UInt64, isInTime: Bool) {
    if !isInTime {
      timeouts[device] = ((timeouts[device]?.count ?? 0) + 1, Stopwatch())
    } else if !timeouts.isEmpty {
      timeouts[device] = nil
    }
  }

  func isSilent(_ device: UInt64) -> Bool {
    guard let (count, last) = timeouts[device], count >= SilentDisks.maximumTimeouts else { return false }
    return last.elapsed < SilentDisks.pause
  }
}
