import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Which servers are near")
struct NearnessTests {
  private static let nearNumbers = [
    "127.0.0.1", "127.255.0.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "192.0.0.9", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.7", "203.0.113.1",
    "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fd00::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:1.1.1.1", "::127.0.0.1",
    "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::c0a8:101", "64:ff9b::1:101:101",
    "64:ff9b:1::1", "64:ff9b:1::101:101", "2001::1", "2001:0:1234::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::",
    "2002:101:101::1", "3fff::1", "5f00::1", "100::1",
  ]
  private static let farNumbers = [
    "1.1.1.1", "9.255.255.255", "11.0.0.1", "126.0.0.1", "128.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1",
    "192.0.1.1", "100.63.0.1", "100.128.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
    "64:ff9b::1.1.1.1", "64:ff9b::808:808",
    "2606:4700::1", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2a00:1450::1", "3ffe::1",
  ]

  @Test("by their numbers: those that not everybody can ask")
  func numbers() throws {
    for text in NearnessTests.nearNumbers { #expect(try #require(IPAddress(text)).isPrivate, "\(text)") }
    for text in NearnessTests.farNumbers { #expect(!(try #require(IPAddress(text)).isPrivate), "\(text)") }
    for text in ["", "a", "1", "1.2.3", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4.5", "::1%1", "[::1]"] {
      #expect(IPAddress(text) == nil, "\(text)")
    }
  }

  @Test("by their names: numbers in whatever spelling, names of the network around, and none else")
  func names() throws {
    let near =
      NearnessTests.nearNumbers.map { $0.contains(":") ? "[\($0)]" : $0 } + [
        "0x7f.1", "017700000001", "2130706433", "127.1", "0177.0.0.1", "0x7F000001", "1.1", "8.8.8.8.", "1.0x1",
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "nas.local", "nas.local.", "x.localdomain", "router.lan",
        "box.home", "box.home.arpa", "git.corp", "www.intranet", "a.private", "metadata.google.internal", "printer",
        "router.", "a..", ".",
      ]
    for host in near {
      let url = try #require(RemoteURL("http://\(host)/"), "\(host)")
      #expect(url.isPrivate, "\(host)")
      #expect(!RemoteScope.publicOnly.allows(url.origin) && RemoteScope.anyServer.allows(url.origin))
    }
    for host in NearnessTests.farNumbers.map({ $0.contains(":") ? "[\($0)]" : $0 }) + [
      "example.com", "example.com.", "a.b.example", "local.example", "localhost.example", "home.arpa.example",
      "127.0.0.1.example", "0x7f.example", "xn--bcher-kva.example", "mylocal.example", "arpa.com", "1.e164.arpa",
    ] {
      #expect(!(try #require(RemoteURL("http://\(host)/")).isPrivate), "\(host)")
    }
  }

  @Test("numbers are alike in their first bits or not")
  func bits() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let number = UInt32.random(in: 0 ... .max, using: &random)
      let bit = Int.random(in: 0..<32, using: &random)
      let other = IPAddress.v4(number ^ 1 << UInt32(31 - bit))
      #expect((0...32).allSatisfy { IPAddress.v4(number).matches(other, bits: $0) == ($0 <= bit) })
      let (high, low) = (UInt64.random(in: 0 ... .max, using: &random), UInt64(number))
      let place = Int.random(in: 0..<128, using: &random)
      let six = IPAddress.v6(
        high: place < 64 ? high ^ 1 << UInt64(63 - place) : high,
        low: place < 64 ? low : low ^ 1 << UInt64(127 - place))
      #expect((0...128).allSatisfy { IPAddress.v6(high: high, low: low).matches(six, bits: $0) == ($0 <= place) })
    }
    #expect(
      !IPAddress.v4(0).matches(.v6(high: 0, low: 0), bits: 0) && !IPAddress.v4(0).matches(.v4(0), bits: 33))
  }
}
