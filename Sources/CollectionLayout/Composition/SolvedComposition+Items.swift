internal import VitrineDataStructures
public import VitrineGeometry

extension SolvedComposition {
  /// Returns the current frame of an item in points.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(log s) for s sections, plus that of the section's body.
  public func frame(ofItem index: Int) -> Rect {
    let (section, item) = position(of: index)
    let begin = firstPixel(ofSection: section)
    return space.rect(
      placed(
        sections[section].body.frame(ofItem: item), sections[section].bodyStart + begin, sections[section].bodyCross))
  }

  /// Returns the stacking order of an item: that in its group, plus 1 in a section with a background.
  ///
  /// - Precondition: The item exists.
  public func zIndex(ofItem index: Int) -> Int {
    let (section, item) = position(of: index)
    return sections[section].rules.zIndexOffset + sections[section].body.zIndex(ofItem: item)
  }

  /// Returns the smallest index of an item that intersects a rectangle, or nil if there is none.
  ///
  /// - Complexity: O(log s) for s sections, plus a query of the body of each section in the rectangle up to the first
  ///   that contains such an item, which is usually one if the rectangle spans the content.
  public func firstItem(in rect: Rect) -> Int? {
    guard let pixels = space.pixels(touching: rect), itemCounts.total > 0 else { return nil }
    let end = pixels.end(scrollAxis)
    var section = self.section(at: pixels.start(scrollAxis))
    var begin = firstPixel(ofSection: section)
    while begin < end {
      let items = itemCounts.items(inSection: section)
      if !items.isEmpty, let item = firstItem(of: section, from: begin, in: pixels) { return items.lowerBound + item }
      guard let next = nextSection(after: section) else { return nil }
      begin = next == section + 1 ? begin + lengths[section] : firstPixel(ofSection: next)
      section = next
    }
    return nil
  }

  /// Returns the largest index of an item that intersects a rectangle, or nil if there is none.
  ///
  /// - Complexity: That of ``firstItem(in:)``.
  public func lastItem(in rect: Rect) -> Int? {
    guard let pixels = space.pixels(touching: rect), itemCounts.total > 0 else { return nil }
    var section = self.section(at: pixels.end(scrollAxis) - 1)
    while true {
      let items = itemCounts.items(inSection: section)
      let begin = firstPixel(ofSection: section)
      if !items.isEmpty, let item = lastItem(of: section, from: begin, in: pixels) { return items.lowerBound + item }
      guard begin > pixels.start(scrollAxis), items.lowerBound > 0 else { return nil }
      section = position(of: items.lowerBound - 1).section
    }
  }

  /// Calls a closure with each run of items that intersect a rectangle, as ascending disjoint ranges.
  ///
  /// - Complexity: O(log s) for s sections, plus a query of the body of each section in the rectangle.
  public func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void) {
    guard let pixels = space.pixels(touching: rect), itemCounts.total > 0 else { return }
    let end = pixels.end(scrollAxis)
    var section = self.section(at: pixels.start(scrollAxis))
    var begin = firstPixel(ofSection: section)
    var run = 0..<0
    while begin < end {
      let items = itemCounts.items(inSection: section)
      if !items.isEmpty, let local = local(pixels, in: section, from: begin) {
        sections[section].body.visitRuns(in: local) { part in
          let found = (items.lowerBound + part.lowerBound)..<(items.lowerBound + part.upperBound)
          if !run.isEmpty, run.upperBound == found.lowerBound {
            run = run.lowerBound..<found.upperBound
          } else {
            if !run.isEmpty { visit(run) }
            run = found
          }
        }
      }
      guard let next = nextSection(after: section) else { break }
      begin = next == section + 1 ? begin + lengths[section] : firstPixel(ofSection: next)
      section = next
    }
    if !run.isEmpty { visit(run) }
  }

  // MARK: - Sections

  /// Returns the section of an item and its position in that section.
  ///
  /// - Precondition: The item exists, and its section was solved for it.
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

  /// Returns the last section that starts at or before a line along the scroll axis, or the first section.
  func section(at line: Int) -> Int { lengths.index(at: line - firstStart).index }

  /// Returns the next section that has items.
  private func nextSection(after section: Int) -> Int? {
    let next = section + 1
    guard next < itemCounts.numberOfSections else { return nil }
    let items = itemCounts.items(inSection: next)
    return items.isEmpty ? itemCounts.position(of: items.lowerBound)?.section : next
  }

  private func firstItem(of section: Int, from begin: Int, in pixels: PixelFrame) -> Int? {
    guard let local = local(pixels, in: section, from: begin) else { return nil }
    return sections[section].body.firstItem(in: local)
  }

  private func lastItem(of section: Int, from begin: Int, in pixels: PixelFrame) -> Int? {
    guard let local = local(pixels, in: section, from: begin) else { return nil }
    return sections[section].body.lastItem(in: local)
  }

  /// Returns a rectangle of the content in the coordinates of a section's body, clipped to the visible part of an
  /// orthogonal section; nil if it contains no part of the section.
  func local(_ frame: PixelFrame, in section: Int, from begin: Int, grownBy reach: Int = 0) -> PixelFrame? {
    guard let window = window(frame, in: section, from: begin) else { return nil }
    return placed(window.grown(by: reach), -begin - sections[section].bodyStart, -sections[section].bodyCross)
      .clamped(to: ContentSpace.maximumEdge)
  }

  /// Returns the part of a rectangle that may show a section's items, which is limited in an orthogonal section.
  func window(_ frame: PixelFrame, in section: Int, from begin: Int) -> PixelFrame? {
    guard sections[section].isOrthogonal else { return frame }
    let strip = strip(of: section, from: begin)
    guard !strip.isEmpty, frame.intersects(strip) else { return nil }
    return PixelFrame(
      minX: max(frame.minX, strip.minX), minY: max(frame.minY, strip.minY), maxX: min(frame.maxX, strip.maxX),
      maxY: min(frame.maxY, strip.maxY))
  }

  /// Returns the visible part of an orthogonal section.
  func strip(of section: Int, from begin: Int) -> PixelFrame {
    let along = begin + sections[section].bodyStart
    let across = sections[section].breadth.lowerBound + sections[section].boundary.crossStart
    return placed(
      scrollAxis == .vertical
        ? PixelFrame(minX: 0, minY: 0, maxX: sections[section].strip.viewportLength, maxY: sections[section].bodyLength)
        : PixelFrame(
          minX: 0, minY: 0, maxX: sections[section].bodyLength, maxY: sections[section].strip.viewportLength),
      along, across)
  }

  /// Returns a frame moved along the scroll axis and the cross axis.
  @inline(__always)
  func placed(_ frame: PixelFrame, _ along: Int, _ across: Int) -> PixelFrame {
    scrollAxis == .vertical ? frame.offset(x: across, y: along) : frame.offset(x: along, y: across)
  }
}
