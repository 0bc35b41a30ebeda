import Testing
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("A path on the command line")
struct LibraryRootTests {
  @Test("A root is a folder or a picture, also through a link")
  func kinds() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("a.png")
    try tree.makeFile("noname")
    try tree.makeFile("broken.jpg", [1, 2, 3])
    try tree.makeFIFO("fifo.jpg")
    try tree.makeLink("link", to: ".")
    #expect(try LibraryRoot(checking: tree.root).kind == .folder)
    #expect(try LibraryRoot(checking: tree.path("link")).kind == .folder)
    for name in ["a.png", "noname", "broken.jpg", "fifo.jpg"] {
      #expect(try LibraryRoot(checking: tree.path(name)).kind == .picture)
    }
  }

  @Test("Dots are removed from a path, and two of them mean the folder that contains the target of a link")
  func dots() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("one/deep/a.png")
    try tree.makeFile("two/b.png")
    try tree.makeLink("two/link", to: "../one/deep")
    try tree.makeLink("two/again", to: "../two")
    func path(_ name: String) throws -> PhotoPath { try LibraryRoot(checking: tree.path(name)).path }
    let base = try #require(SystemCalls.resolvedPath(tree.root))
    #expect(try path("./one/./deep/.") == tree.path("one/deep"))
    #expect(try path("one/../two") == base.appending("two"))
    // Not the folder "two", as it would be by the text of the path.
    #expect(try path("two/link/..") == base.appending("one"))
    #expect(try path("two/link/../deep/./a.png") == base.appending("one/deep/a.png"))
    // Links that no ".." follows stay.
    #expect(try path("one/../two/link") == base.appending("two/link"))
    #expect(try path("two/again/link") == tree.path("two/again/link"))
    #expect(try LibraryRoot(checking: PhotoPath("/../..")).path == PhotoPath("/"))
    #expect(try LibraryRoot(checking: PhotoPath(".")).path == PhotoPath("."))
    #expect(try LibraryRoot(checking: PhotoPath("./.")).path == PhotoPath("."))
    #expect(try LibraryRoot(checking: PhotoPath("/.")).path == PhotoPath("/"))
    #expect(try LibraryRoot(checking: PhotoPath("..")).path.isAbsolute)
    #expect(throws: LibraryError(input: tree.path("absent/../one").bytes, reason: .notFound)) {
      try LibraryRoot(checking: tree.path("absent/../one"))
    }
  }

  @Test("An invalid path is rejected with one line that contains it")
  func refusals() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("text.txt", Array("hello".utf8))
    try tree.makeFile("empty", [])
    try tree.makeFIFO("fifo")
    try tree.makeLink("loop", to: "loop")
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
    "An error contains the path as it was typed, and an address is recognized",
    arguments: [
      ("http://x.y/z.jpg", true), ("svn+ssh://host", true), ("a://", true), ("absent//x/", false), ("://x", false),
      ("1a://x", false), ("a b://x", false), ("a:/x", false),
    ])
  func descriptions(text: String, isAddress: Bool) throws {
    let error = try #require(throws: LibraryError.self) { try LibraryRoot(input: Array(text.utf8)) }
    #expect(error.description.hasPrefix(text + ": no such file or folder; "))
    #expect(error.description.hasSuffix("http and https") == isAddress)
  }

  @Test("Control characters in a path are escaped in the error")
  func controlCharacters() {
    let error = LibraryError(input: Array("a\u{1B}[2J\nb".utf8), reason: .notFound)
    #expect(error.description.hasPrefix("a%1B[2J%0Ab: no such file or folder"))
  }
}

@Suite("The roots of a library")
struct LibraryRootsTests {
  @Test("A single picture opens its folder, several are roots of their own, and a missing path is reported")
  func openedPaths() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("one/a.png")
    try tree.makeFile("one/b.png")
    let (folder, picture) = (tree.path("one"), tree.path("one/a.png"))
    let alone = try LibraryRoots(checking: [picture.bytes])
    #expect(alone.roots.map(\.path) == [folder] && alone.pathToReveal == picture)
    #expect(alone.picture == OpenedPicture(reading: picture))
    let several = try LibraryRoots(checking: [picture.bytes, tree.path("one/b.png").bytes, folder.bytes])
    #expect(several.roots.map(\.kind) == [.picture, .picture, .folder] && several.pathToReveal == nil)
    #expect(try LibraryRoots(checking: []).roots.isEmpty)
    let absent = tree.path("absent").bytes
    #expect(throws: LibraryError(input: absent, reason: .notFound)) {
      try LibraryRoots(checking: [picture.bytes, absent])
    }
  }

  @Test("A check on a background thread has the same result, and wakes its client")
  func backgroundCheck() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("a.png")
    let (picture, absent) = (tree.path("a.png").bytes, tree.path("absent").bytes)
    for paths in [[picture], [absent], [tree.root.bytes, picture]] {
      let waker = TestWaker()
      let check = try LibraryPathCheck(paths) { waker.wake() }
      while check.result == nil { try waker.wait(for: "the result of the check") }
      let expected = Result { () throws(LibraryError) in try LibraryRoots(checking: paths) }
      #expect(check.result == expected)
    }
  }
}
