import Testing

@testable import PhotoLibrary

@Suite("Files that were seen")
struct SeenFilesTests {
  private let file = FileKey(device: 1, inode: 2)

  @Test("A link adds nothing to a file that was listed")
  func linkLater() {
    var seen = SeenFiles()
    let answers = [seen.admitsFile(file), seen.admitsLink(to: file), seen.admitsLink(to: file)]
    #expect(answers == [true, false, false])
  }

  @Test("A link that comes first stands for the file")
  func linkFirst() {
    var seen = SeenFiles()
    let answers = [seen.admitsLink(to: file), seen.admitsLink(to: file), seen.admitsFile(file)]
    #expect(answers == [true, false, false])
  }

  @Test("A file has an item for each of its plain names")
  func hardLinks() {
    var seen = SeenFiles()
    let plain = [seen.admitsFile(file), seen.admitsFile(file)]
    #expect(plain == [true, true])
    var linked = SeenFiles()
    let answers = [linked.admitsLink(to: file), linked.admitsFile(file), linked.admitsFile(file)]
    #expect(answers == [true, false, true])
  }

  @Test("Equal numbers on two file systems are two files")
  func devices() {
    var seen = SeenFiles()
    let answers = [seen.admitsLink(to: file), seen.admitsLink(to: FileKey(device: 2, inode: 2))]
    #expect(answers == [true, true])
  }
}
