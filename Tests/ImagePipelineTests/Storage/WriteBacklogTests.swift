import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Thumbnails that wait to be written")
struct WriteBacklogTests {
  private func item(_ number: Int) throws -> WriteBacklog.Item {
    WriteBacklog.Item(key: PackBench.name(number), picture: try PackBench.picture(number, 5, 5))
  }

  @Test("The oldest are taken first, at least one, and no more than asked")
  func taking() throws {
    var backlog = WriteBacklog(byteLimit: 1_000)
    for number in 0..<5 { backlog.append(try item(number)) }
    #expect(backlog.takeItems(atMost: 10).map(\.key) == [PackBench.name(0)])
    #expect(backlog.takeItems(atMost: 250).map(\.key) == [1, 2].map(PackBench.name))
    #expect(!backlog.isEmpty)
    #expect(backlog.takeItems(atMost: .max).map(\.key) == [3, 4].map(PackBench.name))
    #expect(backlog.isEmpty && backlog.takeItems(atMost: 10).isEmpty && backlog.droppedCount == 0)
  }

  @Test("Where they come too fast the oldest are given up, and counted")
  func overflow() throws {
    var backlog = WriteBacklog(byteLimit: 250)
    for number in 0..<5 { backlog.append(try item(number)) }
    #expect(backlog.droppedCount == 3)
    #expect(backlog.takeItems(atMost: .max).map(\.key) == [3, 4].map(PackBench.name))
    for number in 0..<2 { backlog.append(try item(number)) }
    backlog.dropAll()
    #expect(backlog.isEmpty && backlog.droppedCount == 5)
    backlog.append(try item(9))
    #expect(backlog.takeItems(atMost: .max).count == 1)
  }
}
