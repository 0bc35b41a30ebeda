import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Cells of groups stand on whole pixels")
struct GroupSnappingTests {
  private typealias D = GroupDrawing
  private static let scales = [1, 1.25, 1.5, 2]

  /// Nested groups that fill their room without a gap.
  private func filling(_ random: inout SeededGenerator, depth: Int = 2) -> CollectionLayoutGroup {
    let isAcross = random.chance(oneIn: 2)
    let weights = (0..<Int.random(in: 1...6, using: &random)).map { _ in random.number(1...2) }
    let sum = weights.reduce(0, +)
    let subitems = weights.map { weight -> any CollectionLayoutSubitem in
      let share = weight / sum
      let size =
        isAcross
        ? CollectionLayoutSize(width: .fractionalWidth(share), height: .fractionalHeight(1))
        : CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(share))
      guard depth > 0, random.chance(oneIn: 2) else { return CollectionLayoutItem(layoutSize: size) }
      return group(size, of: filling(&random, depth: depth - 1))
    }
    return isAcross
      ? .horizontal(layoutSize: .full, subitems: subitems) : .vertical(layoutSize: .full, subitems: subitems)
  }

  private func group(_ size: CollectionLayoutSize, of subitem: CollectionLayoutGroup) -> CollectionLayoutGroup {
    .horizontal(layoutSize: size, subitems: [subitem])
  }

  @Test(
    "Neighbours share their edge: every pixel of a group that fills its room belongs to one cell", arguments: scales)
  func noGapNoOverlap(scale: Double) {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let room = D.room(random.number(1_500...3_000), random.number(1_500...3_000), scale: scale)
      let template = GroupSolver.solve(filling(&random), in: room)
      #expect(template.width == room.pixelLength(.horizontal))
      #expect(template.height == room.pixelLength(.vertical))
      // What is disjoint, within the group and as large as it in sum leaves nothing out.
      let frames = template.slots.map(\.frame)
      #expect(frames.reduce(0) { $0 + $1.width * $1.height } == template.width * template.height)
      #expect(frames.allSatisfy { $0.minX >= 0 && $0.maxX <= template.width })
      #expect(frames.allSatisfy { $0.minY >= 0 && $0.maxY <= template.height })
      let overlaps = frames.indices.contains { one in
        frames[..<one].contains { $0.intersects(frames[one]) }
      }
      #expect(!overlaps)
    }
  }

  @Test("Fixed gaps are the same number of pixels everywhere, whatever the width", arguments: scales)
  func equalGaps(scale: Double) {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let columns = Int.random(in: 2...9, using: &random)
      let spacing = random.number(0...12)
      var group = CollectionLayoutGroup.horizontal(
        layoutSize: .high(20), repeatingSubitem: D.item(.absolute(1), .fractionalHeight(1)), count: columns)
      group.interItemSpacing = .fixed(spacing)
      let room = D.room(random.number(200...1_900), 100, scale: scale)
      let frames = GroupSolver.solve(group, in: room).slots.map(\.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.minX - $0.maxX == room.pixels(spacing) })
      let widths = frames.map(\.width)
      #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
      #expect(frames.first?.minX == 0 && frames.last?.maxX == room.pixelLength(.horizontal))
    }
  }

  @Test("Groups follow each other at whole pixels, so that the millionth is rounded like the first", arguments: scales)
  func pitch(scale: Double) {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .absolute(33.3)),
      repeatingSubitem: D.item(.absolute(1), .fractionalHeight(0.7)), count: 3)
    let body = GroupContent(group: group).body(of: 3_000_003, in: D.room(100.7, 100, scale: scale, spacing: 0.9))
    let pitch = body.frame(ofItem: 3).minY
    for slot in 0..<3 {
      let first = body.frame(ofItem: slot)
      #expect(body.frame(ofItem: 3_000_000 + slot) == first.offset(x: 0, y: 1_000_000 * pitch))
    }
  }

  @Test("Half a pixel is half a pixel, even where sums of shares miss it by a little")
  func halves() {
    #expect(PixelEdge.nearest(0.5) == 1)
    #expect(PixelEdge.nearest(0.5 - 1e-9) == 1)
    #expect(PixelEdge.nearest(0.499) == 0)
    #expect(PixelEdge.nearest(-0.5) == 0)
    #expect(PixelEdge.nearest(-0.6) == -1)
    #expect(PixelEdge.nearest(1e12 + 0.25) == 1_000_000_000_000)
  }
}
