import Glibc
import PhotoLibrary
import TestSupport
import Testing

@Suite("A second scan of a folder, taken into the same catalogue")
struct RescanTests {
  /// What a scan changed, all of it.
  private static func scan(_ tree: TemporaryTree, into catalogue: inout PhotoCatalogue) throws -> CatalogueChange {
    let scan = FolderScan(roots: [try LibraryRoot(checking: tree.root)], options: ScanOptions(isDeterministic: true))
    try scan.start()
    var change = CatalogueChange()
    var isOver = false
    catalogue.beginScan()
    while !isOver {
      for event in scan.takeBatch(count: 3) {
        let next = catalogue.apply(event)
        change.listed += next.listed
        change.added += next.added
        change.changed += next.changed
        if case .finished = event { isOver = true }
      }
    }
    scan.join()
    return change
  }

  private static func names(_ ids: [PhotoID], _ catalogue: PhotoCatalogue) -> [String] {
    ids.map { catalogue.displayName(of: $0) ?? "?" }
  }

  @Test("tells nothing where nothing changed, broken files and links included")
  func nothing() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b/c.png", "b/d.png"] { try tree.file(name) }
    try tree.file("broken.png", [1, 2, 3])
    try tree.file("empty.png", [])
    try tree.link("nowhere.png", to: "gone.png")
    var catalogue = PhotoCatalogue()
    let first = try Self.scan(tree, into: &catalogue)
    #expect(first.added.count == 6)
    let second = try Self.scan(tree, into: &catalogue)
    #expect(second.listed == first.listed)
    #expect(second.added.isEmpty && second.changed.isEmpty)
  }

  @Test("tells of files that were added, removed, renamed, replaced and written to, by their names for the run")
  func changes() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b.png", "c.png", "d.png", "e.png"] { try tree.file(name) }
    var catalogue = PhotoCatalogue()
    let first = try Self.scan(tree, into: &catalogue)
    try tree.file("bb.png")
    #expect(unlink(tree.path("c.png").text) == 0)
    #expect(rename(tree.path("d.png").text, tree.path("z.png").text) == 0)
    try tree.file("e.png", SmallPicture.png + [0])
    let second = try Self.scan(tree, into: &catalogue)
    #expect(Self.names(second.listed, catalogue) == ["a.png", "b.png", "bb.png", "e.png", "z.png"])
    #expect(Self.names(second.added, catalogue) == ["bb.png", "z.png"])
    #expect(Set(second.changed).subtracting(second.added) == [first.listed[4]])
    #expect(second.listed[0] == first.listed[0] && second.listed[3] == first.listed[4])
    // What comes back is what it was.
    #expect(rename(tree.path("z.png").text, tree.path("d.png").text) == 0)
    let third = try Self.scan(tree, into: &catalogue)
    #expect(third.added.isEmpty)
    #expect(third.listed[3] == first.listed[3])
  }
}
