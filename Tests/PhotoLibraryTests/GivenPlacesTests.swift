import PhotoLibrary
import TestSupport
import Testing

@Suite("Places that a user gives are looked at, in place or on a thread")
struct GivenPlacesTests {
  @Test("A picture alone is its folder; with others it is itself; what cannot be opened is named")
  func places() throws {
    let tree = try TemporaryTree()
    try tree.file("one/a.png")
    try tree.file("one/b.png")
    let (folder, picture) = (tree.path("one"), tree.path("one/a.png"))
    let alone = try LibraryRoots(checking: [picture.bytes])
    #expect(alone.roots.map(\.path) == [folder] && alone.wantedPath == picture)
    let several = try LibraryRoots(checking: [picture.bytes, tree.path("one/b.png").bytes, folder.bytes])
    #expect(several.roots.map(\.kind) == [.picture, .picture, .folder] && several.wantedPath == nil)
    #expect(try LibraryRoots(checking: []).roots.isEmpty)
    let absent = tree.path("absent").bytes
    #expect(throws: LibraryError(input: absent, reason: .notFound)) {
      try LibraryRoots(checking: [picture.bytes, absent])
    }
  }

  @Test("Beside the caller it comes to the same, and wakes whoever waits")
  func aside() throws {
    let tree = try TemporaryTree()
    try tree.file("a.png")
    let (picture, absent) = (tree.path("a.png").bytes, tree.path("absent").bytes)
    for paths in [[picture], [absent], [tree.root.bytes, picture]] {
      let waker = TestWaker()
      let check = try LibraryPathCheck(paths) { waker.wake() }
      while check.result == nil { try waker.wait(for: "the places") }
      let expected = Result { () throws(LibraryError) in try LibraryRoots(checking: paths) }
      #expect(check.result == expected)
    }
  }
}
