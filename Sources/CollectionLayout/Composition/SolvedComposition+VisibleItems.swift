public import Geometry

extension SolvedComposition {
  /// Whether a section has a handler for what is seen of it.
  public var adjustsVisibleItems: Bool { hasHandlers }

  /// Lets the handlers of sections change how what is seen of them is shown.
  ///
  /// Each is called once, with all of its section's items and views, in ascending order of sections.
  ///
  /// - Complexity: O(1) without handlers; otherwise O(v log v + v log s) for v items and s sections.
  public func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect) {
    guard hasHandlers, !items.isEmpty else { return }
    let owners = items.indices.compactMap { place in section(of: items[place].name).map { (section: $0, place: place) }
    }
    .sorted { ($0.section, $0.place) < ($1.section, $1.place) }
    var next = owners.startIndex
    while next < owners.endIndex {
      let number = owners[next].section
      let end = owners[next...].firstIndex { $0.section != number } ?? owners.endIndex
      if let handler = sections[number].rules.visibleItemsInvalidationHandler {
        var own = owners[next..<end].map { items[$0.place] }
        handler(&own, offset(of: number, in: viewport), environment)
        // By name: a handler may reorder what it was given, and what it leaves out stays as it is.
        var places: [VisibleItem.Name: Int] = [:]
        for owner in owners[next..<end] { places[items[owner.place].name] = owner.place }
        for item in own {
          if let place = places[item.name] { items[place] = item }
        }
      }
      next = end
    }
  }

  private func section(of name: VisibleItem.Name) -> Int? {
    switch name {
    case .item(let index): return itemCounts.position(of: index)?.section
    case .element(let element):
      guard let section = element.section, sections.indices.contains(section) else { return nil }
      return section
    }
  }

  /// The viewport's corner; in a section that scrolls across, along that axis its own offset.
  private func offset(of section: Int, in viewport: Rect) -> Point {
    var offset = viewport.origin
    if sections[section].isOrthogonal { offset[scrollAxis.cross] = space.points(sections[section].strip.offset) }
    return offset
  }
}
