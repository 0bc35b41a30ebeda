import FramePacing
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("More downloads than there is memory for")
struct CrowdedTransfersTests {
  /// A picture of 280 KB, another one for each address.
  private static func body(_ path: String) -> [UInt8] {
    let number = path.utf8.reduce(0) { $0 &* 31 &+ UInt8($1 & 0x7F) }
    return pictureBytes + [UInt8](repeating: number, count: 280_000)
  }

  @Test("all come whole, whether their length is told or not", arguments: [true, false])
  func comeWhole(isTold: Bool) throws {
    let server = try WebServer { request, connection in
      connection.send(
        connection.responseHead(headers: isTold ? ["Content-Length: 282004"] : ["Connection: close"]))
      connection.send(CrowdedTransfersTests.body(request.path))
    }
    defer { server.stop() }
    let bench = try TransferBench(mostBytes: 300_000, arrivingBytes: 300_000)
    for number in 0..<12 { bench.fetch(server.address("/\(number)"), name: "/\(number)") }
    for (name, result) in try bench.wait(12) {
      #expect(try result.get().bytes(atMost: 1 << 20) == CrowdedTransfersTests.body(name))
    }
  }

  @Test("one whose bytes wait for another to end comes whole after it")
  func waits() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 282004"]))
      let body = CrowdedTransfersTests.body(request.path)
      connection.send(body.prefix(281_000))
      if request.path == "/first" { gate.wait { $0 ? () : nil } }
      connection.send(body.dropFirst(281_000))
    }
    defer { server.stop() }
    let bench = try TransferBench(mostBytes: 300_000, arrivingBytes: 300_000)
    bench.fetch(server.address("/first"), name: "/first")
    try server.waitForRequests(1)
    bench.fetch(server.address("/second"), name: "/second")
    try server.waitForRequests(2)
    gate.withLock { $0 = true }
    gate.wakeAll()
    #expect(try bench.wait(2).map(\.name).sorted() == ["/first", "/second"])
  }

  @Test("what is on screen does not wait for six that are not; the one that gave way comes all the same")
  func givesWay() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      if request.path != "/seen" { gate.wait { $0 ? () : nil } }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let bench = try TransferBench()
    for number in 0..<6 { bench.fetch(server.address("/\(number)"), deadline: .distantFuture, name: "/\(number)") }
    try server.waitForRequests(6)
    bench.fetch(server.address("/seen"), name: "/seen")
    #expect(try bench.wait(1).map(\.name) == ["/seen"], "none of the six can end")
    gate.withLock { $0 = true }
    gate.wakeAll()
    let ends = try bench.wait(7)
    #expect(ends.allSatisfy { (try? $0.result.get()) != nil } && Set(ends.map(\.name)).count == 7)
    #expect(server.requests.count == 8, "one was asked for twice")
  }

  @Test("endless ones end at their bound all the same")
  func endless() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Connection: close"]))
      while connection.send(pictureBytes) {}
    }
    defer { server.stop() }
    let bench = try TransferBench(mostBytes: 600_000, arrivingBytes: 600_000)
    for number in 0..<8 { bench.fetch(server.address("/\(number)")) }
    #expect(try bench.wait(8).allSatisfy { $0.result == .failure(.tooLarge(limit: 600_000)) })
  }
}
