import Testing

@testable import PhotoLibrary

@Suite("What becomes of a name that a scan meets")
struct EntryVerdictTests {
  @Test(
    "A picture's extension is enough, in any case",
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
    "Another name is looked into, if there is something in it",
    arguments: ["jpg", "a.jpg~", "a.jpg ", "README", "a.txt", "a.", "a.jpgjpg", "thumbs.db"])
  func otherNames(name: String) {
    #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 1)) == .sniff)
    #expect(EntryAction.action(for: Array(name.utf8), target: .file(byteCount: 0)) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .special) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .brokenLink) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .inaccessible(.unreadable)) == .skip)
    #expect(EntryAction.action(for: Array(name.utf8), target: .folder) == .enter)
  }

  @Test("A name that begins with a dot is not shown", arguments: [".a.jpg", "..png", "...", ".thumbnails"])
  func hiddenNames(name: String) {
    for target in [EntryTarget.file(byteCount: 9), .folder, .special, .brokenLink] {
      #expect(EntryAction.action(for: Array(name.utf8), target: target) == .skip)
    }
  }
}
