import DataStructures
import FramePacing
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

/// The first bytes of a picture, which is all that a transfer looks at, and some more.
let pictureBytes = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 2_000)

/// Transfers for one test, and how they ended.
final class TransferBench {
  let transfers: RemoteTransfers
  private let ends = Lock<[(name: String, result: Result<RemoteContent, RemoteFailure>)]>([])

  init(
    folder: TemporaryFolder? = nil, mostBytes: Int = 1 << 20, seconds: Double = 30, trust: Int = 0,
    memoryBytes: Int = 256 << 20, arrivingBytes: Int = 128 << 20, proxies: ProxyRules = ProxyRules(),
    knownNames: [String] = []
  ) throws {
    let limits = RemoteLimits(mostBytes: mostBytes, totalTime: .seconds(seconds))
    var configuration = RemoteConfiguration(
      folder: folder?.bytes(of: "remote"), memoryBytes: memoryBytes, inFlightBytes: arrivingBytes, picture: limits,
      manifest: limits, freshnessSeconds: trust, seed: 1)
    configuration.proxies = proxies
    configuration.resolvedHosts = knownNames
    transfers = try RemoteTransfers(configuration)
  }

  deinit { transfers.shutdown() }

  @discardableResult
  func fetch(
    _ text: String, kind: RemoteKind = .picture, isPublic: Bool = false, deadline: FrameInstant = .onScreen,
    name: String = ""
  ) -> RemoteTransfer {
    guard let url = RemoteURL(text) else { failPrecondition("no address: \(text)") }
    let ends = ends
    return transfers.fetch(RemoteRequest(url, kind: kind, isGivenByPublicServer: isPublic), deadline: deadline) {
      result in
      ends.withLock { $0.append((name, result)) }
      ends.wakeAll()
    }
  }

  /// Waits until so many have ended.
  func wait(_ count: Int) throws -> [(name: String, result: Result<RemoteContent, RemoteFailure>)] {
    try ends.wait(for: "\(count) transfers") { $0.count >= count ? $0 : nil }
  }

  /// How one transfer ends.
  func end(of text: String, kind: RemoteKind = .picture, isPublic: Bool = false) throws -> Result<
    RemoteContent, RemoteFailure
  > {
    let before = ends.withLock { $0.count }
    fetch(text, kind: kind, isPublic: isPublic)
    return try wait(before + 1)[before].result
  }

  /// What a transfer fails with; nothing where it does not.
  func failure(of text: String, kind: RemoteKind = .picture, isPublic: Bool = false) throws -> RemoteFailure? {
    guard case .failure(let failure) = try end(of: text, kind: kind, isPublic: isPublic) else { return nil }
    return failure
  }
}

@Suite("Transfers from servers of all kinds")
struct RemoteTransfersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a picture comes as it is, and is asked for as it is", arguments: [true, false])
  func arrives(onDisk: Bool) throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(headers: ["Content-Type: image/jpeg"], body: request.path == "/a" ? pictureBytes : [])
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: onDisk ? folder : nil)
    let content = try bench.end(of: server.address("/a#part")).get()
    #expect(try content.bytes(atMost: 1 << 20) == pictureBytes)
    #expect(!content.isFromPublicServer)
    guard case .file = content.source else {
      #expect(!onDisk)
      return
    }
    #expect(onDisk)
    let request = try #require(server.requests.first)
    #expect(request.path == "/a" && request.headers["accept-encoding"] == "identity")
    #expect(
      request.headers["cookie"] == nil && request.headers["authorization"] == nil && request.headers["referer"] == nil)
  }

  @Test("no server has more than six connections, however much is wanted")
  func sixConnections() throws {
    let gate = Lock(false)
    let server = try WebServer { _, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let bench = try TransferBench()
    for number in 0..<60 { bench.fetch(server.address("/\(number)")) }
    try server.waitForRequests(6)
    // Later a server may still have one that its client has left.
    #expect(server.peakConnectionCount == 6)
    gate.withLock { $0 = true }
    gate.wakeAll()
    let ends = try bench.wait(60)
    #expect(ends.allSatisfy { (try? $0.result.get()) != nil })
    #expect(server.requests.count == 60)
  }

  @Test("a server that says nothing is left when the time is over")
  func silent() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    #expect(try TransferBench(seconds: 0.2).failure(of: server.address("/")) == .timedOut)
  }

  @Test("one that says nothing for longer than is borne is left before that")
  func stalled() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let limits = RemoteLimits(mostBytes: 1_000, totalTime: .seconds(3_600))
    var configuration = RemoteConfiguration(picture: limits, seed: 1)
    configuration.usesProxies = false
    configuration.maximumTries = 1
    configuration.stallTimeout = .milliseconds(1)
    let transfers = try RemoteTransfers(configuration)
    defer { transfers.shutdown() }
    let url = try #require(RemoteURL(server.address("/")))
    #expect(throws: RemoteFailure.stalled) { try transfers.fetchSynchronously(RemoteRequest(url)) }
  }

  @Test("so is one that sends a byte now and then, before the picture and within it", arguments: [true, false])
  func dripping(inHead: Bool) throws {
    let server = try WebServer { _, connection in
      connection.send(inHead ? "HTTP/1.1 200 OK\r\nX: " : connection.responseHead(headers: ["Content-Length: 100000"]))
      for byte in inHead ? [UInt8](repeating: 0x61, count: 100_000) : pictureBytes {
        guard connection.send([byte]), !connection.waitUntilClosed(atMost: .milliseconds(5)) else { return }
      }
    }
    defer { server.stop() }
    #expect(try TransferBench(folder: folder, seconds: 0.3).failure(of: server.address("/")) == .timedOut)
    #expect(folder.names("remote").isEmpty, "what came is taken away")
  }

  @Test("an answer without end is ended at its bound, counted as it comes", arguments: [true, false])
  func endless(isChunked: Bool) throws {
    let server = try WebServer { _, connection in
      connection.send(
        connection.responseHead(headers: isChunked ? ["Transfer-Encoding: chunked"] : ["Connection: close"]))
      let chunk = isChunked ? Array("7d4\r\n".utf8) + pictureBytes + Array("\r\n".utf8) : pictureBytes
      while connection.send(chunk) {}
    }
    defer { server.stop() }
    #expect(
      try TransferBench(folder: folder, mostBytes: 50_000).failure(of: server.address("/")) == .tooLarge(limit: 50_000))
  }

  @Test("one that says how long it is, is not even begun")
  func declaredTooLarge() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 99999999999"]))
      _ = connection.waitUntilClosed()
    }
    defer { server.stop() }
    #expect(try TransferBench().failure(of: server.address("/")) == .tooLarge(limit: 1 << 20))
  }

  @Test("what is packed is not unpacked, whether its server says so or not", arguments: [true, false])
  func packed(isSaid: Bool) throws {
    // A thousand zeros of gzip's, a million times.
    let bomb = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xEC, count: 4_000)
    let server = try WebServer { _, connection in
      connection.sendResponse(headers: isSaid ? ["Content-Encoding: gzip"] : ["Content-Type: image/png"], body: bomb)
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder)
    #expect(try bench.failure(of: server.address("/")) == .unexpected(.compressed, wanted: .picture))
    #expect(
      try bench.failure(of: server.address("/m"), kind: .manifest) == .unexpected(.compressed, wanted: .manifest))
  }

  @Test("an answer shorter than it says is tried again, and then said to be cut short")
  func wrongLength() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 5000"]))
      connection.send(pictureBytes)
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder, seconds: 1.2)
    #expect(try bench.failure(of: server.address("/")) == .connectionLost)
    #expect(server.requests.count == 2)
  }

  @Test("it is led on, but not for ever, nor out of the web")
  func redirects() throws {
    let server = try WebServer { request, connection in
      switch request.path {
      case "/loop": connection.sendResponse(302, headers: ["Location: /loop"])
      case "/file": connection.sendResponse(302, headers: ["Location: file:///etc/hostname"])
      case "/1", "/2", "/3", "/4", "/5":
        connection.sendResponse(301, headers: ["Location: \((Int(request.path.dropFirst()) ?? 0) + 1)"])
      default: connection.sendResponse(body: pictureBytes)
      }
    }
    defer { server.stop() }
    let bench = try TransferBench()
    #expect(try bench.failure(of: server.address("/loop")) == .tooManyRedirects)
    #expect(server.requests.count == 6)
    #expect(try bench.failure(of: server.address("/file")) == .redirectOutside)
    #expect(try bench.end(of: server.address("/1")).get().url.text == server.address("/1"))
    #expect(server.requests.last?.path == "/6")
  }

  @Test("a web page is no picture, and no list")
  func webPage() throws {
    let page = Array("<!DOCTYPE html><title>Sorry</title>".utf8)
    let server = try WebServer { _, connection in
      connection.sendResponse(headers: ["Content-Type: image/jpeg"], body: page)
    }
    defer { server.stop() }
    let bench = try TransferBench()
    #expect(try bench.failure(of: server.address("/")) == .unexpected(.webPage, wanted: .picture))
    #expect(try bench.failure(of: server.address("/"), kind: .manifest) == .unexpected(.webPage, wanted: .manifest))
  }

  @Test("a busy server is heeded: it is asked again when it wants, and not at all where that is too late")
  func busy() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(
        request.path == "/soon" ? 503 : 429, headers: ["Retry-After: \(request.path == "/soon" ? 0 : 60)"])
    }
    defer { server.stop() }
    let bench = try TransferBench(seconds: 1.2)
    for number in 0..<20 { bench.fetch(server.address("/late\(number)")) }
    let ends = try bench.wait(20)
    #expect(ends.allSatisfy { $0.result == .failure(.busy(retrySeconds: 60)) })
    #expect(server.requests.count <= 6)
    let soon = try WebServer { _, connection in connection.sendResponse(503, headers: ["Retry-After: 0"]) }
    defer { soon.stop() }
    #expect(try bench.failure(of: soon.address("/soon")) == .busy(retrySeconds: 0))
    #expect(soon.requests.count == 2)
  }

  @Test("what is no answer, and nobody, have their reasons")
  func nonsense() throws {
    let server = try WebServer { request, connection in
      switch request.path {
      case "/gif": connection.send("GIF89a\u{1}\u{2}" + String(repeating: "x", count: 500))
      case "/head":
        connection.send("HTTP/1.1 200 OK\r\n")
        while connection.send("X-Filler: " + String(repeating: "y", count: 1_000) + "\r\n") {}
      case "/empty": connection.sendResponse()
      case "/missing": connection.sendResponse(404, body: Array("<html>".utf8))
      default: break
      }
    }
    let bench = try TransferBench(seconds: 0.4)
    for (path, failures) in [
      ("/gif", [RemoteFailure.malformedResponse, .transport(1)]), ("/head", [.malformedResponse]),
      ("/nothing", [.connectionLost]),
      ("/empty", [.unexpected(.empty, wanted: .picture)]), ("/missing", [.notFound]),
    ] {
      let failure = try #require(try bench.failure(of: server.address(path)))
      #expect(failures.contains(failure), "\(path)")
    }
    let address = server.address("/")
    server.stop()
    #expect(try bench.failure(of: address) == .unreachable)
    #expect(try bench.failure(of: "http://name.invalid/") == .unknownHost)
  }

  @Test("an address that a public server gave does not lead to this machine")
  func privateAddress() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    #expect(try TransferBench().failure(of: server.address("/"), isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty, "nothing was asked")
  }

  @Test("a name and password go to their server, and nowhere else")
  func credentials() throws {
    let other = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { other.stop() }
    let elsewhere = other.address("/")
    let server = try WebServer { _, connection in connection.sendResponse(302, headers: ["Location: \(elsewhere)"]) }
    defer { server.stop() }
    _ = try TransferBench().end(of: "http://anna:secret@127.0.0.1:\(server.port)/").get()
    #expect(server.requests.first?.headers["authorization"] == "Basic YW5uYTpzZWNyZXQ=")
    #expect(other.requests.first.map { $0.headers["authorization"] == nil } == true)
  }
}
