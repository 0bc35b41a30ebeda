import Testing
import VitrineCollectionEngine
import VitrineTestSupport

@Suite("Waiting cells are found by item, follow their items, and are removed in order")
struct WaitingCellsTests {
  static func cells(_ indices: Int...) -> WaitingCells<String> {
    var waiting = WaitingCells<String>()
    for index in indices { waiting.insert("\(index)", at: index) }
    return waiting
  }

  @Test("Cells are sorted by item, independent of the order of insertion")
  func order() {
    let waiting = Self.cells(9, 2, 5)
    #expect(waiting.indices == [2, 5, 9] && waiting.cells == ["2", "5", "9"])
    #expect(waiting[5] == "5" && waiting[4] == nil && waiting.count == 3 && !waiting.isEmpty)
  }

  @Test("A removed cell is returned with its state, once")
  func removal() {
    var waiting = Self.cells(1)
    waiting.insert("half", at: 4, progress: PreparationProgress(next: .size), wasDisplayed: false)
    waiting.insert("seen", at: 6, wasDisplayed: true)
    #expect(waiting.readyCount == 2 && waiting.isReady(6) && !waiting.isReady(4) && !waiting.isReady(99))
    let half = waiting.removeCell(at: 4)
    #expect(half?.cell == "half" && half?.progress.next == .size && half?.wasDisplayed == false && half?.index == 4)
    #expect(waiting.removeCell(at: 4) == nil)
    #expect(waiting.removeCell(at: 6)?.wasDisplayed == true && waiting.readyCount == 1 && waiting.indices == [1])
  }

  @Test("A preparation continues step by step and part by part")
  func progress() {
    var waiting = WaitingCells<String>()
    var progress = PreparationProgress(next: .create)
    waiting.insert("a", at: 3, progress: progress)
    progress.advance()
    #expect(progress.next == .configure)
    progress.advance()
    progress.advance(isWhole: false)
    progress.advance(isWhole: false)
    #expect(progress.next == .part && progress.part == 2 && waiting.setProgress(progress, at: 3))
    #expect(waiting.progress(at: 3) == progress && waiting.readyCount == 0)
    progress.advance()
    #expect(progress.next == .size && progress.part == 0)
    for _ in 0..<3 { progress.advance() }
    #expect(progress == .ready && waiting.setProgress(progress, at: 3) && waiting.readyCount == 1)
    progress.advance()
    #expect(progress.isReady)
    #expect(!waiting.setProgress(.ready, at: 4) && waiting.progress(at: 4) == nil)
  }

  @Test("Cells outside the limits are removed in order, and none if all are inside")
  func removingCells() {
    var waiting = Self.cells(1, 3, 5, 7, 9)
    #expect(waiting.removeCells(outside: 1..<10).isEmpty)
    #expect(waiting.removeCells(outside: 3..<8).map(\.cell) == ["1", "9"])
    var queried: [Int] = []
    let dropped = waiting.removeCells { index in
      queried.append(index)
      return index != 5
    }
    // The first cell to remove is found before any is moved, and no index is queried twice.
    #expect(dropped.map(\.index) == [5] && queried == [3, 5, 7])
    #expect(waiting.removeCells(outside: 0..<0).map(\.index) == [3, 7] && waiting.isEmpty)
  }

  @Test("Runs are covered if each of their items is waiting or is in the other runs", arguments: 0..<40)
  func covering(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func runs() -> [Range<Int>] {
      var (runs, start) = ([Range<Int>](), Int.random(in: 0..<6, using: &generator))
      while start < 40, Bool.random(using: &generator) {
        let end = start + Int.random(in: 1..<12, using: &generator)
        runs.append(start..<end)
        start = end + Int.random(in: 1..<8, using: &generator)
      }
      return runs
    }
    let (needed, others) = (runs(), runs())
    var waiting = WaitingCells<Int>()
    for item in 0..<60 where !generator.chance(oneIn: 24) { waiting.insert(item, at: item) }
    let isCovered = needed.joined().allSatisfy { item in waiting[item] != nil || others.contains { $0.contains(item) } }
    #expect(waiting.covers(needed, excluding: others) == isCovered)
  }

  @Test("The least needed cell is the suitable one with the greatest remoteness")
  func leastNeeded() {
    let waiting = Self.cells(2, 4, 20, 26)
    func distance(_ index: Int) -> Double { Double(abs(index - 15)) }
    #expect(waiting.leastNeeded(remoteness: distance)?.index == 2)
    #expect(waiting.leastNeeded(remoteness: distance)?.remoteness == 13)
    #expect(waiting.leastNeeded(where: { $0 == "20" || $0 == "26" }, remoteness: distance)?.index == 26)
    #expect(waiting.leastNeeded(remoteness: { _ in 0 })?.index == 26)
    #expect(waiting.leastNeeded(where: { $0 == "none" }, remoteness: distance) == nil)
    #expect(WaitingCells<String>().leastNeeded(remoteness: distance) == nil)
  }

  @Test("Waiting cells match a dictionary under the same changes", arguments: 0..<8)
  func model(seed: Int) {
    struct Slot: Equatable { var cell: String, progress: PreparationProgress, wasDisplayed: Bool }
    var generator = SeededGenerator(seed: UInt64(seed))
    var waiting = WaitingCells<String>()
    var model: [Int: Slot] = [:]
    func numbers(_ entries: [WaitingCells<String>.Entry]) -> [Int] { entries.map(\.index) }
    for turn in 0..<500 {
      let index = Int.random(in: 0..<60, using: &generator)
      switch Int.random(in: 0..<9, using: &generator) {
      case 0..<4 where model[index] == nil:
        let step = PreparationStep(rawValue: UInt8.random(in: 0..<8, using: &generator))
        let slot = Slot(
          cell: "\(turn)", progress: PreparationProgress(next: step), wasDisplayed: generator.chance(oneIn: 2))
        waiting.insert(slot.cell, at: index, progress: slot.progress, wasDisplayed: slot.wasDisplayed)
        model[index] = slot
      case 4:
        let removed = waiting.removeCell(at: index)
        let expected = model.removeValue(forKey: index)
        #expect(
          removed.map { Slot(cell: $0.cell, progress: $0.progress, wasDisplayed: $0.wasDisplayed) } == expected)
      case 5:
        let order = (0..<60).shuffled(using: &generator)
        let newIndex = { @Sendable (old: Int) -> Int? in old < 60 && order[old] < 55 ? order[old] : nil }
        let removed = waiting.apply(IndexMap(newIndex))
        #expect(numbers(removed) == model.keys.filter { newIndex($0) == nil }.sorted())
        model = Dictionary(
          uniqueKeysWithValues: model.compactMap { entry in newIndex(entry.key).map { ($0, entry.value) } })
      case 6:
        let low = Int.random(in: 0..<30, using: &generator)
        let keep = low..<(low + Int.random(in: 20..<50, using: &generator))
        #expect(numbers(waiting.removeCells(outside: keep)) == model.keys.filter { !keep.contains($0) }.sorted())
        model = model.filter { keep.contains($0.key) }
      case 7:
        let odd = Int.random(in: 2..<9, using: &generator)
        #expect(numbers(waiting.removeCells { $0 % odd != 0 }) == model.keys.filter { $0 % odd == 0 }.sorted())
        model = model.filter { $0.key % odd != 0 }
      default:
        let step = PreparationProgress(next: generator.chance(oneIn: 2) ? nil : .draw)
        #expect(waiting.setProgress(step, at: index) == (model[index] != nil))
        model[index]?.progress = step
      }
      #expect(waiting.indices == model.keys.sorted() && waiting.count == model.count)
      #expect(waiting.readyCount == model.values.filter(\.progress.isReady).count)
      for entry in waiting.entries {
        #expect(
          model[entry.index]
            == Slot(cell: entry.cell, progress: entry.progress, wasDisplayed: entry.wasDisplayed))
        #expect(waiting[entry.index] == entry.cell && waiting.isReady(entry.index) == entry.progress.isReady)
      }
      let visible = 20..<Int.random(in: 21..<40, using: &generator)
      let remoteness = { (index: Int) in max(visible.lowerBound - index, index - visible.upperBound + 1, 0) }
      let isEven = { (cell: String) in (Int(cell) ?? 0) % 2 == 0 }
      let candidates = model.filter { isEven($0.value.cell) }.keys
      let found = waiting.leastNeeded(where: isEven) { Double(remoteness($0)) }
      #expect(found.map { remoteness($0.index) } == candidates.map(remoteness).max())
    }
    let rest = numbers(waiting.removeAll())
    #expect(rest == model.keys.sorted() && waiting.isEmpty && waiting.readyCount == 0)
  }

  @Test("Two waiting cells for one item are a precondition failure")
  func misuse() async throws {
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var waiting = WaitingCells<Int>()
      waiting.insert(1, at: 3)
      waiting.insert(2, at: 3)
    }
    #expect(
      String(decoding: try #require(twice).standardErrorContent, as: UTF8.self)
        .contains("A cell waits for item 3 already."))
  }

  @Test("The byte total is correct after insertions, removals and remappings")
  func bytes() {
    var waiting = WaitingCells<String>()
    var expected: [Int: Int] = [:]
    var random = SeededGenerator(seed: 7)
    for step in 0..<2_000 {
      let index = Int.random(in: 0..<40, using: &random)
      let bytes = Int.random(in: -5..<1_000, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where expected[index] == nil:
        waiting.insert("\(index)", at: index, bytes: bytes)
        expected[index] = max(0, bytes)
      case 1:
        waiting.setBytes(bytes, at: index)
        if expected[index] != nil { expected[index] = max(0, bytes) }
      case 2:
        _ = waiting.removeCell(at: index)
        expected[index] = nil
      case 3 where step % 20 == 0:
        _ = waiting.removeCells { $0 % 3 != 0 }
        expected = expected.filter { $0.key % 3 != 0 }
      case 4 where step % 10 == 0:
        _ = waiting.apply(IndexMap { $0 == 5 ? nil : ($0 + 7) % 40 })
        expected[5] = nil
        expected = Dictionary(uniqueKeysWithValues: expected.map { (($0.key + 7) % 40, $0.value) })
      case 5 where step % 50 == 0:
        _ = waiting.removeAll()
        expected = [:]
        #expect(waiting.largestBytes == 0)
      default: break
      }
      #expect(waiting.bytes == expected.values.reduce(0, +) && waiting.count == expected.count)
      #expect(expected.values.allSatisfy { $0 <= waiting.largestBytes })
    }
    waiting.resetLargestBytes()
    #expect(waiting.largestBytes == expected.values.max() ?? 0)
  }

  @Test("There is capacity for one more cell of the largest size, and one cell may wait regardless of its size")
  func capacity() {
    var waiting = WaitingCells<String>()
    #expect(waiting.hasCapacity(cells: 1, bytes: 0) && !waiting.hasCapacity(cells: 0, bytes: 100))
    waiting.insert("a", at: 1, bytes: 500)
    #expect(!waiting.exceedsLimit(bytes: 100), "the last cell stays")
    #expect(waiting.hasCapacity(cells: 2, bytes: 1_000) && !waiting.hasCapacity(cells: 2, bytes: 999))
    #expect(!waiting.hasCapacity(cells: 1, bytes: 1_000))
    waiting.insert("b", at: 2, bytes: 100)
    #expect(waiting.exceedsLimit(bytes: 599) && !waiting.exceedsLimit(bytes: 600))
    _ = waiting.removeCell(at: 1)
    #expect(waiting.bytes == 100 && waiting.largestBytes == 500)
    #expect(!waiting.hasCapacity(cells: 9, bytes: 599), "the next cell may be as large as the removed one")
  }

  @Test("The farthest cells are removed until the limit is met, and then there is no capacity for them")
  func farthestFirst() {
    var waiting = WaitingCells<String>()
    for index in 0..<10 { waiting.insert("\(index)", at: index, bytes: 100) }
    var removed: [Int] = []
    while waiting.exceedsLimit(bytes: 450), let least = waiting.leastNeeded(remoteness: { abs(Double($0) - 3.2) }) {
      if let entry = waiting.removeCell(at: least.index) { removed.append(entry.index) }
    }
    #expect(removed == [9, 8, 7, 0, 6, 1] && waiting.indices == [2, 3, 4, 5])
    #expect(!waiting.hasCapacity(cells: 10, bytes: 450))
  }
}

// MARK: - Ready items

@Suite("Ready items are found in any query order")
struct ReadyItemSetTests {
  @Test("Ascending, descending and random queries match a set", arguments: 1...20 as ClosedRange<UInt64>)
  func queries(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ready = ReadyItemSet()
    for _ in 0..<3 {
      ready.removeAll()
      let items = (0..<Int.random(in: 0...60, using: &random)).map { _ in Int.random(in: 0...90, using: &random) }
      for item in Set(items).sorted() { ready.append(item) }
      for item in [Array(-1...91), (-1...91).reversed(), (0..<90).map { _ in Int.random(in: 0...90, using: &random) }]
        .joined()
      {
        let isReady = ready.contains(item)
        #expect(isReady == items.contains(item), "\(item) of \(items)")
      }
    }
  }
}
