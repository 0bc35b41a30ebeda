import CollectionEngine
import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("What is prepared next is ordered by when it will be seen")
struct PreparationOrderTests {
  static let interval = FrameDuration(nanoseconds: 16_666_667)
  static let shown = FrameInstant.zero + .seconds(1)

  /// Rows of 100 points with so many items each, in a viewport of 800 points.
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
    cost: FrameDuration = .zero, isWanted: (Int) -> Bool = { _ in true }
  ) -> [PreparationCandidate] {
    var window = window
    window.handle(scroll, shown: shown)
    let situation = VisibilityForecast(scroll: scroll, window: window, shown: shown, interval: interval)
    var list: [PreparationCandidate] = []
    order.list(
      into: &list, situation, cost: cost,
      items: { PreparationOrder.items(in: $0, of: rows.count, frame: rows.frame) }, frame: rows.frame,
      isWanted: isWanted)
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

  @Test("At rest: what lies ahead in the last direction, the nearest first, then what lies behind")
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

  @Test("At rest what a brisk scroll would need before it could be prepared is urgent, and no more than that")
  func restUrgency() {
    func urgent(_ cost: Double, columns: Int, at offset: Double) -> [Int] {
      let rows = Rows(columns: columns)
      return Self.indices(Self.list(Self.scroll(at: offset, nil, rows), rows, cost: .milliseconds(cost)), .soon)
    }
    // 2,000 points a second: the row at the edge at once, the next ones each 50 ms later.
    #expect(urgent(0, columns: 1, at: 5_000).isEmpty)
    #expect(urgent(1, columns: 1, at: 5_000) == [58])
    #expect(urgent(1, columns: 1, at: 4_950).isEmpty, "the next row is 50 points away, 25 ms")
    #expect(urgent(30, columns: 1, at: 4_950) == [58])
    // The first row is 10 ms away and takes 36, the second 60 and 72 with the first, the third 110 and 108.
    #expect(urgent(12, columns: 3, at: 4_980) == Array(174..<180))
    #expect(urgent(60, columns: 1, at: 5_000) == Array(58...65))
    var turned = KeepWindow()
    turned.handle(Self.scroll(at: 5_100), shown: .zero)
    let back = Self.list(Self.scroll(at: 5_000), window: turned, cost: .milliseconds(1))
    #expect(Self.indices(back, .soon) == [49])
  }

  @Test("On a flick the path comes before the landing as far as it would be too late otherwise")
  func pathFirst() {
    let scroll = Self.scroll(at: 5_000, .flick(velocity: 3_000, accumulating: false))
    let light = Self.list(scroll, cost: .milliseconds(1))
    // 100 ms, as without a cost.
    #expect(Self.indices(light, .soon) == Self.indices(Self.list(scroll), .soon))
    #expect(!Self.indices(light, .path).isEmpty)
    let heavy = Self.list(scroll, cost: .milliseconds(30))
    #expect(Self.indices(heavy, .soon).count > Self.indices(light, .soon).count)
    let dues = heavy.filter { $0.rank == .soon }.map(\.due)
    #expect(dues == dues.sorted())
    // In less than all of the way what is not urgent yet leaves time for the landing.
    for (place, candidate) in heavy.filter({ $0.rank == .path }).reversed().enumerated() {
      let work = FrameDuration.milliseconds(30) * Double(Self.indices(heavy, .soon).count + place + 1)
      #expect(candidate.due - Self.shown >= work)
    }
  }

  @Test("Items of a row are in reading order, whichever way leads to them; those that have a cell are left out")
  func rows() {
    let rows = Rows(columns: 3)
    let list = Self.list(Self.scroll(at: 0, nil, rows), rows) { $0 != 25 }
    #expect(list.map(\.index).prefix(5) == [24, 26, 27, 28, 29])
    var turned = KeepWindow()
    turned.handle(Self.scroll(at: 5_100, nil, rows), shown: .zero)
    let back = Self.list(Self.scroll(at: 5_000, nil, rows), rows, window: turned)
    #expect(back.map(\.index).prefix(6) == [147, 148, 149, 144, 145, 146])
  }

  @Test("A steady motion: by the refresh at which each is first on screen, computed from the motion")
  func steady() {
    let list = Self.list(Self.scroll(at: 5_000, .steady(velocity: 1_200)))
    #expect(list.map(\.index).prefix(8) == [58, 59, 60, 61, 62, 63, 64, 65])
    // 20 points a frame: row 58 stands at the edge, and is seen a frame later; row 59 is 100 points further.
    #expect(list[0].due == Self.shown + Self.interval && list[0].isNeeded(at: Self.shown + Self.interval))
    #expect(!list[1].isNeeded(at: Self.shown + Self.interval))
    let frames = list.prefix(8).map { ($0.due - Self.shown).nanoseconds / Self.interval.nanoseconds }
    #expect(zip(frames, [1, 6, 11, 16, 21, 26, 31, 36]).allSatisfy { abs($0 - $1) <= 1 })
    #expect(Self.indices(list, .soon) == [58, 59] && Self.indices(list, .behind) == [49, 48, 47, 46])
  }

  @Test("An item that stands right at the edge at a refresh is seen at the next one; one that rests there is not due")
  func edge() {
    let scroll = Self.scroll(at: 5_000, .steady(velocity: 1_000))
    var window = KeepWindow()
    window.handle(scroll, shown: Self.shown)
    let situation = VisibilityForecast(
      scroll: scroll, window: window, shown: Self.shown, interval: .milliseconds(10))
    // Ten points a frame: after ten of them the view ends where row 59 begins.
    #expect(situation.candidate(59, start: 5_900, end: 6_000)?.due == Self.shown + .milliseconds(110))
    let paged = Self.scroll(at: 5_000, .scrollTo(5_300, animated: true))
    let list = Self.list(paged)
    #expect(list.first { $0.index == 60 }.map { $0.due < .distantFuture } == true)
    #expect(list.first { $0.index == 61 }?.due == .distantFuture)
  }

  @Test("A flick: what is seen within frames, then where it will land, then the path from there backwards")
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
    // Ahead of the landing nothing is seen without another input.
    #expect(Self.indices(list, .ahead) == Array(last + 1...last + 8))
    // A second later it is near, and all of the way is inside the limits.
    let later = Self.shown + .seconds(1)
    list = Self.list(scroll, at: later)
    let end = Int((scroll.offset(at: later) + 800) / 100)
    #expect(Self.indices(list, .path).count >= 2)
    #expect(Self.indices(list, .soon) + Self.indices(list, .path).reversed() == Array(end + 1..<first))
    #expect(Self.indices(list, .landing).last == last)
  }

  @Test("A flick back is the mirror of one forth")
  func backFlick() {
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

  @Test("What flies past between two refreshes is left out; where it lands is not")
  func flyingPast() {
    let scroll = Self.scroll(at: 5_000, .flick(velocity: 200_000, accumulating: false))
    let list = Self.list(scroll)
    // 3,300 points a frame: the first screens are never shown.
    #expect(Self.indices(list, .soon).isEmpty)
    #expect(list.first?.rank == .landing && Self.indices(list, .landing).count >= 8)
  }

  @Test("While a hand moves the content, it is expected to go on as it did")
  func hand() {
    var window = KeepWindow()
    var scroll = Self.scroll(at: 5_000)
    for frame in 0..<6 {
      let now = Self.shown - Self.interval * Double(6 - frame)
      scroll.handle(.thumbDrag(to: 5_000 + Double(frame) * 30), at: now)
      window.handle(scroll, shown: now)
    }
    scroll.handle(.thumbDrag(to: 5_180), at: Self.shown)
    let list = Self.list(scroll, window: window)
    // The view ends at 5,980: row 60 is 20 points away at 30 a frame, row 61 four frames.
    #expect(list.prefix(3).map(\.index) == [60, 61, 62])
    #expect(list[0].due == Self.shown + Self.interval && list[0].rank == .soon)
    #expect((list[1].due - Self.shown).nanoseconds == 4 * Self.interval.nanoseconds)
  }

  @Test("The list is bounded, and so is what is looked at for it")
  func bounds() {
    let rows = Rows(columns: 50, count: 100_000)
    let list = Self.list(Self.scroll(at: 5_000, nil, rows), rows)
    #expect(list.count == 64 && list.map(\.index) == Array(2_900..<2_964))
    #expect(Self.list(Self.scroll(at: 5_000, nil, rows), rows, order: PreparationOrder(capacity: 3)).count == 3)
    #expect(Self.list(Self.scroll(at: 5_000), order: PreparationOrder(capacity: -1)).isEmpty)
    var asked = 0
    let none = Self.list(Self.scroll(at: 5_000, nil, rows), rows, order: PreparationOrder(visitLimit: 100)) { _ in
      asked += 1
      return false
    }
    #expect(none.isEmpty && asked <= 100)
    #expect(Self.list(Self.scroll(at: 0), Rows(count: 0)).isEmpty)
  }

  @Test("A list is written over the last one, in the same memory")
  func memory() {
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
        isWanted: { _ in true })
      addresses.insert(list.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
      #expect(!list.isEmpty)
    }
    #expect(addresses.count == 1)
  }
}
