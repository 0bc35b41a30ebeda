import Geometry
import TestSupport

@testable import CollectionLayout

/// Pictures of known ratios in a room.
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

  /// A gallery of any kind; its ratios are those of photographs, for the most part.
  init(_ random: inout SeededGenerator, of count: Int, wild: Bool = false) {
    self.init([])
    ratios = (0..<count).map { _ in random.ratio(wild: wild) }
    width = .random(in: 60...1_900, using: &random)
    height = .random(in: 60...1_900, using: &random)
    target = .random(in: 30...260, using: &random)
    spacing = random.chance(oneIn: 3) ? 0 : .random(in: 0...12, using: &random)
    lineSpacing = random.chance(oneIn: 3) ? 0 : .random(in: 0...12, using: &random)
    caption = random.chance(oneIn: 2) ? 0 : .random(in: 0...22, using: &random)
    flow = random.chance(oneIn: 3) ? .horizontal : .vertical
    scale = [1.0, 1.25, 1.5, 2].map { DisplayScale(pixelsPerPoint: $0) }.randomElement(using: &random) ?? .one
  }

  var room: SectionRoom {
    SectionRoom(size: Size(width: width, height: height), flow: flow, scale: scale, interGroupSpacing: lineSpacing)
  }

  var content: JustifiedContent {
    let ratios = ratios
    return JustifiedContent(targetRowHeight: target, spacing: spacing, captionHeight: caption) { ratios[$0] }
  }

  var rules: JustifiedRules { JustifiedRules(content, in: room) }

  /// The pictures with every row estimated.
  var body: JustifiedBody { content.justifiedBody(of: ratios.count, in: room) }

  /// The pictures with every row final.
  var settledBody: JustifiedBody {
    var body = body
    body.settleAll()
    return body
  }
}

extension JustifiedBody {
  var frames: [PixelFrame] { (0..<itemCount).map { frame(ofItem: $0) } }

  mutating func settleAll() {
    while !isSettled { _ = refine(atMost: 1_000) }
  }

  /// The frames of each row's items; rows are told apart by where they begin.
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
  /// The ratio of a picture; wild ones may be anything.
  mutating func ratio(wild: Bool) -> Double {
    if wild, chance(oneIn: 4) {
      return chance(oneIn: 2)
        ? EdgeCaseNumbers.doubles.randomElement(using: &self) ?? 0
        : .random(in: chance(oneIn: 2) ? 0.01...0.3 : 5...80, using: &self)
    }
    return chance(oneIn: 4)
      ? .random(in: 0.4...3, using: &self) : [1.5, 4.0 / 3, 0.75, 2.0 / 3].randomElement(using: &self) ?? 1
  }
}
