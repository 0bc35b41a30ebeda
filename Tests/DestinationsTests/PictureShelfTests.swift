import Foundation
import Glibc
import Hosting
import PictureServer
import Testing
import Threads

@testable import vitrine_destinations

@Suite("The shelf of pictures waits for nobody who would keep it waiting")
struct PictureShelfTests {
  /// Runs a body with a folder of its own.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vitrine-shelf-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func open(_ folder: String) throws -> PictureShelf {
    var settings = DestinationsSettings()
    settings.folder = folder
    return try PictureShelf.open(settings)
  }

  @Test("Of a folder the files that may be pictures are taken, in the order of their names; no FIFO, and no folder")
  func folder() throws {
    try withFolder { folder in
      for (name, bytes) in [("b.JPG", [UInt8](1...9)), ("a.png", []), ("c.txt", [1])] {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      #expect(mkfifo(folder + "/0.jpg", 0o644) == 0 && mkdir(folder + "/1.jpg", 0o755) == 0)
      let shelf = try open(folder)
      #expect(shelf.count == 2 && shelf.title(0) == "a" && shelf.title(1) == "b" && shelf.isAtHand(1))
      #expect(shelf.picture(0) == [] && shelf.picture(1) == Array(1...9) && shelf.picture(3) == Array(1...9))
    }
  }

  @Test("A file that becomes a FIFO, too large, or nothing is no picture, and nobody waits for it")
  func changed() throws {
    try withFolder { folder in
      for name in ["a.jpg", "b.jpg", "c.jpg"] {
        try Data([1, 2]).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      let shelf = try open(folder)
      #expect(unlink(folder + "/a.jpg") == 0 && mkfifo(folder + "/a.jpg", 0o644) == 0)
      #expect(truncate(folder + "/b.jpg", 1 << 34) == 0)
      #expect(unlink(folder + "/c.jpg") == 0)
      for number in 0..<3 { #expect(shelf.picture(number) == nil) }
    }
  }

  @Test("A folder without pictures is refused, as is one that is none")
  func refused() throws {
    try withFolder { folder in
      #expect(mkfifo(folder + "/0.jpg", 0o644) == 0)
      #expect(throws: UsageError.self) { try open(folder) }
      #expect(throws: UsageError.self) { try open(folder + "/absent") }
    }
  }

  @Test("Who wants to know when a picture is at hand is told once: painted, or never to be")
  func told() throws {
    let shelf = PictureShelf(painting: 2, seed: 1, longSide: 64)
    let told = Lock<[Int]>([])
    for number in [0, 1, 3] { shelf.whenAtHand(number) { told.withLock { $0.append(number) } } }
    #expect(!shelf.isAtHand(0) && told.withLock { $0 }.isEmpty)
    shelf.stopPainting()
    #expect(shelf.isAtHand(0) && shelf.picture(0) == nil && told.withLock { $0 } == [0, 1, 3])
    shelf.whenAtHand(0) { told.withLock { $0.append(7) } }
    shelf.close()
    #expect(told.withLock { $0 } == [0, 1, 3, 7] && !shelf.paintAll())
  }
}
