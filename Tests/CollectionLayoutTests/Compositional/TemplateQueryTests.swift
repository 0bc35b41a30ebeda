import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Repeated groups answer what looking at each item would")
struct TemplateQueryTests {
  private func rect(in body: any SectionBody, _ room: SectionRoom, _ random: inout SeededGenerator) -> PixelFrame {
    let (along, across) = (body.length + 60, body.breadth + 60)
    let start = Int.random(in: -60...along, using: &random)
    let side = Int.random(in: -60...across, using: &random)
    let long = random.chance(oneIn: 3) ? Int.random(in: 0...4, using: &random) : Int.random(in: 0...600, using: &random)
    let broad =
      random.chance(oneIn: 3) ? Int.random(in: 0...4, using: &random) : Int.random(in: 0...600, using: &random)
    return room.flow == .vertical
      ? PixelFrame(minX: side, minY: start, maxX: side + broad, maxY: start + long)
      : PixelFrame(minX: start, minY: side, maxX: start + long, maxY: side + broad)
  }

  private func compare(_ body: any SectionBody, _ room: SectionRoom, _ random: inout SeededGenerator) {
    let frames = (0..<body.itemCount).map { body.frame(ofItem: $0) }
    #expect(frames.allSatisfy { $0.width >= 1 && $0.height >= 1 })
    #expect(frames.allSatisfy { $0.start(room.flow) >= 0 && $0.end(room.flow) <= body.length })
    #expect(frames.allSatisfy { $0.start(room.flow.cross) >= 0 && $0.end(room.flow.cross) <= body.breadth })
    for _ in 0..<12 {
      let rect = rect(in: body, room, &random)
      let hits = frames.indices.filter { !rect.isEmpty && frames[$0].intersects(rect) }
      #expect(body.firstItem(in: rect) == hits.first)
      #expect(body.lastItem(in: rect) == hits.last)
    }
  }

  @Test("The first and the last item in any rectangle, of any group, before and after items come and go")
  func againstBruteForce() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<1_500 {
      let content = GroupContent(group: random.group(estimates: random.chance(oneIn: 3)))
      let room = random.room()
      var body = content.body(of: .random(in: 0...60, using: &random), in: room)
      compare(body, room, &random)
      let grown = Int.random(in: 0...40, using: &random)
      let gone = Int.random(in: 0...body.itemCount, using: &random)
      let count = body.itemCount + grown - gone
      let edits = SectionEdits(section: 0, removals: [0..<gone], insertions: [0..<grown])
      if body.update(edits, content: content, room: room) {
        #expect(body.itemCount == count)
        compare(body, room, &random)
      }
    }
  }

  @Test("The same for mosaics, whose last group looks otherwise")
  func mosaics() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<600 {
      let content = MosaicContent(
        spacing: random.number(0...12), minimumUnit: random.number(20...200), ratio: random.number(0.3...2))
      let room = random.room()
      var body = content.body(of: .random(in: 0...90, using: &random), in: room)
      compare(body, room, &random)
      let grown = Int.random(in: 0...40, using: &random)
      let takenIn = body.update(SectionEdits(section: 0, insertions: [0..<grown]), content: content, room: room)
      #expect(takenIn)
      compare(body, room, &random)
    }
  }

  @Test("An update is taken in for the same rules and room alone")
  func otherRules() {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(5), repeatingSubitem: GroupDrawing.item(.absolute(1), .absolute(1)), count: 2)
    var other = group
    other.interItemSpacing = .fixed(1)
    let room = GroupDrawing.room(10, 10)
    var body = GroupContent(group: group).body(of: 7, in: room)
    let edits = SectionEdits(section: 0, removals: [0..<3])
    func takesIn(_ content: GroupContent, _ room: SectionRoom) -> Bool {
      body.update(edits, content: content, room: room)
    }
    #expect(!takesIn(GroupContent(group: other), room))
    #expect(!takesIn(GroupContent(group: group), GroupDrawing.room(11, 10)))
    #expect(body.itemCount == 7 && body.length == 20)
    #expect(takesIn(GroupContent(group: group), room))
    #expect(body.itemCount == 4 && body.length == 10)
    #expect(body.cost(of: edits) == 0)
    let custom = GroupContent(group: .custom(layoutSize: .full) { _ in [] })
    body = custom.body(of: 5, in: room)
    #expect(!takesIn(custom, room))
  }

  @Test("Rules are the same where all of them are, however they were made")
  func sameRules() {
    let cell = GroupDrawing.item(.absolute(1), .absolute(1))
    let wide = GroupDrawing.item(.absolute(2), .absolute(1))
    func list(_ change: (inout CollectionLayoutGroup) -> Void = { _ in }) -> CollectionLayoutGroup {
      var group = CollectionLayoutGroup.horizontal(layoutSize: .high(5), subitems: [cell, wide])
      change(&group)
      return group
    }
    let groups = [
      list(), list { $0.interItemSpacing = .fixed(1) }, list { $0.interItemSpacing = .flexible(1) },
      list { $0.contentInsets.top = 1 }, list { $0.edgeSpacing = .init(top: .fixed(1)) },
      list {
        $0.supplementaryItems = [
          .init(layoutSize: .high(1), elementKind: "line", containerAnchor: .init(edges: .top))
        ]
      },
      .horizontal(layoutSize: .high(6), subitems: [cell, wide]),
      .vertical(layoutSize: .high(5), subitems: [cell, wide]),
      .horizontal(layoutSize: .high(5), subitems: [wide, cell]), .horizontal(layoutSize: .high(5), subitems: [cell]),
      .horizontal(layoutSize: .high(5), subitems: [cell, list()]),
      .horizontal(layoutSize: .high(5), subitems: [cell, list { $0.contentInsets.leading = 1 }]),
      .horizontal(layoutSize: .high(5), repeatingSubitem: cell, count: 2),
      .horizontal(layoutSize: .high(5), repeatingSubitem: cell, count: 3),
      .horizontal(layoutSize: .high(5), repeatingSubitem: wide, count: 2),
      .vertical(layoutSize: .high(5), repeatingSubitem: cell, count: 2),
    ]
    for (one, group) in groups.enumerated() {
      for (other, another) in groups.enumerated() { #expect(group.hasSameRules(as: another) == (one == other)) }
    }
    #expect(!GroupContent(group: list()).hasSameRules(as: MosaicContent(spacing: 0, minimumUnit: 1, ratio: 1)))
  }

  @Test("Groups begin where they begin, before, within and behind the items")
  func groupStarts() throws {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(10), repeatingSubitem: GroupDrawing.item(.absolute(1), .fractionalHeight(1)), count: 2)
    let body = GroupContent(group: group).body(of: 5, in: GroupDrawing.room(10, 10, spacing: 3))
    func starts(_ line: Int) throws -> [Int?] {
      let starts = try #require(body.groupStarts(around: line))
      return [starts.atOrBefore, starts.behind]
    }
    #expect(try starts(-5) == [0, 0])
    #expect(try starts(0) == [0, 13])
    #expect(try starts(12) == [0, 13])
    #expect(try starts(13) == [13, 26])
    #expect(try starts(26) == [26, nil])
    #expect(try starts(1 << 60) == [26, nil])
    #expect(GroupContent(group: group).body(of: 0, in: GroupDrawing.room(9, 9)).groupStarts(around: 0) == nil)
  }
}
