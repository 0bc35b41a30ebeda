import CollectionLayout
import Geometry
import Testing

@Suite("Readable content stands in the middle and is no broader than lines that can be followed")
struct ReadableContentTests {
  private func breadth(in width: Double, insets: Insets = .zero, scale: Double = 1) -> (start: Double, width: Double) {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0.1)
    section.contentInsetsReference = .readableContent
    let environment = LayoutEnvironment(
      containerSize: Size(width: width, height: 500), contentInsets: insets,
      scale: DisplayScale(pixelsPerPoint: scale))
    let frame = CompositionalLayout(section: section).solved(in: environment, for: ItemCounts([1])).frame(ofItem: 0)
    return (frame.minX, frame.width)
  }

  @Test("Narrow rooms are filled, broad ones are not")
  func breadths() {
    #expect(breadth(in: 500) == (0, 500))
    #expect(breadth(in: 672) == (0, 672))
    #expect(breadth(in: 1_000) == (164, 672))
    #expect(breadth(in: 1_001).width == 672 && breadth(in: 1_001).start == 164)
    #expect(breadth(in: 1_000, scale: 2) == (164, 672))
  }

  @Test("It is the middle of what the environment's insets leave")
  func insets() {
    #expect(breadth(in: 1_000, insets: Insets(left: 100)) == (214, 672))
    #expect(breadth(in: 700, insets: Insets(left: 100)) == (100, 600))
  }
}
