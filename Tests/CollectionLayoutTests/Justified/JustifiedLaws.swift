import Geometry
import Testing

@testable import CollectionLayout

extension JustifiedGallery {
  /// Expects of a body what holds whether it is settled or not: every item is in one row, rows and items follow each
  /// other at their distances, and rows fill the room.
  func expectRows(_ body: JustifiedBody, _ source: SourceLocation = #_sourceLocation) {
    let rules = rules
    let gap = room.pixels(spacing)
    let caption = flow == .horizontal ? 1 + rules.captionAcross : 1 + rules.captionAlong
    var start = 0
    let rows = body.rows
    #expect(body.itemCount == ratios.count, sourceLocation: source)
    for (number, row) in rows.enumerated() {
      var isGood = row[0].start(flow.cross) == 0
      for (left, right) in zip(row, row.dropFirst()) {
        isGood = isGood && right.start(flow.cross) - left.end(flow.cross) == gap
      }
      for frame in row {
        isGood = isGood && frame.start(flow) == start && frame.end(flow) == row[0].end(flow)
        isGood = isGood && frame.width >= 1 && frame.height >= (flow == .vertical ? caption : 1)
      }
      let isFull = row[row.count - 1].end(flow.cross) == rules.breadth
      let isShort = number == rows.count - 1 && row[row.count - 1].end(flow.cross) < rules.breadth
      #expect(isGood && (isFull || isShort), "row \(number) of \(rows.count): \(row)", sourceLocation: source)
      start = row[0].end(flow) + rules.lineGap
    }
    #expect(body.length == (rows.isEmpty ? 0 : start - rules.lineGap), sourceLocation: source)
    #expect(body.breadth == rules.breadth, sourceLocation: source)
  }

  /// Expects of a settled body that rows are as high as they may be, and that pictures keep their ratios where they can.
  func expectRatios(_ body: JustifiedBody, _ source: SourceLocation = #_sourceLocation) {
    let rules = rules
    let target = Double(rules.target)
    let bounds = target / JustifiedRules.tolerance...target * JustifiedRules.tolerance
    var item = 0
    for row in body.rows {
      let along = row[0].length(flow) - rules.captionAlong
      #expect(
        Double(along) > bounds.lowerBound - 1 && Double(along) < bounds.upperBound + 1, "a row of \(along)",
        sourceLocation: source)
      for frame in row {
        let ratio = ratios[item]
        item += 1
        let share = rules.share(ofRatio: ratio).value
        let wanted = flow == .vertical ? ratio : 1 / ratio
        // What was cut is cropped by its cell.
        guard abs(share / wanted - 1) < 0.001, abs(Double(along) - bounds.lowerBound) > 1,
          abs(Double(along) - bounds.upperBound) > 1
        else { continue }
        let across = frame.length(flow.cross) - rules.captionAcross
        // The row's length is rounded, and both edges of the item are.
        #expect(
          abs(Double(across) - share * Double(along)) <= 1 + 0.5 * share, "item \(item - 1): \(frame)",
          sourceLocation: source)
      }
    }
  }
}
