import Foundation
import Testing
import VitrineFramePacing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

@Suite("Transfers of stored downloads")
struct StoredDownloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A fresh download is not requested again, also by later instances on disk", arguments: [true, false])
  func fresh(onDisk: Bool) throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    var harness = try RemoteTransfersHarness(folder: onDisk ? folder : nil, freshnessSeconds: 3_600)
    let first = try harness.result(of: server.address("/a")).get()
    #expect(try harness.result(of: server.address("/a")).get() == first)
    harness = try RemoteTransfersHarness(folder: onDisk ? folder : nil, freshnessSeconds: 3_600)
    let later = try harness.result(of: server.address("/a")).get()
    #expect((later == first) == onDisk && server.requests.count == (onDisk ? 1 : 2))
  }

  @Test("An expired download is revalidated with its server")
  func revalidated() throws {
    let server = try WebServer { request, connection in
      if request.headers["if-none-match"] == "\"1\"" {
        connection.sendResponse(304)
      } else {
        connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    let first = try harness.result(of: server.address("/a")).get()
    #expect(try harness.result(of: server.address("/a")).get() == first)
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
    #expect(try first.bytes(atMost: 1 << 20) == pictureBytes)
  }

  @Test("A changed file has another version, and a stale one is used if the server fails")
  func stale() throws {
    let state = Lock(1)
    let server = try WebServer { _, connection in
      switch state.withLock({ $0 }) {
      case 3: connection.sendResponse(503, headers: ["Retry-After: 60"])
      case 4: connection.sendResponse(404)
      case let number: connection.sendResponse(headers: ["ETag: \"\(number)\""], body: pictureBytes)
      }
    }
    let harness = try RemoteTransfersHarness(folder: folder, seconds: 0.4)
    let address = server.address("/a")
    func next(_ number: Int) throws -> Result<RemoteContent, RemoteFailure> {
      state.withLock { $0 = number }
      return try harness.result(of: address)
    }
    let first = try next(1).get()
    let second = try next(2).get()
    #expect(first.version != second.version && first.source == second.source)
    #expect(try next(3).get() == second)
    let fresh = try RemoteTransfersHarness(folder: folder, seconds: 0.4)
    state.withLock { $0 = 4 }
    #expect(try fresh.failure(of: address) == .notFound, "a definite answer of the server")
    server.stop()
    #expect(try fresh.result(of: address).get() == second, "the server cannot be reached")
  }

  @Test("A revalidated download that is missing is downloaded again for all its requests")
  func revalidatedAndMissing() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      guard request.headers["if-none-match"] != nil else {
        return connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
      gate.wait { $0 ? () : nil }
      connection.sendResponse(304)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    _ = try harness.result(of: server.address("/a")).get()
    harness.fetch(server.address("/a"))
    try server.waitForRequests(2)
    for name in folder.fileNames(in: "remote") {
      try FileManager.default.removeItem(atPath: folder.path(of: "remote/" + name))
    }
    harness.fetch(server.address("/a"))
    // When this request has ended, the previous one has been processed.
    _ = try harness.result(of: server.address("/b")).get()
    gate.withLock { $0 = true }
    gate.wakeAll()
    let results = try harness.waitForResults(4).suffix(2)
    #expect(try results.allSatisfy { try $0.result.get().bytes(atMost: 1 << 20) == pictureBytes })
    #expect(server.requests.map(\.path) == ["/a", "/a", "/b", "/a"])
  }

  @Test("A transfer that restarts immediately does not let a waiting transfer start twice")
  func missingWithOtherTransfers() throws {
    let (revalidation, others) = (Lock(false), Lock(false))
    let server = try WebServer { request, connection in
      if request.path.hasPrefix("/other") { others.wait { $0 ? () : nil } }
      guard request.headers["if-none-match"] != nil else {
        return connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
      revalidation.wait { $0 ? () : nil }
      connection.sendResponse(304)
    }
    defer { server.stop() }
    let elsewhere = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { elsewhere.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    _ = try harness.result(of: server.address("/a")).get()
    for number in 0..<5 { harness.fetch(server.address("/other\(number)"), deadline: .distantFuture) }
    try server.waitForRequests(6)
    harness.fetch(server.address("/a"), name: "a")
    try server.waitForRequests(7)
    for name in folder.fileNames(in: "remote") {
      try FileManager.default.removeItem(atPath: folder.path(of: "remote/" + name))
    }
    harness.fetch(server.address("/later"), deadline: .distantFuture, name: "later")
    // When this request has ended, the previous one has been processed: all six connections are in use.
    _ = try harness.result(of: elsewhere.address("/b")).get()
    revalidation.withLock { $0 = true }
    revalidation.wakeAll()
    #expect(try harness.waitForResults(4).suffix(2).map(\.name) == ["a", "later"])
    others.withLock { $0 = true }
    others.wakeAll()
    #expect(try harness.waitForResults(9).allSatisfy { (try? $0.result.get()) != nil })
    #expect(server.requests.count { $0.path == "/later" } == 1)
  }

  @Test("Rejected responses are not stored")
  func storesNothing() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: Array("<html>".utf8)) }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    _ = try harness.failure(of: server.address("/a"))
    // The server speaks no TLS, so it cannot be trusted.
    let failure = try harness.failure(of: server.address("/a").replacingOccurrences(of: "http:", with: "https:"))
    guard case .untrusted = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(folder.fileNames(in: "remote").isEmpty)
  }

  @Test("Requests for one address share a transfer, and cancelling one leaves it to the others")
  func sharesTransfer() throws {
    let gate = Lock(false)
    let server = try WebServer { _, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    harness.fetch(server.address("/a"), name: "first")
    let second = harness.fetch(server.address("/a"), name: "second up")
    harness.fetch(server.address("/a"), name: "third")
    second.cancel()
    try server.waitForRequests(1)
    gate.withLock { $0 = true }
    gate.wakeAll()
    #expect(try harness.waitForResults(2).map(\.name) == ["first", "third"] && server.requests.count == 1)
  }

  @Test("Cancelling the last request closes the connection")
  func cancelled() throws {
    let closed = Lock(false)
    let server = try WebServer { _, connection in
      let isClosed = connection.waitUntilClosed()
      closed.withLock { $0 = isClosed }
      closed.wakeAll()
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(folder: folder)
    let transfer = harness.fetch(server.address("/a"))
    try server.waitForRequests(1)
    transfer.cancel()
    try closed.wait(for: "the connection to close") { $0 ? () : nil }
  }

  @Test("A shutdown fails all pending and later requests")
  func shutDown() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let transfers = try RemoteTransfers(RemoteConfiguration(seed: 1))
    let results = Lock<[RemoteFailure?]>([])
    let request = RemoteRequest(try #require(RemoteURL(server.address("/"))))
    func fetch() {
      transfers.fetch(request) { result in
        results.withLock { $0.append(result.failure) }
      }
    }
    fetch()
    fetch()
    try server.waitForRequests(1)
    transfers.shutdown()
    fetch()
    #expect(results.withLock { $0 } == [.shutDown, .shutDown, .shutDown])
  }

  @Test("A synchronous fetch returns the content")
  func synchronous() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(request.path == "/a" ? 200 : 404, body: Array("{}".utf8))
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    func fetch(_ path: String) throws -> [UInt8] {
      let url = try #require(RemoteURL(server.address(path)))
      return try harness.transfers.fetchSynchronously(RemoteRequest(url, kind: .manifest)).bytes(atMost: 100)
    }
    #expect(try fetch("/a") == Array("{}".utf8))
    #expect(throws: RemoteFailure.notFound) { try fetch("/b") }
  }
}

// MARK: - Support

extension Result {
  /// The failure, or nil on success.
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
