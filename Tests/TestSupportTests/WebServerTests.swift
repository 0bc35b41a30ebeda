import Glibc
import Testing
import VitrineTestSupport
import VitrineThreads

@Suite("WebServer")
struct WebServerTests {
  @Test("Sends the handler's response and records the request")
  func responds() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(headers: ["X-Path: \(request.path)"], body: Array("body".utf8))
    }
    defer { server.stop() }
    #expect(server.address("/a") == "http://127.0.0.1:\(server.port)/a")
    let text = try RawClient(server, requesting: "/a?b=c", fields: ["If-None-Match: \"x\"", "Empty:"]).text()
    #expect(
      text == "HTTP/1.1 200 Whatever\r\nX-Path: /a?b=c\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody")
    let request = try #require(server.requests.first)
    #expect(request.path == "/a?b=c" && request.headers == ["host": "a", "if-none-match": "\"x\"", "empty": ""])
    #expect(server.requests.count == 1)
  }

  @Test(
    "Malformed requests receive no response",
    arguments: ["POST / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "\u{16}\u{3}\u{1}"])
  func malformedRequests(text: String) throws {
    let server = try WebServer { _, connection in connection.sendResponse() }
    defer { server.stop() }
    let client = try RawClient(server)
    client.send(text)
    #expect(try client.read().isEmpty && server.requests.isEmpty)
  }

  @Test("A handler can withhold its response until the client disconnects")
  func silent() throws {
    let hasDisconnected = Lock(false)
    let server = try WebServer { _, connection in
      let isClosed = connection.waitUntilClosed()
      hasDisconnected.withLock { $0 = isClosed }
      hasDisconnected.wakeAll()
    }
    defer { server.stop() }
    do {
      let client = try RawClient(server, requesting: "/")
      try server.waitForRequests(1)
      #expect(!client.hasInput() && !hasDisconnected.withLock { $0 })
    }
    try hasDisconnected.wait(for: "the server to detect that the client disconnected") { $0 ? () : nil }
  }

  @Test("A handler can send single bytes, each of which arrives before the next one is sent")
  func singleBytes() throws {
    let next = Lock(0)
    let server = try WebServer { _, connection in
      for byte in 0..<5 {
        next.wait { $0 >= byte ? () : nil }
        connection.send([UInt8(byte)])
      }
    }
    defer { server.stop() }
    let client = try RawClient(server, requesting: "/")
    for byte in 0..<5 {
      #expect(try client.read(atMost: 1) == [UInt8(byte)])
      #expect(byte == 4 || !client.hasInput())
      next.withLock { $0 = byte + 1 }
      next.wakeAll()
    }
    #expect(try client.read().isEmpty, "the connection ends after the last byte")
  }

  @Test("A handler can send an endless response until the client disconnects")
  func endless() throws {
    let sent = Lock<Int?>(nil)
    let server = try WebServer { _, connection in
      var count = 0
      while connection.send([UInt8](repeating: 7, count: 1_000)) { count += 1_000 }
      sent.withLock { [count] in $0 = count }
      sent.wakeAll()
    }
    defer { server.stop() }
    do {
      let client = try RawClient(server, requesting: "/")
      #expect(try client.read(atMost: 3_000_000) == [UInt8](repeating: 7, count: 3_000_000))
    }
    #expect(try sent.wait(for: "the server to detect that the client disconnected") { $0 } >= 2_999_000)
  }

  @Test("A handler can send a Content-Length that does not match the body")
  func wrongLength() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 10"]))
      connection.send("abc")
    }
    defer { server.stop() }
    #expect(try RawClient(server, requesting: "/").text() == "HTTP/1.1 200 Whatever\r\nContent-Length: 10\r\n\r\nabc")
  }

  @Test("A handler can send a redirect loop or a Retry-After header")
  func redirectAndRetry() throws {
    let server = try WebServer { request, connection in
      if request.path == "/loop" {
        connection.sendResponse(302, headers: ["Location: /loop"])
      } else {
        connection.sendResponse(503, headers: ["Retry-After: 7"])
      }
    }
    defer { server.stop() }
    for _ in 0..<3 {
      #expect(
        try RawClient(server, requesting: "/loop").text()
          == "HTTP/1.1 302 Whatever\r\nLocation: /loop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    #expect(try RawClient(server, requesting: "/").text().hasPrefix("HTTP/1.1 503 Whatever\r\nRetry-After: 7\r\n"))
    #expect(server.requests.map(\.path) == ["/loop", "/loop", "/loop", "/"])
  }

  @Test("Many connections are served simultaneously and counted")
  func concurrent() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: Array(request.path.utf8))
    }
    defer { server.stop() }
    let clients = try (0..<20).map { try RawClient(server, requesting: "/\($0)") }
    try server.waitForRequests(20)
    #expect(server.peakConnectionCount == 20)
    gate.withLock { $0 = true }
    gate.wakeAll()
    for (number, client) in clients.enumerated() { #expect(try client.text().hasSuffix("\r\n\r\n/\(number)")) }
    #expect(Set(server.requests.map(\.path)).count == 20 && server.peakConnectionCount == 20)
  }

  @Test("Stopping the server ends all handlers and closes their connections")
  func stops() throws {
    let server = try WebServer { request, connection in
      switch request.path {
      case "/silent": _ = connection.waitUntilClosed()
      case "/endless": while connection.send([UInt8](repeating: 7, count: 1_000)) {}
      default: break
      }
    }
    let silent = try RawClient(server, requesting: "/silent")
    let endless = try RawClient(server, requesting: "/endless")
    let idle = try RawClient(server)
    try server.waitForRequests(2)
    server.stop()
    #expect(try silent.read().isEmpty && idle.read().isEmpty)
    #expect(try endless.read().allSatisfy { $0 == 7 })
    #expect(throws: ConnectionError.self) { try RawClient(server, requesting: "/") }
    server.stop()
  }
}

// MARK: - Client

/// A TCP client that sends and receives raw bytes without interpreting HTTP.
private final class RawClient {
  private let descriptor: Int32

  /// Connects to a local server with `socket` and `connect`.
  ///
  /// - Throws: ``ConnectionError`` if the server refuses the connection.
  init(_ server: WebServer) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let (descriptor, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    guard status == 0 else { throw ConnectionError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Connects and sends a GET request for a path.
  convenience init(_ server: WebServer, requesting path: String, fields: [String] = []) throws {
    try self.init(server)
    send((["GET \(path) HTTP/1.1", "Host: a"] + fields).map { $0 + "\r\n" }.joined() + "\r\n")
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  /// Reads the given number of bytes, or up to the end of the connection.
  ///
  /// - Throws: `WaitTimeoutError` when the deadline passes.
  func read(atMost count: Int = .max) throws -> [UInt8] {
    let deadline = Deadline()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < count {
      guard !deadline.hasPassed else { throw WaitTimeoutError(event: "a response") }
      guard hasInput(within: deadline.millisecondsLeft) else { continue }
      let received = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      guard received > 0 else { break }
      bytes += buffer[..<received]
    }
    return bytes
  }

  /// Returns all bytes up to the end of the connection as text.
  func text() throws -> String { String(decoding: try read(), as: UTF8.self) }

  /// Waits with `poll` until bytes or the end of the connection can be read.
  ///
  /// - Parameter milliseconds: The timeout. Default: 0.
  /// - Returns: Whether there is anything to read.
  func hasInput(within milliseconds: Int32 = 0) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}

/// An error that indicates that no server accepted the connection.
private struct ConnectionError: Error {
  let code: Int32
}
