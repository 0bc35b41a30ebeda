import Testing
import VitrineDiffableData
import VitrinePhotoLibrary
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("Captions name the folder of a photograph whose name is repeated")
struct RepeatedNameTests {
  private func found(_ paths: [String]) -> LibraryEvent {
    .found(
      paths.enumerated().map { index, path in
        let path = PhotoPath("/p/\(path)")
        return FoundPhoto(
          ordinal: UInt32(index), folder: path.parent, name: Array(path.lastComponent),
          identity: FakeFeed.identity(UInt32(index)))
      })
  }

  @Test("Only photographs in the list count, each once")
  func sets() throws {
    var catalogue = PhotoCatalogue()
    let items = catalogue.apply(found(["a/1", "b/1", "b/2", "c/1", "c/3", "d/3"])).added
    func repeated(_ numbers: [Int]) -> [Int] {
      let names = RepeatedNames(among: numbers.map { items[$0] }, in: catalogue)
      return (0..<6).filter { names?.contains(items[$0]) ?? false }
    }
    #expect(repeated(Array(0..<6)) == [0, 1, 3, 4, 5])
    #expect(repeated([0, 2, 4]).isEmpty && repeated([]).isEmpty && repeated([3, 1, 2]) == [1, 3])
    #expect(RepeatedNames(among: items, in: catalogue) { false } == nil)
    let many = (0..<3_000).map { "\($0 % 2)/\($0 / 2 * ($0 % 3))" }
    let all = catalogue.apply(found(many)).added
    let names = try #require(RepeatedNames(among: all, in: catalogue))
    let counts = Dictionary(grouping: all) { catalogue.displayName(of: $0) ?? "" }.mapValues(\.count)
    for item in all { #expect(names.contains(item) == ((counts[catalogue.displayName(of: item) ?? ""] ?? 0) > 1)) }
  }

  @Test("They do so without sections of folders, once the library is complete and after each change")
  func captions() throws {
    let feed = FakeFeed()
    feed.roots = [PhotoPath("/p")]
    feed.appendBatch(found(["2019/07/1.jpg", "2020/07/1.jpg", "2020/07/2.jpg"]), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    func texts() -> [String] {
      gallery.harness.runUntilIdle()
      return gallery.pictureCells.map(\.captionText)
    }
    #expect(texts() == ["1.jpg · 2019/07", "1.jpg · 2020/07", "2.jpg"])
    #expect(gallery.pictureCells[0].name == "1.jpg" && gallery.pictureCells[0].accessibilityValue == "JPEG picture")
    #expect(gallery.screen.caption(of: PhotoID(rawValue: 1)) == "1.jpg · 2019/07", "also in the tool tip")
    gallery.screen.libraryController.group(by: .folder)
    #expect(texts() == ["1.jpg", "1.jpg", "2.jpg"] && gallery.headers == ["2019/07", "2020/07"])
    gallery.screen.libraryController.group(by: .none)
    #expect(texts() == ["1.jpg · 2019/07", "1.jpg · 2020/07", "2.jpg"])
    gallery.screen.rescanFolders()
    gallery.harness.run(frames: 1)
    feed.appendBatch(found(["2019/07/1.jpg", "2020/07/2.jpg"]), FakeFeed.end)
    #expect(texts() == ["1.jpg", "2.jpg"])
  }
}

@Suite("The titles of folders tell them apart")
struct FolderTitlesTests {
  private func titles(_ roots: [String], _ folders: [String]) -> [String] {
    let titles = FolderTitles(roots: roots.map { PhotoPath($0) })
    return folders.map { titles.title(of: PhotoPath($0)) }
  }

  @Test("Below one root it is the path from there, and the root has its name")
  func oneRoot() {
    #expect(
      titles(["/home/a/Pictures"], ["/home/a/Pictures", "/home/a/Pictures/2019/07", "/home/a/Pictures/2020/07"])
        == ["Pictures", "2019/07", "2020/07"])
    #expect(titles(["/home/a/Pictures/"], ["/home/a/Pictures/x"]) == ["x"], "a slash at the end is no part of it")
    #expect(titles(["/"], ["/", "/a/b"]) == ["/", "a/b"])
  }

  @Test("Of several roots it begins with the name of the root, and with more if names are equal")
  func severalRoots() {
    #expect(titles(["/p/Sea", "/p/Alps"], ["/p/Sea", "/p/Sea/07", "/p/Alps/07"]) == ["Sea", "Sea/07", "Alps/07"])
    #expect(
      titles(["/a/x/DCIM", "/b/x/DCIM", "/c/Sea"], ["/a/x/DCIM/1", "/b/x/DCIM/1", "/c/Sea"])
        == ["a/x/DCIM/1", "b/x/DCIM/1", "Sea"])
    #expect(titles(["/a/DCIM", "/DCIM"], ["/a/DCIM", "/DCIM"]) == ["a/DCIM", "DCIM"])
    #expect(titles(["/p", "/p/in"], ["/p/out", "/p/in/1"]) == ["p/out", "in/1"], "of a root within another one")
    #expect(titles(["/p", "/p"], ["/p/x"]) == ["x"], "the same one twice")
  }

  @Test("Outside all roots it is the name, and bytes that are no text are replaced")
  func others() {
    #expect(titles([], ["/p/Alps"]) == ["Alps"] && titles(["/q"], ["/p/Alps"]) == ["Alps"])
    #expect(FolderTitles().title(of: PhotoPath([0x2F, 0x41, 0xFF])) == "A\u{FFFD}")
  }
}
