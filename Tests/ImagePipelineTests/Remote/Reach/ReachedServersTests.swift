import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What a public server may lead to")
struct ReachedServersTests {
  @Test("not to this machine by a name that says nothing, which is judged when it is connected to")
  func rebinding() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let bench = try TransferBench(knownNames: ["pictures.example:\(server.port):127.0.0.1"])
    let address = "http://pictures.example:\(server.port)/"
    #expect(try bench.failure(of: address, isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty, "nothing was asked")
    let content = try bench.end(of: address).get()
    #expect(!content.isFromPublicServer, "where the user says so it is asked")
  }

  @Test("nor is it asked for what its name tells", arguments: ["localhost", "0x7f.1", "2130706433", "[::1]"])
  func named(host: String) throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    #expect(
      try TransferBench().failure(of: "http://\(host):\(server.port)/", isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty)
  }

  @Test("behind a proxy on this machine servers are what their names say, and the exceptions are asked directly")
  func proxied() throws {
    let proxy = try WebServer { request, connection in
      if request.path == "http://far.example/on" {
        connection.sendResponse(302, headers: ["Location: http://nas.local/a"])
      } else {
        connection.sendResponse(body: pictureBytes)
      }
    }
    defer { proxy.stop() }
    let direct = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { direct.stop() }
    let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1"]
    let bench = try TransferBench(proxies: ProxyRules { variables[$0] })
    #expect(try bench.end(of: "http://far.example/a").get().isFromPublicServer)
    #expect(try bench.end(of: "http://far.example/b", isPublic: true).get().isFromPublicServer)
    #expect(!(try bench.end(of: "http://nas.local/c").get().isFromPublicServer))
    #expect(proxy.requests.map(\.path) == ["a", "b"].map { "http://far.example/" + $0 } + ["http://nas.local/c"])
    #expect(try bench.failure(of: "http://nas.local/d", isPublic: true) == .privateAddress)
    #expect(try bench.failure(of: "http://far.example/on") == .privateAddress)
    #expect(proxy.requests.count == 4)
    #expect(!(try bench.end(of: direct.address("/")).get().isFromPublicServer))
    #expect(direct.requests.map(\.path) == ["/"] && proxy.requests.count == 4)
  }
}
