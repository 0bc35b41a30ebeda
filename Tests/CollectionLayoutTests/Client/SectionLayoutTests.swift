import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Layouts of clients")
struct SectionLayoutTests {
  /// Two lanes: items 0, 2, 4 on the left, 1 and 3 on the right.
  private struct FixedLanes: SectionLayout {
    private let lengths: [Double] = [10, 40, 20, 15, 30]
    private var width = 0.0

    mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
      width = environment.breadth / 2
    }
    var contentLength: Double { 60 }
    func frame(ofItem item: Int) -> Rect {
      let start = stride(from: item % 2, to: item, by: 2).reduce(0) { $0 + lengths[$1] }
      return Rect(x: Double(item % 2) * width, y: start, width: width, height: lengths[item])
    }
    func items(in rect: Rect) -> Range<Int> { 0..<5 }
  }

  private func solved(
    _ section: CollectionLayoutSection, _ count: Int, size: Size = Size(width: 100, height: 50),
    direction: LayoutDirection = .leftToRight
  ) -> SolvedComposition {
    CompositionalLayout(section: section).solved(
      in: LayoutEnvironment(containerSize: size, layoutDirection: direction), for: ItemCounts([count]))
  }

  private func runs(_ layout: SolvedComposition, _ rect: Rect) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    layout.visitItems(in: rect) { runs.append($0) }
    return runs
  }

  @Test("Frames, runs, headers and insets of a layout with four requirements")
  func essentials() {
    var section = CollectionLayoutSection(layout: FixedLanes())
    section.contentInsets = DirectionalEdgeInsets(top: 3, leading: 10, bottom: 4, trailing: 30)
    section.boundarySupplementaryItems = [.across("H", .top, 8)]
    let layout = solved(section, 5)
    #expect(layout.contentSize == Size(width: 100, height: 75))
    #expect(
      (0..<5).map { layout.frame(ofItem: $0) } == [
        Rect(x: 10, y: 11, width: 30, height: 10), Rect(x: 40, y: 11, width: 30, height: 40),
        Rect(x: 10, y: 21, width: 30, height: 20), Rect(x: 40, y: 51, width: 30, height: 15),
        Rect(x: 10, y: 41, width: 30, height: 30),
      ])
    // Item 3 begins where the rectangle ends.
    #expect(runs(layout, Rect(x: 0, y: 41, width: 100, height: 10)) == [1..<2, 4..<5])
    #expect(runs(layout, Rect(x: 45, y: 0, width: 9, height: 99)) == [1..<2, 3..<4])
    #expect(layout.firstItem(in: Rect(x: 0, y: 41, width: 100, height: 1e9)) == 1)
    #expect(layout.lastItem(in: Rect(x: 0, y: -1e9, width: 40, height: 1e9 + 22)) == 2)
    #expect(layout.attributes(of: ElementIdentity(kind: .supplementary("H"), section: 0), in: .zero)?.frame.height == 8)
    #expect(!layout.usesPreferredSize(ofItem: 0) && layout.areFramesFinal)
    let mirrored = solved(section, 5, direction: .rightToLeft)
    #expect(mirrored.frame(ofItem: 0) == Rect(x: 60, y: 11, width: 30, height: 10))
    #expect(layout.drainViolations().count == 0 && mirrored.drainViolations().count == 0)
  }

  @Test("Queries equal those of a linear search, next to sections of other kinds")
  func likeLinearSearch() {
    var random = SeededGenerator(seed: 2_601)
    for _ in 0..<150 {
      let sections = (0..<4).map { _ in random.chance(oneIn: 2) ? random.lanesSection() : random.section() }
      let axis = random.pick(Axis.vertical, .vertical, .horizontal)
      let solved = CompositionalLayout(configuration: .init(scrollDirection: axis)) { section, _ in sections[section] }
        .solved(in: random.environment(), for: ItemCounts(random.counts(4)))
      let frames = solved.visibleItemFrames
      let content = solved.environment.scale.pixelRect(Rect(origin: .zero, size: solved.contentSize))
      for _ in 0..<8 {
        let rect = PixelRect(
          x: .random(in: -20...(content.width + 20), using: &random),
          y: .random(in: -20...(content.height + 20), using: &random),
          width: .random(in: 1...200, using: &random), height: .random(in: 1...200, using: &random))
        let hit = frames.indices.filter { !frames[$0].intersection(rect).isEmpty }
        let scale = solved.environment.scale.pixelsPerPoint
        let query = Rect(
          x: (Double(rect.x) + 0.01) / scale, y: (Double(rect.y) + 0.01) / scale,
          width: (Double(rect.width) - 0.02) / scale, height: (Double(rect.height) - 0.02) / scale)
        #expect(solved.firstItem(in: query) == hit.first && solved.lastItem(in: query) == hit.last)
        let runs = runs(solved, query)
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        for run in runs {
          for item in run {
            let isLane = sections[solved.position(of: item).section].content is ClientContent<LanesLayout>
            #expect(hit.contains(item) || !isLane)
          }
        }
        #expect(hit.allSatisfy { item in runs.contains { $0.contains(item) } })
      }
      #expect(solved.drainViolations().count == 0)
    }
  }

  @Test("A preferred size moves the later items of its lane, and a size that alternates is fixed at the largest one")
  func preferredSizes() {
    var layout = solved(CollectionLayoutSection(layout: LanesLayout(seed: 5, laneCount: 2)), 6)
    let before = (0..<6).map { layout.frame(ofItem: $0) }
    #expect(layout.usesPreferredSize(ofItem: 2))
    let size = Size(width: 50, height: before[2].height + 7)
    #expect(layout.setPreferredSize(size, ofItem: 2) == .changed)
    #expect(layout.setPreferredSize(size, ofItem: 2) == .unchanged)
    #expect(layout.frame(ofItem: 4).minY == before[4].minY + 7)
    #expect([0, 1, 3, 5].allSatisfy { layout.frame(ofItem: $0) == before[$0] })
    #expect(layout.setPreferredSize(Size(width: 50, height: 90), ofItem: 2) == .changed)
    #expect(layout.setPreferredSize(Size(width: 50, height: 30), ofItem: 2) == .changed)
    #expect(layout.setPreferredSize(Size(width: 50, height: 31), ofItem: 2) == .frozen(90))
    #expect(layout.frame(ofItem: 2).height == 90 && !layout.usesPreferredSize(ofItem: 2))
  }

  @Test(
    "After random edits and measurements, frames equal those of a fresh layout with the same sizes",
    arguments: [false, true])
  func updates(appliesEdits: Bool) {
    var random = SeededGenerator(seed: 2_602)
    for _ in 0..<60 {
      var rules = LanesLayout(seed: 9, laneCount: .random(in: 1...4, using: &random))
      rules.appliesEdits = appliesEdits
      let section = CollectionLayoutSection(layout: rules)
      var heights = [Double?](repeating: nil, count: Int.random(in: 0...20, using: &random))
      var layout = solved(section, heights.count)
      for _ in 0..<6 {
        if !heights.isEmpty {
          let item = heights.indices.randomElement(using: &random) ?? 0
          let height = Double(Int.random(in: 1...60, using: &random))
          if heights[item] == nil {
            heights[item] = height
            _ = layout.setPreferredSize(Size(width: 10, height: height), ofItem: item)
          }
        }
        var edits = SectionEdits(section: 0)
        if heights.count > 3 {
          let first = Int.random(in: 0..<(heights.count - 2), using: &random)
          edits.removals = [first..<(first + 2)]
          heights.removeSubrange(first..<(first + 2))
        }
        let place = Int.random(in: 0...heights.count, using: &random)
        edits.insertions = [place..<(place + 1)]
        heights.insert(nil, at: place)
        layout.invalidate(.items(LayoutUpdate(counts: ItemCounts([heights.count]), edits: [edits])))
        // Estimates depend on the index, so a layout that applies edits keeps those of former indexes.
        var fresh = solved(section, heights.count)
        for (item, height) in heights.enumerated() {
          let height = height ?? (appliesEdits ? layout.frame(ofItem: item).height : nil)
          if let height { _ = fresh.setPreferredSize(Size(width: 10, height: height), ofItem: item) }
        }
        #expect(heights.indices.allSatisfy { layout.frame(ofItem: $0) == fresh.frame(ofItem: $0) })
        #expect(layout.contentSize == fresh.contentSize)
        #expect(heights.enumerated().allSatisfy { $1 == nil || layout.frame(ofItem: $0).height == $1 })
      }
    }
  }

  @Test("Preparing again and resizing")
  func resizing() {
    for keepsItems in [false, true] {
      var rules = LanesLayout(seed: 3)
      rules.keepsItemsOnResize = keepsItems
      var layout = solved(CollectionLayoutSection(layout: rules), 9)
      _ = layout.setPreferredSize(Size(width: 9, height: 77), ofItem: 0)
      layout.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 100, height: 80))))
      #expect((layout.frame(ofItem: 0).height == 77) == keepsItems)
      layout.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 120, height: 80))))
      #expect(layout.frame(ofItem: 0).width == 40 && layout.frame(ofItem: 0).height != 77)
    }
  }

  @Test("Keys move the focus to the nearest item in their direction, or to the client's")
  func navigation() {
    let layout = solved(CollectionLayoutSection(layout: FixedLanes()), 5, size: Size(width: 100, height: 30))
    #expect(layout.item(from: 0, .down) == 2 && layout.item(from: 2, .down) == 4 && layout.item(from: 4, .down) == nil)
    #expect(layout.item(from: 1, .down) == 3 && layout.item(from: 3, .up) == 1 && layout.item(from: 4, .up) == 2)
    // In the column from which the move began.
    #expect(layout.item(from: 0, .down, across: 75) == 3 && layout.item(from: 0, .up) == nil)
    #expect(layout.item(from: 0, .pageDown(30)) == 4 && layout.item(from: 4, .pageUp(30)) == 0)
    #expect(layout.item(from: 1, .next) == 2 && layout.item(from: 1, .last) == 4)
    var rules = LanesLayout(seed: 1)
    rules.focusTarget = 7
    let own = solved(CollectionLayoutSection(layout: rules), 9)
    #expect(own.item(from: 0, .down) == 7 && own.item(from: 7, .down) == nil && own.item(from: 0, .next) == 1)
  }

  /// Items with given tops, all 40 points long and as broad as the section.
  private struct Pile: SectionLayout {
    let tops: [Double]
    private var width = 0.0

    init(_ tops: [Double]) { self.tops = tops }

    mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) { width = environment.breadth }
    var contentLength: Double { (tops.max() ?? 0) + 40 }
    func frame(ofItem item: Int) -> Rect { Rect(x: 0, y: tops[item], width: width, height: 40) }
    func items(in rect: Rect) -> Range<Int> { tops.indices }
  }

  @Test(
    "Items that overlap are reached one after the other, also from far away and if their frames are equal",
    arguments: [
      [0, 10, 20, 30, 200, 240], [30, 0, 20, 10, 60], [0, 0, 0, 5, 5, 300], [500, 100, 460, 140, 99, 180],
    ] as [[Double]])
  func overlappingItems(tops: [Double]) {
    let layout = solved(CollectionLayoutSection(layout: Pile(tops)), tops.count)
    let order = tops.indices.sorted { (tops[$0], $0) < (tops[$1], $1) }
    var visited = [order[0]]
    while let next = layout.item(from: visited[visited.count - 1], .down), visited.count <= tops.count {
      visited.append(next)
    }
    #expect(visited == order)
    var back = [order[order.count - 1]]
    while let next = layout.item(from: back[back.count - 1], .up), back.count <= tops.count { back.append(next) }
    #expect(back == order.reversed())
  }

  @Test("Keys lead into sections of other kinds and back")
  func navigationBetweenSections() {
    let layout = CompositionalLayout { section, _ in
      section == 1
        ? CollectionLayoutSection(layout: FixedLanes()) : .grid(columns: .count(2), heightRatio: 0.2)
    }.solved(in: LayoutEnvironment(containerSize: Size(width: 100, height: 30)), for: ItemCounts([2, 5, 2]))
    #expect(layout.item(from: 0, .down) == 2 && layout.item(from: 2, .up) == 0 && layout.item(from: 3, .up) == 1)
    #expect(layout.item(from: 6, .down) == 7 && layout.item(from: 5, .down) == 8)
  }

  @Test("In an orthogonal section, items rest at their starts, and the breadth is the section's length")
  func orthogonal() {
    var section = CollectionLayoutSection(layout: LanesLayout(seed: 4, laneCount: 1), breadth: .absolute(24))
    section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    let layout = solved(section, 40)
    let frames = (0..<40).map { layout.frame(ofItem: $0) }
    #expect(layout.contentSize.height == 24 && frames.allSatisfy { $0.minY == 0 && $0.height == 24 })
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.minX == $0.maxX + 2 })
    for item in [3, 10] {
      let resting = layout.restingOffset(
        ofSection: 0, from: 0, proposed: frames[item].minX + 1, velocity: 0)
      #expect(resting == frames[item].minX)
    }
  }
}
