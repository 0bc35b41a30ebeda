import CollectionLayout
import Geometry
import Testing

@Suite("Numbers that cannot be meant stop the program and name the mistake")
struct LayoutValueMisuseTests {
  private func expect(_ result: ExitTest.Result?, says words: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(words), "\(text)")
  }

  private static let size = CollectionLayoutSize(width: .absolute(1), height: .absolute(1))

  @Test("A dimension that is no number")
  func dimension() async throws {
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.fractionalWidth(.nan)
    }
    try expect(nothing, says: "A layout dimension was made of nan. It must be a finite number that is not negative.")
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.absolute(-1)
    }
    try expect(negative, says: "A layout dimension was made of -1.0.")
    let infinite = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutDimension.estimated(.infinity)
    }
    try expect(infinite, says: "A layout dimension was made of inf.")
  }

  @Test("A spacing")
  func spacing() async throws {
    let fixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSpacing.fixed(-0.5)
    }
    try expect(fixed, says: "A layout spacing was made of -0.5. It must be a finite number that is not negative.")
    let flexible = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSpacing.flexible(.nan)
    }
    try expect(flexible, says: "A layout spacing was made of nan.")
  }

  @Test("Insets of an item, of a group and of a client's own subitem")
  func insets() async throws {
    let item = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var item = CollectionLayoutItem(layoutSize: LayoutValueMisuseTests.size)
      item.contentInsets.leading = .nan
    }
    try expect(
      item, says: "The content insets of a layout item are 0.0, nan, 0.0, 0.0 (top, leading, bottom, trailing).")
    let group = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var group = CollectionLayoutGroup.custom(layoutSize: LayoutValueMisuseTests.size) { _ in [] }
      group.contentInsets = DirectionalInsets(all: -3)
    }
    try expect(group, says: "The content insets of a layout group are -3.0, -3.0, -3.0, -3.0")
    let own = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValueMisuseTests.size
      _ = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [OwnSubitem()]).visualDescription()
    }
    try expect(own, says: "The content insets of a layout subitem are inf, 0.0, 0.0, 0.0")
  }

  private struct OwnSubitem: CollectionLayoutSubitem {
    let layoutSize = LayoutValueMisuseTests.size
    let contentInsets = DirectionalInsets(top: .infinity)
    let edgeSpacing: CollectionLayoutEdgeSpacing? = nil
    let supplementaryItems: [CollectionLayoutSupplementaryItem] = []
  }

  @Test("An anchor's offset")
  func anchor() async throws {
    let absolute = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutAnchor(edges: .top, absoluteOffset: Point(x: 0, y: .infinity))
    }
    try expect(absolute, says: "A layout anchor was moved by 0.0, inf. Both must be finite numbers.")
    let fractional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutAnchor(edges: .top, fractionalOffset: Point(x: .nan, y: 1))
    }
    try expect(fractional, says: "A layout anchor was moved by nan, 1.0.")
  }

  @Test("A custom item's frame")
  func customFrame() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroupCustomItem(frame: Rect(x: 1, y: 2, width: -3, height: 4))
    }
    try expect(result, says: "A custom layout item was placed at 1.0, 2.0 with an extent of -3.0 by 4.0.")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroupCustomItem(frame: Rect(x: .nan, y: 2, width: 3, height: 4))
    }
    try expect(nothing, says: "A custom layout item was placed at nan, 2.0")
  }

  @Test("A group of no subitems")
  func noSubitems() async throws {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutGroup.vertical(layoutSize: LayoutValueMisuseTests.size, subitems: [])
    }
    try expect(list, says: "A layout group was made of no subitems. It needs one or more.")
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let item = CollectionLayoutItem(layoutSize: LayoutValueMisuseTests.size)
      _ = CollectionLayoutGroup.horizontal(layoutSize: item.layoutSize, repeatingSubitem: item, count: 0)
    }
    try expect(count, says: "A layout group was made of 0 subitems. The count must be positive.")
  }

  @Test("Groups nested without end, and more subitems than anyone could mean")
  func endless() async throws {
    let deep = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValueMisuseTests.size
      var group = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
      for _ in 0..<100 { group = .vertical(layoutSize: size, subitems: [group]) }
    }
    try expect(deep, says: "Layout groups were nested 101 deep. They can be 100 deep at most.")
    let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let size = LayoutValueMisuseTests.size
      var group = CollectionLayoutGroup.horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
      for _ in 0..<99 { group = .vertical(layoutSize: size, subitems: [group, group]) }
    }
    try expect(many, says: "A layout group was made of 196606 subitems, nested ones counted.")
    try expect(many, says: "There can be 100000 at most.")
  }

  @Test("A mosaic's numbers")
  func mosaic() async throws {
    let spacing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(spacing: .nan)
    }
    try expect(spacing, says: "A mosaic was made with a spacing of nan.")
    let unit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(minimumUnitWidth: 0)
    }
    try expect(unit, says: "A mosaic was made with units 0.0 wide.")
    let ratio = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionLayoutSection.mosaic(heightRatio: -1)
    }
    try expect(ratio, says: "A mosaic was made with a height ratio of -1.0.")
  }
}
