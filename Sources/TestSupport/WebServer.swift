import Glibc
import VitrineThreads

/// An HTTP 1.1 server for tests, without encryption and with a thread for each connection.
///
/// It listens on the loopback interface only. ``stop()`` ends it in any state of its connections.
public final class WebServer: Sendable {
  private struct State: Sendable {
    var requests: [WebRequest] = []
    var openConnections: Set<Int32> = []
    var peakConnections = 0
    var isStopped = false
  }

  /// The port that the server listens on.
  public let port: UInt16
  private let listener: Int32
  private let state = Lock(State())
  private let threads = Lock<[WorkerThread]>([])
  private let handler: @Sendable (WebRequest, WebConnection) -> Void

  /// Starts a server.
  ///
  /// The C functions are `socket`, `bind` and `listen`.
  ///
  /// - Parameter handler: A closure that responds to a request. It is called on the connection's thread, and the
  ///   connection is closed when it returns.
  /// - Throws: An error with `errno` if the system call fails, or `ThreadError`.
  public init(_ handler: @escaping @Sendable (WebRequest, WebConnection) -> Void) throws {
    self.handler = handler
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isListening else {
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

  /// Returns a URL of the server.
  ///
  /// - Parameter path: The path, with a leading slash.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far, in order.
  public var requests: [WebRequest] { state.withLock { $0.requests } }

  /// The maximum number of simultaneously open connections.
  public var peakConnectionCount: Int { state.withLock { $0.peakConnections } }

  /// Waits until the server has received a number of requests.
  /// - Throws: ``WaitTimeoutError``.
  public func waitForRequests(_ count: Int) throws {
    try state.wait(for: "\(count) requests to a server") { $0.requests.count >= count ? () : nil }
  }

  /// Closes all connections, and waits for their threads.
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
    let isRunning = state.withLock { state in
      guard !state.isStopped else { return false }
      state.openConnections.insert(number)
      state.peakConnections = max(state.peakConnections, state.openConnections.count)
      return true
    }
    guard isRunning else { return false }
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
      // If there are unread bytes, `close` alone makes the kernel discard the sent ones.
      shutdown(number, Int32(SHUT_WR))
      close(number)
    }
  }
}

/// An error that is thrown if the server cannot listen.
private struct ServerStartError: Error {
  let code: Int32
}

// MARK: - Connections

/// A connection to a ``WebServer``, on which a test sends a valid, an invalid or no response.
public struct WebConnection: Sendable {
  let descriptor: Int32

  /// Sends bytes.
  ///
  /// The C function is `send`.
  /// - Returns: Whether the client is still connected.
  @discardableResult
  public func send(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Sends text.
  /// - Returns: Whether the client is still connected.
  @discardableResult
  public func send(_ text: String) -> Bool { send(text.utf8) }

  /// Sends a complete response.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: Additional header lines. Content-Length and Connection are added automatically.
  ///   - body: The body.
  public func sendResponse(_ status: Int = 200, headers: [String] = [], body: some Collection<UInt8> = [UInt8]()) {
    send(responseHead(status, headers: headers + ["Content-Length: \(body.count)", "Connection: close"]))
    send(body)
  }

  /// Returns a response head, including the empty line after it.
  public func responseHead(_ status: Int = 200, headers: [String] = []) -> String {
    (["HTTP/1.1 \(status) Whatever"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Waits until the client closes the connection or the time has passed.
  ///
  /// The C function is `poll`.
  /// - Returns: Whether the client has closed the connection.
  public func waitUntilClosed(atMost limit: Duration = Deadline.defaultTimeout) -> Bool {
    let deadline = Deadline(limit)
    while !deadline.hasPassed {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, deadline.millisecondsLeft) > 0 else { continue }
      var byte: UInt8 = 0
      if recv(descriptor, &byte, 1, 0) <= 0 { return true }
    }
    return false
  }

  /// Reads a request head up to the empty line, or returns nil if there is none.
  ///
  /// The C function is `recv`.
  func readRequestHead() -> [UInt8]? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while head.count < 1 << 16, recv(descriptor, &byte, 1, 0) == 1 {
      // Any other first byte, for instance of a TLS handshake, comes from a client that waits for a response.
      guard !head.isEmpty || byte == UInt8(ascii: "G") else { return nil }
      head.append(byte)
      if head.suffix(4).elementsEqual("\r\n\r\n".utf8) { return head }
    }
    return nil
  }
}

// MARK: - Requests

/// A request that a ``WebServer`` has received.
public struct WebRequest: Hashable, Sendable {
  /// The path and the query.
  public let path: String
  /// The header values, by lowercase names.
  public let headers: [String: String]

  /// Parses a request head, or returns nil if it is invalid.
  init?(_ head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    path = String(words[1])
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    self.headers = headers
  }
}
