import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Updates of justified rows")
struct JustifiedBodyUpdateTests {
  @Test(
    "Thousands of random edits keep the order of items, the rows and the segment sizes valid",
    arguments: TestScale.seeds(0..<16))
  func keepsInvariants(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(
      &random, of: .random(in: 0...3_000, using: &random), extreme: random.chance(oneIn: 4))
    var body = gallery.body
    for step in 0..<80 {
      let edits = random.edits(of: &gallery, isLarge: random.chance(oneIn: 8))
      let isAccepted = body.update(edits, content: gallery.content, container: gallery.container)
      #expect(isAccepted)
      expectSegments(body, gallery)
      if step % 8 == 0 { gallery.expectRows(body) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: body.finalizeAllFrames()
      case 1: _ = body.finalizeFrames(itemBudget: 700)
      case 2 where body.length > 0: _ = body.finalizeFrames(in: (body.length / 3)..<(body.length / 3 + 900))
      default: break
      }
    }
    body.finalizeAllFrames()
    expectSegments(body, gallery)
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  /// Expects that the stored values of all segments are correct and that their sizes are within the limits.
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
      if segment.hasRatios {
        let ratios = gallery.ratios[first..<(first + segment.count)]
        #expect(segment.ratios == ContiguousArray(ratios.map { rules.ratio(forAspectRatio: $0) }))
      }
      if segment.isBroken {
        #expect(segment.isLast == isLast)
        #expect(segment.firstItems == breaker.firstItems(of: segment.ratios, isLast: isLast))
      } else {
        unbroken += 1
      }
      first += segment.count
    }
    #expect(first == gallery.ratios.count)
    #expect(body.itemCount == first)
    #expect(body.areFramesFinal == (unbroken == 0))
  }

  @Test("A finalized body is still finalized after a few edits", arguments: TestScale.seeds(0..<10))
  func staysFinalized(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(&random, of: 4_000)
    var body = gallery.finalizedBody
    for _ in 0..<60 {
      let isAccepted = body.update(
        random.edits(of: &gallery, isLarge: false), content: gallery.content, container: gallery.container)
      #expect(isAccepted && body.areFramesFinal)
    }
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("An edit changes the layout of its own segment only")
  func editsOneSegment() {
    var random = SeededGenerator(seed: 3)
    var gallery = JustifiedGallery(&random, of: 5_000)
    gallery.flow = .vertical
    let before = gallery.finalizedBody
    let index = 2_600
    gallery.ratios.insert(0.6, at: index)
    var after = before
    let isAccepted = after.update(
      SectionEdits(section: 0, insertions: [index..<(index + 1)]), content: gallery.content,
      container: gallery.container)
    #expect(isAccepted)
    let position = before.segments.position(ofElement: index)
    let end = position.firstElement + before.segments[position].count
    let moved = after.length - before.length
    #expect((0..<position.firstElement).allSatisfy { after.frame(ofItem: $0) == before.frame(ofItem: $0) })
    #expect(
      (end..<5_000).allSatisfy { after.frame(ofItem: $0 + 1) == before.frame(ofItem: $0).offset(x: 0, y: moved) })
  }

  @Test("An update with other rules or another container is rejected")
  func rejectsOtherRules() {
    let gallery = JustifiedGallery(Array(repeating: 1.5, count: 300))
    var body = gallery.finalizedBody
    var other = gallery
    other.target = 90
    let edits = SectionEdits(section: 0)
    let acceptsTarget = body.update(edits, content: other.content, container: gallery.container)
    other = gallery
    other.width = 400
    let acceptsContainer = body.update(edits, content: gallery.content, container: other.container)
    #expect(!acceptsTarget && !acceptsContainer)
    #expect(body.frames == gallery.finalizedBody.frames)
  }

  @Test("All items are removed and new ones inserted")
  func emptiesAndFills() {
    var gallery = JustifiedGallery(Array(repeating: 1.5, count: 2_000))
    var body = gallery.finalizedBody
    _ = body.update(
      SectionEdits(section: 0, removals: [0..<2_000]), content: gallery.content, container: gallery.container)
    #expect(body.itemCount == 0 && body.length == 0 && body.areFramesFinal)
    gallery.ratios = [1, 2, 3]
    _ = body.update(
      SectionEdits(section: 0, insertions: [0..<3]), content: gallery.content, container: gallery.container)
    body.finalizeAllFrames()
    #expect(body.frames == gallery.finalizedBody.frames)
  }

  @Test("When the last segment is removed, the previous one ends with the section's last row")
  func keepsLastRowShort() {
    var gallery = JustifiedGallery((0..<1_000).map { 0.7 + 0.01 * Double($0 % 97) })
    var body = gallery.finalizedBody
    let last = body.segments.position(ofElement: 999)
    gallery.ratios.removeSubrange(last.firstElement...)
    let edits = SectionEdits(section: 0, removals: [last.firstElement..<1_000])
    _ = body.update(edits, content: gallery.content, container: gallery.container)
    #expect(body.areFramesFinal)
    #expect(body.segments[leaf: body.segments.leafCount - 1].isLast)
    gallery.expectRatios(body)
  }

  @Test("A changed item's ratio is read again, and nothing moves if it is the same")
  func rereadsChangedRatios() {
    var gallery = JustifiedGallery(Array(repeating: 1.5, count: 900))
    var body = gallery.finalizedBody
    let before = body.frames
    let edits = SectionEdits(section: 0, dataChanges: [500..<501])
    _ = body.update(edits, content: gallery.content, container: gallery.container)
    #expect(body.areFramesFinal && body.frames == before)
    gallery.ratios[500] = 0.5
    _ = body.update(edits, content: gallery.content, container: gallery.container)
    #expect(body.areFramesFinal && body.frame(ofItem: 500).width < before[500].width)
    gallery.expectRatios(body)
  }

  @Test("An update of items that do not exist stops the program")
  func trapsMisuse() async {
    await #expect(processExitsWith: .failure) {
      let gallery = JustifiedGallery([1, 1, 1])
      var body = gallery.body
      _ = body.update(
        SectionEdits(section: 0, removals: [2..<4]), content: gallery.content, container: gallery.container)
    }
    await #expect(processExitsWith: .failure) {
      let gallery = JustifiedGallery([1, 1, 1])
      var body = gallery.body
      _ = body.update(
        SectionEdits(section: 0, insertions: [5..<6]), content: gallery.content, container: gallery.container)
    }
  }
}

extension SeededGenerator {
  /// Returns random edits of a gallery and applies them to its ratios.
  ///
  /// - Parameter isLarge: Whether there may be many long edits.
  fileprivate mutating func edits(of gallery: inout JustifiedGallery, isLarge: Bool) -> SectionEdits {
    var edits = SectionEdits(section: 0)
    let maximumLength = isLarge && chance(oneIn: 2) ? 900 : 20
    edits.removals = runs(
      upTo: gallery.ratios.count, maximumLength: maximumLength,
      number: .random(in: 0...(isLarge ? 40 : 3), using: &self))
    for run in edits.removals.reversed() { gallery.ratios.removeSubrange(run) }
    var end = 0
    for _ in 0..<Int.random(in: 0...(isLarge ? 40 : 3), using: &self) where end <= gallery.ratios.count {
      let start = chance(oneIn: 4) ? gallery.ratios.count : Int.random(in: end...gallery.ratios.count, using: &self)
      let run = start..<(start + Int.random(in: 1...maximumLength, using: &self))
      gallery.ratios.insert(contentsOf: run.map { _ in ratio(extreme: false) }, at: start)
      edits.insertions.append(run)
      end = run.upperBound + 1
    }
    edits.dataChanges = runs(
      upTo: gallery.ratios.count, maximumLength: maximumLength, number: .random(in: 0...3, using: &self))
    for item in edits.dataChanges.joined() { gallery.ratios[item] = ratio(extreme: false) }
    return edits
  }

  /// Returns ascending disjoint ranges.
  private mutating func runs(upTo count: Int, maximumLength: Int, number: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for _ in 0..<number {
      start += Int.random(in: 0...max(1, count / max(1, number)), using: &self)
      let end = min(count, start + Int.random(in: 1...maximumLength, using: &self))
      guard start < end else { break }
      runs.append(start..<end)
      start = end + 1
    }
    return runs
  }
}
