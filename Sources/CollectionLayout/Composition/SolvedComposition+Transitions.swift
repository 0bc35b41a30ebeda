public import VitrineGeometry

extension SolvedComposition {
  // MARK: - The end of scrolling

  /// Returns the offset at which scrolling ends after a drag or a fling.
  ///
  /// The section at the center of the viewport decides, if it does not scroll orthogonally.
  ///
  /// - Complexity: O(log s) for s sections, plus that of the section's layout or handler.
  public func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double {
    guard adjustsTargetContentOffset, proposed.isFinite, itemCounts.total > 0 else { return proposed }
    let isMirrored = scrollAxis == .horizontal && space.mirrorWidth != nil
    let line = isMirrored ? contentSize[scrollAxis] - proposed - viewportLength : proposed
    let section = self.section(at: space.nearestEdge(line + viewportLength / 2))
    guard sections[section].adjustsTargetContentOffset, sections[section].itemCount > 0 else { return proposed }
    // Where the container begins if the items begin at the container's start.
    let start = space.points(
      firstPixel(ofSection: section) + sections[section].boundary.start - container.startInset)
    let target = sections[section].targetContentOffset(
      line - start, velocity: isMirrored ? -velocity : velocity,
      visibleLength: space.points(max(0, sections[section].visibleLength(in: container.length))))
    guard target != line - start else { return proposed }
    return isMirrored ? contentSize[scrollAxis] - (target + start) - viewportLength : target + start
  }

  // MARK: - Updates

  /// Returns the attributes from which an element appears in an animated update, or nil for the default.
  ///
  /// - Complexity: O(log s) for s sections, plus that of the section's layout and handler.
  public func initialLayoutAttributes(
    forAppearing element: VisibleItem.Name, at frame: Rect
  ) -> TransitionAttributes? {
    transitionAttributes(of: element, at: frame, isAppearing: true)
  }

  /// Returns the attributes to which an element disappears in an animated update, or nil for the default.
  ///
  /// - Complexity: O(log s) for s sections, plus that of the section's layout and handler.
  public func finalLayoutAttributes(
    forDisappearing element: VisibleItem.Name, at frame: Rect
  ) -> TransitionAttributes? {
    transitionAttributes(of: element, at: frame, isAppearing: false)
  }

  private func transitionAttributes(
    of element: VisibleItem.Name, at frame: Rect, isAppearing: Bool
  ) -> TransitionAttributes? {
    let section: Int
    var attributes: TransitionAttributes?
    switch element {
    case .item(let index):
      guard let position = itemCounts.position(of: index), position.item < sections[position.section].itemCount else {
        return nil
      }
      section = position.section
      attributes = sections[section].body.transitionAttributes(ofItem: position.item, isAppearing: isAppearing)
        .map { content($0, ofSection: section) }
    case .element(let identity):
      guard let number = identity.section, sections.indices.contains(number) else { return nil }
      section = number
    }
    let handlers = sections[section].rules.handlers
    guard let handler = isAppearing ? handlers?.initialAttributes : handlers?.finalAttributes else { return attributes }
    var changed =
      attributes
      ?? (isAppearing && element.isItem ? .appearing(at: frame) : TransitionAttributes.transparent(at: frame))
    handler(element, &changed, environment)
    return changed.isValid ? changed : attributes
  }

  /// Returns attributes in the coordinates of a section's items in those of the content.
  private func content(_ attributes: TransitionAttributes, ofSection section: Int) -> TransitionAttributes {
    let scale = environment.scale.pixelsPerPoint
    func pixel(_ edge: Double) -> Int {
      let limit = Double(2 * ClientLimits.length)
      return PixelEdge.nearest(max(-limit, min(edge * scale, limit)))
    }
    let rect = attributes.frame
    let pixels = PixelFrame(
      minX: pixel(rect.minX), minY: pixel(rect.minY), maxX: pixel(rect.maxX), maxY: pixel(rect.maxY))
    let frame = space.rect(
      placed(pixels, firstPixel(ofSection: section) + sections[section].bodyStart, sections[section].bodyCross))
    guard space.mirrorWidth == nil else { return attributes.mirrored(at: frame) }
    return TransitionAttributes(frame: frame, alpha: attributes.alpha, transform: attributes.transform)
  }
}

extension VisibleItem.Name {
  /// Whether the element is the cell of an item.
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
