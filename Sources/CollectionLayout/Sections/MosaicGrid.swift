internal import VitrineGeometry

/// The rules of a mosaic section: a pattern of nested groups that depends on the container.
struct MosaicContent: TemplateContent, Hashable {
  /// The maximum number of units along the cross axis.
  static let maximumUnitCount = 48

  /// The space between items, in points.
  let spacing: Double
  /// The minimum width of a unit, in points.
  let minimumUnit: Double
  /// The height of a unit as a multiple of its width.
  let ratio: Double

  func dependsOnVisibleLength(along flow: Axis) -> Bool { false }

  /// - Complexity: O(k) for k items of the pattern.
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    let grid = MosaicGrid(self, in: container)
    let template = GroupSolver.solve(grid.group, in: container)
    return TemplateBody(self, template, tail: grid.tail(of: template), itemCount: itemCount, in: container)
  }

  func hasSameRules(as other: any SectionContent) -> Bool { other as? MosaicContent == self }
}

/// The units of a mosaic in a container, and the group that represents the pattern.
///
/// All lengths along the flow axis are whole pixels. The breadth of a unit may be fractional. Then all blocks start and
/// end at the edges of the same columns, which are rounded once, so that gaps are equal and the container is filled.
struct MosaicGrid {
  /// The number of units along the cross axis, at least 1.
  let units: Int
  private let container: SectionContainer
  /// The space between items, in pixels.
  private let gap: Int
  /// The breadth of a unit along the cross axis, in pixels.
  private let breadth: Double
  /// The length of a unit along the flow axis, in pixels.
  private let length: Int

  init(_ rules: MosaicContent, in container: SectionContainer) {
    let whole = max(1, container.pixelLength(container.flow.cross))
    // Limits that keep the pattern shorter than the longest possible group.
    let gap = min(container.pixels(rules.spacing), whole, SectionContainer.maximumLength / 32)
    // If the flow axis is horizontal, the breadth of a unit is its height.
    let isDown = container.flow == .vertical
    let least = max(1, container.pixels(isDown ? rules.minimumUnit : rules.minimumUnit * rules.ratio))
    units = max(1, min((whole + gap) / (least + gap), MosaicContent.maximumUnitCount))
    self.container = container
    self.gap = gap
    breadth = Double(whole - gap * (units - 1)) / Double(units)
    let unitLength = min(
      isDown ? breadth * rules.ratio : breadth / rules.ratio, Double(SectionContainer.maximumLength / 16))
    length = max(1, PixelEdge.nearest(unitLength))
  }

  /// The group that represents the pattern.
  var group: CollectionLayoutGroup {
    let bands = MosaicPattern.bands(units)
    let totalLength = bands.reduce(gap * (bands.count - 1)) { $0 + length(ofUnits: $1.units) }
    return stack(container.flow, breadth: breadth(ofUnits: units), length: totalLength, bands.map(group))
  }

  /// Returns the layout of an incomplete last group.
  func tail(of template: GroupTemplate) -> TemplateTail {
    var bands: [TemplateTail.Band] = []
    var slot = 0
    var start = 0
    var row = 0..<0
    for band in MosaicPattern.bands(units) {
      let slots = slot..<(slot + band.itemCount)
      bands.append(TemplateTail.Band(slots: slots, start: start, length: length(ofUnits: band.units)))
      if case .row = band { row = slots }
      slot = slots.upperBound
      start += length(ofUnits: band.units) + gap
    }
    let flow = container.flow
    let rowSlots = template.slots[row].map { slot in
      var slot = slot
      slot.frame = slot.frame.offset(-slot.frame.start(flow), along: flow)
      return slot
    }
    return TemplateTail(bands: bands, row: rowSlots, rowLength: length, rowSpacing: gap)
  }

  private func group(_ band: MosaicPattern.Band) -> CollectionLayoutGroup {
    switch band {
    case .row(let units): row(units)
    case .blocks(let blocks):
      stack(container.flow.cross, breadth: breadth(ofUnits: units), length: length(ofUnits: 2), blocks.map(subitem))
    }
  }

  private func subitem(_ block: MosaicBlock) -> any CollectionLayoutSubitem {
    let subitems: [any CollectionLayoutSubitem]
    switch block {
    case .hero(let units): return item(units: units, rows: 2)
    case .column: subitems = [item(units: 1, rows: 1), item(units: 1, rows: 1)]
    case .wideOverPair: subitems = [item(units: 2, rows: 1), row(2)]
    case .pairOverWide: subitems = [row(2), item(units: 2, rows: 1)]
    }
    return stack(container.flow, breadth: breadth(ofUnits: block.units), length: length(ofUnits: 2), subitems)
  }

  private func row(_ units: Int) -> CollectionLayoutGroup {
    let items: [any CollectionLayoutSubitem] = (0..<units).map { _ in item(units: 1, rows: 1) }
    return stack(container.flow.cross, breadth: breadth(ofUnits: units), length: length, items)
  }

  private func item(units: Int, rows: Int) -> CollectionLayoutItem {
    CollectionLayoutItem(layoutSize: size(breadth: breadth(ofUnits: units), length: length(ofUnits: rows)))
  }

  private func stack(
    _ axis: Axis, breadth: Double, length: Int, _ subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    let size = size(breadth: breadth, length: length)
    var group =
      axis == .horizontal
      ? CollectionLayoutGroup.horizontal(layoutSize: size, subitems: subitems)
      : .vertical(layoutSize: size, subitems: subitems)
    group.interItemSpacing = .fixed(Double(gap) / container.scale.pixelsPerPoint)
    return group
  }

  /// Returns the breadth of a number of units along the cross axis, in pixels.
  private func breadth(ofUnits units: Int) -> Double { Double(units) * breadth + Double(gap * (units - 1)) }

  /// Returns the length of a number of units along the flow axis, in pixels.
  private func length(ofUnits units: Int) -> Int { units * length + gap * (units - 1) }

  private func size(breadth: Double, length: Int) -> CollectionLayoutSize {
    let scale = container.scale.pixelsPerPoint
    let across = CollectionLayoutDimension.absolute(breadth / scale)
    let along = CollectionLayoutDimension.absolute(Double(length) / scale)
    return container.flow == .vertical
      ? CollectionLayoutSize(width: across, height: along) : CollectionLayoutSize(width: along, height: across)
  }
}
