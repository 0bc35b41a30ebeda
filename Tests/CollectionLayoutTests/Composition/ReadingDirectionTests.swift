import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("Where content begins at the right end of the scroll axis")
struct ReadingDirectionTests {
  private func composition(_ direction: LayoutDirection, width: Double = 300, counts: [Int]) -> SolvedComposition {
    let layout = CompositionalLayout(
      section: .grid(columns: .count(3), columnSpacing: 5, rowSpacing: 10),
      configuration: .init(scrollDirection: .horizontal))
    return layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 310), layoutDirection: direction),
      for: ItemCounts(counts))
  }

  @Test("Keys move as they do from left to right")
  func navigation() {
    var random = SeededGenerator(seed: 471)
    for _ in 0..<60 {
      let counts = random.counts(4)
      let left = composition(.leftToRight, counts: counts)
      let right = composition(.rightToLeft, counts: counts)
      for item in 0..<left.itemCounts.total {
        let page = Double.random(in: 1...700, using: &random).rounded()
        for move in [FocusMove.up, .down, .next, .previous, .pageUp(page), .pageDown(page), .first, .last] {
          #expect(right.item(from: item, move) == left.item(from: item, move))
        }
      }
    }
  }

  @Test("The beginning is the largest offset, and stays there")
  func start() {
    let composition = composition(.rightToLeft, counts: [90])
    #expect(composition.offset(of: .start) == composition.maximumOffset)
    #expect(composition.maximumOffset > 0)
    #expect(composition.anchor(at: composition.maximumOffset) == .start)
    #expect(composition.anchor(at: composition.maximumOffset + 50) == .start)
    #expect(composition.anchor(at: .nan) == .start)
    #expect(composition.anchor(at: 0) != .start)
  }

  @Test("An anchor is the first visible item by the place of it that is nearest to the right edge")
  func anchors() {
    var random = SeededGenerator(seed: 472)
    let before = composition(.rightToLeft, counts: [900])
    for _ in 0..<300 {
      let offset = Double.random(in: 0..<before.maximumOffset, using: &random)
      let anchor = before.anchor(at: offset)
      #expect((before.offset(of: anchor) - offset).magnitude < 1e-9)
      guard case .item(let place) = anchor else {
        Issue.record("the offset is not the beginning")
        return
      }
      #expect(before.firstItem(in: before.visibleRect(at: offset)) == place.item)
      // Through another width its distance to the right edge stays.
      let after = composition(.rightToLeft, width: .random(in: 200...500, using: &random), counts: [900])
      let moved = after.offset(of: anchor)
      guard moved > 0, moved < after.maximumOffset else { continue }
      let distances = (
        before.frame(ofItem: place.item).maxX - offset - 300,
        after.frame(ofItem: place.item).maxX - moved - after.viewportLength
      )
      #expect((distances.0 - distances.1).magnitude < 1e-9)
    }
  }
}
