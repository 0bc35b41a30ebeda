import Glibc
import VitrineThreads

/// A web server on the loopback interface that sends the pictures of a catalog.
///
/// `GET /pictures/17` returns picture 17, or an error that the configuration simulates. Eight threads serve one request
/// each. Call ``stop()`` to end them.
public final class PictureServer: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var isStopped = false
    var requestCount = 0
  }

  /// More than the connections of a client to one server.
  private static let threadCount = 8

  private let catalog: PictureCatalog
  private let configuration: ServerConfiguration
  private let requestTimeout: Duration
  private let listener: Int32
  private let port: UInt16
  private let state = Lock(State())
  private let threads = Lock<[WorkerThread]>([])

  /// Creates a server that listens on a port chosen by the system.
  ///
  /// The C functions are `socket`, `bind`, `listen` and `getsockname`.
  ///
  /// - Parameters:
  ///   - catalog: The pictures.
  ///   - configuration: The server's behavior.
  ///   - requestTimeout: The time after which a client that sends nothing is disconnected.
  /// - Throws: ``ServerError`` or `ThreadError`.
  public init(
    catalog: PictureCatalog, configuration: ServerConfiguration, requestTimeout: Duration = .seconds(5)
  ) throws {
    self.catalog = catalog
    self.configuration = configuration
    self.requestTimeout = requestTimeout
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
          && (configuration.mode == .absent || listen(listener, 64) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw ServerError(code: errno) }
    guard configuration.mode != .absent else { return }
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

  /// Returns the URL of a picture.
  public func address(of number: Int) -> String { "http://127.0.0.1:\(port)/pictures/\(number)" }

  /// The number of requests received.
  public var requestCount: Int { state.withLock { $0.requestCount } }

  /// Closes all connections and waits for the threads to end.
  ///
  /// Close a catalog that is still generating first, because a thread may be waiting for one of its pictures. Calling
  /// this method again has no effect. The C function is `shutdown`.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      for descriptor in state.connections { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
  }

  /// Waits for a connection; the C function is `accept`.
  ///
  /// - Returns: The connection, or nil once the server is stopped.
  private func accept() -> ServerConnection? {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else {
        let code = errno
        guard !state.withLock({ $0.isStopped }) else { return nil }
        // If descriptors or memory have run out, the client waits in the queue of the socket.
        if code != EINTR, code != ECONNABORTED { _ = poll(nil, 0, 100) }
        continue
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let isAccepted = state.withLock { state in
        if !state.isStopped { state.connections.insert(descriptor) }
        return !state.isStopped
      }
      guard isAccepted else {
        close(descriptor)
        return nil
      }
      return ServerConnection(descriptor: descriptor)
    }
  }

  private func serve(_ connection: ServerConnection) {
    if let number = connection.readRequest(timeout: requestTimeout) {
      state.withLock { $0.requestCount += 1 }
      configuration.respond(to: number, from: catalog, on: connection)
    }
    state.withLock { state in
      state.connections.remove(connection.descriptor)
      shutdown(connection.descriptor, Int32(SHUT_WR))
      close(connection.descriptor)
    }
  }
}

/// An error of starting the server.
public struct ServerError: Error, Hashable, CustomStringConvertible {
  /// The value of the C library's `errno`.
  public let code: Int32

  /// A sentence that describes the error.
  public var description: String { "no server can be had on this machine: \(String(cString: strerror(code)))" }
}

// MARK: - Connections

/// A connection to the server.
struct ServerConnection {
  /// The descriptor of the socket.
  let descriptor: Int32

  /// Reads a request, such as `GET /pictures/17 HTTP/1.1`, to the end of its head.
  ///
  /// The C functions are `recv` and `setsockopt`. Data after the head is ignored.
  ///
  /// - Parameter timeout: The time to wait for the client to send something.
  /// - Returns: The number of the picture, or nil if there is no valid request for one.
  func readRequest(timeout: Duration) -> Int? {
    let (seconds, attoseconds) = timeout.components
    var interval = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &interval, socklen_t(MemoryLayout<timeval>.size))
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 2_048)
    while !head.contains("\r\n\r\n".utf8) {
      guard head.count < 1 << 14 else { return nil }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      head += buffer[..<count]
    }
    let words = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
    let start = Array("/pictures/".utf8)
    guard words.count == 3, words[0].elementsEqual("GET".utf8), words[1].starts(with: start) else { return nil }
    return Int(String(decoding: words[1].dropFirst(start.count), as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Waits for a time, unless the client disconnects or the server is stopped.
  ///
  /// The C function is `poll`: the next event of the socket can only be its end.
  ///
  /// - Returns: Whether the time has passed.
  func wait(milliseconds: Double) -> Bool {
    guard milliseconds >= 1 else { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&request, 1, Int32(min(milliseconds, 60_000)))
      if count < 0, errno == EINTR { continue }
      return count == 0
    }
  }

  /// Sends the head of a response.
  ///
  /// - Returns: Whether the client is still connected.
  func sendHead(status: Int, contentType: String, contentLength: Int) -> Bool {
    send(
      Array(
        ("HTTP/1.1 \(status) \(status == 200 ? "OK" : "No")\r\nContent-Type: \(contentType)\r\n"
          + "Content-Length: \(contentLength)\r\nConnection: close\r\n\r\n").utf8)[...])
  }

  /// Sends bytes; the C function is `send`.
  ///
  /// - Returns: Whether the client is still connected.
  func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
