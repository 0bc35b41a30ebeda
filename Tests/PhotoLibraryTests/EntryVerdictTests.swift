import Testing

@testable import PhotoLibrary

@Suite("What becomes of a name that a scan meets")
struct EntryVerdictTests {
  @Test(
    "A picture's extension is enough, in any case",
    arguments: ["a.jpg", "a.JPEG", "b.c.Png", "x.heic", "é.webp", "a.jxl", "-rf.gif", " .png", "a.tif", "a.jpe"])
  func pictureNames(name: String) {
    #expect(EntryVerdict.of(Array(name.utf8), .file(byteCount: 0)) == .list)
    #expect(EntryVerdict.of(Array(name.utf8), .special) == .fail(.notARegularFile))
    #expect(EntryVerdict.of(Array(name.utf8), .brokenLink) == .fail(.brokenLink))
    #expect(EntryVerdict.of(Array(name.utf8), .refused(.denied)) == .fail(.denied))
    #expect(EntryVerdict.of(Array(name.utf8), .folder) == .enter)
  }

  @Test(
    "Another name is looked into, if there is something in it",
    arguments: ["jpg", "a.jpg~", "a.jpg ", "README", "a.txt", "a.", "a.jpgjpg", "thumbs.db"])
  func otherNames(name: String) {
    #expect(EntryVerdict.of(Array(name.utf8), .file(byteCount: 1)) == .sniff)
    #expect(EntryVerdict.of(Array(name.utf8), .file(byteCount: 0)) == .skip)
    #expect(EntryVerdict.of(Array(name.utf8), .special) == .skip)
    #expect(EntryVerdict.of(Array(name.utf8), .brokenLink) == .skip)
    #expect(EntryVerdict.of(Array(name.utf8), .refused(.unreadable)) == .skip)
    #expect(EntryVerdict.of(Array(name.utf8), .folder) == .enter)
  }

  @Test("A name that begins with a dot is not shown", arguments: [".a.jpg", "..png", "...", ".thumbnails"])
  func hiddenNames(name: String) {
    for target in [EntryTarget.file(byteCount: 9), .folder, .special, .brokenLink] {
      #expect(EntryVerdict.of(Array(name.utf8), target) == .skip)
    }
  }
}
