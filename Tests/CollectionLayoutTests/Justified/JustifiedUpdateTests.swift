import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Updates of justified rows")
struct JustifiedUpdateTests {
  @Test("thousands of random edits keep order, rows and the sizes of segments", arguments: 0..<16)
  func keepsLaws(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(&random, of: .random(in: 0...3_000, using: &random), wild: random.chance(oneIn: 4))
    var body = gallery.body
    for step in 0..<80 {
      let edits = random.edits(of: &gallery, many: random.chance(oneIn: 8))
      let isTaken = body.update(edits, content: gallery.content, room: gallery.room)
      #expect(isTaken)
      expectSegments(body, gallery)
      if step % 8 == 0 { gallery.expectRows(body) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: body.settleAll()
      case 1: _ = body.refine(atMost: 700)
      case 2 where body.length > 0: _ = body.settle((body.length / 3)..<(body.length / 3 + 900))
      default: break
      }
    }
    body.settleAll()
    expectSegments(body, gallery)
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  /// Expects that what segments know is true, and that none is too large or too small.
  private func expectSegments(_ body: JustifiedBody, _ gallery: JustifiedGallery) {
    let rules = gallery.rules
    var first = 0
    var breaker = JustifiedBreaker(rules)
    var unbroken = 0
    for index in 0..<body.segments.leafCount {
      let segment = body.segments[leaf: index]
      let isLast = index == body.segments.leafCount - 1
      let sizes = (rules.segmentSize / 2)...(2 * rules.segmentSize)
      #expect(segment.count > 0 && segment.count <= sizes.upperBound)
      if body.segments.leafCount > 1 { #expect(sizes.contains(segment.count)) }
      if segment.isRead {
        let ratios = gallery.ratios[first..<(first + segment.count)]
        #expect(segment.shares == ContiguousArray(ratios.map { rules.share(ofRatio: $0) }))
      }
      if segment.isBroken {
        #expect(segment.isLast == isLast)
        #expect(segment.firstItems == breaker.firstItems(of: segment.shares, isLast: isLast))
      } else {
        unbroken += 1
      }
      first += segment.count
    }
    #expect(first == gallery.ratios.count)
    #expect(body.itemCount == first)
    #expect(body.isSettled == (unbroken == 0))
  }

  @Test("a few edits leave a settled body settled", arguments: 0..<10)
  func staysSettled(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(&random, of: 4_000)
    var body = gallery.settledBody
    for _ in 0..<60 {
      let isTaken = body.update(random.edits(of: &gallery, many: false), content: gallery.content, room: gallery.room)
      #expect(isTaken && body.isSettled)
    }
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("an edit moves no items against each other but those of its segment")
  func editsOneSegment() {
    var random = SeededGenerator(seed: 3)
    var gallery = JustifiedGallery(&random, of: 5_000)
    gallery.flow = .vertical
    let before = gallery.settledBody
    let place = 2_600
    gallery.ratios.insert(0.6, at: place)
    var after = before
    let isTaken = after.update(
      SectionEdits(section: 0, insertions: [place..<(place + 1)]), content: gallery.content, room: gallery.room)
    #expect(isTaken)
    let position = before.segments.position(ofElement: place)
    let end = position.firstElement + before.segments[position].count
    let moved = after.length - before.length
    #expect((0..<position.firstElement).allSatisfy { after.frame(ofItem: $0) == before.frame(ofItem: $0) })
    #expect(
      (end..<5_000).allSatisfy { after.frame(ofItem: $0 + 1) == before.frame(ofItem: $0).offset(x: 0, y: moved) })
  }

  @Test("other rules or another room are not taken in")
  func refusesOtherRules() {
    let gallery = JustifiedGallery(Array(repeating: 1.5, count: 300))
    var body = gallery.settledBody
    var other = gallery
    other.target = 90
    let edits = SectionEdits(section: 0)
    let takesTarget = body.update(edits, content: other.content, room: gallery.room)
    other = gallery
    other.width = 400
    let takesRoom = body.update(edits, content: gallery.content, room: other.room)
    #expect(!takesTarget && !takesRoom)
    #expect(body.frames == gallery.settledBody.frames)
  }

  @Test("all items go, and others come")
  func emptiesAndFills() {
    var gallery = JustifiedGallery(Array(repeating: 1.5, count: 2_000))
    var body = gallery.settledBody
    _ = body.update(SectionEdits(section: 0, removals: [0..<2_000]), content: gallery.content, room: gallery.room)
    #expect(body.itemCount == 0 && body.length == 0 && body.isSettled)
    gallery.ratios = [1, 2, 3]
    _ = body.update(SectionEdits(section: 0, insertions: [0..<3]), content: gallery.content, room: gallery.room)
    body.settleAll()
    #expect(body.frames == gallery.settledBody.frames)
  }

  @Test("when the last segment goes, the one before it ends as the section's last")
  func keepsLastRowShort() {
    var gallery = JustifiedGallery((0..<1_000).map { 0.7 + 0.01 * Double($0 % 97) })
    var body = gallery.settledBody
    let last = body.segments.position(ofElement: 999)
    gallery.ratios.removeSubrange(last.firstElement...)
    let edits = SectionEdits(section: 0, removals: [last.firstElement..<1_000])
    _ = body.update(edits, content: gallery.content, room: gallery.room)
    #expect(body.isSettled)
    #expect(body.segments[leaf: body.segments.leafCount - 1].isLast)
    gallery.expectRatios(body)
  }

  @Test("a ratio that changes is asked again; one that does not moves nothing")
  func takesChanges() {
    var gallery = JustifiedGallery(Array(repeating: 1.5, count: 900))
    var body = gallery.settledBody
    let before = body.frames
    let edits = SectionEdits(section: 0, changes: [500..<501])
    _ = body.update(edits, content: gallery.content, room: gallery.room)
    #expect(body.isSettled && body.frames == before)
    gallery.ratios[500] = 0.5
    _ = body.update(edits, content: gallery.content, room: gallery.room)
    #expect(body.isSettled && body.frame(ofItem: 500).width < before[500].width)
    gallery.expectRatios(body)
  }

  @Test("an update of items that are not there stops the program")
  func trapsMisuse() async {
    await #expect(processExitsWith: .failure) {
      let gallery = JustifiedGallery([1, 1, 1])
      var body = gallery.body
      _ = body.update(SectionEdits(section: 0, removals: [2..<4]), content: gallery.content, room: gallery.room)
    }
    await #expect(processExitsWith: .failure) {
      let gallery = JustifiedGallery([1, 1, 1])
      var body = gallery.body
      _ = body.update(SectionEdits(section: 0, insertions: [5..<6]), content: gallery.content, room: gallery.room)
    }
  }
}

extension SeededGenerator {
  /// Edits of a gallery, which are done to it as well.
  fileprivate mutating func edits(of gallery: inout JustifiedGallery, many: Bool) -> SectionEdits {
    var edits = SectionEdits(section: 0)
    let longest = many && chance(oneIn: 2) ? 900 : 20
    edits.removals = runs(
      upTo: gallery.ratios.count, longest: longest, number: .random(in: 0...(many ? 40 : 3), using: &self))
    for run in edits.removals.reversed() { gallery.ratios.removeSubrange(run) }
    var end = 0
    for _ in 0..<Int.random(in: 0...(many ? 40 : 3), using: &self) where end <= gallery.ratios.count {
      let start = chance(oneIn: 4) ? gallery.ratios.count : Int.random(in: end...gallery.ratios.count, using: &self)
      let run = start..<(start + Int.random(in: 1...longest, using: &self))
      gallery.ratios.insert(contentsOf: run.map { _ in ratio(wild: false) }, at: start)
      edits.insertions.append(run)
      end = run.upperBound + 1
    }
    edits.changes = runs(upTo: gallery.ratios.count, longest: longest, number: .random(in: 0...3, using: &self))
    for item in edits.changes.joined() { gallery.ratios[item] = ratio(wild: false) }
    return edits
  }

  /// Runs of places, ascending and apart.
  private mutating func runs(upTo count: Int, longest: Int, number: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for _ in 0..<number {
      start += Int.random(in: 0...max(1, count / max(1, number)), using: &self)
      let end = min(count, start + Int.random(in: 1...longest, using: &self))
      guard start < end else { break }
      runs.append(start..<end)
      start = end + 1
    }
    return runs
  }
}
