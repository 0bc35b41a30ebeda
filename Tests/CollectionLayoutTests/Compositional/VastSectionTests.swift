import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Ten million items and beyond a billion pixels, to the pixel")
struct VastSectionTests {
  private typealias D = GroupDrawing

  private func body(_ count: Int) -> any SectionBody {
    let hero = D.item(.fractionalWidth(0.5), .fractionalHeight(1))
    let pair = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .fractionalWidth(0.5), height: .fractionalHeight(1)),
      repeatingSubitem: D.item(.fractionalWidth(1), .fractionalHeight(1)), count: 2)
    let group = CollectionLayoutGroup.horizontal(layoutSize: .high(301), subitems: [hero, pair])
    return GroupContent(group: group).body(of: count, in: D.room(1_001, 800, scale: 1.25, spacing: 8))
  }

  @Test("Each answer is that of whole numbers: three items every 386 pixels")
  func exact() {
    let body = body(10_000_000)
    // 301 points are 376.25 pixels: groups are 376 high, and 10 follow.
    #expect(body.length == 3_333_333 * 386 + 376)
    #expect(body.length > 1_000_000_000)
    let last = 9_999_999
    #expect(
      body.frame(ofItem: last) == PixelFrame(minX: 0, minY: 3_333_333 * 386, maxX: 626, maxY: 3_333_333 * 386 + 376))
    var random = SeededGenerator(seed: 9)
    for _ in 0..<4_000 {
      let item = Int.random(in: 0...last, using: &random)
      let frame = body.frame(ofItem: item)
      #expect(frame.minY == item / 3 * 386 + (item % 3 == 2 ? 188 : 0))
      #expect(body.firstItem(in: frame) == item && body.lastItem(in: frame) == item)
      let pixel = PixelFrame(minX: frame.maxX - 1, minY: frame.maxY - 1, maxX: frame.maxX, maxY: frame.maxY)
      #expect(body.firstItem(in: pixel) == item && body.lastItem(in: pixel) == item)
      #expect(body.firstItem(in: pixel.offset(x: frame.width, y: 0)) != item)
    }
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: 376, maxX: 2_000, maxY: 386)) == nil)
  }

  @Test("As many items as there can be, and rectangles as far away as they may be")
  func most() {
    let body = body(ItemCounts.most)
    let far = 1 << 60
    let everything = PixelFrame(minX: -far, minY: -far, maxX: far, maxY: far)
    #expect(body.firstItem(in: everything) == 0)
    #expect(body.lastItem(in: everything) == ItemCounts.most - 1)
    #expect(body.firstItem(in: PixelFrame(minX: -far, minY: far - 1, maxX: far, maxY: far)) == nil)
    #expect(body.lastItem(in: PixelFrame(minX: -far, minY: -far, maxX: far, maxY: 0)) == nil)
    let item = ItemCounts.most - 7
    #expect(body.firstItem(in: body.frame(ofItem: item)) == item)
  }

  @Test("The longest groups there can be do not overflow")
  func longest() {
    var group = CollectionLayoutGroup.vertical(
      layoutSize: .init(width: .absolute(1e300), height: .absolute(1e300)), subitems: [D.item(.full, .full)])
    group.edgeSpacing = .init(top: .fixed(1e300), bottom: .fixed(1e300))
    let room = D.room(1e300, 1e300, spacing: 1e300)
    let body = GroupContent(group: group).body(of: ItemCounts.most, in: room)
    #expect(body.length == ItemCounts.most * 4_000_000 - 1_000_000)
    let last = body.frame(ofItem: ItemCounts.most - 1)
    #expect(body.firstItem(in: last.offset(x: 0, y: -4_000_000)) == ItemCounts.most - 2)
  }

  @Test("As many of the longest groups as there can be, in a strip whose last group rests in the middle")
  func longestStrip() {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .estimated(1e6), height: .fractionalHeight(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .estimated(1e6), height: .absolute(50)), subitems: [item])
    group.edgeSpacing = CollectionLayoutEdgeSpacing(leading: .fixed(1e6), trailing: .fixed(1e6))
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 1e6
    section.orthogonalScrollingBehavior = .groupPagingCentered
    let solved = CompositionalLayout(section: section).solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 600)), for: ItemCounts([ItemCounts.most]))
    #expect(solved.orthogonalSection(0)?.contentLength == 4e18 - 1e6)
    #expect(solved.frame(ofItem: ItemCounts.most - 1).width == 1e6)
  }
}

extension CollectionLayoutDimension {
  fileprivate static let full = CollectionLayoutDimension.fractionalHeight(1)
}
