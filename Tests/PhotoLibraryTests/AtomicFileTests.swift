import Glibc
import Testing
import VitrinePhotoLibrary

@Suite("Atomic files")
struct AtomicFileTests {
  @Test(
    "A file is written completely, is accessible to its owner only, and leaves no other file in the folder",
    arguments: [false, true])
  func writing(isDurable: Bool) throws {
    let tree = try TemporaryTree()
    let path = tree.path("state")
    for bytes in [[1, 2, 3], [], Array(repeating: UInt8(7), count: 300_000)] {
      try AtomicFile.write(bytes, to: path, isDurable: isDurable)
      #expect(try AtomicFile.read(path, atMost: 1 << 20) == bytes)
    }
    let lines = try TreeDigest.lines(of: tree.root)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("/state \(S_IFREG | 0o600) 300000 ") == true)
  }

  @Test("Writing replaces a symbolic link and not its target")
  func links() throws {
    let tree = try TemporaryTree()
    let target = try tree.makeFile("target", [9])
    try tree.makeLink("state", to: "target")
    try AtomicFile.write([1], to: tree.path("state"))
    #expect(try AtomicFile.read(target, atMost: 10) == [9])
    #expect(try AtomicFile.read(tree.path("state"), atMost: 10) == [1])
  }

  @Test("A failed write changes nothing in the folder")
  func failing() throws {
    let tree = try TemporaryTree()
    try tree.makeFolder("state")
    try tree.makeFile("state/in", [])
    let before = try TreeDigest.lines(of: tree.root).map { $0.prefix { $0 != " " } }
    // A file cannot replace a folder.
    #expect(throws: FileError(.rename, code: EISDIR)) { try AtomicFile.write([1], to: tree.path("state")) }
    #expect(throws: FileError(.open, code: ENOENT)) { try AtomicFile.write([1], to: tree.path("absent/state")) }
    #expect(try TreeDigest.lines(of: tree.root).map { $0.prefix { $0 != " " } } == before)
  }

  @Test("Only regular files up to the maximum size are read")
  func reading() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("large", [1, 2, 3, 4])
    try tree.makeFIFO("fifo")
    #expect(throws: FileError.self) { try AtomicFile.read(tree.path("large"), atMost: 3) }
    #expect(throws: FileError.self) { try AtomicFile.read(tree.path("fifo"), atMost: 3) }
    #expect(throws: FileError(.open, code: ENOENT)) { try AtomicFile.read(tree.path("absent"), atMost: 3) }
    #expect(try AtomicFile.read(tree.path("large"), atMost: 4) == [1, 2, 3, 4])
  }

  @Test("Folders are created with access for their owner only")
  func folders() throws {
    let tree = try TemporaryTree()
    let path = tree.path("a/b/c")
    try AtomicFile.makeFolder(path)
    try AtomicFile.makeFolder(path)
    #expect(try TreeDigest.lines(of: tree.root).allSatisfy { $0.contains(" \(S_IFDIR | 0o700) ") })
    #expect(AtomicFile.folderExists(at: path) && !AtomicFile.folderExists(at: tree.path("a/absent")))
    try tree.makeFile("file", [1])
    #expect(!AtomicFile.folderExists(at: tree.path("file")) && !AtomicFile.folderExists(at: tree.path("file/below")))
    #expect(throws: FileError(.makeFolder, code: ENOTDIR)) { try AtomicFile.makeFolder(tree.path("file")) }
    #expect(throws: FileError.self) { try AtomicFile.makeFolder(tree.path("file/below")) }
  }
}
