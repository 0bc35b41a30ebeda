import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

/// A measured body beside plain arrays that say the same.
struct MeasuredModel {
  var body: MeasuredBody
  /// For each item the size that was taken from its cell.
  var sizes: [MeasuredSize?]

  init(items: Int, group: any MeasurableGroup, room: SectionRoom) {
    body = MeasuredBody(of: items, group: group, in: room)
    sizes = Array(repeating: nil, count: items)
  }

  /// The groups whose lengths are final until they are measured, with those lengths.
  var settledLengths: [Int] { (0..<(body.groupCount - body.floating)).map { length(ofGroup: $0) } }

  func length(ofGroup group: Int) -> Int {
    let position = body.chunks.position(ofElement: group)
    return body.chunks[position].group(group - position.firstElement).length
  }

  mutating func measure(_ item: Int, length: Int) -> SizeVerdict {
    let old = body.frame(ofItem: item)
    let size =
      body.flow == .vertical
      ? MeasuredSize(width: old.width, height: length) : MeasuredSize(width: length, height: old.height)
    let verdict = body.setPreferredSize(width: size.width, height: size.height, ofItem: item)
    switch verdict {
    case .frozen(let points):
      let kept = Int((points * body.room.scale.pixelsPerPoint).rounded())
      sizes[item] =
        body.flow == .vertical
        ? MeasuredSize(width: old.width, height: kept) : MeasuredSize(width: kept, height: old.height)
    case .changed: sizes[item] = size
    case .unchanged: if sizes[item] == nil { sizes[item] = size }
    }
    return verdict
  }

  mutating func update(_ edits: SectionEdits) {
    for range in edits.removals.reversed() { sizes.removeSubrange(range) }
    for range in edits.insertions {
      sizes.insert(contentsOf: [MeasuredSize?](repeating: nil, count: range.count), at: range.lowerBound)
    }
    body.splice(edits)
  }

  /// Places every group by the items that it holds.
  mutating func refineAll() {
    var rounds = 0
    while !body.isSettled, rounds < 100_000 {
      _ = body.refine(atMost: 200)
      rounds += 1
    }
  }

  /// Checks everything that holds at any time, against the arrays.
  func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(body.itemCount == sizes.count, comment, sourceLocation: sourceLocation)
    let slots = body.slotCount
    let groups = (sizes.count + slots - 1) / slots
    #expect(body.groupCount == groups, comment, sourceLocation: sourceLocation)
    var start = 0
    var mean = RunningEstimate(initial: body.initial.level)
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
      let stands = items.allSatisfy {
        let frame = body.frame(ofItem: $0)
        // Groups that are not final stand next to each other all the same.
        guard !isStale else { return frame.start(body.flow) >= start && frame.end(body.flow) <= start + length }
        return frame == solved.frames[$0 - items.lowerBound].offset(start, along: body.flow)
      }
      let keepsSizes = items.allSatisfy {
        body.sizes.size(ofItem: $0)?.side(body.flow) == sizes[$0]?.side(body.flow)
      }
      let agrees =
        stands && keepsSizes && (isStale || solved.length == length) && body.start(ofGroup: group) == start
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
      let floats = body.floating > 0 && index == chunks.count - 1
      let agrees =
        chunk.count > 0 && chunk.length > 0 && (chunk.isBlank || chunk.count <= MeasuredChunk.most)
        && (!floats || (chunk.isBlank && chunk.count == body.floating))
        && (!floats || chunk.template == body.template(level: body.estimate.level))
      #expect(agrees, comment, sourceLocation: sourceLocation)
    }
    for leaf in 0..<body.sizes.runs.leafCount {
      let run = body.sizes.runs[leaf: leaf]
      let agrees =
        run.count > 0 && (run.isBlank || run.count <= SizeRun.most)
        && run.restless.allSatisfy { item in run.sizes.contains { $0.place == item.place } }
        && zip(run.sizes, run.sizes.dropFirst()).allSatisfy { $0.place < $1.place }
      #expect(agrees, comment, sourceLocation: sourceLocation)
    }
    let ranges = body.stale.ranges
    let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
    #expect(areApart && ranges.allSatisfy { !$0.isEmpty }, comment, sourceLocation: sourceLocation)
    #expect((ranges.last?.upperBound ?? 0) <= body.groupCount - body.floating, comment, sourceLocation: sourceLocation)
  }

  /// The first and last item that share a pixel with a rectangle, looked for one by one.
  func items(in rect: PixelFrame) -> (first: Int?, last: Int?) {
    let hits = sizes.indices.filter { !rect.isEmpty && body.frame(ofItem: $0).intersects(rect) }
    return (hits.first, hits.last)
  }
}
