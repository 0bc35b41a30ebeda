import Geometry

@testable import CollectionLayout

extension SolvedComposition {
  /// What is seen at an offset, a point a character: items are letters from a, elements the first letters of their
  /// kinds; what lies over another is drawn over it.
  func drawn(at offset: Double = 0) -> String {
    let viewport = visibleRect(at: offset)
    var elements: [ElementAttributes] = []
    appendElements(in: viewport, to: &elements)
    var layers = elements.map { element -> (zIndex: Int, Character, Rect) in
      (element.zIndex, element.identity.letter, element.frame)
    }
    visitItems(in: viewport) { items in
      for item in items {
        let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(item % 26)))
        layers.append((zIndex(ofItem: item), letter, clipped(item)))
      }
    }
    // Items of a plane are drawn before its elements.
    let order = layers.enumerated().sorted {
      ($0.element.zIndex, $0.offset < elements.count ? 1 : 0, $0.offset)
        < ($1.element.zIndex, $1.offset < elements.count ? 1 : 0, $1.offset)
    }
    let back = Point(x: -viewport.minX, y: -viewport.minY)
    return picture(
      of: order.map { ($0.element.1, $0.element.2.offset(by: back)) }, width: Int(viewport.width),
      height: Int(viewport.height))
  }

  /// An item's frame; of a section that scrolls across, as much as its strip shows.
  private func clipped(_ item: Int) -> Rect {
    let frame = frame(ofItem: item)
    guard let section = itemCounts.position(of: item)?.section, let strip = orthogonalSection(section) else {
      return frame
    }
    return frame.intersection(strip.frame)
  }
}

extension ElementIdentity {
  /// The first letter of the kind's name.
  var letter: Character {
    switch kind {
    case .cell: "?"
    case .supplementary(let name), .decoration(let name): name.first ?? "?"
    }
  }
}

extension CollectionLayoutBoundarySupplementaryItem {
  /// A view as broad as there is room, of a height.
  static func across(
    _ kind: String, _ alignment: RectAlignment, _ height: Double, pins: Bool = false
  ) -> CollectionLayoutBoundarySupplementaryItem {
    view(kind, alignment, .fractionalWidth(1), .absolute(height), pins: pins)
  }

  /// A view of a size.
  static func view(
    _ kind: String, _ alignment: RectAlignment, _ width: CollectionLayoutDimension,
    _ height: CollectionLayoutDimension, pins: Bool = false
  ) -> CollectionLayoutBoundarySupplementaryItem {
    var item = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: width, height: height), elementKind: kind, alignment: alignment)
    item.pinToVisibleBounds = pins
    return item
  }
}
