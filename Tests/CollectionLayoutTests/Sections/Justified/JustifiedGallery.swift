import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

/// The aspect ratios and rules of a justified test section.
struct JustifiedGallery {
  var ratios: [Double]
  var width = 1_000.0
  var height = 700.0
  var target = 120.0
  var spacing = 0.0
  var lineSpacing = 0.0
  var caption = 0.0
  var flow = Axis.vertical
  var scale = DisplayScale.one

  init(_ ratios: [Double]) { self.ratios = ratios }

  /// Creates a gallery with random rules, and ratios that are mostly those of photos.
  ///
  /// - Parameters:
  ///   - random: The random number generator.
  ///   - count: The number of items.
  ///   - extreme: Whether ratios may be extreme or invalid. Default: false.
  init(_ random: inout SeededGenerator, of count: Int, extreme: Bool = false) {
    self.init([])
    ratios = (0..<count).map { _ in random.ratio(extreme: extreme) }
    width = .random(in: 60...1_900, using: &random)
    height = .random(in: 60...1_900, using: &random)
    target = .random(in: 30...260, using: &random)
    spacing = random.chance(oneIn: 3) ? 0 : .random(in: 0...12, using: &random)
    lineSpacing = random.chance(oneIn: 3) ? 0 : .random(in: 0...12, using: &random)
    caption = random.chance(oneIn: 2) ? 0 : .random(in: 0...22, using: &random)
    flow = random.chance(oneIn: 3) ? .horizontal : .vertical
    scale = [1.0, 1.25, 1.5, 2].map { DisplayScale(pixelsPerPoint: $0) }.randomElement(using: &random) ?? .one
  }

  var container: SectionContainer {
    SectionContainer(size: Size(width: width, height: height), flow: flow, scale: scale, interGroupSpacing: lineSpacing)
  }

  var content: JustifiedContent {
    let ratios = ratios
    return JustifiedContent(targetRowHeight: target, spacing: spacing, captionHeight: caption) { ratios[$0] }
  }

  var rules: JustifiedRules { JustifiedRules(content, in: container) }

  /// A body whose rows are all estimated.
  var body: JustifiedBody { content.justifiedBody(of: ratios.count, in: container) }

  /// A body whose rows are all final.
  var finalizedBody: JustifiedBody {
    var body = body
    body.finalizeAllFrames()
    return body
  }
}

extension JustifiedGallery {
  /// Expects what is true of estimated and finalized bodies: each item is in one row, items and rows have exact
  /// spacing, and rows fill the container.
  func expectRows(_ body: JustifiedBody, _ source: SourceLocation = #_sourceLocation) {
    let rules = rules
    let gap = container.pixels(spacing)
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

  /// Expects that the rows of a finalized body are within the tolerance, and that items keep their aspect ratios if
  /// possible.
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
        let storedRatio = rules.ratio(forAspectRatio: ratio).value
        let idealRatio = flow == .vertical ? ratio : 1 / ratio
        // A ratio that was clamped is cropped by its cell.
        guard abs(storedRatio / idealRatio - 1) < 0.001, abs(Double(along) - bounds.lowerBound) > 1,
          abs(Double(along) - bounds.upperBound) > 1
        else { continue }
        let across = frame.length(flow.cross) - rules.captionAcross
        // The length of the row and both edges of the item are rounded.
        #expect(
          abs(Double(across) - storedRatio * Double(along)) <= 1 + 0.5 * storedRatio, "item \(item - 1): \(frame)",
          sourceLocation: source)
      }
    }
  }
}

extension JustifiedBody {
  var frames: [PixelFrame] { (0..<itemCount).map { frame(ofItem: $0) } }

  mutating func finalizeAllFrames() {
    while !areFramesFinal { _ = finalizeFrames(itemBudget: 1_000) }
  }

  /// The frames of the items of each row.
  ///
  /// Rows are distinguished by their start.
  var rows: [[PixelFrame]] {
    var rows: [[PixelFrame]] = []
    for frame in frames {
      if let last = rows.last?.last, last.start(rules.flow) == frame.start(rules.flow) {
        rows[rows.count - 1].append(frame)
      } else {
        rows.append([frame])
      }
    }
    return rows
  }
}

extension SeededGenerator {
  /// Returns an aspect ratio of a photo, or any number if extreme values are allowed.
  mutating func ratio(extreme: Bool) -> Double {
    if extreme, chance(oneIn: 4) {
      return chance(oneIn: 2)
        ? EdgeCaseNumbers.doubles.randomElement(using: &self) ?? 0
        : .random(in: chance(oneIn: 2) ? 0.01...0.3 : 5...80, using: &self)
    }
    return chance(oneIn: 4)
      ? .random(in: 0.4...3, using: &self) : [1.5, 4.0 / 3, 0.75, 2.0 / 3].randomElement(using: &self) ?? 1
  }
}
