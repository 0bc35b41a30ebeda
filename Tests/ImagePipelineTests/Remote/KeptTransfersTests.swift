import FramePacing
import Foundation
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Transfers of what is here, and what is given up")
struct KeptTransfersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("what is here is not asked for again for a while, by later instances neither", arguments: [true, false])
  func trusted(onDisk: Bool) throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    var bench = try TransferBench(folder: onDisk ? folder : nil, trust: 3_600)
    let first = try bench.end(of: server.address("/a")).get()
    #expect(try bench.end(of: server.address("/a")).get() == first)
    bench = try TransferBench(folder: onDisk ? folder : nil, trust: 3_600)
    let later = try bench.end(of: server.address("/a")).get()
    #expect((later == first) == onDisk && server.requests.count == (onDisk ? 1 : 2))
  }

  @Test("later its server is asked whether it still holds")
  func revalidated() throws {
    let server = try WebServer { request, connection in
      if request.headers["if-none-match"] == "\"1\"" {
        connection.sendResponse(304)
      } else {
        connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder)
    let first = try bench.end(of: server.address("/a")).get()
    #expect(try bench.end(of: server.address("/a")).get() == first)
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
    #expect(try first.bytes(atMost: 1 << 20) == pictureBytes)
  }

  @Test("what changed there is another version; where the server is away, or out of its mind, the old one is shown")
  func stale() throws {
    let state = Lock(1)
    let server = try WebServer { _, connection in
      switch state.withLock({ $0 }) {
      case 3: connection.sendResponse(503, headers: ["Retry-After: 60"])
      case 4: connection.sendResponse(404)
      case let number: connection.sendResponse(headers: ["ETag: \"\(number)\""], body: pictureBytes)
      }
    }
    let bench = try TransferBench(folder: folder, seconds: 0.4)
    let address = server.address("/a")
    func next(_ number: Int) throws -> Result<RemoteContent, RemoteFailure> {
      state.withLock { $0 = number }
      return try bench.end(of: address)
    }
    let first = try next(1).get()
    let second = try next(2).get()
    #expect(first.version != second.version && first.source == second.source)
    #expect(try next(3).get() == second)
    let fresh = try TransferBench(folder: folder, seconds: 0.4)
    state.withLock { $0 = 4 }
    #expect(try fresh.failure(of: address) == .notFound, "the server knows")
    server.stop()
    #expect(try fresh.end(of: address).get() == second, "nobody knows")
  }

  @Test("what still holds and is not here any more is asked for anew, for all who joined")
  func holdsAndGone() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      guard request.headers["if-none-match"] != nil else {
        return connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
      gate.wait { $0 ? () : nil }
      connection.sendResponse(304)
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder)
    _ = try bench.end(of: server.address("/a")).get()
    bench.fetch(server.address("/a"))
    try server.waitForRequests(2)
    for name in folder.names("remote") { try FileManager.default.removeItem(atPath: folder.path(of: "remote/" + name)) }
    bench.fetch(server.address("/a"))
    // Once this one has ended, the one before was taken in.
    _ = try bench.end(of: server.address("/b")).get()
    gate.withLock { $0 = true }
    gate.wakeAll()
    let ends = try bench.wait(4).suffix(2)
    #expect(try ends.allSatisfy { try $0.result.get().bytes(atMost: 1 << 20) == pictureBytes })
    #expect(server.requests.map(\.path) == ["/a", "/a", "/b", "/a"])
  }

  @Test("where it is asked for anew at once, what gives way to it is not asked for on the side")
  func goneAmongOthers() throws {
    let (kept, others) = (Lock(false), Lock(false))
    let server = try WebServer { request, connection in
      if request.path.hasPrefix("/other") { others.wait { $0 ? () : nil } }
      guard request.headers["if-none-match"] != nil else {
        return connection.sendResponse(headers: ["ETag: \"1\""], body: pictureBytes)
      }
      kept.wait { $0 ? () : nil }
      connection.sendResponse(304)
    }
    defer { server.stop() }
    let elsewhere = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { elsewhere.stop() }
    let bench = try TransferBench(folder: folder)
    _ = try bench.end(of: server.address("/a")).get()
    for number in 0..<5 { bench.fetch(server.address("/other\(number)"), deadline: .distantFuture) }
    try server.waitForRequests(6)
    bench.fetch(server.address("/a"), name: "a")
    try server.waitForRequests(7)
    for name in folder.names("remote") { try FileManager.default.removeItem(atPath: folder.path(of: "remote/" + name)) }
    bench.fetch(server.address("/later"), deadline: .distantFuture, name: "later")
    // Once this one has ended, the one before was taken in: all six connections are in use.
    _ = try bench.end(of: elsewhere.address("/b")).get()
    kept.withLock { $0 = true }
    kept.wakeAll()
    #expect(try bench.wait(4).suffix(2).map(\.name) == ["a", "later"])
    others.withLock { $0 = true }
    others.wakeAll()
    #expect(try bench.wait(9).allSatisfy { (try? $0.result.get()) != nil })
    #expect(server.requests.count { $0.path == "/later" } == 1)
  }

  @Test("nothing of a server that is not trusted is kept, and neither is what is left half")
  func nothingKept() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: Array("<html>".utf8)) }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder)
    _ = try bench.failure(of: server.address("/a"))
    // It speaks no TLS, which is one way not to prove anything.
    let failure = try bench.failure(of: server.address("/a").replacingOccurrences(of: "http:", with: "https:"))
    guard case .untrusted = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(folder.names("remote").isEmpty)
  }

  @Test("who wants the same waits for one transfer; who gives it up leaves it to the others")
  func joins() throws {
    let gate = Lock(false)
    let server = try WebServer { _, connection in
      gate.wait { $0 ? () : nil }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let bench = try TransferBench()
    bench.fetch(server.address("/a"), name: "first")
    let given = bench.fetch(server.address("/a"), name: "given up")
    bench.fetch(server.address("/a"), name: "third")
    given.cancel()
    try server.waitForRequests(1)
    gate.withLock { $0 = true }
    gate.wakeAll()
    #expect(try bench.wait(2).map(\.name) == ["first", "third"] && server.requests.count == 1)
  }

  @Test("a transfer that nobody wants any more is left: its connection ends")
  func givenUp() throws {
    let closed = Lock(false)
    let server = try WebServer { _, connection in
      let isClosed = connection.waitUntilClosed()
      closed.withLock { $0 = isClosed }
      closed.wakeAll()
    }
    defer { server.stop() }
    let bench = try TransferBench(folder: folder)
    let transfer = bench.fetch(server.address("/a"))
    try server.waitForRequests(1)
    transfer.cancel()
    try closed.wait(for: "the connection to end") { $0 ? () : nil }
  }

  @Test("at the end all who wait are told so, and those who come later")
  func shutDown() throws {
    let server = try WebServer { _, connection in _ = connection.waitUntilClosed() }
    defer { server.stop() }
    let transfers = try RemoteTransfers(RemoteConfiguration(seed: 1))
    let ends = Lock<[RemoteFailure?]>([])
    let request = RemoteRequest(try #require(RemoteURL(server.address("/"))))
    func fetch() {
      transfers.fetch(request) { result in
        ends.withLock { $0.append(result.failure) }
      }
    }
    fetch()
    fetch()
    try server.waitForRequests(1)
    transfers.shutdown()
    fetch()
    #expect(ends.withLock { $0 } == [.shutDown, .shutDown, .shutDown])
  }

  @Test("a thread that waits is given what came")
  func blocking() throws {
    let server = try WebServer { request, connection in
      connection.sendResponse(request.path == "/a" ? 200 : 404, body: Array("{}".utf8))
    }
    defer { server.stop() }
    let bench = try TransferBench()
    func fetch(_ path: String) throws -> [UInt8] {
      let url = try #require(RemoteURL(server.address(path)))
      return try bench.transfers.fetchSynchronously(RemoteRequest(url, kind: .manifest)).bytes(atMost: 100)
    }
    #expect(try fetch("/a") == Array("{}".utf8))
    #expect(throws: RemoteFailure.notFound) { try fetch("/b") }
  }
}

extension Result {
  /// Why there is no success.
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension TemporaryFolder {
  /// What is in a folder in it, in order.
  func names(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(of: name))) ?? []).sorted()
  }
}
