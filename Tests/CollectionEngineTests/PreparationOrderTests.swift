import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("Items are prepared in the order in which they become visible")
struct PreparationOrderTests {
  static let interval = FrameDuration(nanoseconds: 16_666_667)
  static let shown = FrameInstant.zero + .seconds(1)

  /// Rows of 100 points with a number of items each, in a viewport of 800 points.
  struct Rows {
    var columns = 1
    var count = 10_000
    func frame(_ index: Int) -> (start: Double, end: Double) {
      let row = Double(index / columns)
      return (row * 100, row * 100 + 100)
    }
    var range: ScrollRange {
      ScrollRange(contentLength: Double(count / columns) * 100, viewportLength: 800)
    }
  }

  static func list(
    _ scroll: ScrollState, _ rows: Rows = Rows(), window: KeepWindow = KeepWindow(),
    order: PreparationOrder = PreparationOrder(), at shown: FrameInstant = shown,
    cost: FrameDuration = .zero, needsCell: (Int) -> Bool = { _ in true }
  ) -> [PreparationCandidate] {
    var window = window
    window.handle(scroll, shown: shown)
    let situation = VisibilityForecast(scroll: scroll, window: window, shown: shown, interval: interval)
    var list: [PreparationCandidate] = []
    order.list(
      into: &list, situation, cost: cost,
      items: { PreparationOrder.items(in: $0, of: rows.count, frame: rows.frame) }, frame: rows.frame,
      needsCell: needsCell)
    return list
  }

  static func scroll(at offset: Double, _ event: ScrollEvent? = nil, _ rows: Rows = Rows()) -> ScrollState {
    var scroll = ScrollState(range: rows.range, offset: offset)
    if let event { scroll.handle(event, at: shown) }
    return scroll
  }

  static func indices(_ list: [PreparationCandidate], _ rank: PreparationRank) -> [Int] {
    list.filter { $0.rank == rank }.map(\.index)
  }

  @Test("At rest, the nearest items ahead come first, then the items behind")
  func rest() {
    let list = Self.list(Self.scroll(at: 5_000))
    #expect(list.map(\.index) == Array(58...65) + [49, 48, 47, 46])
    #expect(list.allSatisfy { $0.due == .distantFuture && $0.timeToVisible(at: Self.shown) == nil })
    #expect(Self.indices(list, .behind) == [49, 48, 47, 46])
    var turned = KeepWindow()
    turned.handle(Self.scroll(at: 5_100), shown: .zero)
    let backwards = Self.list(Self.scroll(at: 5_000), window: turned)
    #expect(backwards.map(\.index) == Array((42...49).reversed()) + [58, 59, 60, 61])
  }

  @Test("At rest, only items that a fast scroll would reach before they could be prepared are urgent")
  func restUrgency() {
    func urgent(_ cost: Double, columns: Int, at offset: Double) -> [Int] {
      let rows = Rows(columns: columns)
      return Self.indices(Self.list(Self.scroll(at: offset, nil, rows), rows, cost: .milliseconds(cost)), .soon)
    }
    // At 2,000 points per second the row at the edge is needed immediately, and each next row 50 ms later.
    #expect(urgent(0, columns: 1, at: 5_000).isEmpty)
    #expect(urgent(1, columns: 1, at: 5_000) == [58])
    #expect(urgent(1, columns: 1, at: 4_950).isEmpty, "the next row is 50 points away, 25 ms")
    #expect(urgent(30, columns: 1, at: 4_950) == [58])
    // The first row is 10 ms away and takes 36 ms, the second 60 ms and 72 ms with the first, the third 110 ms and 108
    // ms.
    #expect(urgent(12, columns: 3, at: 4_980) == Array(174..<180))
    #expect(urgent(60, columns: 1, at: 5_000) == Array(58...65))
    var turned = KeepWindow()
    turned.handle(Self.scroll(at: 5_100), shown: .zero)
    let back = Self.list(Self.scroll(at: 5_000), window: turned, cost: .milliseconds(1))
    #expect(Self.indices(back, .soon) == [49])
  }

  @Test("On a flick, the path comes before the landing only as far as it would be late otherwise")
  func pathFirst() {
    let scroll = Self.scroll(at: 5_000, .flick(velocity: 3_000, accumulating: false))
    let light = Self.list(scroll, cost: .milliseconds(1))
    // 100 ms, the same as without a cost.
    #expect(Self.indices(light, .soon) == Self.indices(Self.list(scroll), .soon))
    #expect(!Self.indices(light, .path).isEmpty)
    let heavy = Self.list(scroll, cost: .milliseconds(30))
    #expect(Self.indices(heavy, .soon).count > Self.indices(light, .soon).count)
    let dues = heavy.filter { $0.rank == .soon }.map(\.due)
    #expect(dues == dues.sorted())
    // The rest of the path is not urgent yet, which leaves time for the landing.
    for (index, candidate) in heavy.filter({ $0.rank == .path }).reversed().enumerated() {
      let work = FrameDuration.milliseconds(30) * Double(Self.indices(heavy, .soon).count + index + 1)
      #expect(candidate.due - Self.shown >= work)
    }
  }

  @Test("Items of a row are in reading order in both scrolling directions, and items with a cell are left out")
  func rows() {
    let rows = Rows(columns: 3)
    let list = Self.list(Self.scroll(at: 0, nil, rows), rows) { $0 != 25 }
    #expect(list.map(\.index).prefix(5) == [24, 26, 27, 28, 29])
    var turned = KeepWindow()
    turned.handle(Self.scroll(at: 5_100, nil, rows), shown: .zero)
    let back = Self.list(Self.scroll(at: 5_000, nil, rows), rows, window: turned)
    #expect(back.map(\.index).prefix(6) == [147, 148, 149, 144, 145, 146])
  }

  @Test("During a steady scroll, items are ordered by the refresh at which they become visible")
  func steady() {
    let list = Self.list(Self.scroll(at: 5_000, .steady(velocity: 1_200)))
    #expect(list.map(\.index).prefix(8) == [58, 59, 60, 61, 62, 63, 64, 65])
    // 20 points per frame: row 58 is at the edge and becomes visible a frame later, and row 59 is 100 points further.
    #expect(list[0].due == Self.shown + Self.interval && list[0].isNeeded(at: Self.shown + Self.interval))
    #expect(!list[1].isNeeded(at: Self.shown + Self.interval))
    let frames = list.prefix(8).map { ($0.due - Self.shown).nanoseconds / Self.interval.nanoseconds }
    #expect(zip(frames, [1, 6, 11, 16, 21, 26, 31, 36]).allSatisfy { abs($0 - $1) <= 1 })
    #expect(Self.indices(list, .soon) == [58, 59] && Self.indices(list, .behind) == [49, 48, 47, 46])
  }

  @Test("An item at the edge of the viewport is due at the next refresh, but not if the content rests there")
  func edge() {
    let scroll = Self.scroll(at: 5_000, .steady(velocity: 1_000))
    var window = KeepWindow()
    window.handle(scroll, shown: Self.shown)
    let situation = VisibilityForecast(
      scroll: scroll, window: window, shown: Self.shown, interval: .milliseconds(10))
    // Ten points per frame: after ten frames the viewport ends where row 59 starts.
    #expect(situation.candidate(59, start: 5_900, end: 6_000)?.due == Self.shown + .milliseconds(110))
    let paged = Self.scroll(at: 5_000, .scrollTo(5_300, animated: true))
    let list = Self.list(paged)
    #expect(list.first { $0.index == 60 }.map { $0.due < .distantFuture } == true)
    #expect(list.first { $0.index == 61 }?.due == .distantFuture)
  }

  @Test("On a flick, the items visible within frames come first, then the landing, then the path backwards from it")
  func flick() {
    let scroll = Self.scroll(at: 5_000, .flick(velocity: 20_000, accumulating: false))
    let landing = scroll.projectedOffset
    let first = Int(landing / 100)
    let last = Int((landing + 800) / 100)
    var list = Self.list(scroll)
    #expect(Self.indices(list, .soon) == [58, 59, 60, 61, 62, 63, 64, 65])
    #expect(Self.indices(list, .landing) == Array(first...last))
    #expect(Self.indices(list, .path) == Array((first - 4..<first).reversed()))
    #expect(list.map(\.rank) == list.map(\.rank).sorted())
    // Nothing ahead of the landing becomes visible without further input.
    #expect(Self.indices(list, .ahead) == Array(last + 1...last + 8))
    // A second later the landing is near, and the whole path is inside the limits.
    let later = Self.shown + .seconds(1)
    list = Self.list(scroll, at: later)
    let end = Int((scroll.offset(at: later) + 800) / 100)
    #expect(Self.indices(list, .path).count >= 2)
    #expect(Self.indices(list, .soon) + Self.indices(list, .path).reversed() == Array(end + 1..<first))
    #expect(Self.indices(list, .landing).last == last)
  }

  @Test("A backward flick mirrors a forward one")
  func backwardFlick() {
    let scroll = Self.scroll(at: 500_000, .flick(velocity: -20_000, accumulating: false))
    let landing = scroll.projectedOffset
    let list = Self.list(scroll)
    let first = Int(landing / 100)
    let last = Int((landing + 800) / 100)
    #expect(Self.indices(list, .landing) == Array((first...last).reversed()))
    #expect(Self.indices(list, .path).first == last + 1)
    #expect(Self.indices(list, .path) == Self.indices(list, .path).sorted())
    #expect(Self.indices(list, .soon).first == 4_999)
  }

  @Test("Items that pass between two refreshes are left out, and the landing is not")
  func skippedItems() {
    let scroll = Self.scroll(at: 5_000, .flick(velocity: 200_000, accumulating: false))
    let list = Self.list(scroll)
    // 3,300 points per frame: the first screens are never displayed.
    #expect(Self.indices(list, .soon).isEmpty)
    #expect(list.first?.rank == .landing && Self.indices(list, .landing).count >= 8)
  }

  @Test("A drag is expected to continue at its current speed")
  func drag() {
    var window = KeepWindow()
    var scroll = Self.scroll(at: 5_000)
    for frame in 0..<6 {
      let now = Self.shown - Self.interval * Double(6 - frame)
      scroll.handle(.thumbDrag(to: 5_000 + Double(frame) * 30), at: now)
      window.handle(scroll, shown: now)
    }
    scroll.handle(.thumbDrag(to: 5_180), at: Self.shown)
    let list = Self.list(scroll, window: window)
    // The viewport ends at 5,980: row 60 is 20 points away at 30 points per frame, and row 61 is four frames away.
    #expect(list.prefix(3).map(\.index) == [60, 61, 62])
    #expect(list[0].due == Self.shown + Self.interval && list[0].rank == .soon)
    #expect((list[1].due - Self.shown).nanoseconds == 4 * Self.interval.nanoseconds)
  }

  @Test("The length of the list and the number of visited items are bounded")
  func bounds() {
    let rows = Rows(columns: 50, count: 100_000)
    let list = Self.list(Self.scroll(at: 5_000, nil, rows), rows)
    #expect(list.count == 64 && list.map(\.index) == Array(2_900..<2_964))
    #expect(Self.list(Self.scroll(at: 5_000, nil, rows), rows, order: PreparationOrder(capacity: 3)).count == 3)
    #expect(Self.list(Self.scroll(at: 5_000), order: PreparationOrder(capacity: -1)).isEmpty)
    var visited = 0
    let none = Self.list(Self.scroll(at: 5_000, nil, rows), rows, order: PreparationOrder(visitLimit: 100)) { _ in
      visited += 1
      return false
    }
    #expect(none.isEmpty && visited <= 100)
    #expect(Self.list(Self.scroll(at: 0), Rows(count: 0)).isEmpty)
  }

  @Test("A list is overwritten in the same storage")
  func storage() {
    var window = KeepWindow()
    let rows = Rows()
    var list: [PreparationCandidate] = []
    var addresses: Set<UInt> = []
    var scroll = Self.scroll(at: 5_000, .steady(velocity: 3_000))
    for frame in 0..<40 {
      let now = Self.shown + Self.interval * Double(frame)
      if frame == 20 { scroll.handle(.flick(velocity: 30_000, accumulating: false), at: now) }
      window.handle(scroll, shown: now)
      PreparationOrder().list(
        into: &list,
        VisibilityForecast(scroll: scroll, window: window, shown: now, interval: Self.interval),
        items: { PreparationOrder.items(in: $0, of: rows.count, frame: rows.frame) }, frame: rows.frame,
        needsCell: { _ in true })
      addresses.insert(list.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
      #expect(!list.isEmpty)
    }
    #expect(addresses.count == 1)
  }
}

// MARK: - Invariants

@Suite("The preparation order keeps its invariants")
struct PreparationOrderInvariantTests {
  @Test(
    "Candidates are needed, invisible, within the limits, unique, sorted, and due when a simulation shows them",
    arguments: TestScale.seeds(0..<10))
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let rows = PreparationOrderTests.Rows(columns: Int.random(in: 1...7, using: &generator), count: 1_500)
    var scroll = ScrollState(range: rows.range, offset: 10_000)
    var window = KeepWindow()
    var now = PreparationOrderTests.shown
    var list: [PreparationCandidate] = []
    for _ in 0..<120 {
      now = now + PreparationOrderTests.interval
      if generator.chance(oneIn: 8) {
        let number = Double.random(in: -40_000...40_000, using: &generator)
        let events: [ScrollEvent] = [
          .flick(velocity: number, accumulating: false), .steady(velocity: number), .jump(to: number), .page(by: 1),
          .scrollTo(number, animated: true), .stop, .wheel(distance: number / 600, kind: .notch),
        ]
        if let event = events.randomElement(using: &generator) { scroll.handle(event, at: now) }
      }
      window.handle(scroll, shown: now)
      let situation = VisibilityForecast(
        scroll: scroll, window: window, shown: now, interval: PreparationOrderTests.interval)
      let missing = Int.random(in: 2..<9, using: &generator)
      PreparationOrder().list(
        into: &list, situation, items: { PreparationOrder.items(in: $0, of: rows.count, frame: rows.frame) },
        frame: rows.frame, needsCell: { $0 % missing != 0 })
      let all = (0..<rows.count).filter { index in
        let (start, end) = rows.frame(index)
        return index % missing != 0 && situation.candidate(index, start: start, end: end) != nil
      }
      #expect(all.count > 64 ? list.count == 64 : Set(list.map(\.index)) == Set(all))
      let offset = scroll.offset(at: now)
      #expect(list.count <= 64 && Set(list.map(\.index)).count == list.count)
      #expect(list.map(\.rank) == list.map(\.rank).sorted())
      for (candidate, next) in zip(list, list.dropFirst()) where candidate.rank == next.rank {
        let isBackwards = candidate.rank == .path
        #expect(isBackwards ? candidate.due >= next.due : candidate.due <= next.due)
      }
      for candidate in list {
        let (start, end) = rows.frame(candidate.index)
        #expect(candidate.index % missing != 0 && window.limits.contains(start: start, end: end))
        #expect(end <= offset || start >= offset + 800)
        let simulated = (1...120).first { frame in
          let seen = scroll.offset(
            at: now + FrameDuration(nanoseconds: Int64(frame) * PreparationOrderTests.interval.nanoseconds))
          return start < seen + 800 && end > seen
        }
        guard candidate.due != .distantFuture else {
          #expect(simulated == nil)
          continue
        }
        let frames = Int((candidate.due - now).nanoseconds / PreparationOrderTests.interval.nanoseconds)
        if frames <= 120 || simulated != nil { #expect(simulated == frames) }
        #expect(candidate.rank != .behind || candidate.due > now + VisibilityForecast.urgentThreshold)
      }
    }
  }

  @Test(
    "In a layout whose items do not start in order, no item is missing and none is listed twice",
    arguments: TestScale.seeds(0..<6))
  func waterfall(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var ends = [0.0, 0, 0]
    var frames: [(start: Double, end: Double)] = []
    for _ in 0..<400 {
      let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
      // Some are taller than the viewport.
      let height = generator.chance(oneIn: 12) ? 3_000 : Double.random(in: 60...500, using: &generator)
      frames.append((ends[column], ends[column] + height))
      ends[column] += height
    }
    let range = ScrollRange(contentLength: ends.max() ?? 0, viewportLength: 800)
    var scroll = ScrollState(range: range, offset: 9_000)
    var window = KeepWindow()
    var now = PreparationOrderTests.shown
    var list: [PreparationCandidate] = []
    for frame in 0..<200 {
      now = now + PreparationOrderTests.interval
      if frame % 25 == 0 {
        let velocity = Double.random(in: -30_000...30_000, using: &generator)
        scroll.handle(
          generator.chance(oneIn: 3) ? .steady(velocity: velocity) : .flick(velocity: velocity, accumulating: false),
          at: now)
      }
      window.handle(scroll, shown: now)
      let situation = VisibilityForecast(
        scroll: scroll, window: window, shown: now, interval: PreparationOrderTests.interval)
      PreparationOrder().list(
        into: &list, situation,
        items: { interval in
          let inside = frames.indices.filter {
            frames[$0].start <= interval.upperBound && frames[$0].end >= interval.lowerBound
          }
          return (inside.first ?? 0)..<((inside.last ?? -1) + 1)
        }, frame: { frames[$0] }, needsCell: { _ in true })
      let all = frames.indices.filter {
        situation.candidate($0, start: frames[$0].start, end: frames[$0].end) != nil
      }
      #expect(all.count <= 64 && list.map(\.index).sorted() == all)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.rank <= $1.rank })
    }
  }
}

// MARK: - Policies

@Suite("A policy decides which cells are prepared")
struct PreparationPolicyTests {
  static let rows = PreparationOrderTests.Rows(columns: 3)

  private func nextRow(_ event: ScrollEvent?, at offset: Double, needsCell: (Int) -> Bool = { _ in true }) -> [Int] {
    PreparationOrderTests.list(
      PreparationOrderTests.scroll(at: offset, event, Self.rows), Self.rows, order: PreparationPolicy.wholeCells.order,
      needsCell: needsCell
    ).map(\.index)
  }

  @Test("The whole-cell policy lists the row that becomes visible next")
  func nextRow() {
    #expect(nextRow(.steady(velocity: 600), at: 5_000) == [174, 175, 176])
    #expect(nextRow(.steady(velocity: -600), at: 5_000) == [147, 148, 149])
    #expect(nextRow(nil, at: 5_000) == [174, 175, 176])
    // Part of row 58 is on screen: the next one is 59.
    #expect(nextRow(.steady(velocity: 600), at: 5_040) == [177, 178, 179])
  }

  @Test("Once the next row is ready, the whole-cell policy lists no other row")
  func onlyNextRow() {
    #expect(nextRow(.steady(velocity: 600), at: 5_000) { $0 != 175 } == [174, 176])
    #expect(nextRow(.steady(velocity: 600), at: 5_000) { $0 > 176 } == [])
  }

  @Test("The whole-cell policy lists no item beyond the end")
  func end() {
    let rows = PreparationOrderTests.Rows()
    let scroll = PreparationOrderTests.scroll(at: rows.range.maximum)
    #expect(PreparationOrderTests.list(scroll, rows, order: PreparationPolicy.wholeCells.order).isEmpty)
    #expect(!PreparationOrderTests.list(scroll, rows).isEmpty, "the stepwise policy lists the items behind")
  }

  @Test("The stepwise policy is the default, and the whole-cell policy has equal extents ahead and behind")
  func values() {
    let stepwise = PreparationPolicy.stepwise
    #expect(
      stepwise.order == PreparationOrder() && stepwise.workUnit == .step && stepwise.slackPolicy == .untilNextCommit)
    #expect(stepwise.extent == .standard)
    let wholeCells = PreparationPolicy.wholeCells
    #expect(
      wholeCells.workUnit == .cell && wholeCells.slackPolicy == .withinFrame
        && wholeCells.extent.ahead == wholeCells.extent.behind)
  }
}

// MARK: - Support

extension PreparationOrder {
  /// Lists the items to prepare in a layout where the items between two points are one range.
  func list(
    into list: inout [PreparationCandidate], _ situation: VisibilityForecast, cost: FrameDuration = .zero,
    items: (ClosedRange<Double>) -> Range<Int>, frame: (Int) -> (start: Double, end: Double), needsCell: (Int) -> Bool
  ) {
    var scratch: [Range<Int>] = []
    self.listCandidates(
      into: &list, situation, cost: cost, scratch: &scratch, runs: { $1.append(items($0)) }, frame: frame,
      needsCell: needsCell)
  }
}
