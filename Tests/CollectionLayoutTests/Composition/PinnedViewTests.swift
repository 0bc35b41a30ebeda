import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("What is pinned stays at the viewport's edge while its section is seen")
struct PinnedViewTests {
  /// Rows one point high and as broad as the window, in sections with pinned headers and footers.
  private func composition(
    _ boundary: [CollectionLayoutBoundarySupplementaryItem], global: [CollectionLayoutBoundarySupplementaryItem] = [],
    width: Double = 4, height: Double, counts: [Int]
  ) -> SolvedComposition {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0, captionHeight: 1)
    section.boundarySupplementaryItems = boundary
    return CompositionalLayout(section: section, configuration: .init(boundarySupplementaryItems: global))
      .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: height)), for: ItemCounts(counts))
  }

  /// One column of pictures, beside each other.
  private func frames(_ composition: SolvedComposition, at offsets: some Sequence<Int>) -> [String] {
    offsets.map { offset in
      composition.drawn(at: Double(offset)).split(separator: "\n").map { String($0.prefix(1)) }.joined()
    }
  }

  @Test("A header stays at the top, and its section's end pushes it out")
  func header() {
    let composition = composition([.across("H", .top, 2, pins: true)], height: 5, counts: [4, 3])
    // Content: H H a b c d H H e f g
    #expect(
      frames(composition, at: -1...6) == [
        ".HHab", "HHabc", "HHbcd", "HHcdH", "HHdHH", "HHHHe", "HHHef", "HHefg",
      ])
    let pinned = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: 3))
    #expect(pinned?.isPinned == true && pinned?.frame.minY == 3)
    let pushed = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: 5))
    #expect(pushed?.isPinned == true && pushed?.frame.minY == 4)
    let resting = composition.attributes(
      of: ElementIdentity(kind: .supplementary("H"), section: 1), in: composition.visibleRect(at: 5))
    #expect(resting?.isPinned == false && resting?.frame.minY == 6)
  }

  @Test("A footer stays at the bottom, and its section's beginning holds it back")
  func footer() {
    let composition = composition([.across("F", .bottom, 2, pins: true)], height: 5, counts: [4, 3])
    // Content: a b c d F F e f g F F
    #expect(frames(composition, at: [0, 1, 2, 3, 4, 6]) == ["abcFF", "bcdFF", "cdFFF", "dFFFF", "FFeFF", "efgFF"])
  }

  @Test("A header and a footer that meet never overlap")
  func meeting() {
    let composition = composition(
      [.across("H", .top, 2, pins: true), .across("F", .bottom, 1, pins: true)], height: 4, counts: [3, 1])
    // Content: H H a b c F H H d F
    #expect(
      frames(composition, at: 0...6) == ["HHaF", "HHbF", "HHcF", "HHFH", "HFHH", "FHHF", "HHdF"])
    for offset in stride(from: -3.0, through: 9, by: 0.25) {
      for height in [1.0, 2, 3, 4, 7] {
        let low = self.composition(
          [.across("H", .top, 2, pins: true), .across("F", .bottom, 1, pins: true)], height: height, counts: [3, 1])
        var elements: [ElementAttributes] = []
        low.appendElements(in: Rect(x: 0, y: -99, width: 4, height: 999), to: &elements)
        let seen = elements.compactMap { low.attributes(of: $0.identity, in: low.visibleRect(at: offset)) }
        #expect(seen.count == 4)
        for (index, element) in seen.enumerated() {
          for other in seen[..<index] { #expect(!element.frame.intersects(other.frame)) }
          #expect(element.frame.minY >= 0 && element.frame.maxY <= low.contentSize.height)
        }
      }
    }
  }

  @Test("Several are stacked at the edge, with those between them that are not pinned gone")
  func stacked() {
    let composition = composition(
      [.across("A", .top, 1, pins: true), .across("B", .top, 1), .across("C", .top, 1, pins: true)], height: 5,
      counts: [5])
    // Content: A B C a b c d e
    #expect(frames(composition, at: 0...7) == ["ABCab", "ACabc", "ACbcd", "ACcde", "ACde.", "ACe..", "AC...", "C...."])
  }

  @Test("Pinned views of sections stand within those of the whole layout")
  func global() {
    let composition = composition(
      [.across("H", .top, 1, pins: true)],
      global: [.across("G", .top, 1, pins: true), .across("L", .bottom, 1, pins: true)],
      height: 6, counts: [3, 3])
    // Content: G H a b c H d e f L
    #expect(frames(composition, at: 0...4) == ["GHabcL", "GHbcHL", "GHcHdL", "GHHdeL", "GHdefL"])
  }

  @Test("A view beside the items stays in sight along with them")
  func side() {
    let composition = composition(
      [.view("S", .leading, .absolute(1), .absolute(1), pins: true)], height: 3, counts: [5])
    #expect(frames(composition, at: [-2, 0, 1, 2, 3, 4]) == ["..S", "..S", ".S.", "S..", "S..", "S.."])
  }

  @Test("Views pinned at fractions of a pixel are not more than half a pixel from the edge")
  func fractions() {
    let composition = composition([.across("H", .top, 2, pins: true)], height: 5, counts: [50])
    for offset in stride(from: 0.0, through: 20, by: 0.3) {
      let header = composition.attributes(
        of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: offset))
      #expect(((header?.frame.minY ?? -9) - offset).magnitude <= 0.5)
    }
  }

  @Test("A pinned header without width or height is a pixel, in a window without width too")
  func zeroWidth() {
    for (width, height) in [
      (CollectionLayoutDimension.absolute(0), CollectionLayoutDimension.absolute(0)),
      (.fractionalWidth(0), .estimated(0)), (.fractionalWidth(1), .fractionalHeight(0)),
    ] {
      for window in [0.0, 4] {
        let composition = composition(
          [.view("H", .top, width, height, pins: true)], width: window, height: window, counts: [30])
        for offset in [0.0, 3.5, 29, 1e9] {
          let header = composition.attributes(
            of: ElementIdentity(kind: .supplementary("H"), section: 0), in: composition.visibleRect(at: offset))
          #expect(header.map { !$0.frame.isEmpty } == true)
          var elements: [ElementAttributes] = []
          composition.appendElements(in: composition.visibleRect(at: offset), to: &elements)
          #expect(elements.count == (window > 0 && offset < 100 ? 1 : 0))
        }
      }
    }
  }
}
