import CollectionLayout
import Geometry
import TestSupport

extension SeededGenerator {
  /// A grid of any kind in a container of any size, for few items in few sections.
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
    let few = (0..<Int.random(in: 0...6, using: &self)).map { _ in
      chance(oneIn: 3) ? 0 : Int.random(in: 1...25, using: &self)
    }
    return layout.solved(in: environment, for: ItemCounts(counts ?? few))
  }
}
