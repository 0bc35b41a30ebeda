import Geometry
import TestSupport

@testable import CollectionLayout

extension SeededGenerator {
  /// One of a few things.
  mutating func one<Thing>(_ things: Thing...) -> Thing { things[Int.random(in: things.indices, using: &self)] }

  /// Whole points, few of them.
  mutating func few(_ most: Int = 12) -> Double {
    chance(oneIn: 3) ? 0 : Double(Int.random(in: 0...most, using: &self))
  }

  /// Insets of a few points.
  mutating func fewInsets() -> DirectionalInsets {
    chance(oneIn: 2) ? .zero : DirectionalInsets(top: few(), leading: few(), bottom: few(), trailing: few())
  }

  /// A view at any edge.
  mutating func boundaryItem(_ kind: String) -> CollectionLayoutBoundarySupplementaryItem {
    let width = one(
      CollectionLayoutDimension.fractionalWidth(1), .fractionalWidth(0.1), .absolute(few(30)), .estimated(few(20)))
    let height = one(
      CollectionLayoutDimension.absolute(few(30)), .fractionalHeight(0.1), .fractionalWidth(0.05), .estimated(few(20)))
    var item = CollectionLayoutBoundarySupplementaryItem.view(
      kind, one(.top, .topLeading, .leading, .bottomLeading, .bottom, .bottomTrailing, .trailing, .topTrailing), width,
      height, pins: chance(oneIn: 2))
    item.absoluteOffset = chance(oneIn: 4) ? Point(x: few() - 6, y: few() - 6) : .zero
    item.extendsBoundary = !chance(oneIn: 4)
    item.contentInsets = chance(oneIn: 3) ? fewInsets() : .zero
    item.zIndex = Int.random(in: -1...2, using: &self)
    return item
  }

  /// A section of any kind.
  mutating func section(guesses: Bool = false, groups: Bool = false) -> CollectionLayoutSection {
    var section =
      groups && chance(oneIn: 2)
      ? CollectionLayoutSection(group: group())
      : chance(oneIn: 2)
        ? CollectionLayoutSection.grid(
          columns: .count(.random(in: 1...5, using: &self)), columnSpacing: few(4), rowSpacing: few(4),
          heightRatio: .random(in: 0.3...2, using: &self), captionHeight: few(5), remainder: one(.items, .gaps))
        : .shelves(
          ShelfContent(
            seed: next(), itemsAShelf: .random(in: 1...4, using: &self), guess: guesses && chance(oneIn: 2) ? 17 : nil,
            asksForSizes: guesses))
    section.contentInsets = fewInsets()
    section.interGroupSpacing = few(5)
    section.contentInsetsReference = one(.automatic, .none, .safeArea, .layoutMargins, .readableContent)
    section.supplementariesFollowContentInsets = chance(oneIn: 2)
    if chance(oneIn: 4) {
      section.orthogonalScrollingBehavior = one(
        .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
    }
    let kinds = ["H", "F", "S"].prefix(Int.random(in: 0...3, using: &self))
    section.boundarySupplementaryItems = kinds.map { boundaryItem($0) }
    if chance(oneIn: 3) {
      var background = CollectionLayoutDecorationItem.background(elementKind: "-")
      background.contentInsets = fewInsets()
      section.decorationItems = [background]
    }
    section.isHiddenWhenEmpty = chance(oneIn: 4)
    return section
  }

  /// Numbers of items, none in many sections.
  mutating func counts(_ sections: Int) -> [Int] {
    (0..<sections).map { _ in chance(oneIn: 3) ? 0 : Int.random(in: 1...14, using: &self) }
  }

  /// An environment, by default one in which little fits.
  mutating func environment(direction: LayoutDirection? = nil, least: Double = 20) -> LayoutEnvironment {
    LayoutEnvironment(
      containerSize: Size(
        width: .random(in: least...300, using: &self), height: .random(in: least...300, using: &self)),
      contentInsets: chance(oneIn: 2) ? .zero : Insets(top: few(), left: few(), bottom: few(), right: few()),
      scale: DisplayScale(pixelsPerPoint: one(1, 1.25, 1.5, 2, 3)),
      layoutDirection: direction ?? one(.leftToRight, .rightToLeft))
  }

  /// A layout of sections of any kind.
  mutating func compositionalLayout(
    _ sections: Int, axis: Axis? = nil, guesses: Bool = false, groups: Bool = false
  ) -> CompositionalLayout {
    let sections = (0..<max(1, sections)).map { _ in section(guesses: guesses, groups: groups) }
    let configuration = CompositionalLayout.Configuration(
      scrollDirection: axis ?? one(.vertical, .vertical, .horizontal), interSectionSpacing: few(),
      boundarySupplementaryItems: chance(oneIn: 3) ? [boundaryItem("G"), boundaryItem("L")] : [],
      contentInsetsReference: one(.automatic, .none, .safeArea, .layoutMargins, .readableContent))
    return CompositionalLayout(configuration: configuration) { section, _ in sections[section % sections.count] }
  }

  /// A composition of sections of any kind, scrolled across anywhere.
  mutating func composition(
    direction: LayoutDirection? = nil, axis: Axis? = nil, guesses: Bool = false, groups: Bool = false,
    least: Double = 20
  ) -> SolvedComposition {
    let counts = counts(Int.random(in: 0...7, using: &self))
    var solved = compositionalLayout(counts.count, axis: axis, guesses: guesses, groups: groups)
      .solved(in: environment(direction: direction, least: least), for: ItemCounts(counts))
    for section in counts.indices {
      solved.setOrthogonalOffset(.random(in: -20...120, using: &self), ofSection: section)
    }
    return solved
  }
}
