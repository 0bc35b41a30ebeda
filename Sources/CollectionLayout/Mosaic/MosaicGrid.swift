internal import Geometry

/// The units of a mosaic in a room, and the group that its pattern makes of them.
///
/// All lengths along the flow are whole pixels. Across it a unit may not be: then all blocks begin and end on the edges
/// of the same columns, which are rounded once, so that gaps are equal and the room is filled.
struct MosaicGrid {
  /// Across the flow, at least 1.
  let units: Int
  private let room: SectionRoom
  /// Between pictures, in pixels.
  private let gap: Int
  /// How broad a unit is, in pixels.
  private let breadth: Double
  /// How long a unit is along the flow, in pixels.
  private let length: Int

  init(_ rules: MosaicContent, in room: SectionRoom) {
    let whole = max(1, room.pixelLength(room.flow.cross))
    // Bounds that keep the pattern shorter than the longest group.
    let gap = min(room.pixels(rules.spacing), whole, SectionRoom.longest / 32)
    // Where the flow is horizontal a unit's breadth is its height.
    let isDown = room.flow == .vertical
    let least = max(1, room.pixels(isDown ? rules.minimumUnit : rules.minimumUnit * rules.ratio))
    units = max(1, min((whole + gap) / (least + gap), MosaicContent.mostUnits))
    self.room = room
    self.gap = gap
    breadth = Double(whole - gap * (units - 1)) / Double(units)
    let long = min(isDown ? breadth * rules.ratio : breadth / rules.ratio, Double(SectionRoom.longest / 16))
    length = max(1, PixelEdge.nearest(long))
  }

  /// The pattern.
  var group: CollectionLayoutGroup {
    let bands = MosaicPattern.bands(units)
    let length = bands.reduce(gap * (bands.count - 1)) { $0 + long($1.units) }
    return stack(room.flow, breadth: broad(units), length: length, bands.map(group))
  }

  /// What a last group looks like that is not whole.
  func tail(of template: GroupTemplate) -> TemplateTail {
    var bands: [TemplateTail.Band] = []
    var slot = 0
    var start = 0
    var row = 0..<0
    for band in MosaicPattern.bands(units) {
      let slots = slot..<(slot + band.pictures)
      bands.append(TemplateTail.Band(slots: slots, start: start, length: long(band.units)))
      if case .row = band { row = slots }
      slot = slots.upperBound
      start += long(band.units) + gap
    }
    let flow = room.flow
    let places = template.slots[row].map { slot in
      var slot = slot
      slot.frame = slot.frame.offset(-slot.frame.start(flow), along: flow)
      return slot
    }
    return TemplateTail(bands: bands, row: places, rowLength: length, rowSpacing: gap)
  }

  private func group(_ band: MosaicPattern.Band) -> CollectionLayoutGroup {
    switch band {
    case .row(let units): row(units)
    case .blocks(let blocks):
      stack(room.flow.cross, breadth: broad(units), length: long(2), blocks.map(subitem))
    }
  }

  private func subitem(_ block: MosaicBlock) -> any CollectionLayoutSubitem {
    let subitems: [any CollectionLayoutSubitem]
    switch block {
    case .hero(let units): return picture(units, 2)
    case .column: subitems = [picture(1, 1), picture(1, 1)]
    case .wideOverPair: subitems = [picture(2, 1), row(2)]
    case .pairOverWide: subitems = [row(2), picture(2, 1)]
    }
    return stack(room.flow, breadth: broad(block.units), length: long(2), subitems)
  }

  private func row(_ units: Int) -> CollectionLayoutGroup {
    let pictures: [any CollectionLayoutSubitem] = (0..<units).map { _ in picture(1, 1) }
    return stack(room.flow.cross, breadth: broad(units), length: length, pictures)
  }

  private func picture(_ units: Int, _ rows: Int) -> CollectionLayoutItem {
    CollectionLayoutItem(layoutSize: size(breadth: broad(units), length: long(rows)))
  }

  private func stack(
    _ axis: Axis, breadth: Double, length: Int, _ subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    let size = size(breadth: breadth, length: length)
    var group =
      axis == .horizontal
      ? CollectionLayoutGroup.horizontal(layoutSize: size, subitems: subitems)
      : .vertical(layoutSize: size, subitems: subitems)
    group.interItemSpacing = .fixed(Double(gap) / room.scale.pixelsPerPoint)
    return group
  }

  /// Pixels across the flow of so many units.
  private func broad(_ units: Int) -> Double { Double(units) * breadth + Double(gap * (units - 1)) }

  /// Pixels along the flow of so many units.
  private func long(_ units: Int) -> Int { units * length + gap * (units - 1) }

  private func size(breadth: Double, length: Int) -> CollectionLayoutSize {
    let scale = room.scale.pixelsPerPoint
    let across = CollectionLayoutDimension.absolute(breadth / scale)
    let along = CollectionLayoutDimension.absolute(Double(length) / scale)
    return room.flow == .vertical
      ? CollectionLayoutSize(width: across, height: along) : CollectionLayoutSize(width: along, height: across)
  }
}
