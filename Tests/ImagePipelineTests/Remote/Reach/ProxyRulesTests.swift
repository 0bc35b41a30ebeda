import Testing

@testable import ImagePipeline

@Suite("Proxies of the environment")
struct ProxyRulesTests {
  private func proxy(_ address: String, _ variables: [String: String]) throws -> String? {
    ProxyRules { variables[$0] }.proxy(for: try #require(RemoteURL(address)))
  }

  @Test("each kind of address has its own, small letters first, else the one for all")
  func kinds() throws {
    let variables = ["http_proxy": "a:1", "https_proxy": "b:2", "HTTPS_PROXY": "c:3", "all_proxy": "d:4"]
    #expect(try proxy("http://x.example/", variables) == "a:1")
    #expect(try proxy("https://x.example/", variables) == "b:2")
    #expect(try proxy("https://x.example/", ["HTTPS_PROXY": "c:3"]) == "c:3")
    #expect(try proxy("http://x.example/", ["ALL_PROXY": "socks5h://e:5", "http_proxy": ""]) == "socks5h://e:5")
    #expect(try proxy("http://x.example/", ["https_proxy": "b:2"]) == nil)
    #expect(try proxy("http://x.example/", [:]) == nil)
    #expect(try proxy("http://x.example/", ["HTTP_PROXY": "a:1"]) == nil, "whoever asks a server may set that")
  }

  @Test("exceptions are names with all under them, numbers, and networks of numbers")
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
