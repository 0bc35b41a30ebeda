import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Sections whose groups share a length")
struct SharedLengthTests {
  /// Two items below each other in a group that is as long as the longest of its section.
  private func content(hasEdges: Bool) -> GroupContent {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(10)))
    var group = CollectionLayoutGroup.vertical(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .uniformAcrossSiblings(estimate: 20)),
      subitems: [item, item])
    group.interItemSpacing = .fixed(2)
    if hasEdges {
      // What is last in a group ends where the group does.
      group.interItemSpacing = .flexible(2)
      group.edgeSpacing = .init(top: .fixed(6), bottom: .fixed(1))
    }
    return GroupContent(group: group)
  }

  @Test("All groups are as long as the longest ever was, through measures and edits", arguments: 0..<4)
  func sharing(seed: Int) {
    var random = SeededGenerator(seed: 90 + UInt64(seed))
    let room = SectionRoom.plain(30, 100, spacing: 3)
    let content = content(hasEdges: seed % 2 == 1)
    var body = content.body(of: 60, in: room)
    #expect(body is SharedLengthBody)
    var longest = 0
    var known: [Int?] = Array(repeating: nil, count: 60)
    for step in 0..<200 {
      if random.chance(oneIn: 8) {
        let edits = random.edits(of: known.count, atMost: 9)
        for range in edits.removals.reversed() { known.removeSubrange(range) }
        for range in edits.insertions {
          known.insert(contentsOf: [Int?](repeating: nil, count: range.count), at: range.lowerBound)
        }
        let isTaken = body.update(edits, content: content, room: room)
        #expect(isTaken)
        // What items move into others' groups makes longer is known once they are placed.
        let starts = stride(from: 0, to: known.count, by: 2).map { body.frame(ofItem: $0).minY }
        let ends = stride(from: 1, to: known.count, by: 2).map { body.frame(ofItem: $0).maxY }
        #expect(zip(ends, starts.dropFirst()).allSatisfy { $0 < $1 }, "step \(step)")
        while !body.isSettled {
          let top = Int.random(in: 0...max(0, body.length), using: &random)
          _ = random.chance(oneIn: 2) ? body.settle(top..<(top + 200)) : body.refine(atMost: 30)
        }
      } else if !known.isEmpty {
        let item = Int.random(in: 0..<known.count, using: &random)
        let height = Int.random(in: 1...40, using: &random)
        let verdict = body.setPreferredSize(width: 30, height: height, ofItem: item)
        if case .frozen = verdict { known[item] = body.frame(ofItem: item).height }
        if body.asksForSize(ofItem: item) { known[item] = height }
      }
      let groups = (known.count + 1) / 2
      let starts = (0..<groups).map { body.frame(ofItem: 2 * $0).minY }
      let pitches = Set(zip(starts, starts.dropFirst()).map { $1 - $0 })
      #expect(pitches.count <= 1, "step \(step)")
      if let pitch = pitches.first, known.contains(where: { $0 != nil }) {
        #expect(pitch >= longest, "step \(step)")
        longest = pitch
        #expect(body.length == groups * pitch - 3)
      }
      let ends = stride(from: 1, to: known.count, by: 2).map { body.frame(ofItem: $0).maxY }
      #expect(zip(ends, starts.dropFirst()).allSatisfy { $0 < $1 }, "step \(step)")
      let keeps = known.indices.allSatisfy { item in known[item].map { $0 == body.frame(ofItem: item).height } ?? true }
      #expect(keeps, "step \(step)")
      let top = Int.random(in: -10...max(0, body.length), using: &random)
      let rect = PixelFrame(minX: 5, minY: top, maxX: 9, maxY: top + .random(in: 1...150, using: &random))
      let hits = known.indices.filter { body.frame(ofItem: $0).intersects(rect) }
      #expect(body.firstItem(in: rect) == hits.first, "step \(step)")
      #expect(body.lastItem(in: rect) == hits.last, "step \(step)")
    }
  }
}
