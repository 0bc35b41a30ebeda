import Foundation
import Testing
import VitrineFramePacing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

@Suite("Remote transfers")
struct RemoteTransfersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("An image is requested without compression and identification, and stored unchanged", arguments: [true, false])
  func downloads(onDisk: Bool) throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(headers: ["Content-Type: image/jpeg"], body: request.path == "/a" ? pictureBytes : [])
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: onDisk ? folder : nil)
    let content = try harness.result(of: server.address("/a#part")).get()
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

  @Test("No server has more than six connections")
  func sixConnections() throws {
    let gate = Lock(false)
    let server = try WebServer { _, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    for number in 0..<60 { harness.fetch(server.address("/\(number)")) }
    try server.waitForRequests(6)
    // Later the server may still have a connection that the client has closed.
    #expect(server.peakConnectionCount == 6)
    gate.withLock { $0 = true }
    gate.wakeAll()
    let results = try harness.waitForResults(60)
    #expect(results.allSatisfy { (try? $0.result.get()) != nil })
    #expect(server.requests.count == 60)
  }

  @Test("A server that sends nothing times out")
  func silent() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    #expect(try RemoteTransfersHarness(seconds: 0.2).failure(of: server.address("/")) == .timedOut)
  }

  @Test("A server that sends nothing for longer than the stall timeout fails before the total timeout")
  func stalled() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let limits = RemoteLimits(maximumBytes: 1_000, totalTime: .seconds(3_600))
    var configuration = RemoteConfiguration(picture: limits, seed: 1)
    configuration.usesProxies = false
    configuration.maximumAttempts = 1
    configuration.stallTimeout = .milliseconds(1)
    let transfers = try RemoteTransfers(configuration)
    defer { transfers.shutdown() }
    let url = try #require(RemoteURL(server.address("/")))
    #expect(throws: RemoteFailure.stalled) { try transfers.fetchSynchronously(RemoteRequest(url)) }
  }

  @Test("A server that sends a byte now and then times out, in the head and in the body", arguments: [true, false])
  func slow(inHead: Bool) throws {
    let server = try WebServer { _, connection in
      connection.send(inHead ? "HTTP/1.1 200 OK\r\nX: " : connection.responseHead(headers: ["Content-Length: 100000"]))
      for byte in inHead ? [UInt8](repeating: 0x61, count: 100_000) : pictureBytes {
        guard connection.send([byte]), !connection.waitUntilClosed(atMost: .milliseconds(5)) else { return }
      }
    }
    defer { server.stop() }
    #expect(try RemoteTransfersHarness(folder: folder, seconds: 0.3).failure(of: server.address("/")) == .timedOut)
    #expect(folder.fileNames(in: "remote").isEmpty, "the partial file is removed")
  }

  @Test("An endless body ends at the size limit", arguments: [true, false])
  func endless(isChunked: Bool) throws {
    let server = try WebServer { _, connection in
      connection.send(
        connection.responseHead(headers: isChunked ? ["Transfer-Encoding: chunked"] : ["Connection: close"]))
      let chunk = isChunked ? Array("7d4\r\n".utf8) + pictureBytes + Array("\r\n".utf8) : pictureBytes
      while connection.send(chunk) {}
    }
    defer { server.stop() }
    #expect(
      try RemoteTransfersHarness(folder: folder, maximumBytes: 50_000).failure(of: server.address("/"))
        == .tooLarge(limit: 50_000))
  }

  @Test("A body with a declared length over the limit is not downloaded")
  func declaredTooLarge() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 99999999999"]))
      _ = connection.waitUntilClosed()
    }
    defer { server.stop() }
    #expect(try RemoteTransfersHarness().failure(of: server.address("/")) == .tooLarge(limit: 1 << 20))
  }

  @Test("A compressed body is not decompressed, whether the compression is declared or not", arguments: [true, false])
  func compressed(isDeclared: Bool) throws {
    // A thousand zeros compressed by gzip, repeated.
    let bomb = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xEC, count: 4_000)
    let server = try WebServer { _, connection in
      connection.sendResponse(
        headers: isDeclared ? ["Content-Encoding: gzip"] : ["Content-Type: image/png"], body: bomb)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    #expect(try harness.failure(of: server.address("/")) == .unexpected(.compressed, expected: .picture))
    #expect(
      try harness.failure(of: server.address("/m"), kind: .manifest) == .unexpected(.compressed, expected: .manifest))
  }

  @Test("A body shorter than its declared length is retried, and then fails as lost")
  func wrongLength() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 5000"]))
      connection.send(pictureBytes)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder, seconds: 1.2)
    #expect(try harness.failure(of: server.address("/")) == .connectionLost)
    #expect(server.requests.count == 2)
  }

  @Test("Redirects are followed up to a limit, and only to web addresses")
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
    let harness = try RemoteTransfersHarness()
    #expect(try harness.failure(of: server.address("/loop")) == .tooManyRedirects)
    #expect(server.requests.count == 6)
    #expect(try harness.failure(of: server.address("/file")) == .redirectOutside)
    #expect(try harness.result(of: server.address("/1")).get().url.text == server.address("/1"))
    #expect(server.requests.last?.path == "/6")
  }

  @Test("A web page is neither an image nor a manifest")
  func webPage() throws {
    let page = Array("<!DOCTYPE html><title>Sorry</title>".utf8)
    let server = try WebServer { _, connection in
      connection.sendResponse(headers: ["Content-Type: image/jpeg"], body: page)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    #expect(try harness.failure(of: server.address("/")) == .unexpected(.webPage, expected: .picture))
    #expect(try harness.failure(of: server.address("/"), kind: .manifest) == .unexpected(.webPage, expected: .manifest))
  }

  @Test("The retry time of a busy server is respected, and one after the timeout fails immediately")
  func busy() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(
        request.path == "/soon" ? 503 : 429, headers: ["Retry-After: \(request.path == "/soon" ? 0 : 60)"])
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(seconds: 1.2)
    for number in 0..<20 { harness.fetch(server.address("/late\(number)")) }
    let results = try harness.waitForResults(20)
    #expect(results.allSatisfy { $0.result == .failure(.busy(retrySeconds: 60)) })
    #expect(server.requests.count <= 6)
    let soon = try WebServer { _, connection in connection.sendResponse(503, headers: ["Retry-After: 0"]) }
    defer { soon.stop() }
    #expect(try harness.failure(of: soon.address("/soon")) == .busy(retrySeconds: 0))
    #expect(soon.requests.count == 2)
  }

  @Test("Malformed, missing and empty responses have distinct failures")
  func invalidResponses() throws {
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
    let harness = try RemoteTransfersHarness(seconds: 0.4)
    for (path, failures) in [
      ("/gif", [RemoteFailure.malformedResponse, .transport(1)]), ("/head", [.malformedResponse]),
      ("/nothing", [.connectionLost]),
      ("/empty", [.unexpected(.empty, expected: .picture)]), ("/missing", [.notFound]),
    ] {
      let failure = try #require(try harness.failure(of: server.address(path)))
      #expect(failures.contains(failure), "\(path)")
    }
    let address = server.address("/")
    server.stop()
    #expect(try harness.failure(of: address) == .unreachable)
    #expect(try harness.failure(of: "http://name.invalid/") == .unknownHost)
  }

  @Test("An address given by a public server does not lead to this machine")
  func privateAddress() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    #expect(try RemoteTransfersHarness().failure(of: server.address("/"), isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty, "no request was sent")
  }

  @Test("Credentials are sent to their own server only")
  func credentials() throws {
    let other = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { other.stop() }
    let elsewhere = other.address("/")
    let server = try WebServer { _, connection in connection.sendResponse(302, headers: ["Location: \(elsewhere)"]) }
    defer { server.stop() }
    _ = try RemoteTransfersHarness().result(of: "http://anna:secret@127.0.0.1:\(server.port)/").get()
    #expect(server.requests.first?.headers["authorization"] == "Basic YW5uYTpzZWNyZXQ=")
    #expect(other.requests.first.map { $0.headers["authorization"] == nil } == true)
  }
}

// MARK: - Server trust

@Suite("Server trust")
struct ServerTrustTests {
  private static let program = "/usr/bin/openssl"

  /// A server with a self-signed certificate.
  private final class SelfSignedServer {
    let port: Int
    private let process = Process()

    init(in folder: TemporaryFolder) throws {
      let (key, certificate) = (folder.path(of: "key"), folder.path(of: "certificate"))
      let generator = Process()
      generator.executableURL = URL(fileURLWithPath: ServerTrustTests.program)
      generator.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
        certificate, "-days", "2", "-subj", "/CN=127.0.0.1",
      ]
      generator.standardError = FileHandle.nullDevice
      try generator.run()
      generator.waitUntilExit()
      let output = Pipe()
      process.executableURL = generator.executableURL
      process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      var text = ""
      var port: Int?
      while port == nil {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw WaitTimeoutError(event: "the port of a server") }
        text += String(decoding: data, as: UTF8.self)
        port = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }.flatMap { line in
          text.contains("\n") ? Int(line.dropFirst("ACCEPT 127.0.0.1:".count)) : nil
        }
      }
      self.port = port ?? 0
    }

    func stop() {
      // It inherits the signals that this thread blocks, but SIGKILL cannot be blocked.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test(
    "A self-signed certificate is not trusted",
    .enabled(if: FileManager.default.isExecutableFile(atPath: ServerTrustTests.program), "there is no openssl here"))
  func selfSigned() throws {
    let folder = try TemporaryFolder()
    let server = try SelfSignedServer(in: folder)
    defer { server.stop() }
    let failure = try RemoteTransfersHarness(folder: folder).failure(of: "https://127.0.0.1:\(server.port)/")
    guard case .untrusted(let words) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(words.contains("certificate") && failure?.isTransient == false)
    #expect(folder.fileNames(in: "remote").isEmpty)
  }
}
