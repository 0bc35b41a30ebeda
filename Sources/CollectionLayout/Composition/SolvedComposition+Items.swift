internal import DataStructures
public import Geometry

extension SolvedComposition {
  /// The frame of an item in points; in a section that scrolls across, where it is now.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: O(log s) for s sections, and that of the section's body.
  public func frame(ofItem index: Int) -> Rect {
    let (section, item) = position(of: index)
    let begin = firstPixel(ofSection: section)
    return space.rect(
      placed(
        sections[section].body.frame(ofItem: item), sections[section].bodyStart + begin, sections[section].bodyCross))
  }

  /// What lies over what: 1 in a section with a background, otherwise 0, and what its group adds.
  ///
  /// - Precondition: There is such an item.
  public func zIndex(ofItem index: Int) -> Int {
    let (section, item) = position(of: index)
    return sections[section].rules.promotion + sections[section].body.zIndex(ofItem: item)
  }

  /// The smallest index of an item that shares a point with a rectangle, or nothing.
  ///
  /// - Complexity: O(log s) for s sections, and for each section in the rectangle up to the first with such an item that
  ///   of its body; in a rectangle as broad as the content that is most often one.
  public func firstItem(in rect: Rect) -> Int? {
    guard let wanted = space.pixels(touching: rect), itemCounts.total > 0 else { return nil }
    let end = wanted.end(scrollAxis)
    var section = self.section(at: wanted.start(scrollAxis))
    var begin = firstPixel(ofSection: section)
    while begin < end {
      let items = itemCounts.items(inSection: section)
      if !items.isEmpty, let item = firstItem(of: section, from: begin, in: wanted) { return items.lowerBound + item }
      guard let next = nextSection(behind: section) else { return nil }
      begin = next == section + 1 ? begin + lengths[section] : firstPixel(ofSection: next)
      section = next
    }
    return nil
  }

  /// The largest index of an item that shares a point with a rectangle, or nothing.
  ///
  /// - Complexity: That of ``firstItem(in:)``.
  public func lastItem(in rect: Rect) -> Int? {
    guard let wanted = space.pixels(touching: rect), itemCounts.total > 0 else { return nil }
    var section = self.section(at: wanted.end(scrollAxis) - 1)
    while true {
      let items = itemCounts.items(inSection: section)
      let begin = firstPixel(ofSection: section)
      if !items.isEmpty, let item = lastItem(of: section, from: begin, in: wanted) { return items.lowerBound + item }
      guard begin > wanted.start(scrollAxis), items.lowerBound > 0 else { return nil }
      section = position(of: items.lowerBound - 1).section
    }
  }

  /// Calls back with each run of items of which one or more share a point with a rectangle: ascending, apart.
  ///
  /// - Complexity: That of ``firstItem(in:)`` and ``lastItem(in:)`` for each section in the rectangle.
  public func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void) {
    guard let wanted = space.pixels(touching: rect), itemCounts.total > 0 else { return }
    let end = wanted.end(scrollAxis)
    var section = self.section(at: wanted.start(scrollAxis))
    var begin = firstPixel(ofSection: section)
    var run = 0..<0
    while begin < end {
      let items = itemCounts.items(inSection: section)
      if !items.isEmpty, let first = firstItem(of: section, from: begin, in: wanted),
        let last = lastItem(of: section, from: begin, in: wanted)
      {
        let found = (items.lowerBound + first)..<(items.lowerBound + last + 1)
        if !run.isEmpty, run.upperBound == found.lowerBound {
          run = run.lowerBound..<found.upperBound
        } else {
          if !run.isEmpty { visit(run) }
          run = found
        }
      }
      guard let next = nextSection(behind: section) else { break }
      begin = next == section + 1 ? begin + lengths[section] : firstPixel(ofSection: next)
      section = next
    }
    if !run.isEmpty { visit(run) }
  }

  // MARK: Sections

  /// The section of an item and its place there.
  ///
  /// - Precondition: There is such an item, and its section was solved for it.
  func position(of index: Int) -> (section: Int, item: Int) {
    guard let (section, item) = itemCounts.position(of: index) else {
      failPrecondition("There is no item \(index) among \(itemCounts.total).")
    }
    checkPrecondition(
      item < sections[section].itemCount,
      "Section \(section) was solved for \(sections[section].itemCount) items and has"
        + " \(itemCounts.items(inSection: section).count) since an update that names no edits of it.")
    return (section, item)
  }

  /// The last section that begins at or before a line along the scroll axis, or the first.
  func section(at line: Int) -> Int { lengths.index(at: line - firstStart).place }

  /// The next section that has items.
  private func nextSection(behind section: Int) -> Int? {
    let next = section + 1
    guard next < itemCounts.numberOfSections else { return nil }
    let items = itemCounts.items(inSection: next)
    return items.isEmpty ? itemCounts.position(of: items.lowerBound)?.section : next
  }

  private func firstItem(of section: Int, from begin: Int, in wanted: PixelFrame) -> Int? {
    guard let local = local(wanted, in: section, from: begin) else { return nil }
    return sections[section].body.firstItem(in: local)
  }

  private func lastItem(of section: Int, from begin: Int, in wanted: PixelFrame) -> Int? {
    guard let local = local(wanted, in: section, from: begin) else { return nil }
    return sections[section].body.lastItem(in: local)
  }

  /// A rectangle of the content as a section's body counts it; of one that scrolls across what is seen through its
  /// strip.
  func local(_ frame: PixelFrame, in section: Int, from begin: Int, grownBy reach: Int = 0) -> PixelFrame? {
    guard let window = window(frame, in: section, from: begin) else { return nil }
    return placed(window.grown(by: reach), -begin - sections[section].bodyStart, -sections[section].bodyCross)
      .clamped(to: ContentSpace.farthest)
  }

  /// What of a rectangle shows a section's items: all of it, or what lies within the strip of one that scrolls across.
  func window(_ frame: PixelFrame, in section: Int, from begin: Int) -> PixelFrame? {
    guard sections[section].isOrthogonal else { return frame }
    let strip = strip(of: section, from: begin)
    guard !strip.isEmpty, frame.intersects(strip) else { return nil }
    return PixelFrame(
      minX: max(frame.minX, strip.minX), minY: max(frame.minY, strip.minY), maxX: min(frame.maxX, strip.maxX),
      maxY: min(frame.maxY, strip.maxY))
  }

  /// What a section that scrolls across is seen through.
  func strip(of section: Int, from begin: Int) -> PixelFrame {
    let along = begin + sections[section].bodyStart
    let across = sections[section].breadth.lowerBound + sections[section].boundary.nearSide
    return placed(
      scrollAxis == .vertical
        ? PixelFrame(minX: 0, minY: 0, maxX: sections[section].strip.seen, maxY: sections[section].bodyLength)
        : PixelFrame(minX: 0, minY: 0, maxX: sections[section].bodyLength, maxY: sections[section].strip.seen),
      along, across)
  }

  /// A frame moved along the scroll axis and across it.
  @inline(__always)
  func placed(_ frame: PixelFrame, _ along: Int, _ across: Int) -> PixelFrame {
    scrollAxis == .vertical ? frame.offset(x: across, y: along) : frame.offset(x: along, y: across)
  }
}
