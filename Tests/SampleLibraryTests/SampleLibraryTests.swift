import Glibc
import TestSupport
import Testing
import Threads

@testable import SampleLibrary

@Suite("The sample library")
struct SampleLibraryTests {
  private func configuration(_ count: Int, in folder: TemporaryFolder, _ name: String = "samples", seed: UInt64 = 1)
    -> SampleConfiguration
  {
    var configuration = SampleConfiguration(
      count: count, seed: seed, folder: folder.bytes(of: name))
    configuration.reduction = 40
    return configuration
  }

  @discardableResult
  private func prepare(_ configuration: SampleConfiguration) throws -> [SampleFile] {
    let library = SampleLibrary(configuration, makeEncoder: { NamingEncoder() })
    try library.start()
    try library.waitUntilDone { _ in }
    return library.takeFinished()
  }

  @Test("Files are made, for the user alone, named by number and scene, and nothing else is left")
  func makes() throws {
    let folder = try TemporaryFolder()
    let files = try prepare(configuration(9, in: folder, "deep/er/samples"))
    #expect(files.map(\.index) == Array(0..<9))
    let names = folder.names(in: "deep/er/samples")
    #expect(
      names == files.map { String(decoding: $0.path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self) })
    #expect(names.first?.hasPrefix("0001 ") == true)
    for file in files {
      var status = stat()
      #expect(stat(String(decoding: file.path, as: UTF8.self), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(FolderCalls.holdsWholeJPEG(file.path))
    }
    var status = stat()
    #expect(stat(folder.path + "/deep/er/samples", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("The first pictures of a larger library are the same files")
  func prefix() throws {
    let folder = try TemporaryFolder()
    let few = try prepare(configuration(4, in: folder, "few"))
    let many = try prepare(configuration(11, in: folder, "many"))
    #expect(folder.names(in: "few") == Array(folder.names(in: "many").prefix(4)))
    for (first, second) in zip(few, many) {
      #expect(try TemporaryFolder.content(of: first.path) == TemporaryFolder.content(of: second.path))
    }
  }

  @Test("Another seed makes other pictures")
  func seeds() throws {
    let folder = try TemporaryFolder()
    let first = try prepare(configuration(3, in: folder, "one", seed: 1))
    let second = try prepare(configuration(3, in: folder, "two", seed: 2))
    for (left, right) in zip(first, second) {
      #expect(try TemporaryFolder.content(of: left.path) != TemporaryFolder.content(of: right.path))
    }
  }

  @Test("Whole files are kept, and broken ones made again")
  func resumes() throws {
    let folder = try TemporaryFolder()
    let files = try prepare(configuration(5, in: folder))
    let names = folder.names(in: "samples")
    let contents = try files.map { try TemporaryFolder.content(of: $0.path) }
    let mine: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
    try folder.write(mine, to: "samples/" + names[1])
    try folder.write(Array(contents[2].dropLast(3)), to: "samples/" + names[2])
    try folder.write([], to: "samples/" + names[3])
    try prepare(configuration(6, in: folder))
    #expect(try TemporaryFolder.content(of: files[0].path) == contents[0])
    #expect(try TemporaryFolder.content(of: files[1].path) == mine)
    #expect(try TemporaryFolder.content(of: files[2].path) == contents[2])
    #expect(try TemporaryFolder.content(of: files[3].path) == contents[3])
    #expect(folder.names(in: "samples").count == 6)
  }

  @Test("A library that is there needs no encoder")
  func needsNoEncoder() throws {
    let folder = try TemporaryFolder()
    try prepare(configuration(4, in: folder))
    let library = SampleLibrary(configuration(4, in: folder), makeEncoder: { throw BrokenEncoder.Refusal() })
    try library.start()
    try library.waitUntilDone { _ in }
    #expect(library.takeFinished().count == 4)
    #expect(library.takeFinished().isEmpty)
  }

  @Test("A library of no picture is done at once")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(try prepare(configuration(0, in: folder)).isEmpty)
  }

  @Test("Progress is told from nothing to all, and the owner is woken for what is ready")
  func progress() throws {
    let folder = try TemporaryFolder()
    let wakes = Lock(0)
    let library = SampleLibrary(
      configuration(7, in: folder), makeEncoder: { NamingEncoder() },
      wake: {
        wakes.withLock { $0 += 1 }
        wakes.wakeAll()
      })
    try library.start()
    var told: [Int] = []
    try library.waitUntilDone { told.append($0.done) }
    #expect(told == told.sorted())
    #expect(told.last == 7)
    #expect(library.progress == SampleProgress(done: 7, total: 7))
    // One for each picture that closed a gap, and one as each thread ends.
    let woken = try wakes.wait(for: "three wake-ups") { $0 >= 3 ? $0 : nil }
    #expect((3...9).contains(woken))
  }

  @Test("A folder that cannot be made says what to do")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "file")
    let library = SampleLibrary(configuration(2, in: folder, "file/samples"), makeEncoder: { NamingEncoder() })
    let path = folder.path + "/file/samples"
    #expect(throws: SampleLibraryError.folder(path: path, code: ENOTDIR)) { try library.start() }
    #expect(SampleLibraryError.folder(path: path, code: ENOTDIR).description.contains("--cache-dir"))
  }

  @Test("A file that cannot be written ends the painting, leaves no part, and is named")
  func cannotWrite() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(3, in: folder)
    // A folder stands where the second picture should.
    let names = SampleNames(album: SceneAlbum(seed: 1), folder: configuration.folder)
    let path = String(decoding: names.path(of: names.album.scene(at: 1)), as: UTF8.self)
    try FolderCalls.makeFolder(Array((path + "/within").utf8))
    let library = SampleLibrary(configuration, makeEncoder: { NamingEncoder() })
    try library.start()
    #expect(throws: SampleLibraryError.file(path: path, code: EISDIR)) { try library.waitUntilDone { _ in } }
    #expect(library.failure == .file(path: path, code: EISDIR))
    #expect(folder.names(in: "samples").allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("A full disk is told from other failures", arguments: [ENOSPC, EDQUOT])
  func diskFull(code: Int32) {
    let error = SampleLibraryError(path: "/a", refusal: FolderCalls.Refusal(code: code))
    #expect(error == .diskFull(path: "/a"))
    #expect(error.description.contains("--sample"))
    #expect(SampleLibraryError(path: "/a", refusal: FolderCalls.Refusal(code: EIO)) == .file(path: "/a", code: EIO))
  }

  @Test("An encoder that refuses, or cannot be made, ends the painting")
  func encoderFails() throws {
    let folder = try TemporaryFolder()
    for makeEncoder in [{ BrokenEncoder() }, { throw BrokenEncoder.Refusal() }]
      as [@Sendable () throws -> any JPEGEncoding]
    {
      let library = SampleLibrary(configuration(5, in: folder), makeEncoder: makeEncoder)
      try library.start()
      #expect(throws: SampleLibraryError.encoding(reason: "no encoder today")) { try library.waitUntilDone { _ in } }
      #expect(folder.names(in: "samples").isEmpty)
    }
  }

  @Test("After a cancel the waiting ends, and what was finished can be taken")
  func cancels() throws {
    let folder = try TemporaryFolder()
    let library = SampleLibrary(configuration(2_000, in: folder), makeEncoder: { NamingEncoder() })
    try library.start()
    #expect(throws: SampleLibraryError.cancelled) {
      try library.waitUntilDone { if $0.done >= 2 { library.cancel() } }
    }
    #expect(library.failure == nil)
    #expect(library.progress.done < 2_000)
    let files = library.takeFinished()
    #expect(files.map(\.index) == Array(0..<files.count))
  }

  @Test("A library that is not kept goes with its folder, but takes nothing along that is not its own")
  func removes() throws {
    let folder = try TemporaryFolder()
    let path = try SampleLibrary.temporaryFolder(in: Array(folder.path.utf8))
    var configuration = SampleConfiguration(count: 3, folder: path)
    configuration.reduction = 40
    let library = SampleLibrary(configuration, makeEncoder: { NamingEncoder() })
    try library.start()
    try library.waitUntilDone { _ in }
    library.removeFiles()
    #expect(folder.names(in: ".").isEmpty)

    try folder.write([1], to: "note.txt")
    configuration.folder = Array(folder.path.utf8)
    let other = SampleLibrary(configuration, makeEncoder: { NamingEncoder() })
    try other.start()
    other.removeFiles()
    #expect(folder.names(in: ".") == ["note.txt"])
  }
}
