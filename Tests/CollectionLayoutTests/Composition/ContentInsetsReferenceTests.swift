import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("The insets of the environment apply to items and to boundary items by their references")
struct ContentInsetsReferenceTests {
  /// A container of 200 by 300 points, of which bars cover 40 at the left and 20 at the right.
  private static let environment = LayoutEnvironment(
    containerSize: Size(width: 200, height: 300), contentInsets: Insets(left: 40, right: 20))

  private func boundaryItem(_ alignment: RectAlignment, width: CollectionLayoutDimension)
    -> CollectionLayoutBoundarySupplementaryItem
  {
    CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: width, height: .absolute(10)), elementKind: "view",
      alignment: alignment)
  }

  private func solved(
    _ environment: LayoutEnvironment = environment, _ change: (inout CollectionLayoutSection) -> Void
  ) -> SolvedComposition {
    let row = CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(30))
    var section = CollectionLayoutSection(
      group: .vertical(layoutSize: row, subitems: [CollectionLayoutItem(layoutSize: row)]))
    section.boundarySupplementaryItems = [boundaryItem(.top, width: .fractionalWidth(1))]
    change(&section)
    return CompositionalLayout(section: section).solved(in: environment, for: ItemCounts([3]))
  }

  private func spans(_ layout: SolvedComposition) -> [ClosedRange<Double>] {
    let view = ElementIdentity(kind: .supplementary("view"), section: 0)
    let header = layout.attributes(of: view, in: layout.visibleRect(at: 0))?.frame ?? .zero
    return [header, layout.frame(ofItem: 0)].map { $0.minX...$0.maxX }
  }

  @Test("A header follows the reference of the items, or has its own")
  func headers() {
    #expect(spans(solved { _ in }) == [40...180, 40...180])
    #expect(spans(solved { $0.supplementaryContentInsetsReference = .none }) == [0...200, 40...180])
    #expect(spans(solved { $0.contentInsetsReference = .none }) == [0...200, 0...200])
    #expect(
      spans(
        solved {
          $0.contentInsetsReference = .none
          $0.supplementaryContentInsetsReference = .safeArea
        }) == [40...180, 0...200])
  }

  @Test("The section's own insets apply in addition, unless the headers do not follow them")
  func ownInsets() {
    func layout(follows: Bool) -> SolvedComposition {
      solved {
        $0.supplementaryContentInsetsReference = .none
        $0.contentInsets = DirectionalEdgeInsets(leading: 5, trailing: 7)
        $0.supplementariesFollowContentInsets = follows
      }
    }
    #expect(spans(layout(follows: true)) == [5...193, 45...173])
    #expect(spans(layout(follows: false)) == [0...200, 45...173])
  }

  @Test("Items are beside a view at their side, wherever its reference places it")
  func sideViews() {
    func layout(_ items: ContentInsetsReference, _ views: ContentInsetsReference, width: Double) -> SolvedComposition {
      solved(
        LayoutEnvironment(containerSize: Size(width: width, height: 300), contentInsets: Insets(left: 40, right: 20))
      ) {
        $0.boundarySupplementaryItems = [boundaryItem(.leading, width: .absolute(10))]
        $0.contentInsetsReference = items
        $0.supplementaryContentInsetsReference = views
      }
    }
    #expect(spans(layout(.safeArea, .automatic, width: 200)) == [40...50, 50...180])
    #expect(spans(layout(.safeArea, .none, width: 200)) == [0...10, 50...180])
    // The readable content of 940 points is 672 wide, from 174 on.
    #expect(spans(layout(.none, .readableContent, width: 1_000)) == [174...184, 184...1_000])
  }

  @Test("For random references, items and headers are within the container, and a view at the side covers no item")
  func law() {
    var random = SeededGenerator(seed: 9)
    let references: [ContentInsetsReference] = [.automatic, .none, .safeArea, .layoutMargins, .readableContent]
    for _ in 0..<300 {
      let width = Double(Int.random(in: 60...1_200, using: &random))
      let environment = LayoutEnvironment(
        containerSize: Size(width: width, height: 300),
        contentInsets: Insets(
          left: Double(Int.random(in: 0...20, using: &random)), right: Double(Int.random(in: 0...20, using: &random))),
        layoutDirection: Bool.random(using: &random) ? .rightToLeft : .leftToRight)
      let isAtSide = Bool.random(using: &random)
      let layout = solved(environment) { section in
        section.contentInsetsReference = references.randomElement(using: &random)!
        section.supplementaryContentInsetsReference = references.randomElement(using: &random)!
        section.supplementariesFollowContentInsets = Bool.random(using: &random)
        if isAtSide { section.boundarySupplementaryItems = [boundaryItem(.leading, width: .absolute(10))] }
      }
      let spans = spans(layout)
      #expect(spans.allSatisfy { (0...width).contains($0.lowerBound) && (0...width).contains($0.upperBound) })
      if isAtSide {
        #expect(spans[0].upperBound <= spans[1].lowerBound || spans[1].upperBound <= spans[0].lowerBound, "\(spans)")
      }
    }
  }
}
