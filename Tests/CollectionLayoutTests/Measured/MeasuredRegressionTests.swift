import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("What users of other collection views complain of")
struct MeasuredRegressionTests {
  private let size = Size(width: 320, height: 480)

  private func list(header: CollectionLayoutDimension? = nil) -> CompositionalLayout {
    CompositionalLayout { _, environment in
      var section = CollectionLayoutSection.list(
        using: CollectionLayoutListConfiguration(appearance: .plain), layoutEnvironment: environment)
      if let header {
        section.boundarySupplementaryItems = [
          CollectionLayoutBoundarySupplementaryItem(
            layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: header), elementKind: "header",
            alignment: .top)
        ]
      }
      return section
    }
  }

  private func header(_ section: Int) -> ElementIdentity {
    ElementIdentity(kind: .supplementary("header"), section: section)
  }

  @Test("A header that turns out higher than estimated moves the rows behind it, and an anchored row not")
  func estimatedHeaders() {
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: size), for: ItemCounts([100, 100, 100]))
    let anchor = layout.anchor(at: layout.frame(ofItem: 150).minY + 10)
    let before = layout.frame(ofItem: 150).minY - layout.offset(of: anchor)
    for section in [2, 0, 1] {
      let verdict = layout.setPreferredSize(Size(width: 320, height: 64), ofElement: header(section))
      #expect(verdict == .changed)
      #expect((layout.frame(ofItem: 150).minY - layout.offset(of: anchor) - before).magnitude <= 0.5)
    }
    // Another layout of the same items begins with estimates again, and holds the row as well.
    let other = list(header: .estimated(90)).solved(
      in: LayoutEnvironment(containerSize: Size(width: 500, height: 480)), for: layout.itemCounts)
    #expect((other.frame(ofItem: 150).minY - other.offset(of: anchor) - before).magnitude <= 0.5)
  }

  @Test("The extent of the content is what its rows and headers are, at every moment")
  func contentSize() {
    var random = SeededGenerator(seed: 61)
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: size), for: ItemCounts([40, 0, 60]))
    for _ in 0..<400 {
      if random.chance(oneIn: 5) {
        _ = layout.setPreferredSize(
          Size(width: 320, height: .random(in: 10...90, using: &random)),
          ofElement: header(.random(in: 0..<3, using: &random)))
      } else {
        _ = layout.setPreferredSize(
          Size(width: 320, height: .random(in: 10...200, using: &random)), ofItem: .random(in: 0..<100, using: &random))
      }
      let rect = layout.visibleRect(at: 0)
      let headers = (0..<3).reduce(0.0) { $0 + (layout.attributes(of: header($1), in: rect)?.frame.height ?? 0) }
      let rows = (0..<100).reduce(0.0) { $0 + layout.frame(ofItem: $1).height }
      #expect(layout.contentSize.height == headers + rows)
      #expect(layout.frame(ofItem: 99).maxY == layout.contentSize.height)
    }
  }

  @Test("Sizes belong to items, not to the places that they had: after an update nothing is laid out in a loop")
  func updateLoop() {
    var view = MeasuredView(list(), size: size, names: Array(0..<300)) { Double(30 + $0 % 7 * 20) }
    view.scroll(to: 3_000)
    for step in 0..<50 {
      view.update(SectionEdits(section: 0, removals: [3..<4], insertions: [0..<1]), inserting: [1_000 + step])
      view.frame()
      for item in view.layout.items(in: view.layout.visibleRect(at: view.offset)) {
        #expect(view.layout.frame(ofItem: item).height == Double(30 + view.names[item] % 7 * 20))
      }
    }
    #expect(view.frozen.isEmpty)
    #expect(view.longestFrame <= 8)
  }

  @Test("A position that was kept is found again where rows tell their own size")
  func restoring() throws {
    func height(_ name: Int) -> Double { Double(30 + name * 37 % 120) }
    var before = MeasuredView(list(), size: size, names: Array(0..<5_000), height: height)
    before.scroll(to: 90_000)
    before.scroll(by: 777)
    let kept = before.anchor
    let line = try #require(before.screen.first)
    // A new view knows nothing but the anchor.
    var after = MeasuredView(list(), size: size, names: Array(0..<5_000), height: height)
    after.restore(kept)
    let now = try #require(after.screen.first { $0.name == line.name })
    #expect((now.line - line.line).magnitude <= 0.5)
    #expect(after.screen.map(\.name) == before.screen.map(\.name))
    after.frame()
    #expect(after.screen.first.map { ($0.line - line.line).magnitude <= 0.5 } == true)
  }

  @Test("A list in a room that is as tall as all of it asks every row once and is done")
  func endlessRoom() {
    var view = MeasuredView(list(), size: Size(width: 320, height: 100_000), names: Array(0..<500)) { _ in 44 }
    view.frame()
    #expect(view.layout.contentSize.height == 500 * 44)
    #expect(view.longestFrame <= 2)
  }

  @Test("In a room of nothing rows are a pixel broad, and there is no hang")
  func noRoom() {
    var layout = list(header: .estimated(20)).solved(
      in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([10]))
    _ = layout.settle(in: layout.visibleRect(at: 0))
    _ = layout.setPreferredSize(Size(width: 0, height: 30), ofItem: 3)
    #expect(layout.frame(ofItem: 4).minY - layout.frame(ofItem: 3).minY == 30)
    #expect((0..<10).allSatisfy { layout.frame(ofItem: $0).width == 1 })
    #expect(layout.items(in: Rect(x: 0, y: 0, width: 1, height: 1e6)) == 0..<10)
    #expect(layout.items(in: Rect(x: -5, y: 0, width: 5, height: 1e6)).isEmpty)
  }
}
