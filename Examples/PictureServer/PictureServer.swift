import Glibc
import Threads

/// A web server on this machine, for this program alone: `GET /pictures/17` answers with a picture, or as servers do.
///
/// A few threads, a request each; nothing outside of this machine can reach it. It lives until it is stopped.
public final class PictureServer: Sendable {
  private struct State {
    var open: Set<Int32> = []
    var isStopped = false
    var requestCount = 0
  }

  /// More than a client has connections to one server.
  private static let threadCount = 8

  private let shelf: PictureShelf
  private let answering: ServerAnswering
  private let patience: Duration
  private let listener: Int32
  private let port: UInt16
  private let state = Lock(State())
  private let threads = Lock<[WorkerThread]>([])

  /// Begins to listen on the loopback interface, at a port that the system chooses.
  ///
  /// The C functions are `socket`, `bind`, `listen` and `getsockname`.
  ///
  /// - Parameters:
  ///   - shelf: the pictures.
  ///   - answering: how it answers.
  ///   - patience: how long somebody who has come may say nothing.
  /// - Throws: ``ServerError``, `ThreadError`.
  public init(_ shelf: PictureShelf, _ answering: ServerAnswering, patience: Duration = .seconds(5)) throws {
    self.shelf = shelf
    self.answering = answering
    self.patience = patience
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw ServerError(code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
          && (answering.manner == .absent || listen(listener, 64) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw ServerError(code: errno) }
    guard answering.manner != .absent else { return }
    do {
      for _ in 0..<Self.threadCount {
        let thread = try WorkerThread(name: "picture server") { [self] in
          while let connection = accept() { serve(connection) }
        }
        threads.withLock { $0.append(thread) }
      }
    } catch {
      stop()
      throw error
    }
  }

  deinit { close(listener) }

  /// Where a picture is.
  public func address(of number: Int) -> String { "http://127.0.0.1:\(port)/pictures/\(number)" }

  /// How often something was asked for.
  public var requestCount: Int { state.withLock { $0.requestCount } }

  /// Ends all connections, whatever they wait for, and waits for the threads.
  ///
  /// A shelf that is still painted is to be closed first, as a thread may wait for a picture of it. The C function is
  /// `shutdown`. Again is no error.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      for number in state.open { shutdown(number, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
  }

  /// Waits for somebody who asks; the C function is `accept`.
  private func accept() -> ServerConnection? {
    while true {
      let number = Glibc.accept(listener, nil, nil)
      guard number >= 0 else {
        let code = errno
        guard !state.withLock({ $0.isStopped }) else { return nil }
        // Without a descriptor or memory to spare nobody is lost: they wait until there is one.
        if code != EINTR, code != ECONNABORTED { _ = poll(nil, 0, 100) }
        continue
      }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      let isWanted = state.withLock { state in
        if !state.isStopped { state.open.insert(number) }
        return !state.isStopped
      }
      guard isWanted else {
        close(number)
        return nil
      }
      return ServerConnection(number: number)
    }
  }

  private func serve(_ connection: ServerConnection) {
    if let number = connection.readRequest(patience: patience) {
      state.withLock { $0.requestCount += 1 }
      answering.answer(number, from: shelf, on: connection)
    }
    state.withLock { state in
      state.open.remove(connection.number)
      shutdown(connection.number, Int32(SHUT_WR))
      close(connection.number)
    }
  }
}
