import Testing
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Proxies from the environment")
struct ProxyRulesTests {
  private func proxy(_ address: String, _ variables: [String: String]) throws -> String? {
    ProxyRules { variables[$0] }.proxy(for: try #require(RemoteURL(address)))
  }

  @Test("Each scheme has its own proxy, lower-case variables come first, and the general one is the fallback")
  func kinds() throws {
    let variables = ["http_proxy": "a:1", "https_proxy": "b:2", "HTTPS_PROXY": "c:3", "all_proxy": "d:4"]
    #expect(try proxy("http://x.example/", variables) == "a:1")
    #expect(try proxy("https://x.example/", variables) == "b:2")
    #expect(try proxy("https://x.example/", ["HTTPS_PROXY": "c:3"]) == "c:3")
    #expect(try proxy("http://x.example/", ["ALL_PROXY": "socks5h://e:5", "http_proxy": ""]) == "socks5h://e:5")
    #expect(try proxy("http://x.example/", ["https_proxy": "b:2"]) == nil)
    #expect(try proxy("http://x.example/", [:]) == nil)
    #expect(
      try proxy("http://x.example/", ["HTTP_PROXY": "a:1"]) == nil, "a client of a CGI server can set this variable")
  }

  @Test("Exceptions are domains, addresses and networks")
  func exceptions() throws {
    let list = " .one.example,Two.Example. three.example,10.0.0.0/8,192.0.2.7, [2001:db8::1] 2a00::/16, 1.2.3.4/33,, "
    let variables = ["all_proxy": "p:1", "no_proxy": list, "NO_PROXY": "*"]
    for host in [
      "one.example", "a.one.example", "two.example", "b.TWO.example.", "three.example", "10.9.8.7", "192.0.2.7",
      "[2001:db8:0::1]", "[2a00:1::2]",
    ] {
      #expect(try proxy("http://\(host)/", variables) == nil, "\(host)")
    }
    for host in [
      "example", "xone.example", "one.example.org", "11.0.0.1", "192.0.2.8", "[2001:db8::2]", "[2a01::1]", "1.2.3.4",
      "1.10.0.0.0.example",
    ] {
      #expect(try proxy("http://\(host)/", variables) == "p:1", "\(host)")
    }
    #expect(try proxy("http://x.example/", ["all_proxy": "p:1", "NO_PROXY": "*"]) == nil)
    #expect(try proxy("http://x.example/", ["all_proxy": "p:1", "no_proxy": "a,*"]) == "p:1")
    #expect(try proxy("http://0.0.0.0/", ["all_proxy": "p:1", "no_proxy": "255.0.0.0/0"]) == nil)
  }
}

@Suite("Access to private servers from public ones")
struct PublicServerAccessTests {
  @Test("A host name that resolves to this machine is refused when it is connected")
  func rebinding() throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(resolvedHosts: ["pictures.example:\(server.port):127.0.0.1"])
    let address = "http://pictures.example:\(server.port)/"
    #expect(try harness.failure(of: address, isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty, "no request was sent")
    let content = try harness.result(of: address).get()
    #expect(!content.isFromPublicServer, "a request of the user is sent")
  }

  @Test("A private host name is refused without a request", arguments: ["localhost", "0x7f.1", "2130706433", "[::1]"])
  func privateNames(host: String) throws {
    let server = try WebServer { _, connection in connection.sendResponse(body: pictureBytes) }
    defer { server.stop() }
    #expect(
      try RemoteTransfersHarness().failure(of: "http://\(host):\(server.port)/", isPublic: true) == .privateAddress)
    #expect(server.requests.isEmpty)
  }

  @Test("Behind a local proxy servers are classified by name, and the exceptions are requested directly")
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
    let harness = try RemoteTransfersHarness(proxies: ProxyRules { variables[$0] })
    #expect(try harness.result(of: "http://far.example/a").get().isFromPublicServer)
    #expect(try harness.result(of: "http://far.example/b", isPublic: true).get().isFromPublicServer)
    #expect(!(try harness.result(of: "http://nas.local/c").get().isFromPublicServer))
    #expect(proxy.requests.map(\.path) == ["a", "b"].map { "http://far.example/" + $0 } + ["http://nas.local/c"])
    #expect(try harness.failure(of: "http://nas.local/d", isPublic: true) == .privateAddress)
    #expect(try harness.failure(of: "http://far.example/on") == .privateAddress)
    #expect(proxy.requests.count == 4)
    #expect(!(try harness.result(of: direct.address("/")).get().isFromPublicServer))
    #expect(direct.requests.map(\.path) == ["/"] && proxy.requests.count == 4)
  }
}
