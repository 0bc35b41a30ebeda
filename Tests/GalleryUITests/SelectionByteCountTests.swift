import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The bytes of the selection are added up in portions")
struct SelectionByteCountTests {
  @Test("The sum is correct for any sequence of selections and changes of sizes", arguments: 0..<12)
  func sums(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var version = 1
    func bytes(_ item: Int) -> Int64 { Int64(item * item * version % 97 + 1) }
    var total = SelectionByteCount()
    var items = IndexRuns()
    for _ in 0..<60 {
      let low = Int.random(in: 0..<200, using: &random)
      let run = IndexRuns(low..<(low + .random(in: 0...80, using: &random)))
      let before = items
      items = random.chance(oneIn: 2) ? items.union(run) : random.chance(oneIn: 2) ? items.subtracting(run) : run
      if random.chance(oneIn: 9) {
        version += 1
        total.restart(items)
      } else {
        total.updateSelection(adding: items.subtracting(before), removing: before.subtracting(items), to: items)
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var queryCount = 0
        total.advance(atMost: 25, of: items) { item in
          queryCount += 1
          return bytes(item)
        }
        #expect(queryCount <= 25)
      }
    }
    while !total.isComplete { total.advance(atMost: 25, of: items, bytes: bytes) }
    var sum: Int64 = 0
    items.forEach { sum += bytes($0) }
    #expect(total.bytes == sum)
  }

  @Test("A selection is expanded to all sections in which it has an item", arguments: 0..<8)
  func sections(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<40).map { _ in random.chance(oneIn: 4) ? 0 : Int.random(in: 1...9, using: &random) }
    let all = counts.reduce(0, +)
    let selected = IndexRuns((0..<all).filter { _ in random.chance(oneIn: 12) })
    var expected = IndexRuns()
    var start = 0
    for count in counts {
      let section = IndexRuns(start..<(start + count))
      if !selected.intersection(section).isEmpty { expected = expected.union(section) }
      start += count
    }
    #expect(selected.expandedToWholeSections(counts: counts) == expected)
  }

  @Test("Bytes that were added are not queried again")
  func incrementalUpdates() {
    var queryCount = 0
    var total = SelectionByteCount()
    total.updateSelection(adding: IndexRuns(0..<100), removing: IndexRuns(), to: IndexRuns(0..<100))
    total.advance(atMost: 1_000, of: IndexRuns(0..<100)) { _ in
      queryCount += 1
      return 1
    }
    total.updateSelection(adding: IndexRuns(100..<103), removing: IndexRuns(), to: IndexRuns(0..<103))
    #expect(!total.isComplete)
    total.advance(atMost: 1_000, of: IndexRuns(0..<103)) { _ in
      queryCount += 1
      return 1
    }
    #expect(queryCount == 103 && total.bytes == 103 && total.isComplete)
    total.updateSelection(adding: IndexRuns(), removing: IndexRuns(0..<103), to: IndexRuns())
    #expect(total.isComplete && total.bytes == 0, "an empty selection is complete immediately")
  }

  @Test("With 250,000 runs, each portion is bounded, and the runs are not copied")
  func manyRuns() {
    var items = IndexRuns()
    for run in 0..<250_000 { items.append(contentsOf: (run * 4)..<(run * 4 + 2)) }
    let address = address(of: items)
    var total = SelectionByteCount()
    total.restart(items)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      // Within the hull, so that the storage of the runs does not grow: it moves only if another copy exists.
      let low = Int.random(in: 0..<249_000, using: &random) * 4
      let change = IndexRuns(low..<(low + 400))
      let removed = items.part(in: change.hull)
      items.subtract(change)
      total.updateSelection(adding: IndexRuns(), removing: removed, to: items)
      var queryCount = 0
      total.advance(atMost: 512, of: items) { _ in
        queryCount += 1
        return 1
      }
      #expect(queryCount == 512)
      items.formUnion(removed)
      total.updateSelection(adding: removed, removing: IndexRuns(), to: items)
    }
    #expect(self.address(of: items) == address)
    while !total.isComplete { total.advance(atMost: 100_000, of: items) { Int64($0) } }
    total.restart(items)
    while !total.isComplete { total.advance(atMost: 100_000, of: items) { _ in 1 } }
    #expect(total.bytes == 500_000)
  }

  @Test("A sum that overflows is clamped to the maximum")
  func overflow() {
    var total = SelectionByteCount()
    let items = IndexRuns(0..<3)
    total.restart(items)
    total.advance(atMost: 10, of: items) { _ in .max }
    #expect(total.isComplete && total.bytes == .max)
  }

  private func address(of items: IndexRuns) -> UnsafeRawPointer? {
    items.ranges.withUnsafeBytes { $0.baseAddress }
  }
}

@Suite("Selection byte count controller")
struct SelectionByteCountControllerTests {
  private final class Host: SelectionByteCountHost {
    var selectedIndices = IndexRuns()
    var changeCount = 0

    func byteCount(ofPhotographAt index: Int) -> Int64 { Int64(index) }

    func selectionByteCountDidChange() { changeCount += 1 }
  }

  private let host = Host()
  private let controller: SelectionByteCountController

  init() { controller = SelectionByteCountController(host: host) }

  private func select(_ range: Range<Int>) {
    let before = host.selectedIndices
    host.selectedIndices = IndexRuns(range)
    controller.selectionDidChange(
      adding: host.selectedIndices.subtracting(before), removing: before.subtracting(host.selectedIndices))
    controller.selectionDidSettle()
  }

  @Test("A small selection is counted at once, a large one in steps")
  func steps() {
    select(0..<100)
    #expect(controller.isComplete && controller.total.bytes == 4_950 && host.changeCount == 1)
    select(0..<2_000)
    #expect(!controller.isComplete && host.changeCount == 1)
    var stepCount = 0
    while controller.advance() { stepCount += 1 }
    #expect(stepCount == 4 && controller.total.bytes == 1_999_000 && host.changeCount == 2)
  }

  @Test("The count restarts if there is a selection or was one")
  func restarts() {
    controller.restartIfNeeded()
    #expect(host.changeCount == 0)
    select(0..<10)
    host.selectedIndices = IndexRuns(10..<20)
    controller.restartIfNeeded()
    #expect(!controller.isComplete)
    while controller.advance() {}
    #expect(controller.total.bytes == 145)
  }
}
