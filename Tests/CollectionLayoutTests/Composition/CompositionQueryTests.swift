import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("What lies in a rectangle of a composition")
struct CompositionQueryTests {
  private func randomRect(_ random: inout SeededGenerator, in composition: SolvedComposition) -> PixelRect {
    let content = composition.environment.scale.pixelRect(Rect(origin: .zero, size: composition.contentSize))
    return PixelRect(
      x: .random(in: -50...(content.width + 20), using: &random),
      y: .random(in: -50...(content.height + 20), using: &random),
      width: .random(in: 0...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random),
      height: .random(in: 0...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random))
  }

  private func points(_ rect: PixelRect, _ composition: SolvedComposition) -> Rect {
    // A little smaller: edges that are added up miss others by rounding errors.
    let scale = composition.environment.scale.pixelsPerPoint
    return Rect(
      x: (Double(rect.x) + 0.01) / scale, y: (Double(rect.y) + 0.01) / scale,
      width: (Double(rect.width) - 0.02) / scale,
      height: (Double(rect.height) - 0.02) / scale)
  }

  @Test("The first and the last item, and the runs, are those of looking at each item")
  func likeBruteForce() {
    var random = SeededGenerator(seed: 421)
    for _ in 0..<500 {
      let composition = random.composition(groups: true)
      let frames = composition.seenItems
      for _ in 0..<8 {
        let rect = randomRect(&random, in: composition)
        let hit = frames.indices.filter { !frames[$0].intersection(rect).isEmpty }
        let asked = points(rect, composition)
        #expect(composition.firstItem(in: asked) == hit.first)
        #expect(composition.lastItem(in: asked) == hit.last)
        var runs: [Range<Int>] = []
        composition.visitItems(in: asked) { runs.append($0) }
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(hit.allSatisfy { item in runs.contains { $0.contains(item) } })
        #expect(runs.allSatisfy { run in hit.contains(run.lowerBound) && hit.contains(run.upperBound - 1) })
      }
    }
  }

  @Test("Items and what is around them do not overlap, and lie within the content")
  func noOverlap() {
    var random = SeededGenerator(seed: 422)
    for _ in 0..<300 {
      // In less room than there are columns items have a pixel each all the same.
      let composition = random.composition(least: 250)
      guard composition.sections.allSatisfy({ $0.room.pixelLength(composition.scrollAxis.cross) > 20 }) else {
        continue
      }
      let content = composition.environment.scale.pixelRect(Rect(origin: .zero, size: composition.contentSize))
      let frames = composition.seenItems.filter { !$0.isEmpty }
      for (index, frame) in frames.enumerated() {
        #expect(frame.y >= 0 && (composition.scrollAxis == .horizontal || frame.maxY <= content.maxY))
        #expect(frame.x >= 0 && (composition.scrollAxis == .vertical || frame.maxX <= content.maxX))
        for other in frames[..<index] { #expect(frame.intersection(other).isEmpty) }
      }
    }
  }

  @Test("Elements by their names are those of the list, which is in order and whole")
  func elements() {
    var random = SeededGenerator(seed: 423)
    for _ in 0..<400 {
      let composition = random.composition()
      var viewport = composition.visibleRect(
        at: .random(in: -10...max(1, composition.maximumOffset + 10), using: &random))
      if random.chance(oneIn: 3) {
        viewport = Rect(x: -1e6, y: -1e6, width: 3e6, height: 3e6)
      }
      var list: [ElementAttributes] = []
      composition.appendElements(in: viewport, to: &list)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.zIndex <= $1.zIndex })
      #expect(Set(list.map(\.identity)).count == list.count)
      for element in list {
        #expect(element.frame.intersects(viewport) && !element.frame.isEmpty)
        #expect(composition.attributes(of: element.identity, in: viewport) == element)
      }
      // And what is not in the list does not lie there.
      for section in 0..<composition.itemCounts.numberOfSections {
        for kind in ["H", "F", "S"].map(ElementKind.supplementary) + [.decoration("-")] {
          let name = ElementIdentity(kind: kind, section: section)
          guard let element = composition.attributes(of: name, in: viewport), !list.contains(element) else { continue }
          #expect(!element.frame.intersects(viewport))
        }
      }
    }
  }

  @Test("Sections by the thousand, most of them empty, are found at once")
  func manySections() {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.across("H", .top, 5, pins: true)]
    let counts = (0..<3_000).map { $0 % 100 == 50 ? 4 : 0 }
    let solved = CompositionalLayout(section: section, configuration: .init(interSectionSpacing: 1))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 40)), for: ItemCounts(counts))
    // A header, an empty stretch and a space; every hundredth has two rows.
    #expect(solved.contentSize.height == 3_000 * 6 + 30 * 10 - 1)
    #expect(solved.frame(ofItem: 4) == Rect(x: 0, y: 150 * 6 + 10 + 5, width: 10, height: 5))
    #expect(solved.firstItem(in: Rect(x: 0, y: 400, width: 20, height: 1e9)) == 4)
    #expect(solved.lastItem(in: Rect(x: 0, y: -1e9, width: 20, height: 1e9 + 400)) == 3)
    #expect(solved.firstItem(in: Rect(x: 0, y: 400, width: 20, height: 300)) == nil)
  }

  @Test("Nothing is anywhere without sections, and rectangles that are none find nothing")
  func nothing() {
    var random = SeededGenerator(seed: 424)
    for axis in [Axis.vertical, .horizontal] {
      let empty = CompositionalLayout(
        section: .grid(columns: .count(2)), configuration: .init(scrollDirection: axis)
      ).solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 20)), for: ItemCounts([]))
      #expect(empty.contentSize[axis] == 0 && empty.isSettled)
      #expect(empty.firstItem(in: Rect(x: -9, y: -9, width: 99, height: 99)) == nil)
      #expect(empty.drawn().allSatisfy { $0 == "." || $0 == "\n" })
    }
    for _ in 0..<60 {
      let composition = random.composition()
      for bad in EdgeCaseNumbers.doubles {
        for rect in [
          Rect(x: bad, y: 0, width: 10, height: 10), Rect(x: 0, y: bad, width: bad, height: 10),
          Rect(x: 0, y: 0, width: 10, height: bad),
        ] {
          let first = composition.firstItem(in: rect)
          #expect(first == nil || (0..<composition.itemCounts.total).contains(first ?? -1))
          #expect(rect.isEmpty || rect.minX.isNaN ? composition.lastItem(in: rect) == nil : true)
          var list: [ElementAttributes] = []
          composition.appendElements(in: rect, to: &list)
          #expect(list.allSatisfy { $0.frame.minX.isFinite && $0.frame.minY.isFinite })
          _ = composition.orthogonalSection(at: rect.origin)
        }
      }
    }
  }
}
