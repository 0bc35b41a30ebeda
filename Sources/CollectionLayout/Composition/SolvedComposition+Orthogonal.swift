public import Geometry

extension SolvedComposition {
  /// How fast a section must be let go, in points a second, to turn a page by that alone.
  static let flickVelocity = 100.0

  /// The section that scrolls across, by its number, or nothing where it does not.
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
      behavior: sections[section].rules.orthogonalScrollingBehavior)
  }

  /// The section that scrolls across at a point of the content, if there is one.
  ///
  /// - Complexity: O(log s) for s sections.
  public func orthogonalSection(at point: Point) -> OrthogonalSection? {
    guard !sections.isEmpty,
      let pixel = space.pixels(touching: Rect(origin: point, size: Size(width: 1e-6, height: 1e-6))),
      let found = orthogonalSection(section(at: pixel.start(scrollAxis))), found.frame.contains(point)
    else { return nil }
    return found
  }

  /// Scrolls a section across: its beginning is where reading begins; nothing happens where a section does not.
  ///
  /// Beyond its ends it is scrolled by no more than what is seen of it at once. It comes to stand on a whole pixel.
  ///
  /// - Parameter offset: points from the beginning of its content; what is no number is ignored.
  /// - Complexity: O(1).
  public mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    guard sections.indices.contains(section), sections[section].isOrthogonal, !offset.isNaN else { return }
    sections[section].scroll(to: space.nearestEdge(offset))
  }

  /// Where a section that scrolls across comes to rest.
  ///
  /// By its behaviour, and always within its content:
  /// - continuous: where it would come to a stop by itself.
  /// - continuousGroupLeadingBoundary: where the group nearest to there begins.
  /// - paging: at a multiple of what is seen at once, the nearest to there, at most one before or behind where it rested.
  /// - groupPaging: where a group begins, the nearest to there, at most one before or behind where it rested.
  /// - groupPagingCentered: where a group is in the middle, by the same rule.
  ///
  /// With paging, one that was let go at ``flickVelocity`` or faster turns a page that way even where the nearest is the
  /// one at which it rested. A group begins where the first one stood at an offset of 0.
  ///
  /// - Complexity: O(log s) for s sections, and that of a few questions to the section's body.
  public func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double {
    guard sections.indices.contains(section), sections[section].isOrthogonal else { return 0 }
    let flick = velocity >= SolvedComposition.flickVelocity ? 1 : velocity <= -SolvedComposition.flickVelocity ? -1 : 0
    return space.points(
      sections[section].strip.restingOffset(
        from: space.nearestEdge(offset), proposed: space.nearestEdge(proposed.isNaN ? offset : proposed), flick: flick,
        of: sections[section].body))
  }
}
