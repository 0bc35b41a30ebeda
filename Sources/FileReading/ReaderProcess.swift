import Glibc
package import VitrineDecodingProtocol
import VitrineFramePacing
package import VitrineImagePipeline
package import VitrineReadingProtocol

/// A reading process, which answers requests in the order in which they are sent, for one thread at a time.
///
/// Once a request has failed it is not usable any more. It ends with its owner, and by itself when its socket is closed.
package final class ReaderProcess: @unchecked Sendable {
  // @unchecked: the pool gives it to one thread at a time.

  /// The time for the process to become ready.
  private static let readiness = ProcessTimeout(limit: .seconds(5))
  /// The processor time for a request, after which the kernel ends the process although its program cannot.
  private static let processorTime = FrameDuration.seconds(10)
  private static let listProcessorTime = FrameDuration.seconds(120)

  private let child: ChildProcess
  private let socket: RecordSocket
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ReadingLaunch.maximumPacketBytes, alignment: 16)
  /// The time for an answer.
  private let timeout: ProcessTimeout
  /// The requests that are not answered, in their order.
  private var waiting: [ReadingRequest] = []
  /// The number of requests that were sent.
  private var sentCount: UInt32 = 0
  /// The number of entries of the current list so far.
  private var entryCount = 0
  /// The number of requests that one process answers, so that one that a file has taken over lies about few others.
  static let maximumRequests: UInt32 = 4_096
  /// Whether further requests are possible.
  package private(set) var isUsable = true
  /// The layers that confine the process.
  package private(set) var layers: SandboxLayers = []
  /// The requests until the processor time must be renewed.
  private var requestsLeft = 0
  private static let requestsPerRenewal = 256

  /// The process identifier.
  var number: pid_t { child.number }

  /// Starts a process and waits until it is ready.
  ///
  /// The C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: The bytes of the program's path.
  ///   - timeout: The time for an answer.
  /// - Throws: ``FileReadingError/unavailable(_:)``.
  init(executable: [UInt8], timeout: ProcessTimeout) throws(FileReadingError) {
    self.timeout = timeout
    do throws(DecodingProcessError) {
      let pair = try RecordSocket.makePair()
      child = try ChildProcess(
        executable: executable, arguments: [ReadingLaunch.executableName], socket: pair.childEnd, memory: -1,
        priority: .normal, stop: nil, terminationTimeout: .milliseconds(50))
      socket = pair.takeParentEnd()
    } catch {
      buffer.deallocate()
      throw .unavailable(error)
    }
    do throws(FileReadingError) {
      guard let greeting = ReadingGreeting(try receive(within: ReaderProcess.readiness)) else {
        throw .fault(.invalidReply)
      }
      layers = greeting.layers
    } catch {
      throw .unavailable(.notReady)
    }
  }

  deinit { buffer.deallocate() }

  /// Whether the process has answered all requests and nothing else, and can answer others.
  var isReusable: Bool {
    isUsable && waiting.isEmpty && sentCount < ReaderProcess.maximumRequests && !socket.isReadable && !child.hasEnded
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: The descriptor of the file, of which the process gets a copy.
  /// - Throws: ``FileReadingError/fault(_:)`` if the process has ended.
  package func send(_ request: ReadingRequest, file: Int32) throws(FileReadingError) {
    if request.operation == .list {
      child.renewProcessorTime(ReaderProcess.listProcessorTime)
      (requestsLeft, entryCount) = (0, 0)
    } else if requestsLeft == 0 {
      child.renewProcessorTime(ReaderProcess.processorTime)
      requestsLeft = ReaderProcess.requestsPerRenewal
    } else {
      requestsLeft -= 1
    }
    var request = request
    request.id = sentCount &+ 1
    guard isUsable, socket.send(request.words, file: file) else {
      isUsable = false
      throw .fault(.exited)
    }
    sentCount &+= 1
    waiting.append(request)
  }

  /// Waits for the answer to the first request that has none.
  ///
  /// - Parameter shouldContinue: A closure called from time to time that returns whether to continue. Default: true.
  /// - Throws: ``FileReadingError/fault(_:)`` if the process ends, does not answer in time, or answers what it may not;
  ///   ``FileReadingError/cancelled`` if `shouldContinue` returned false.
  package func receiveReply(shouldContinue: () -> Bool = { true }) throws(FileReadingError) -> ReadingReply {
    try takeReply(receive(within: timeout, shouldContinue: shouldContinue))
  }

  private func takeReply(_ bytes: UnsafeRawBufferPointer) throws(FileReadingError) -> ReadingReply {
    guard let request = waiting.first, let reply = ReadingReply(bytes, answering: request) else {
      throw fault(.invalidReply)
    }
    waiting.removeFirst()
    return reply
  }

  /// Waits for the next entries of a list, or its end.
  ///
  /// - Parameters:
  ///   - onBatch: A closure called with entries.
  ///   - shouldContinue: A closure called from time to time that returns whether to continue.
  /// - Returns: The last reply, or nil if there are more entries.
  /// - Throws: The errors of ``receiveReply(shouldContinue:)``.
  package func receiveListPart(
    onBatch: (ListBatch) -> Void, shouldContinue: () -> Bool
  ) throws(FileReadingError) -> ReadingReply? {
    let bytes = try receive(within: timeout, shouldContinue: shouldContinue)
    guard let request = waiting.first, let batch = ListBatch(bytes, id: request.id) else { return try takeReply(bytes) }
    entryCount += batch.entries.count
    guard request.operation == .list, entryCount <= ListEntry.maximumCount else { throw fault(.invalidReply) }
    onBatch(batch)
    return nil
  }

  private func receive(
    within timeout: ProcessTimeout, shouldContinue: () -> Bool = { true }
  ) throws(FileReadingError) -> UnsafeRawBufferPointer {
    if !socket.isReadable {
      do throws(DecodingProcessError) {
        try ProcessWait(timeout: timeout, stop: nil).run(for: .record, socket, child, shouldContinue: shouldContinue)
      } catch {
        if error == .refused(.interrupted) {
          isUsable = false
          throw .cancelled
        }
        throw fault(error)
      }
    }
    guard let bytes = socket.receive(into: buffer) else { throw fault(.invalidReply) }
    guard !bytes.isEmpty else { throw fault(.exited) }
    return bytes
  }

  private func fault(_ error: DecodingProcessError) -> FileReadingError {
    isUsable = false
    return .fault(error)
  }
}

/// An error of reading a file of another program.
package enum FileReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No reading process can be started.
  case unavailable(DecodingProcessError)
  /// The reading process ended, did not answer in time, or answered what it may not.
  case fault(DecodingProcessError)
  /// The file cannot be read, with an error number.
  case unreadable(Int32)
  /// The caller does not need the result any more.
  case cancelled

  /// A sentence for users, without a full stop.
  package var description: String {
    switch self {
    case .unavailable(.executableMissing): "vitrine-read was not found next to the program; install it again"
    case .unavailable(let error): "the process that reads files cannot be started (\(error))"
    case .fault(.timedOut): "its disk does not answer"
    case .fault: "the process that read it has ended by a fault"
    case .unreadable(let code): "cannot be read: \(String(cString: strerror(code)))"
    case .cancelled: "cancelled"
    }
  }
}
