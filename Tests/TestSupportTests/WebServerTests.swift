import TestSupport
import Testing
import Threads

@Suite("A web server for tests")
struct WebServerTests {
  @Test("it answers as it is told, and says what it was asked")
  func answers() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(headers: ["X-Path: \(request.path)"], body: Array("body".utf8))
    }
    defer { server.stop() }
    #expect(server.address("/a") == "http://127.0.0.1:\(server.port)/a")
    let text = try RawClient(server, asking: "/a?b=c", fields: ["If-None-Match: \"x\"", "Empty:"]).text()
    #expect(
      text == "HTTP/1.1 200 Whatever\r\nX-Path: /a?b=c\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody")
    let request = try #require(server.requests.first)
    #expect(request.path == "/a?b=c" && request.headers == ["host": "a", "if-none-match": "\"x\"", "empty": ""])
    #expect(server.requests.count == 1)
  }

  @Test(
    "what is no request is not answered", arguments: ["POST / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "\u{16}\u{3}\u{1}"])
  func refuses(text: String) throws {
    let server = try WebServer { _, connection in connection.sendResponse() }
    defer { server.stop() }
    let client = try RawClient(server)
    client.send(text)
    #expect(try client.read().isEmpty && server.requests.isEmpty)
  }

  @Test("it can be silent until the other side has gone")
  func silent() throws {
    let hasGone = Lock(false)
    let server = try WebServer { _, connection in
      let isOver = connection.waitUntilClosed()
      hasGone.withLock { $0 = isOver }
      hasGone.wakeAll()
    }
    defer { server.stop() }
    do {
      let client = try RawClient(server, asking: "/")
      try server.waitForRequests(1)
      #expect(!client.hasNews() && !hasGone.withLock { $0 })
    }
    try hasGone.wait(for: "the server to see that its client has gone") { $0 ? () : nil }
  }

  @Test("it can drip: a byte is there before the next is sent")
  func dripping() throws {
    let next = Lock(0)
    let server = try WebServer { _, connection in
      for byte in 0..<5 {
        next.wait { $0 >= byte ? () : nil }
        connection.send([UInt8(byte)])
      }
    }
    defer { server.stop() }
    let client = try RawClient(server, asking: "/")
    for byte in 0..<5 {
      #expect(try client.read(atMost: 1) == [UInt8(byte)])
      #expect(byte == 4 || !client.hasNews())
      next.withLock { $0 = byte + 1 }
      next.wakeAll()
    }
    #expect(try client.read().isEmpty, "and then it ends")
  }

  @Test("it can go on without an end, until the other side has gone")
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
      let client = try RawClient(server, asking: "/")
      #expect(try client.read(atMost: 3_000_000) == [UInt8](repeating: 7, count: 3_000_000))
    }
    #expect(try sent.wait(for: "the server to see that its client has gone") { $0 } >= 2_999_000)
  }

  @Test("it can say another length than there is")
  func wrongLength() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 10"]))
      connection.send("abc")
    }
    defer { server.stop() }
    #expect(try RawClient(server, asking: "/").text() == "HTTP/1.1 200 Whatever\r\nContent-Length: 10\r\n\r\nabc")
  }

  @Test("it can lead to itself, and say when to come back")
  func otherAnswers() throws {
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
        try RawClient(server, asking: "/loop").text()
          == "HTTP/1.1 302 Whatever\r\nLocation: /loop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    #expect(try RawClient(server, asking: "/").text().hasPrefix("HTTP/1.1 503 Whatever\r\nRetry-After: 7\r\n"))
    #expect(server.requests.map(\.path) == ["/loop", "/loop", "/loop", "/"])
  }

  @Test("many connections are served at once, and counted")
  func concurrent() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: Array(request.path.utf8))
    }
    defer { server.stop() }
    let clients = try (0..<20).map { try RawClient(server, asking: "/\($0)") }
    try server.waitForRequests(20)
    #expect(server.peakConnectionCount == 20)
    gate.withLock { $0 = true }
    gate.wakeAll()
    for (number, client) in clients.enumerated() { #expect(try client.text().hasSuffix("\r\n\r\n/\(number)")) }
    #expect(Set(server.requests.map(\.path)).count == 20 && server.peakConnectionCount == 20)
  }

  @Test("it ends whatever it is doing, and so do its clients' connections")
  func stops() throws {
    let server = try WebServer { request, connection in
      switch request.path {
      case "/silent": _ = connection.waitUntilClosed()
      case "/endless": while connection.send([UInt8](repeating: 7, count: 1_000)) {}
      default: break
      }
    }
    let silent = try RawClient(server, asking: "/silent")
    let endless = try RawClient(server, asking: "/endless")
    let unasked = try RawClient(server)
    try server.waitForRequests(2)
    server.stop()
    #expect(try silent.read().isEmpty && unasked.read().isEmpty)
    #expect(try endless.read().allSatisfy { $0 == 7 })
    #expect(throws: NoConnection.self) { try RawClient(server, asking: "/") }
    server.stop()
  }
}
