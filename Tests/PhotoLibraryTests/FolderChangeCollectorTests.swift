import Testing
import VitrineDataStructures
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("Changes of folders")
struct FolderChangeCollectorTests {
  private typealias Collector = FolderChangeCollector
  private let folder = PhotoPath("/p")
  private let millisecond: UInt64 = 1_000_000

  private func name(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("A folder is listed after a quiet time")
  func quiet() {
    var collector = Collector()
    #expect(collector.nextTime == nil)
    collector.record(.removed, of: name("a.jpg"), in: folder, at: 1_000)
    #expect(collector.nextTime == 1_000 + Collector.quietTime)
    #expect(collector.takeChanges(at: 999 + Collector.quietTime).isEmpty)
    #expect(collector.takeChanges(at: 1_000 + Collector.quietTime) == [FolderChange(folder: folder)])
    #expect(collector.nextTime == nil && collector.takeChanges(at: .max).isEmpty)
  }

  @Test("Files that are copied without a pause are listed several times, not once each and not at the end only")
  func copies() {
    var collector = Collector()
    var lists: [UInt64] = []
    for number in 0..<1_000 {
      let now = UInt64(number) * 2 * millisecond
      collector.record(.created, of: name("\(number)"), in: folder, at: now)
      collector.record(.completed, of: name("\(number)"), in: folder, at: now + millisecond)
      if !collector.takeChanges(at: now + millisecond).isEmpty { lists.append(now) }
    }
    #expect(lists.count == 3 && lists[0] >= Collector.maximumDelay - 2 * millisecond)
  }

  @Test("A file that is being written is left out until it is closed")
  func unfinished() {
    var collector = Collector()
    collector.record(.created, of: name("new.jpg"), in: folder, at: 0)
    #expect(collector.nextTime == Collector.abandonedTime)
    collector.record(.modified, of: name("new.jpg"), in: folder, at: 100)
    collector.record(.removed, of: name("old.jpg"), in: folder, at: 200)
    let change = FolderChange(folder: folder, unfinishedNames: [name("new.jpg")])
    #expect(collector.takeChanges(at: 200 + Collector.quietTime) == [change])
    collector.record(.completed, of: name("new.jpg"), in: folder, at: 1_000 * millisecond)
    #expect(collector.takeChanges(at: 1_000 * millisecond + Collector.quietTime) == [FolderChange(folder: folder)])
    #expect(collector.nextTime == nil)
  }

  @Test("A file that is unchanged for a while is listed although it was not closed")
  func abandoned() {
    var collector = Collector()
    collector.record(.created, of: name("link.jpg"), in: folder, at: 0)
    collector.record(.created, of: name("slow.jpg"), in: folder, at: 5)
    collector.record(.modified, of: name("slow.jpg"), in: folder, at: 900)
    #expect(
      collector.takeChanges(at: Collector.abandonedTime)
        == [FolderChange(folder: folder, unfinishedNames: [name("slow.jpg")])])
    #expect(collector.takeChanges(at: 900 + Collector.abandonedTime) == [FolderChange(folder: folder)])
  }

  @Test("Hidden files, which programs write before renaming them, change nothing")
  func hidden() {
    var collector = Collector()
    collector.record(.created, of: name(".new.jpg.tmp"), in: folder, at: 0)
    collector.record(.completed, of: name(".new.jpg.tmp"), in: folder, at: 0)
    #expect(collector.nextTime == nil)
  }

  @Test(
    "Every completed change is reported within the maximum delay, and nothing twice", arguments: TestScale.seeds(1...10)
  )
  func randomEvents(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var collector = Collector()
    // The oldest event of each folder that was not reported.
    var waiting: [PhotoPath: UInt64] = [:]
    var now: UInt64 = 0
    for _ in 0..<500 {
      now += UInt64.random(in: 0...(80 * millisecond), using: &random)
      let path = PhotoPath("/\(Int.random(in: 0..<4, using: &random))")
      let file = name("\(Int.random(in: 0..<5, using: &random))")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: collector.record(.created, of: file, in: path, at: now)
      case 1: collector.record(.modified, of: file, in: path, at: now)
      case 2:
        collector.record(.completed, of: file, in: path, at: now)
        waiting[path] = waiting[path] ?? now
      default:
        for change in collector.takeChanges(at: now) { waiting[change.folder] = nil }
        #expect(waiting.values.allSatisfy { now - $0 < Collector.maximumDelay })
        #expect(collector.takeChanges(at: now).isEmpty)
        #expect(collector.nextTime.map { $0 > now } ?? true)
      }
    }
    _ = collector.takeChanges(at: now + Collector.abandonedTime)
    #expect(collector.nextTime == nil)
  }
}
