import Foundation
import Glibc
import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineSampleLibrary

@Suite("The sample library")
struct SampleLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func content(of path: PhotoPath) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path.printable)))
  }

  private func makeLibrary(
    _ count: Int, in name: String = "samples", seed: UInt64 = 1,
    makeEncoder: @escaping @Sendable () throws -> SampleEncoder = { encodeName },
    wake: @escaping @Sendable () -> Void = {}
  ) -> SampleLibrary {
    SampleLibrary(
      count: count, seed: seed, folder: PhotoPath(folder.path + "/" + name), threads: 2, isLowPriority: true,
      longSide: 100, makeEncoder: makeEncoder, wake: wake)
  }

  @discardableResult
  private func make(_ count: Int, in name: String = "samples", seed: UInt64 = 1) throws -> [PhotoPath] {
    let library = makeLibrary(count, in: name, seed: seed)
    try library.start()
    try library.waitUntilDone { _ in }
    return library.takeFinished()
  }

  @Test("Files are private, named by number and title, and nothing else remains")
  func names() throws {
    let paths = try make(9, in: "deep/er/samples")
    let names = folder.fileNames(in: "deep/er/samples")
    #expect(names == paths.map { String(decoding: $0.lastComponent, as: UTF8.self) })
    #expect(names.count == 9 && names.first?.hasPrefix("0001 ") == true && names.allSatisfy { $0.hasSuffix(".jpg") })
    var status = stat()
    for path in paths {
      #expect(stat(path.printable, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
    #expect(stat(folder.path + "/deep/er/samples", &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test("A larger library starts with the same files; another seed makes others")
  func prefix() throws {
    let contents = try [(4, 1), (11, 1), (4, 2)].map { count, seed in
      try make(count, in: "\(count)-\(seed)", seed: UInt64(seed)).prefix(4).map { try content(of: $0) }
    }
    #expect(contents[0] == contents[1])
    #expect(zip(contents[0], contents[2]).allSatisfy { $0 != $1 })
    #expect(folder.fileNames(in: "4-1") == Array(folder.fileNames(in: "11-1").prefix(4)))
  }

  @Test("Existing files are reused, and empty ones made again")
  func resumes() throws {
    let paths = try make(5)
    let contents = try paths.map { try content(of: $0) }
    let edited: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
    let names = folder.fileNames(in: "samples")
    try folder.write(edited, to: "samples/" + names[1])
    try folder.write([], to: "samples/" + names[3])
    try make(6)
    #expect(try paths.map { try content(of: $0) } == [contents[0], edited] + contents[2...])
    #expect(folder.fileNames(in: "samples").count == 6)
  }

  @Test("A complete library needs no encoder, and an empty one is done immediately")
  func needsNoEncoder() throws {
    try make(4)
    let library = makeLibrary(4, makeEncoder: { throw EncoderError() })
    try library.start()
    try library.waitUntilDone { _ in }
    #expect(library.takeFinished().count == 4)
    #expect(library.takeFinished().isEmpty)
    #expect(try make(0).isEmpty)
  }

  @Test("Progress is reported from 0 to the count, and the owner is woken for finished photographs")
  func progress() throws {
    let wakes = Lock(0)
    let library = makeLibrary(
      7,
      wake: {
        wakes.withLock { $0 += 1 }
        wakes.wakeAll()
      })
    try library.start()
    var reported: [Int] = []
    try library.waitUntilDone { reported.append($0) }
    #expect(reported == reported.sorted())
    #expect(reported.last == 7)
    // One for each photograph that closed a gap, and one as each thread ends.
    let count = try wakes.wait(for: "three wake-ups") { $0 >= 3 ? $0 : nil }
    #expect((3...9).contains(count))
  }

  @Test("An error of a folder or a file names it and says what to do")
  func errors() throws {
    try folder.write([1], to: "file")
    let path = folder.path + "/file/samples"
    let folderError = SampleLibraryError.folder(path: path, FileError(.makeFolder, code: ENOTDIR))
    #expect(throws: folderError) { try makeLibrary(2, in: "file/samples").start() }
    #expect(folderError.description.contains("--cache-dir"))
    // A folder has the name of the second photograph.
    let name = folder.path + "/samples/0002 \(SketchAlbum(seed: 1).subject(at: 1)).jpg"
    try AtomicFile.makeFolder(PhotoPath(name + "/within"))
    let library = makeLibrary(3)
    try library.start()
    #expect(throws: SampleLibraryError.file(path: name, FileError(.rename, code: EISDIR))) {
      try library.waitUntilDone { _ in }
    }
    #expect(folder.fileNames(in: "samples").allSatisfy { !$0.hasPrefix(".") })
    for code in [ENOSPC, EDQUOT] {
      #expect(SampleLibraryError.file(path: "/a", FileError(.write, code: code)).description.contains("--sample"))
    }
  }

  @Test("An encoder that fails or cannot be created ends the painting")
  func encoderFails() throws {
    for makeEncoder in [{ { _, _ in throw EncoderError() } }, { throw EncoderError() }]
      as [@Sendable () throws -> SampleEncoder]
    {
      let library = makeLibrary(5, makeEncoder: makeEncoder)
      try library.start()
      #expect(throws: SampleLibraryError.painting(reason: "no encoder today")) { try library.waitUntilDone { _ in } }
      #expect(folder.fileNames(in: "samples").isEmpty)
    }
  }

  @Test("A cancellation ends the waiting, and finished photographs can be taken")
  func cancels() throws {
    let library = makeLibrary(2_000)
    try library.start()
    #expect(throws: SampleLibraryError.cancelled) {
      try library.waitUntilDone { if $0 >= 2 { library.cancel() } }
    }
    #expect(library.failure == nil)
    // Joins the threads, which still finish what they have begun: the finished photographs are then the first ones.
    library.close()
    let paths = library.takeFinished()
    #expect(paths.count >= 2 && paths.count < 2_000)
  }

  @Test("A temporary library removes its files and its folder, and no other file")
  func removes() throws {
    for name in ["samples", "."] {
      try folder.write([1], to: "note.txt")
      let library = makeLibrary(3, in: name)
      try library.start()
      try library.waitUntilDone { _ in }
      library.removeFiles()
      #expect(folder.fileNames(in: ".") == ["note.txt"])
    }
  }
}

@Suite("The painting queue")
struct PaintingQueueTests {
  @Test("Photographs finished in any order are published once each, in order", arguments: 0..<40)
  func order(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let total = Int.random(in: 0..<40, using: &random)
    var queue = PaintingQueue(total: total)
    var (claimed, published, finished): ([Int], [Int], Set<Int>) = ([], [], [])
    while queue.doneCount < total {
      if Bool.random(using: &random), let index = queue.claim() { claimed.append(index) }
      if Bool.random(using: &random), !claimed.isEmpty {
        let index = claimed.remove(at: Int.random(in: claimed.indices, using: &random))
        finished.insert(index)
        _ = queue.finish(index)
        if Bool.random(using: &random) { published += queue.takeReady() }
      }
      #expect(queue.doneCount == finished.count)
      #expect(published.allSatisfy(finished.contains))
    }
    published += queue.takeReady()
    #expect(published == Array(0..<total))
    let next = queue.claim()
    #expect(next == nil)
  }

  @Test("There is more to publish only when the gap before a photograph closes")
  func gaps() {
    var queue = PaintingQueue(total: 3)
    let hasMore = [2, 0, 0, 1, -1, 1_000].map { queue.finish($0) }
    #expect(hasMore == [false, true, false, true, false, false])
    let (ready, later) = (queue.takeReady(), queue.takeReady())
    #expect(ready == 0..<3 && later.isEmpty)
  }

  @Test("After a stop nothing is claimed, and finished photographs still count")
  func stops() {
    var queue = PaintingQueue(total: 5)
    let claimed = [queue.claim(), queue.claim()]
    queue.stop()
    let refused = queue.claim()
    #expect(claimed == [0, 1] && refused == nil)
    let hasMore = queue.finish(0)
    let ready = queue.takeReady()
    #expect(hasMore && queue.doneCount == 1 && ready == 0..<1)
  }
}

// MARK: - Support

/// Encodes in this process.
func encodeInProcess(_ bitmap: Bitmap, quality: Int) throws -> [UInt8] {
  try bitmap.withPixels { pixels in
    try VitrineImageDecoding.JPEGEncoder.encode(pixels, size: bitmap.size, quality: quality) { Array($0) }
  }
}

/// Returns bytes that start and end as a JPEG file does, with the bitmap's digest.
func encodeName(_ bitmap: Bitmap, quality: Int) throws -> [UInt8] {
  [0xFF, 0xD8, 0xFF, 0xDB] + Array("\(bitmap.contentDigest) \(quality)".utf8) + [0xFF, 0xD9]
}

struct EncoderError: Error, CustomStringConvertible {
  var description: String { "no encoder today" }
}

/// Creates a size from literals.
func pixels(_ width: Int, _ height: Int) throws -> PixelSize {
  try #require(PixelSize(width: width, height: height))
}
