import Testing
import VitrineImageMetadata

@testable import VitrinePhotoLibrary

@Suite("The action for an entry depends on its name and type")
struct EntryActionTests {
  @Test(
    "A file with a picture's extension is listed, in upper or lower case",
    arguments: ["a.jpg", "a.JPEG", "b.c.Png", "x.heic", "é.webp", "a.jxl", "-rf.gif", " .png", "a.tif", "a.jpe"])
  func pictureNames(name: String) {
    #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 0)) == .list)
    #expect(EntryAction.action(for: Array(name.utf8), target: .special) == .fail(.notARegularFile))
    #expect(EntryAction.action(for: Array(name.utf8), target: .brokenLink) == .fail(.brokenLink))
    #expect(
      EntryAction.action(for: Array(name.utf8), target: .inaccessible(.permissionDenied)) == .fail(.permissionDenied))
    #expect(EntryAction.action(for: Array(name.utf8), target: .folder) == .enter)
  }

  @Test(
    "All extensions of the table of formats are those of pictures",
    arguments: ImageFormat.table.flatMap(\.fileExtensions))
  func tableExtensions(fileExtension: String) {
    for name in ["a." + fileExtension, "B." + fileExtension.uppercased()] {
      #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 0)) == .list)
    }
  }

  @Test(
    "A file with another name is sniffed, unless it is empty",
    arguments: ["jpg", "a.jpg~", "a.jpg ", "README", "a.txt", "a.", "a.jpgjpg", "thumbs.db"])
  func otherNames(name: String) {
    #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 1)) == .sniff)
    #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 0)) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .special) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .brokenLink) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .inaccessible(.unreadable)) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .folder) == .enter)
  }

  @Test("A name that starts with a dot is skipped", arguments: [".a.jpg", "..png", "...", ".thumbnails"])
  func hiddenNames(name: String) {
    for target in [EntryTarget.file(byteCount: 9), .folder, .special, .brokenLink] {
      #expect(EntryAction.action(for: Array(name.utf8), target: target) == .skip)
    }
  }
}

@Suite("Links and files are listed without duplicates")
struct FileDeduplicatorTests {
  private let file = FileKey(device: 1, inode: 2)

  @Test("A link to a listed file is not listed")
  func linkAfterFile() {
    var deduplicator = FileDeduplicator()
    let results = [
      deduplicator.shouldListFile(file), deduplicator.shouldListLink(to: file), deduplicator.shouldListLink(to: file),
    ]
    #expect(results == [true, false, false])
  }

  @Test("A link that comes first is listed in place of the file")
  func linkBeforeFile() {
    var deduplicator = FileDeduplicator()
    let results = [
      deduplicator.shouldListLink(to: file), deduplicator.shouldListLink(to: file), deduplicator.shouldListFile(file),
    ]
    #expect(results == [true, false, false])
  }

  @Test("A file is listed once for each of its hard links")
  func hardLinks() {
    var deduplicator = FileDeduplicator()
    let plain = [deduplicator.shouldListFile(file), deduplicator.shouldListFile(file)]
    #expect(plain == [true, true])
    var linkedDeduplicator = FileDeduplicator()
    let results = [
      linkedDeduplicator.shouldListLink(to: file), linkedDeduplicator.shouldListFile(file),
      linkedDeduplicator.shouldListFile(file),
    ]
    #expect(results == [true, false, true])
  }

  @Test("Equal inode numbers on two devices are two files")
  func devices() {
    var deduplicator = FileDeduplicator()
    let results = [
      deduplicator.shouldListLink(to: file), deduplicator.shouldListLink(to: FileKey(device: 2, inode: 2)),
    ]
    #expect(results == [true, true])
  }
}

@Suite("Batch sizes")
struct BatchPolicyTests {
  @Test("The first batch has 64 items, and later batches have a thousand")
  func sizes() {
    var policy = BatchPolicy.bySize
    var results = [policy.isDue(count: 63, at: 0), policy.isDue(count: 64, at: 0)]
    policy.reset()
    results += [policy.isDue(count: 64, at: 0), policy.isDue(count: 999, at: .max), policy.isDue(count: 1000, at: 0)]
    #expect(results == [false, true, false, false, true])
  }

  @Test("A timed batch is due after 50 milliseconds")
  func maximumAge() {
    var policy = BatchPolicy.bySizeAndAge
    policy.reset()
    let results = [
      policy.isDue(count: 0, at: 0), policy.isDue(count: 1, at: 100_000_000), policy.isDue(count: 2, at: 149_999_999),
      policy.isDue(count: 2, at: 150_000_000),
    ]
    #expect(results == [false, false, false, true])
  }
}
