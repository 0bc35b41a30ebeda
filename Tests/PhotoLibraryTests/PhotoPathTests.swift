import Testing
import VitrinePhotoLibrary
import VitrineTestSupport

@Suite("Photo paths")
struct PhotoPathTests {
  @Test("Paths are equal if their bytes are")
  func identity() {
    #expect(PhotoPath("/a/b") == PhotoPath(Array("/a/b".utf8)))
    // An é of one code point and an é of two: equal strings, but two files on disk.
    #expect("\u{E9}" == "e\u{301}")
    #expect(PhotoPath("\u{E9}") != PhotoPath("e\u{301}"))
    #expect(PhotoPath([0xFF]) != PhotoPath([0xFE]))
  }

  @Test(
    "Redundant slashes are removed",
    arguments: [("/a//b/", "/a/b"), ("//", "/"), ("/", "/"), ("a/", "a"), ("", ""), ("a///b//c", "a/b/c")])
  func normalization(text: String, expected: String) {
    #expect(PhotoPath(text).bytes == Array(expected.utf8))
  }

  @Test("Paths are appended to and split at slashes")
  func joining() {
    let path = PhotoPath("/a").appending("b").appending("c.jpg")
    #expect(path == PhotoPath("/a/b/c.jpg"))
    #expect(path.parent == PhotoPath("/a/b"))
    #expect(Array(path.lastComponent) == Array("c.jpg".utf8))
    #expect(PhotoPath("/").appending("a") == PhotoPath("/a"))
    #expect(PhotoPath("").appending("a") == PhotoPath("a"))
    #expect(PhotoPath("/a").parent == PhotoPath("/"))
    #expect(PhotoPath("a").parent == PhotoPath("."))
    #expect(PhotoPath("/").lastComponent.isEmpty)
  }

  @Test("A path is made absolute, and redundant dots are removed")
  func absolute() {
    let folder = PhotoPath("/home/me")
    #expect(PhotoPath("pictures").absolute(from: folder) == PhotoPath("/home/me/pictures"))
    #expect(PhotoPath("./a/./b").absolute(from: folder) == PhotoPath("/home/me/a/b"))
    #expect(PhotoPath("/x").absolute(from: folder) == PhotoPath("/x"))
    #expect(PhotoPath(".").absolute(from: PhotoPath("/")) == PhotoPath("/"))
    // If a component is a link, removing ".." would lead to another folder.
    #expect(PhotoPath("a/../b").absolute(from: folder) == PhotoPath("/home/me/a/../b"))
    #expect(PhotoPath(".").absolute.isAbsolute)
  }

  @Test("The bytes of a C string are unchanged")
  func cString() {
    let bytes: [UInt8] = [0x2F, 0xFF, 0x41]
    #expect(PhotoPath(cString: bytes.map { CChar(bitPattern: $0) } + [0]).bytes == bytes)
  }

  @Test("Bytes are escaped for reports and unescaped")
  func escaping() {
    #expect(PhotoPath("/my photos/a%b~.jpg").escaped == "/my%20photos/a%25b~.jpg")
    #expect(PhotoPath([0x61, 0xFF, 0x0A]).escaped == "a%FF%0A")
    #expect(PhotoPath(escaped: "/a%2") == nil)
    #expect(PhotoPath(escaped: "/a%zz") == nil)
    #expect(PhotoPath(escaped: "/%fF") == PhotoPath([0x2F, 0xFF]))
  }

  @Test("Any bytes survive escaping and unescaping")
  func escapingRoundTrip() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let path = PhotoPath(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) })
      #expect(path.escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(PhotoPath(escaped: path.escaped) == path)
    }
  }

  @Test("A printable path contains no control characters")
  func printing() {
    #expect(PhotoPath("/fotos/größe 🎨.jpg").printable == "/fotos/größe 🎨.jpg")
    #expect(PhotoPath("a\u{1B}[31m\n").printable == "a%1B[31m%0A")
    #expect(PhotoPath("x\u{202E}gnp").printable == "x%E2%80%AEgnp")
    #expect(PhotoPath([0x61, 0xC3, 0x28]).printable == "a%C3(")
  }

  @Test("A path that is invalid UTF-8 has a label")
  func label() {
    #expect(PhotoPath([0x2F, 0x61, 0xFF, 0x62]).label == "a\u{FFFD}b")
    #expect(PhotoPath("/x/ä.jpg").label == "ä.jpg")
  }

  @Test("A path is within its ancestors, compared by whole components")
  func within() {
    let path = PhotoPath("/a/bc/d")
    for folder in ["/", "/a", "/a/bc", "/a/bc/d"] { #expect(path.isWithin(PhotoPath(folder)), "\(folder)") }
    for folder in ["/a/b", "/b", "/a/bc/d/e", "a", "."] { #expect(!path.isWithin(PhotoPath(folder)), "\(folder)") }
    #expect(PhotoPath("./x").isWithin(PhotoPath(".")))
  }
}
