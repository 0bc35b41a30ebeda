import VitrineGeometry

@testable import VitrineCollectionLayout

/// Returns a text drawing of frames, one character per pixel, which tests compare with expected drawings.
///
/// Pixels without a frame are dots. Later frames cover earlier ones. Frames may extend beyond the drawing.
func drawing(of frames: [(Character, PixelFrame)], width: Int, height: Int) -> String {
  var rows = Array(repeating: Array(repeating: Character("."), count: width), count: height)
  for (character, frame) in frames {
    for y in max(0, frame.minY)..<max(0, frame.minY, min(height, frame.maxY)) {
      for x in max(0, frame.minX)..<max(0, frame.minX, min(width, frame.maxX)) { rows[y][x] = character }
    }
  }
  return rows.map { String($0) }.joined(separator: "\n")
}

/// Returns a text drawing of frames in points, one character per point.
func drawing(of frames: [(Character, Rect)], width: Int, height: Int) -> String {
  let frames = frames.map { character, rect in
    let pixels = DisplayScale.one.pixelRect(rect)
    return (
      character,
      PixelFrame(minX: Int(pixels.x), minY: Int(pixels.y), maxX: Int(pixels.maxX), maxY: Int(pixels.maxY))
    )
  }
  return drawing(of: frames, width: width, height: height)
}

/// Returns a text drawing of frames that are named by their order: A to Z, then a to z.
func drawing(of frames: [PixelFrame], width: Int, height: Int) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  let named = frames.enumerated().map { (letters[$0.offset % letters.count], $0.element) }
  return drawing(of: named, width: width, height: height)
}

extension SolvedComposition {
  /// Returns a text drawing of the visible content at an offset, one character per point.
  ///
  /// Items are letters from a. Supplementary and decoration views are the first letters of their kinds. Elements with
  /// larger z-indexes cover others.
  func drawing(at offset: Double = 0) -> String {
    let viewport = visibleRect(at: offset)
    var elements: [ElementAttributes] = []
    appendElements(in: viewport, to: &elements)
    var layers = elements.map { element -> (zIndex: Int, Character, Rect) in
      (element.zIndex, element.identity.letter, element.frame)
    }
    visitItems(in: viewport) { items in
      for item in items {
        let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(item % 26)))
        layers.append((zIndex(ofItem: item), letter, visibleFrame(ofItem: item)))
      }
    }
    // Items are drawn before the views with the same z-index.
    let order = layers.enumerated().sorted {
      ($0.element.zIndex, $0.offset < elements.count ? 1 : 0, $0.offset)
        < ($1.element.zIndex, $1.offset < elements.count ? 1 : 0, $1.offset)
    }
    let translation = Point(x: -viewport.minX, y: -viewport.minY)
    return CollectionLayoutTests.drawing(
      of: order.map { ($0.element.1, $0.element.2.offset(by: translation)) }, width: Int(viewport.width),
      height: Int(viewport.height))
  }

  /// Returns the part of an item's frame that is inside its orthogonal section, or all of it in other sections.
  private func visibleFrame(ofItem item: Int) -> Rect {
    let frame = frame(ofItem: item)
    guard let section = itemCounts.position(of: item)?.section, let strip = orthogonalSection(section) else {
      return frame
    }
    return frame.intersection(strip.frame)
  }
}

extension ElementIdentity {
  /// The first letter of the element kind.
  fileprivate var letter: Character {
    switch kind {
    case .cell: "?"
    case .supplementary(let name), .decoration(let name): name.first ?? "?"
    }
  }
}

/// Returns a text drawing of the slots of one group.
func layoutDrawing(
  _ group: CollectionLayoutGroup, _ width: Int, _ height: Int, flow: Axis = .vertical,
  measured: GroupBox.Measured = { _ in (nil, nil) }
) -> String {
  let template = GroupSolver.solve(
    group, in: .plain(Double(width), Double(height), flow: flow), measured: measured)
  return drawing(
    of: template.slots.map(\.frame), width: flow == .horizontal ? template.width : width,
    height: flow == .vertical ? template.height : height)
}

/// Returns a text drawing of the items of a section and their supplementary views.
///
/// - Parameter views: The characters of the views by element kind. Default: "?" for each kind.
func layoutDrawing(
  _ body: any SectionBody, _ width: Int, _ height: Int, views: [String: Character] = [:]
) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  var frames = (0..<body.itemCount).map { (letters[$0 % letters.count], body.frame(ofItem: $0)) }
  var list: [BodySupplementary] = []
  body.appendSupplementaries(of: 0..<body.itemCount, to: &list)
  frames += list.map { (views[$0.kind] ?? "?", $0.frame) }
  return drawing(of: frames, width: width, height: height)
}
