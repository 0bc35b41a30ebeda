import CollectionUI
import Testing
import VitrineDataStructures
import VitrineDiffableData
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Updates of a library that is open")
struct LibraryUpdateTests {
  /// Files in folders that a test changes, and the events with which a feed reports them.
  struct Files {
    let root = PhotoPath("/pictures")
    /// The files of each folder, with the version of each.
    var folders: [PhotoPath: [String: Int64]] = [:]
    private var inodes: [PhotoPath: UInt64] = [:]

    mutating func set(_ name: String, in folder: String, version: Int64 = 1) {
      let path = folder.isEmpty ? root : root.appending(folder)
      folders[path, default: [:]][name] = version
      let file = path.appending(name)
      inodes[file] = inodes[file] ?? UInt64(inodes.count + 1)
    }

    /// The folders and the files in each, in the order of a scan.
    var listing: [(folder: PhotoPath, names: [String])] {
      folders.keys.sorted { $0.listingKey.lexicographicallyPrecedes($1.listingKey) }.map { folder in
        (folder, (folders[folder] ?? [:]).keys.sorted { NaturalOrder.precedes(Array($0.utf8), Array($1.utf8)) })
      }
    }

    private func found(_ folder: PhotoPath, _ names: [String], from first: Int) -> (LibraryEvent, LibraryEvent) {
      let photos = names.enumerated().map { index, name in
        let version = folders[folder]?[name] ?? 0
        return FoundPhoto(
          ordinal: UInt32(first + index), folder: folder, name: Array(name.utf8),
          identity: FileIdentity(
            device: 1, inode: inodes[folder.appending(name)] ?? 0, byteCount: Int64(name.utf8.count) * version,
            modificationNanoseconds: version * 1_000_000_000))
      }
      let headers = photos.map { photo in
        // Every third file has no date of its own.
        let time = photo.identity.inode % 3 == 0 ? nil : Int64(photo.identity.inode * 7 % 23) * 86_400 * 9
        return HeaderResult(
          ordinal: photo.ordinal, identity: photo.identity,
          header: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30), captureTime: time))
      }
      return (.found(photos), .headers(headers))
    }

    /// The events of a scan of everything.
    var scan: [LibraryEvent] {
      var (events, first): ([LibraryEvent], Int) = ([], 0)
      for (folder, names) in listing where !names.isEmpty {
        let (photos, headers) = found(folder, names, from: first)
        events += [photos, headers]
        first += names.count
      }
      return events + [.finished(ScanSummary())]
    }

    /// The events of an update of folders that exist in this state, or in an earlier one.
    func update(_ changed: [PhotoPath]) -> [LibraryEvent] {
      var (events, first): ([LibraryEvent], Int) = ([.updating], 0)
      for folder in changed {
        let names = listing.first { $0.folder == folder }?.names ?? []
        let (photos, headers) = found(folder, names, from: first)
        let inside = folders.keys.filter { $0.isWithin(folder) && $0 != folder }
        events += [
          photos,
          .relisted(
            FolderListing(
              folder: folder, ordinals: UInt32(first)..<UInt32(first + names.count),
              subfolders: Set(
                inside.map { path in
                  let rest = path.bytes.dropFirst(folder.bytes.count + 1)
                  return Array(rest.prefix { $0 != UInt8(ascii: "/") })
                }))),
          headers,
        ]
        first += names.count
      }
      return events + [.finished(ScanSummary())]
    }
  }

  /// Returns the paths in each section of a gallery.
  private func contents(of gallery: GalleryFixture) -> [String] {
    let snapshot = gallery.screen.dataSource.snapshot()
    return snapshot.sectionIdentifiers.map { section in
      let paths = snapshot.itemIdentifiers(inSection: section).map { item -> String in
        let folder = gallery.library.catalogue.folder(of: item)?.bytes.dropFirst("/pictures/".utf8.count) ?? []
        return "\(String(decoding: folder, as: UTF8.self))/\(gallery.library.caption(of: item))"
      }
      return "\(section.title(gallery.library.folderTitles)): \(paths.joined(separator: " "))"
    }
  }

  private func makeGallery(_ files: Files, _ grouping: GalleryGrouping, _ sorting: GallerySorting) throws -> (
    GalleryFixture, FakeFeed
  ) {
    let feed = FakeFeed()
    feed.roots = [files.root]
    let gallery = try GalleryFixture(feed, grouping: grouping)
    for event in files.scan { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    gallery.screen.libraryController.sort(by: sorting)
    gallery.harness.runUntilIdle()
    return (gallery, feed)
  }

  @Test(
    "After any updates the library is arranged as if it had been scanned in its last state",
    arguments: GalleryGrouping.allCases, GallerySorting.allCases)
  func equalsScan(grouping: GalleryGrouping, sorting: GallerySorting) throws {
    var random = SeededGenerator(seed: 5)
    var files = Files()
    for number in 0..<30 { files.set("\(number % 11).jpg", in: ["", "a", "a/b", "c10", "c9"][number % 5]) }
    let (gallery, feed) = try makeGallery(files, grouping, sorting)
    for _ in 0..<12 {
      var changed: Set<PhotoPath> = []
      for _ in 0..<Int.random(in: 1..<4, using: &random) {
        let name = ["", "a", "a/b", "c10", "c9", "c9/deep", "z"].randomElement(using: &random) ?? ""
        let folder = name.isEmpty ? files.root : files.root.appending(name)
        let number = Int.random(in: 0..<14, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: files.set("\(number).jpg", in: name, version: Int64.random(in: 1..<5, using: &random))
        case 2, 3: files.folders[folder]?["\(number).jpg"] = nil
        default:
          guard folder != files.root else { continue }
          for path in files.folders.keys where path.isWithin(folder) { files.folders[path] = nil }
          changed.insert(folder.parent)
        }
        changed.insert(folder)
      }
      // A folder that is new is listed by the one that contains it, before it.
      for event in files.update(changed.sorted { $0.listingKey.lexicographicallyPrecedes($1.listingKey) }) {
        feed.appendBatch(event)
      }
      gallery.harness.runUntilIdle()
      let (other, _) = try makeGallery(files, grouping, sorting)
      #expect(contents(of: gallery) == contents(of: other))
      #expect(gallery.library.count == other.library.count && gallery.library.failedItems.isEmpty)
    }
  }

  @Test("A photograph that vanishes and returns within an update stays where it is")
  func returning() throws {
    var files = Files()
    for number in 0..<5 { files.set("\(number).jpg", in: "") }
    let (gallery, feed) = try makeGallery(files, .none, .name)
    let before = contents(of: gallery)
    let all = files.update([files.root])
    files.folders[files.root]?["2.jpg"] = nil
    // In one frame.
    let events = files.update([files.root]) + all
    for event in events.dropLast() { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    #expect(contents(of: gallery) == before && gallery.library.count == 5)
  }

  @Test("Photographs on a disk that is removed stay, although the next list lacks their folder")
  func removedDisk() throws {
    var files = Files()
    for (number, folder) in ["", "usb", "usb/deep", "other"].enumerated() { files.set("\(number).jpg", in: folder) }
    let (gallery, feed) = try makeGallery(files, .folder, .name)
    let disk = files.root.appending("usb")
    for path in files.folders.keys where path.isWithin(disk) { files.folders[path] = nil }
    files.folders[files.root.appending("other")] = nil
    feed.appendBatch(.problem(ScanProblem(folder: disk, reason: .unmounted)))
    for event in files.update([files.root]) { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    #expect(gallery.library.count == 3)
    #expect(gallery.library.problems.map(\.folder) == [disk])
    // It is mounted again, with another file.
    for (number, folder) in ["usb", "usb/deep"].enumerated() { files.set("\(number + 1).jpg", in: folder) }
    files.folders[disk]?["1.jpg"] = nil
    files.set("5.jpg", in: "usb")
    for event in files.update([files.root, disk, disk.appending("deep")]) { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    let (other, _) = try makeGallery(files, .folder, .name)
    #expect(contents(of: gallery) == contents(of: other) && gallery.library.problems.isEmpty)
  }

  @Test("A rescan that begins during an update ends, and the library goes on")
  func rescanDuringUpdate() throws {
    var files = Files()
    for number in 0..<5 { files.set("\(number).jpg", in: "") }
    let (gallery, feed) = try makeGallery(files, .none, .name)
    files.set("new.jpg", in: "")
    // The feed drops the rest of the update.
    for event in files.update([files.root]).dropLast(2) { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    gallery.screen.rescanFolders()
    for event in files.scan { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    files.folders[files.root]?["2.jpg"] = nil
    for event in files.update([files.root]) { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    gallery.screen.libraryController.sort(by: .size)
    gallery.harness.runUntilIdle()
    #expect(contents(of: gallery) == ["All photographs: /new.jpg /0.jpg /1.jpg /3.jpg /4.jpg"])
    #expect(gallery.library.count == 5 && !gallery.library.isSorting)
  }

  @Test("A file and a link to it that come together are one photograph")
  func linkWithFile() throws {
    var files = Files()
    files.set("0.jpg", in: "")
    let (gallery, feed) = try makeGallery(files, .none, .name)
    let identity = FileIdentity(device: 1, inode: 99, byteCount: 1, modificationNanoseconds: 1)
    func photo(_ ordinal: UInt32, _ name: String) -> FoundPhoto {
      FoundPhoto(ordinal: ordinal, folder: files.root, name: Array(name.utf8), identity: identity)
    }
    var link = photo(1, "b.jpg")
    (link.isLink, link.shownPath) = (true, files.root.appending("a.jpg"))
    feed.appendBatch(.updating, .found([photo(0, "a.jpg"), link]), FakeFeed.end)
    gallery.harness.runUntilIdle()
    #expect(contents(of: gallery) == ["All photographs: /0.jpg /a.jpg"])
  }

  @Test("What is on screen stays there while photographs are inserted above")
  func position() throws {
    var files = Files()
    for number in 100..<400 { files.set("\(number).jpg", in: "") }
    let (gallery, feed) = try makeGallery(files, .none, .name)
    gallery.screen.grid.scroll(to: 3_000, animated: false)
    gallery.harness.runUntilIdle()
    func visible() -> [String: Double] {
      Dictionary(
        uniqueKeysWithValues: gallery.cells.compactMap { cell in
          cell.item.map { (gallery.library.caption(of: $0), gallery.screen.grid.origin(of: cell).y) }
        })
    }
    let before = visible()
    // Whole rows, so that no photograph moves to another column.
    for number in 0..<60 { files.set("\(number).jpg", in: "") }
    for event in files.update([files.root]) { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    let after = visible()
    #expect(gallery.library.count == 360 && before.count > 8)
    #expect(before.allSatisfy { name, y in after[name].map { abs($0 - y) < 1 } ?? false })
  }

  @Test("A restored library is complete before it is read again, and then brought up to date")
  func restored() throws {
    var files = Files()
    for number in 0..<9_000 { files.set("\(number).jpg", in: "") }
    files.set("gone.jpg", in: "a")
    let feed = FakeFeed()
    feed.roots = [files.root]
    var catalogue = PhotoCatalogue()
    for event in files.scan { _ = catalogue.apply(event) }
    feed.restored = catalogue
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    #expect(gallery.library.count == 9_001 && gallery.screen.dataSource.snapshot().numberOfItems == 9_001)
    #expect(feed.rescanCount == 1, "it is read again as soon as all photographs are shown")
    files.folders[files.root.appending("a")] = nil
    files.set("new.jpg", in: "")
    for event in files.scan { feed.appendBatch(event) }
    gallery.harness.runUntilIdle()
    let (other, _) = try makeGallery(files, .none, .name)
    #expect(contents(of: gallery) == contents(of: other) && gallery.library.count == 9_001)
    #expect(feed.rescanCount == 1)
  }

  @Test("The first photographs of a restored library are shown before the others", arguments: GallerySorting.allCases)
  func restoredPart(sorting: GallerySorting) throws {
    var files = Files()
    for number in 0..<9_000 { files.set("\(number).jpg", in: "") }
    let feed = FakeFeed()
    feed.roots = [files.root]
    var (part, whole) = (PhotoCatalogue(), PhotoCatalogue())
    for event in files.scan {
      _ = whole.apply(event)
      switch event {
      case .found(let photos): _ = part.apply(.found(Array(photos.prefix(2_500))))
      case .headers(let headers): _ = part.apply(.headers(Array(headers.prefix(2_500))))
      default: break
      }
    }
    feed.restoredPart = part
    let gallery = try GalleryFixture(feed)
    gallery.library.requestSorting(by: sorting)
    gallery.harness.runUntilIdle()
    #expect(gallery.library.count == 2_500 && gallery.screen.dataSource.snapshot().numberOfItems == 2_500)
    #expect(feed.rescanCount == 0, "a part is not compared with the files")
    feed.restored = whole
    gallery.harness.runUntilIdle()
    #expect(feed.rescanCount == 1)
    let (other, _) = try makeGallery(files, .none, sorting)
    #expect(contents(of: gallery) == contents(of: other) && gallery.library.count == 9_000)
  }
}
