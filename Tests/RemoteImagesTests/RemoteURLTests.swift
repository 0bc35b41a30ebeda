import Testing
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Remote URLs")
struct RemoteURLTests {
  @Test(
    "Valid addresses are normalized",
    arguments: [
      ("http://a", "http://a/"), ("HTTPS://Example.ORG:443/a?b#c", "https://example.org/a?b"),
      ("  http://a/b c\n", "http://a/b%20c"), ("http://a:080/", "http://a/"), ("http://a:8080", "http://a:8080/"),
      ("http://a/ä/../é.jpg", "http://a/%c3%a9.jpg"), ("http://a/b/./c/..", "http://a/b/"),
      ("http://a?q=1/../2", "http://a/?q=1/../2"), ("http://[::1]:81/x", "http://[::1]:81/x"),
      ("https://user:se%40cret@a/b", "https://user:se%40cret@a/b"), ("http://a//b", "http://a//b"),
      ("http://a/../../b", "http://a/b"), ("http://0x7f.1/a", "http://127.0.0.1/a"),
      ("http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"), ("http://b%41/", "http://ba/"),
    ])
  func normalized(text: String, expected: String) throws {
    let url = try #require(RemoteURL(text))
    #expect(url.text == expected)
    #expect(RemoteURL(url.text) == url)
  }

  @Test(
    "Invalid addresses are rejected",
    arguments: [
      "", " ", "a", "/a", "file:///etc/passwd", "ftp://a/", "http:", "http:/a", "http://", "http:///a", "http://?",
      "http://a b/", "http://a\\b/", "http://é/", "http://a:0/", "http://a:65536/", "http://a:b/", "http://a:1:2/",
      "http://[::1", "http://[x]/", "http://[]/", "http://a/\r\nHost: b", "http://a/\u{7F}", "http://[::1]x/",
      "javascript:1",
      "http://" + String(repeating: "a", count: 254) + "/", "http://a/" + String(repeating: "b", count: 9_000),
    ])
  func invalid(text: String) { #expect(RemoteURL(text) == nil) }

  @Test("An address has at most 8,192 bytes after percent-encoding")
  func maximumLength() throws {
    let prefix = "http://a/b"
    let escaped = String(repeating: " ", count: (8_192 - prefix.utf8.count) / 3)
    let url = try #require(RemoteURL(prefix + escaped + "c"))
    #expect(url.text.utf8.count == 8_192 && RemoteURL(url.text) == url)
    #expect(RemoteURL(prefix + escaped + "cd") == nil && RemoteURL("http://a/")?.resolving("b\(escaped)cd") == nil)
  }

  @Test("References are resolved as specified by RFC 3986, section 5.4")
  func references() throws {
    let base = try #require(RemoteURL("http://a/b/c/d;p?q"))
    let examples = [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
      ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
      ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"),
      ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
      ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
      ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"), ("g?y/../x", "/b/c/g?y/../x"),
    ]
    for (reference, path) in examples { #expect(base.resolving(reference)?.text == "http://a" + path, "\(reference)") }
    #expect(base.resolving("//g")?.text == "http://g/" && base.resolving("https://g/x")?.text == "https://g/x")
    #expect(base.resolving("file:///etc/hostname") == nil && base.resolving("g:h") == nil)
    #expect(base.resolving("../c\\d") == nil)
  }

  @Test("The description contains no secrets")
  func description() throws {
    let url = try #require(RemoteURL("https://anna:secret@a:8443/b?token=secret"))
    #expect(url.description == "https://a:8443/b?…" && url.withoutCredentials == "https://a:8443/b?token=secret")
    #expect(url.resolving("c")?.text == "https://anna:secret@a:8443/c", "the same server keeps the credentials")
    #expect(url.resolving("//b/c")?.text == "https://b/c")
  }

  @Test("Random addresses are rejected or unchanged when parsed again", arguments: 0..<8)
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "http", "https", ":", "//", "/", "a", ".", "..", "?", "#", "@", "%", "[", "]", "é", " ", "\u{0}", "80", "\\",
    ]
    var accepted = 0
    for _ in 0..<4_000 {
      var text = random.chance(oneIn: 3) ? "" : "http://a"
      for _ in 0..<Int.random(in: 0..<12, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      guard let url = RemoteURL(text) else { continue }
      accepted += 1
      #expect(RemoteURL(url.text) == url, "\(text)")
      #expect(url.text.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
      #expect(url.resolving(url.text) == url)
    }
    #expect(accepted > 100)
  }
}
