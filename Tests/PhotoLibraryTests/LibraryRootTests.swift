import PhotoLibrary
import Testing

@Suite("A path that a user gives")
struct LibraryRootTests {
  @Test("is a folder or a picture, by a link too")
  func kinds() throws {
    let tree = try TemporaryTree()
    try tree.file("a.png")
    try tree.file("noname")
    try tree.file("broken.jpg", [1, 2, 3])
    try tree.fifo("fifo.jpg")
    try tree.link("link", to: ".")
    #expect(try LibraryRoot(checking: tree.root).kind == .folder)
    #expect(try LibraryRoot(checking: tree.path("link")).kind == .folder)
    for name in ["a.png", "noname", "broken.jpg", "fifo.jpg"] {
      #expect(try LibraryRoot(checking: tree.path(name)).kind == .picture)
    }
  }

  @Test("is refused in one line that names it")
  func refusals() throws {
    let tree = try TemporaryTree()
    try tree.file("text.txt", Array("hello".utf8))
    try tree.file("empty", [])
    try tree.fifo("fifo")
    try tree.link("loop", to: "loop")
    let cases: [(String, LibraryError.Reason)] = [
      ("absent", .notFound), ("text.txt/below", .notFound), ("text.txt", .notAPicture), ("empty", .notAPicture),
      ("fifo", .notAPicture),
    ]
    for (name, reason) in cases {
      let error = LibraryError(input: tree.path(name).bytes, reason: reason)
      #expect(throws: error) { try LibraryRoot(checking: tree.path(name)) }
      #expect(error.description.hasPrefix(tree.path(name).printable))
      #expect(!error.description.contains("\n"))
    }
    #expect(throws: LibraryError.self) { try LibraryRoot(checking: tree.path("loop")) }
    #expect(throws: LibraryError.self) { try LibraryRoot(checking: PhotoPath("")) }
    #expect(throws: LibraryError.self) { try LibraryRoot(checking: PhotoPath([0x2F, 0, 0x61])) }
    #expect(throws: LibraryError.self) { try LibraryRoot(checking: PhotoPath(Array(repeating: 0x61, count: 9000))) }
  }

  @Test(
    "is named as it was typed, and an address is told apart",
    arguments: [
      ("http://x.y/z.jpg", true), ("svn+ssh://host", true), ("a://", true), ("absent//x/", false), ("://x", false),
      ("1a://x", false), ("a b://x", false), ("a:/x", false),
    ])
  func typed(text: String, isAddress: Bool) throws {
    let error = try #require(throws: LibraryError.self) { try LibraryRoot(input: Array(text.utf8)) }
    #expect(error.description.hasPrefix(text + ": no such file or folder; "))
    #expect(error.description.hasSuffix("http and https") == isAddress)
  }

  @Test("that would garble a terminal is named without doing so")
  func garbling() {
    let error = LibraryError(input: Array("a\u{1B}[2J\nb".utf8), reason: .notFound)
    #expect(error.description.hasPrefix("a%1B[2J%0Ab: no such file or folder"))
  }
}
