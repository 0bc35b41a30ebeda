import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

extension SeededGenerator {
  /// Returns one of several values.
  mutating func pick<Choice>(_ choices: Choice...) -> Choice { choices[Int.random(in: choices.indices, using: &self)] }

  /// Returns a small whole number of points, which is often 0.
  mutating func smallLength(_ maximum: Int = 12) -> Double {
    chance(oneIn: 3) ? 0 : Double(Int.random(in: 0...maximum, using: &self))
  }

  /// Returns insets of a few points, which are often zero.
  mutating func smallInsets() -> DirectionalEdgeInsets {
    chance(oneIn: 2)
      ? .zero
      : DirectionalEdgeInsets(
        top: smallLength(), leading: smallLength(), bottom: smallLength(), trailing: smallLength())
  }

  /// Returns a number in a range.
  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
}

// MARK: - Groups

extension SeededGenerator {
  /// Returns a dimension of any kind.
  mutating func dimension(estimates: Bool) -> CollectionLayoutDimension {
    switch Int.random(in: 0..<(estimates ? 8 : 6), using: &self) {
    case 0, 1: .fractionalWidth(number(0...1.1))
    case 2: .fractionalHeight(number(0...1.1))
    case 3: .fractionalWidth(1 / Double(Int.random(in: 1...7, using: &self)))
    case 4: .fractionalHeight(1)
    case 5: .absolute(number(0...120))
    case 6: .estimated(number(0...90))
    default: .uniformAcrossSiblings(estimate: number(0...90))
    }
  }

  /// Returns a fixed or flexible spacing, or nil.
  mutating func spacing() -> CollectionLayoutSpacing? {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .fixed(number(0...9))
    case 1: .flexible(number(0...9))
    default: nil
    }
  }

  private mutating func insets() -> DirectionalEdgeInsets {
    chance(oneIn: 3)
      ? DirectionalEdgeInsets(
        top: number(0...9), leading: number(0...9), bottom: number(0...9), trailing: number(0...9))
      : .zero
  }

  /// Returns an edge spacing, or nil.
  mutating func edgeSpacing() -> CollectionLayoutEdgeSpacing? {
    chance(oneIn: 4) ? .init(leading: spacing(), top: spacing(), trailing: spacing(), bottom: spacing()) : nil
  }

  private mutating func badges() -> [CollectionLayoutSupplementaryItem] {
    guard chance(oneIn: 3) else { return [] }
    let anchor = CollectionLayoutAnchor(
      edges: .init(rawValue: .random(in: 0...15, using: &self)),
      fractionalOffset: Point(x: number(-1...1), y: number(-1...1)))
    return [
      CollectionLayoutSupplementaryItem(
        layoutSize: .init(width: dimension(estimates: false), height: dimension(estimates: false)),
        elementKind: "badge",
        containerAnchor: anchor)
    ]
  }

  /// Returns a group of any kind.
  ///
  /// - Parameters:
  ///   - depth: The maximum depth of nested groups.
  ///   - estimates: Whether dimensions may be estimated.
  mutating func group(depth: Int = 3, estimates: Bool = false) -> CollectionLayoutGroup {
    let size = CollectionLayoutSize(
      width: dimension(estimates: estimates), height: dimension(estimates: estimates))
    func isHorizontal() -> Bool { chance(oneIn: 2) }
    var group: CollectionLayoutGroup
    switch Int.random(in: 0..<5, using: &self) {
    case 0:
      let frames = (0..<Int.random(in: 0...5, using: &self)).map { _ in
        CollectionLayoutGroupCustomItem(
          frame: Rect(x: number(-20...200), y: number(-20...200), width: number(0...90), height: number(0...90)),
          zIndex: .random(in: -2...2, using: &self))
      }
      group = .custom(layoutSize: size) { _ in frames }
    case 1:
      let subitem = subitem(depth: depth, estimates: estimates)
      let count = Int.random(in: 1...6, using: &self)
      group =
        isHorizontal()
        ? .horizontal(layoutSize: size, repeatingSubitem: subitem, count: count)
        : .vertical(layoutSize: size, repeatingSubitem: subitem, count: count)
    default:
      let subitems = (0..<Int.random(in: 1...4, using: &self)).map { _ in subitem(depth: depth, estimates: estimates) }
      group =
        isHorizontal()
        ? .horizontal(layoutSize: size, subitems: subitems) : .vertical(layoutSize: size, subitems: subitems)
    }
    group.contentInsets = insets()
    group.interItemSpacing = spacing()
    group.edgeSpacing = edgeSpacing()
    group.supplementaryItems = badges()
    return group
  }

  private mutating func subitem(depth: Int, estimates: Bool) -> any CollectionLayoutSubitem {
    if depth > 0, chance(oneIn: 3) { return group(depth: depth - 1, estimates: estimates) }
    var item = CollectionLayoutItem(
      layoutSize: .init(width: dimension(estimates: estimates), height: dimension(estimates: estimates)),
      supplementaryItems: badges())
    item.contentInsets = insets()
    item.edgeSpacing = edgeSpacing()
    return item
  }

  /// Returns a section container of any size, axis and scale.
  mutating func sectionContainer() -> SectionContainer {
    SectionContainer(
      size: Size(width: number(0...500), height: number(0...500)), flow: chance(oneIn: 2) ? .horizontal : .vertical,
      scale: DisplayScale(pixelsPerPoint: [1, 1.25, 1.5, 2].randomElement(using: &self) ?? 1),
      interGroupSpacing: chance(oneIn: 2) ? 0 : number(0...20), isCrossAxisUnbounded: chance(oneIn: 4))
  }
}

// MARK: - Compositions

extension SeededGenerator {
  /// Returns a boundary item at any edge or corner.
  private mutating func boundaryItem(_ kind: String) -> CollectionLayoutBoundarySupplementaryItem {
    let width = pick(
      CollectionLayoutDimension.fractionalWidth(1), .fractionalWidth(0.1), .absolute(smallLength(30)),
      .estimated(smallLength(20)))
    let height = pick(
      CollectionLayoutDimension.absolute(smallLength(30)), .fractionalHeight(0.1), .fractionalWidth(0.05),
      .estimated(smallLength(20)))
    var item = CollectionLayoutBoundarySupplementaryItem.view(
      kind, pick(.top, .topLeading, .leading, .bottomLeading, .bottom, .bottomTrailing, .trailing, .topTrailing), width,
      height, pins: chance(oneIn: 2))
    item.absoluteOffset = chance(oneIn: 4) ? Point(x: smallLength() - 6, y: smallLength() - 6) : .zero
    item.extendsBoundary = !chance(oneIn: 4)
    item.contentInsets = chance(oneIn: 3) ? smallInsets() : .zero
    item.zIndex = Int.random(in: -1...2, using: &self)
    return item
  }

  /// Returns a section of any kind.
  ///
  /// - Parameters:
  ///   - estimates: Whether the section may have estimated lengths and preferred sizes.
  ///   - groups: Whether the section may consist of layout groups.
  mutating func section(estimates: Bool = false, groups: Bool = false) -> CollectionLayoutSection {
    var section =
      groups && chance(oneIn: 2)
      ? CollectionLayoutSection(group: group())
      : chance(oneIn: 2)
        ? CollectionLayoutSection.grid(
          columns: .count(.random(in: 1...5, using: &self)), columnSpacing: smallLength(4), rowSpacing: smallLength(4),
          heightRatio: .random(in: 0.3...2, using: &self), captionHeight: smallLength(5), remainder: pick(.items, .gaps)
        )
        : .shelves(
          ShelfContent(
            seed: next(), itemsPerShelf: .random(in: 1...4, using: &self),
            estimate: estimates && chance(oneIn: 2) ? 17 : nil,
            usesPreferredSizes: estimates))
    section.contentInsets = smallInsets()
    section.interGroupSpacing = smallLength(5)
    section.contentInsetsReference = pick(.automatic, .none, .safeArea, .layoutMargins, .readableContent)
    section.supplementariesFollowContentInsets = chance(oneIn: 2)
    if chance(oneIn: 4) {
      section.orthogonalScrollingBehavior = pick(
        .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
    }
    let kinds = ["H", "F", "S"].prefix(Int.random(in: 0...3, using: &self))
    section.boundarySupplementaryItems = kinds.map { boundaryItem($0) }
    if chance(oneIn: 3) {
      var background = CollectionLayoutDecorationItem.background(elementKind: "-")
      background.contentInsets = smallInsets()
      section.decorationItems = [background]
    }
    section.isHiddenWhenEmpty = chance(oneIn: 4)
    return section
  }

  /// Returns the numbers of items of sections, many of which are empty.
  mutating func counts(_ sections: Int) -> [Int] {
    (0..<sections).map { _ in chance(oneIn: 3) ? 0 : Int.random(in: 1...14, using: &self) }
  }

  /// Returns a random environment, which is small by default.
  mutating func environment(direction: LayoutDirection? = nil, minimumLength: Double = 20) -> LayoutEnvironment {
    LayoutEnvironment(
      containerSize: Size(
        width: .random(in: minimumLength...300, using: &self), height: .random(in: minimumLength...300, using: &self)),
      contentInsets: chance(oneIn: 2)
        ? .zero : Insets(top: smallLength(), left: smallLength(), bottom: smallLength(), right: smallLength()),
      scale: DisplayScale(pixelsPerPoint: pick(1, 1.25, 1.5, 2, 3)),
      layoutDirection: direction ?? pick(.leftToRight, .rightToLeft))
  }

  /// Returns a layout with sections of any kind.
  mutating func compositionalLayout(
    _ sections: Int, axis: Axis? = nil, estimates: Bool = false, groups: Bool = false
  ) -> CompositionalLayout {
    let sections = (0..<max(1, sections)).map { _ in section(estimates: estimates, groups: groups) }
    let configuration = CompositionalLayout.Configuration(
      scrollDirection: axis ?? pick(.vertical, .vertical, .horizontal), interSectionSpacing: smallLength(),
      boundarySupplementaryItems: chance(oneIn: 3) ? [boundaryItem("G"), boundaryItem("L")] : [],
      contentInsetsReference: pick(.automatic, .none, .safeArea, .layoutMargins, .readableContent))
    return CompositionalLayout(configuration: configuration) { section, _ in sections[section % sections.count] }
  }

  /// Returns a solved layout with sections of any kind, with random orthogonal offsets.
  mutating func composition(
    direction: LayoutDirection? = nil, axis: Axis? = nil, estimates: Bool = false, groups: Bool = false,
    minimumLength: Double = 20
  ) -> SolvedComposition {
    let counts = counts(Int.random(in: 0...7, using: &self))
    var solved = compositionalLayout(counts.count, axis: axis, estimates: estimates, groups: groups)
      .solved(in: environment(direction: direction, minimumLength: minimumLength), for: ItemCounts(counts))
    for section in counts.indices {
      solved.setOrthogonalOffset(.random(in: -20...120, using: &self), ofSection: section)
    }
    return solved
  }
}

// MARK: - Grids

extension SeededGenerator {
  /// Returns a grid of any kind in a container of any size, with few items in few sections.
  mutating func grid(scale: DisplayScale? = nil, counts: [Int]? = nil) -> SolvedComposition {
    let layout = GridLayout(
      columns: chance(oneIn: 2)
        ? .count(.random(in: 1...9, using: &self)) : .minimumWidth(.random(in: 20...200, using: &self)),
      columnSpacing: chance(oneIn: 3) ? 0 : .random(in: 0...13, using: &self),
      rowSpacing: chance(oneIn: 3) ? 0 : .random(in: 0...13, using: &self),
      sectionInsets: chance(oneIn: 2)
        ? .zero
        : Insets(
          top: .random(in: 0...30, using: &self), left: .random(in: 0...30, using: &self),
          bottom: .random(in: 0...30, using: &self), right: .random(in: 0...30, using: &self)),
      heightRatio: .random(in: 0.3...2, using: &self), captionHeight: chance(oneIn: 2) ? 0 : 21.5,
      remainder: chance(oneIn: 2) ? .items : .gaps)
    let scales = [1.0, 1.25, 1.5, 2, 3].map { DisplayScale(pixelsPerPoint: $0) }
    let environment = LayoutEnvironment(
      containerSize: Size(width: .random(in: 90...900, using: &self), height: .random(in: 90...900, using: &self)),
      contentInsets: chance(oneIn: 2) ? .zero : Insets(top: 40, left: 7, bottom: 12, right: 5),
      scale: scale ?? scales.randomElement(using: &self) ?? .one)
    let randomCounts = (0..<Int.random(in: 0...6, using: &self)).map { _ in
      chance(oneIn: 3) ? 0 : Int.random(in: 1...25, using: &self)
    }
    return layout.solved(in: environment, for: ItemCounts(counts ?? randomCounts))
  }
}

// MARK: - Edits

extension SeededGenerator {
  /// Returns valid edits of a section: ascending disjoint ranges of removals and insertions.
  ///
  /// - Parameters:
  ///   - count: The number of items of the section.
  ///   - maximum: The maximum length of a range. Default: 40.
  mutating func edits(of count: Int, atMost maximum: Int = 40) -> SectionEdits {
    var edits = SectionEdits(section: 0)
    var index = 0
    while edits.removals.count < 3, !chance(oneIn: 3) {
      index += Int.random(in: 0...max(0, count / 2), using: &self)
      let end = index + Int.random(in: 1...(chance(oneIn: 4) ? maximum : 3), using: &self)
      guard index < count else { break }
      edits.removals.append(index..<min(count, end))
      index = end + 1
    }
    let remaining = count - edits.removals.reduce(0) { $0 + $1.count }
    index = 0
    var inserted = 0
    while edits.insertions.count < 3, !chance(oneIn: 3) {
      index += Int.random(in: 0...max(0, remaining / 2), using: &self)
      let number = Int.random(in: 1...(chance(oneIn: 4) ? maximum : 3), using: &self)
      guard index <= remaining + inserted else { break }
      edits.insertions.append(index..<(index + number))
      inserted += number
      index += number + 1
    }
    return edits
  }
}
