public import VitrineGeometry

extension SolvedComposition {
  /// The minimum velocity of a flick that turns a page, in points per second.
  static let flickVelocity = 100.0

  /// Returns the state of a section that scrolls orthogonally, or nil if it does not.
  ///
  /// - Complexity: O(log s) for s sections.
  public func orthogonalSection(_ section: Int) -> OrthogonalSection? {
    guard sections.indices.contains(section), sections[section].isOrthogonal, !sections[section].isHidden else {
      return nil
    }
    let strip = sections[section].strip
    return OrthogonalSection(
      section: section, frame: space.rect(self.strip(of: section, from: firstPixel(ofSection: section))),
      axis: scrollAxis.cross, contentLength: space.points(strip.contentLength), offset: space.points(strip.offset),
      behavior: sections[section].rules.orthogonalScrollingBehavior,
      properties: sections[section].rules.orthogonalScrollingProperties)
  }

  /// Returns the orthogonal section at a point of the content, or nil if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func orthogonalSection(at point: Point) -> OrthogonalSection? {
    guard !sections.isEmpty,
      let pixel = space.pixels(touching: Rect(origin: point, size: Size(width: 1e-6, height: 1e-6))),
      let found = orthogonalSection(section(at: pixel.start(scrollAxis))), found.frame.contains(point)
    else { return nil }
    return found
  }

  /// Scrolls an orthogonal section.
  ///
  /// Does nothing if the section does not scroll orthogonally. The offset is rounded to a whole pixel and may exceed
  /// the bounds by at most the visible length.
  ///
  /// - Parameters:
  ///   - offset: The offset in points from the start of the section's content. NaN is ignored.
  ///   - section: The index of the section.
  /// - Complexity: O(1).
  public mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    guard sections.indices.contains(section), sections[section].isOrthogonal, !offset.isNaN else { return }
    sections[section].scroll(to: space.nearestEdge(offset))
  }

  /// Returns the offset at which an orthogonal section comes to rest.
  ///
  /// The offset depends on the behavior and is always within the content:
  /// - `continuous`: the proposed offset.
  /// - `continuousGroupLeadingBoundary`: the start of the nearest group.
  /// - `paging`: the nearest multiple of the visible length, at most one before or after the previous resting offset.
  /// - `groupPaging`: the start of the nearest group, at most one before or after the previous resting offset.
  /// - `groupPagingCentered`: like `groupPaging`, with the group centered.
  ///
  /// With the paging behaviors, a velocity of at least `flickVelocity` turns a page even if the nearest offset is the
  /// previous one. A group starts where the first group is at an offset of 0.
  ///
  /// - Complexity: O(log s) for s sections, plus that of a few queries of the section's body.
  public func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double {
    guard sections.indices.contains(section), sections[section].isOrthogonal else { return 0 }
    let flickDirection =
      velocity >= SolvedComposition.flickVelocity ? 1 : velocity <= -SolvedComposition.flickVelocity ? -1 : 0
    let resting = sections[section].strip.restingOffset(
      from: space.nearestEdge(offset), proposed: space.nearestEdge(proposed.isNaN ? offset : proposed),
      flickDirection: flickDirection, of: sections[section].body)
    let start = sections[section].orthogonalStart
    let target = sections[section].targetContentOffset(
      space.points(resting - start), velocity: velocity,
      visibleLength: space.points(sections[section].visibleLength(in: container.length)))
    return space.points(max(0, min(space.nearestEdge(target) + start, sections[section].strip.maximumOffset)))
  }
}
