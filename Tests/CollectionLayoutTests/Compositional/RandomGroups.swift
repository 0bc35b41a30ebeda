import Geometry
import TestSupport

@testable import CollectionLayout

extension SeededGenerator {
  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

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

  mutating func spacing() -> CollectionLayoutSpacing? {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .fixed(number(0...9))
    case 1: .flexible(number(0...9))
    default: nil
    }
  }

  mutating func insets() -> DirectionalInsets {
    chance(oneIn: 3)
      ? DirectionalInsets(top: number(0...9), leading: number(0...9), bottom: number(0...9), trailing: number(0...9))
      : .zero
  }

  mutating func edgeSpacing() -> CollectionLayoutEdgeSpacing? {
    chance(oneIn: 4) ? .init(leading: spacing(), top: spacing(), trailing: spacing(), bottom: spacing()) : nil
  }

  mutating func badges() -> [CollectionLayoutSupplementaryItem] {
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

  /// A group of any kind, with groups within it as deep as is said.
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

  mutating func room() -> SectionRoom {
    SectionRoom(
      size: Size(width: number(0...500), height: number(0...500)), flow: chance(oneIn: 2) ? .horizontal : .vertical,
      scale: DisplayScale(pixelsPerPoint: [1, 1.25, 1.5, 2].randomElement(using: &self) ?? 1),
      interGroupSpacing: chance(oneIn: 2) ? 0 : number(0...20), isOpenAcross: chance(oneIn: 4))
  }
}
