import Glibc
import Threads

/// A server on this machine for one test, which answers as the test says: with a thread for each connection, over HTTP 1.1
/// without encryption.
///
/// Nothing outside this machine can reach it. It ends with ``stop()``, whatever its answers are doing.
public final class WebServer: Sendable {
  private struct State: Sendable {
    var requests: [WebRequest] = []
    var openConnections: Set<Int32> = []
    var peakConnections = 0
    var isStopped = false
  }

  /// Where it listens.
  public let port: UInt16
  private let listener: Int32
  private let state = Lock(State())
  private let threads = Lock<[WorkerThread]>([])
  private let handler: @Sendable (WebRequest, WebConnection) -> Void

  /// Starts a server.
  ///
  /// The C functions are `socket`, `bind` and `listen`.
  ///
  /// - Parameter answer: called on the connection's thread for each request; the connection ends when it returns.
  /// - Throws: ``NoServer``, `ThreadError`.
  public init(_ answer: @escaping @Sendable (WebRequest, WebConnection) -> Void) throws {
    self.handler = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isThere = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isThere else {
      let code = errno
      close(listener)
      throw ServerStartError(code: code)
    }
    let acceptor = try WorkerThread(name: "web server") { [weak self] in
      while true {
        let number = accept(listener, nil, nil)
        if number < 0 { return }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        guard let self, startConnection(number) else {
          close(number)
          return
        }
      }
    }
    threads.withLock { $0.append(acceptor) }
  }

  deinit { close(listener) }

  /// An address on it.
  ///
  /// - Parameter path: the path, with the slash that it begins with.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What was asked so far, in order.
  public var requests: [WebRequest] { state.withLock { $0.requests } }

  /// The most connections that were open at once.
  public var peakConnectionCount: Int { state.withLock { $0.peakConnections } }

  /// Waits until so much has been asked.
  /// - Throws: ``TookTooLong``.
  public func waitForRequests(_ count: Int) throws {
    try state.wait(for: "\(count) requests to a server") { $0.requests.count >= count ? () : nil }
  }

  /// Ends all connections, and waits for their threads.
  ///
  /// The C function is `shutdown`.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      for number in state.openConnections { shutdown(number, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
  }

  private func startConnection(_ number: Int32) -> Bool {
    let isWanted = state.withLock { state in
      guard !state.isStopped else { return false }
      state.openConnections.insert(number)
      state.peakConnections = max(state.peakConnections, state.openConnections.count)
      return true
    }
    guard isWanted else { return false }
    guard let thread = try? WorkerThread(name: "web connection", { [self] in serveConnection(number) })
    else {
      closeConnection(number)
      return true
    }
    threads.withLock { $0.append(thread) }
    return true
  }

  private func serveConnection(_ number: Int32) {
    let connection = WebConnection(descriptor: number)
    if let head = connection.readRequestHead(), let request = WebRequest(head) {
      state.withLock { $0.requests.append(request) }
      state.wakeAll()
      handler(request, connection)
    }
    closeConnection(number)
  }

  private func closeConnection(_ number: Int32) {
    state.withLock { state in
      state.openConnections.remove(number)
      // What was not read would make the kernel throw away what was sent.
      shutdown(number, Int32(SHUT_WR))
      close(number)
    }
  }
}

/// The system gave no server.
struct ServerStartError: Error {
  let code: Int32
}
