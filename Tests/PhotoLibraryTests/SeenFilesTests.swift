import Testing

@testable import PhotoLibrary

@Suite("Files that were seen")
struct SeenFilesTests {
  private let file = FileKey(device: 1, inode: 2)

  @Test("A link adds nothing to a file that was listed")
  func linkLater() {
    var seen = FileDeduplicator()
    let answers = [seen.shouldListFile(file), seen.shouldListLink(to: file), seen.shouldListLink(to: file)]
    #expect(answers == [true, false, false])
  }

  @Test("A link that comes first stands for the file")
  func linkFirst() {
    var seen = FileDeduplicator()
    let answers = [seen.shouldListLink(to: file), seen.shouldListLink(to: file), seen.shouldListFile(file)]
    #expect(answers == [true, false, false])
  }

  @Test("A file has an item for each of its plain names")
  func hardLinks() {
    var seen = FileDeduplicator()
    let plain = [seen.shouldListFile(file), seen.shouldListFile(file)]
    #expect(plain == [true, true])
    var linked = FileDeduplicator()
    let answers = [linked.shouldListLink(to: file), linked.shouldListFile(file), linked.shouldListFile(file)]
    #expect(answers == [true, false, true])
  }

  @Test("Equal numbers on two file systems are two files")
  func devices() {
    var seen = FileDeduplicator()
    let answers = [seen.shouldListLink(to: file), seen.shouldListLink(to: FileKey(device: 2, inode: 2))]
    #expect(answers == [true, true])
  }
}
