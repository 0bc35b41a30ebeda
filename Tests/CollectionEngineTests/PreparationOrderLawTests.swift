import CollectionEngine
import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("The order in which cells are prepared keeps its laws")
struct PreparationOrderLawTests {
  @Test(
    "Whatever is scrolled, candidates are wanted, unseen, kept, unique, in order, and due when a simulation says",
    arguments: 0..<10)
  func laws(seed: Int) {
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
        frame: rows.frame, isWanted: { $0 % missing != 0 })
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
    "In a layout whose items do not begin one after the other, none is forgotten and none listed twice",
    arguments: 0..<6)
  func waterfall(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var ends = [0.0, 0, 0]
    var frames: [(start: Double, end: Double)] = []
    for _ in 0..<400 {
      let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
      // Some are taller than the screen.
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
        }, frame: { frames[$0] }, isWanted: { _ in true })
      let all = frames.indices.filter {
        situation.candidate($0, start: frames[$0].start, end: frames[$0].end) != nil
      }
      #expect(all.count <= 64 && list.map(\.index).sorted() == all)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.rank <= $1.rank })
    }
  }
}
