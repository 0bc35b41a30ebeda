import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

/// A measured body and a model of it with plain arrays.
struct MeasuredModel {
  var body: MeasuredBody
  /// The measured size of each item.
  var sizes: [MeasuredSize?]

  init(items: Int, group: any MeasurableGroup, container: SectionContainer) {
    body = MeasuredBody(of: items, group: group, in: container)
    sizes = Array(repeating: nil, count: items)
  }

  /// The lengths of the groups that do not follow the estimate.
  var finalizedLengths: [Int] { (0..<(body.groupCount - body.floatingCount)).map { length(ofGroup: $0) } }

  func length(ofGroup group: Int) -> Int {
    let position = body.chunks.position(ofElement: group)
    return body.chunks[position].group(group - position.firstElement).length
  }

  mutating func measure(_ item: Int, length: Int) -> PreferredSizeResult {
    let old = body.frame(ofItem: item)
    let size =
      body.flow == .vertical
      ? MeasuredSize(width: old.width, height: length) : MeasuredSize(width: length, height: old.height)
    let result = body.setPreferredSize(width: size.width, height: size.height, ofItem: item)
    switch result {
    case .frozen(let points):
      let frozenLength = Int((points * body.container.scale.pixelsPerPoint).rounded())
      sizes[item] =
        body.flow == .vertical
        ? MeasuredSize(width: old.width, height: frozenLength) : MeasuredSize(width: frozenLength, height: old.height)
    case .changed: sizes[item] = size
    case .unchanged: if sizes[item] == nil { sizes[item] = size }
    }
    return result
  }

  mutating func update(_ edits: SectionEdits) {
    for range in edits.removals.reversed() { sizes.removeSubrange(range) }
    for range in edits.insertions {
      sizes.insert(contentsOf: [MeasuredSize?](repeating: nil, count: range.count), at: range.lowerBound)
    }
    body.splice(edits)
  }

  /// Refines the body until all frames are final.
  mutating func refineAll() {
    var rounds = 0
    while !body.areFramesFinal, rounds < 100_000 {
      _ = body.finalizeFrames(itemBudget: 200)
      rounds += 1
    }
  }

  /// Compares the body with the model and checks its invariants.
  func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(body.itemCount == sizes.count, comment, sourceLocation: sourceLocation)
    let slots = body.slotCount
    let groups = (sizes.count + slots - 1) / slots
    #expect(body.groupCount == groups, comment, sourceLocation: sourceLocation)
    var start = 0
    var mean = RunningEstimate(initial: body.initial.expectedLength)
    for group in 0..<groups {
      let items = (group * slots)..<min(sizes.count, (group + 1) * slots)
      let length = length(ofGroup: group)
      let position = body.chunks.position(ofElement: group)
      let template = body.chunks[position].template.slots
      let isStale = body.stale.contains(group)
      let isMeasured = isStale ? body.isMeasured(group: group) : items.contains { sizes[$0] != nil }
      if isMeasured { mean.add(groups: 1, length: length) }
      let solved =
        !isMeasured
        ? template
        : body.group.solved(
          measured: { slot in
            let frame = template.frames[slot]
            let size = items.contains(group * slots + slot) ? sizes[group * slots + slot] : nil
            return size ?? MeasuredSize(width: frame.width, height: frame.height)
          }, atLeast: 0)
      let hasFrames = items.allSatisfy {
        let frame = body.frame(ofItem: $0)
        // Stale groups follow each other without overlap, too.
        guard !isStale else { return frame.start(body.flow) >= start && frame.end(body.flow) <= start + length }
        return frame == solved.frames[$0 - items.lowerBound].offset(start, along: body.flow)
      }
      let hasSizes = items.allSatisfy {
        body.sizes.size(ofItem: $0)?.side(body.flow) == sizes[$0]?.side(body.flow)
      }
      let agrees =
        hasFrames && hasSizes && (isStale || solved.length == length) && body.start(ofGroup: group) == start
        && body.isMeasured(group: group) == isMeasured
      #expect(agrees, comment, sourceLocation: sourceLocation)
      start += length + body.initial.spacing
    }
    #expect(body.length == (groups > 0 ? start - body.initial.spacing : 0), comment, sourceLocation: sourceLocation)
    #expect(body.estimate == mean, comment, sourceLocation: sourceLocation)
    checkChunks(comment, sourceLocation)
  }

  private func checkChunks(_ comment: Comment?, _ sourceLocation: SourceLocation) {
    let chunks = (0..<body.chunks.leafCount).map { body.chunks[leaf: $0] }
    for (index, chunk) in chunks.enumerated() {
      let isFloating = body.floatingCount > 0 && index == chunks.count - 1
      let agrees =
        chunk.count > 0 && chunk.length > 0 && (chunk.isBlank || chunk.count <= MeasuredChunk.maximumCount)
        && (!isFloating || (chunk.isBlank && chunk.count == body.floatingCount))
        && (!isFloating || chunk.template == body.template(expectedLength: body.estimate.length))
      #expect(agrees, comment, sourceLocation: sourceLocation)
    }
    for leaf in 0..<body.sizes.runs.leafCount {
      let run = body.sizes.runs[leaf: leaf]
      let agrees =
        run.count > 0 && (run.isBlank || run.count <= SizeRun.maximumCount)
        && run.unstableItems.allSatisfy { item in run.sizes.contains { $0.index == item.index } }
        && zip(run.sizes, run.sizes.dropFirst()).allSatisfy { $0.index < $1.index }
      #expect(agrees, comment, sourceLocation: sourceLocation)
    }
    let ranges = body.stale.ranges
    let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
    #expect(areApart && ranges.allSatisfy { !$0.isEmpty }, comment, sourceLocation: sourceLocation)
    #expect(
      (ranges.last?.upperBound ?? 0) <= body.groupCount - body.floatingCount, comment, sourceLocation: sourceLocation)
  }

  /// Returns the first and last item in a rectangle by a linear search.
  func items(in rect: PixelFrame) -> (first: Int?, last: Int?) {
    let hits = sizes.indices.filter { !rect.isEmpty && body.frame(ofItem: $0).intersects(rect) }
    return (hits.first, hits.last)
  }
}

// MARK: - Groups

/// A group of columns that is as long as the longest of them, or a stack of items.
struct SlottedGroup: MeasurableGroup, Hashable {
  let flow: Axis
  let breadth: Int
  let estimate: Int
  let slotCount: Int
  let isStack: Bool

  func measuredSides(ofSlot slot: Int) -> MeasuredSides { flow == .vertical ? .height : .width }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    let lengths = (0..<slotCount).map { measured($0)?.side(flow) ?? estimate + $0 }
    var frames: [PixelFrame] = []
    var start = 0
    for (slot, length) in lengths.enumerated() {
      let column = isStack ? 0..<breadth : (breadth * slot / slotCount)..<(breadth * (slot + 1) / slotCount)
      frames.append(
        flow == .vertical
          ? PixelFrame(minX: column.lowerBound, minY: start, maxX: column.upperBound, maxY: start + length)
          : PixelFrame(minX: start, minY: column.lowerBound, maxX: start + length, maxY: column.upperBound))
      if isStack { start += length }
    }
    return MeasuredSlots(
      length: max(minimum, isStack ? start : lengths.max() ?? 1), breadth: breadth, frames: frames, reach: 3)
  }

  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary] {
    let frames = solved(measured: measured, atLeast: minimum).frames
    return items.map { BodySupplementary(kind: "badge", item: $0, frame: frames[$0].offset(x: 3, y: 3), zIndex: 1) }
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { other as? SlottedGroup == self }
}
