import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Sections whose groups share a length")
struct SharedLengthBodyTests {
  /// Returns groups of two items one below the other that are all as long as the longest group.
  private func content(hasEdges: Bool) -> GroupContent {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(10)))
    var group = CollectionLayoutGroup.vertical(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .uniformAcrossSiblings(estimate: 20)),
      subitems: [item, item])
    group.interItemSpacing = .fixed(2)
    if hasEdges {
      // The last item of a group is at the end of the group.
      group.interItemSpacing = .flexible(2)
      group.edgeSpacing = .init(top: .fixed(6), bottom: .fixed(1))
    }
    return GroupContent(group: group)
  }

  @Test(
    "All groups are as long as the longest one ever was, through measurements and edits",
    arguments: TestScale.seeds(0..<4))
  func sharing(seed: Int) {
    var random = SeededGenerator(seed: 90 + UInt64(seed))
    let container = SectionContainer.plain(30, 100, spacing: 3)
    let content = content(hasEdges: seed % 2 == 1)
    var body = content.body(of: 60, in: container)
    #expect(body is SharedLengthBody)
    var maximumPitch = 0
    var heights: [Int?] = Array(repeating: nil, count: 60)
    for step in 0..<200 {
      if random.chance(oneIn: 8) {
        let edits = random.edits(of: heights.count, atMost: 9)
        for range in edits.removals.reversed() { heights.removeSubrange(range) }
        for range in edits.insertions {
          heights.insert(contentsOf: [Int?](repeating: nil, count: range.count), at: range.lowerBound)
        }
        let isAccepted = body.update(edits, content: content, container: container)
        #expect(isAccepted)
        // Items that moved to other groups may make these longer once they are placed.
        let starts = stride(from: 0, to: heights.count, by: 2).map { body.frame(ofItem: $0).minY }
        let ends = stride(from: 1, to: heights.count, by: 2).map { body.frame(ofItem: $0).maxY }
        #expect(zip(ends, starts.dropFirst()).allSatisfy { $0 < $1 }, "step \(step)")
        while !body.areFramesFinal {
          let top = Int.random(in: 0...max(0, body.length), using: &random)
          _ = random.chance(oneIn: 2) ? body.finalizeFrames(in: top..<(top + 200)) : body.finalizeFrames(itemBudget: 30)
        }
      } else if !heights.isEmpty {
        let item = Int.random(in: 0..<heights.count, using: &random)
        let height = Int.random(in: 1...40, using: &random)
        let result = body.setPreferredSize(width: 30, height: height, ofItem: item)
        if case .frozen = result { heights[item] = body.frame(ofItem: item).height }
        if body.usesPreferredSize(ofItem: item) { heights[item] = height }
      }
      let groups = (heights.count + 1) / 2
      let starts = (0..<groups).map { body.frame(ofItem: 2 * $0).minY }
      let pitches = Set(zip(starts, starts.dropFirst()).map { $1 - $0 })
      #expect(pitches.count <= 1, "step \(step)")
      if let pitch = pitches.first, heights.contains(where: { $0 != nil }) {
        #expect(pitch >= maximumPitch, "step \(step)")
        maximumPitch = pitch
        #expect(body.length == groups * pitch - 3)
      }
      let ends = stride(from: 1, to: heights.count, by: 2).map { body.frame(ofItem: $0).maxY }
      #expect(zip(ends, starts.dropFirst()).allSatisfy { $0 < $1 }, "step \(step)")
      let keepsHeights = heights.indices.allSatisfy { item in
        heights[item].map { $0 == body.frame(ofItem: item).height } ?? true
      }
      #expect(keepsHeights, "step \(step)")
      let top = Int.random(in: -10...max(0, body.length), using: &random)
      let rect = PixelFrame(minX: 5, minY: top, maxX: 9, maxY: top + .random(in: 1...150, using: &random))
      let hits = heights.indices.filter { body.frame(ofItem: $0).intersects(rect) }
      #expect(body.firstItem(in: rect) == hits.first, "step \(step)")
      #expect(body.lastItem(in: rect) == hits.last, "step \(step)")
    }
  }
}
