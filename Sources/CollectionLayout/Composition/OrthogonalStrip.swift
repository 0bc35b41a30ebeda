/// The visible part and the scroll offset of a section that scrolls orthogonally, with its resting offsets.
///
/// Lengths are in whole pixels along the flow axis of the section. At an offset of 0 the start of the content is
/// visible. Group starts are relative to the body, which starts at ``leadingInset``.
struct OrthogonalStrip: Hashable, Sendable {
  /// The scroll offset.
  var offset = 0
  /// The visible length.
  private(set) var viewportLength = 0
  /// The length of the content before the body.
  private(set) var leadingInset = 0
  /// The length of the content: the body and its insets.
  private(set) var contentLength = 0
  private var spacing = 0
  private var bodyLength = 0
  private var behavior = OrthogonalScrollingBehavior.none

  /// The largest offset at which nothing beyond the content is visible.
  var maximumOffset: Int { max(0, contentLength - viewportLength) }

  /// Updates the lengths for a body.
  ///
  /// If groups are centered, the insets are large enough to center the first and the last group.
  mutating func measure(
    _ body: any SectionBody, viewportLength: Int, insets: (leading: Int, trailing: Int), spacing: Int,
    behavior: OrthogonalScrollingBehavior
  ) {
    self.viewportLength = max(0, viewportLength)
    self.spacing = spacing
    self.behavior = behavior
    bodyLength = body.length
    var (leading, trailing) = insets
    if behavior == .groupPagingCentered, let first = group(at: 0, of: body), let last = group(at: .max, of: body) {
      leading = max(leading, (self.viewportLength - first.count) / 2)
      trailing = max(trailing, self.viewportLength - last.count - (self.viewportLength - last.count) / 2)
    }
    leadingInset = leading
    contentLength = leading + bodyLength + trailing
  }

  /// Returns the offset at which the section comes to rest.
  ///
  /// - Parameters:
  ///   - from: The resting offset before the gesture.
  ///   - proposed: The offset at which scrolling would end by itself.
  ///   - flickDirection: The sign of the velocity at the end of the gesture, or 0 if it is below the flick velocity.
  ///   - body: The section's body.
  func restingOffset(from: Int, proposed: Int, flickDirection: Int, of body: any SectionBody) -> Int {
    let proposed = bounded(proposed)
    let from = bounded(from)
    switch behavior {
    case .none, .continuous: return proposed
    case .continuousGroupLeadingBoundary: return nearestRestingOffset(to: proposed, of: body)
    case .paging:
      guard viewportLength > 0 else { return proposed }
      let previous = bounded((from + viewportLength - 1) / viewportLength * viewportLength - viewportLength)
      let next = bounded(from / viewportLength * viewportLength + viewportLength)
      let nearest = bounded((2 * proposed + viewportLength) / (2 * viewportLength) * viewportLength)
      return pagedOffset(nearest, from: from, flickDirection: flickDirection, previous: previous, next: next)
    case .groupPaging, .groupPagingCentered:
      return pagedOffset(
        nearestRestingOffset(to: proposed, of: body), from: from, flickDirection: flickDirection,
        previous: restingOffset(before: from, of: body),
        next: restingOffset(after: from, of: body))
    }
  }

  // MARK: - Resting offsets

  /// Limits an offset to one page from the start offset; a flick moves by one page, however short it is.
  private func pagedOffset(_ nearest: Int, from: Int, flickDirection: Int, previous: Int, next: Int) -> Int {
    if flickDirection > 0, nearest <= from { return next }
    if flickDirection < 0, nearest >= from { return previous }
    return max(previous, min(nearest, next))
  }

  private func bounded(_ offset: Int) -> Int { max(0, min(offset, maximumOffset)) }

  /// Returns the range of the group at a line of the body; the space after a group belongs to it.
  private func group(at line: Int, of body: any SectionBody) -> Range<Int>? {
    guard bodyLength > 0, let starts = body.groupStarts(around: max(0, min(line, bodyLength - 1))) else { return nil }
    let end = starts.after.map { $0 - spacing } ?? bodyLength
    return starts.atOrBefore..<max(starts.atOrBefore, end)
  }

  /// Returns the offset at which a group is at the leading edge or centered.
  private func restingOffset(of group: Range<Int>) -> Int {
    guard behavior == .groupPagingCentered else { return bounded(group.lowerBound) }
    return bounded(leadingInset + group.lowerBound - (viewportLength - group.count) / 2)
  }

  /// Returns the line of the body at the leading edge or the center of the viewport.
  private func line(at offset: Int) -> Int {
    behavior == .groupPagingCentered ? offset + viewportLength / 2 - leadingInset : offset
  }

  private func nearestRestingOffset(to offset: Int, of body: any SectionBody) -> Int {
    guard let group = group(at: line(at: offset), of: body) else { return offset }
    var best = restingOffset(of: group)
    for neighbour in [self.group(before: group, of: body), self.group(after: group, of: body)] {
      guard let neighbour else { continue }
      let candidate = restingOffset(of: neighbour)
      if (candidate - offset).magnitude < (best - offset).magnitude { best = candidate }
    }
    return best
  }

  /// Returns the last resting offset before an offset, or the first one.
  private func restingOffset(before offset: Int, of body: any SectionBody) -> Int {
    guard offset > 0 else { return 0 }
    var candidate = group(at: line(at: offset), of: body)
    while let group = candidate {
      if restingOffset(of: group) < offset { return restingOffset(of: group) }
      candidate = self.group(before: group, of: body)
    }
    return 0
  }

  /// Returns the first resting offset after an offset, or the last one.
  private func restingOffset(after offset: Int, of body: any SectionBody) -> Int {
    guard offset < maximumOffset else { return maximumOffset }
    var candidate = group(at: line(at: offset), of: body)
    while let group = candidate {
      if restingOffset(of: group) > offset { return restingOffset(of: group) }
      candidate = self.group(after: group, of: body)
    }
    return maximumOffset
  }

  private func group(before group: Range<Int>, of body: any SectionBody) -> Range<Int>? {
    group.lowerBound > 0 ? self.group(at: group.lowerBound - 1, of: body) : nil
  }

  private func group(after group: Range<Int>, of body: any SectionBody) -> Range<Int>? {
    guard let next = body.groupStarts(around: group.lowerBound)?.after, next < bodyLength else { return nil }
    return self.group(at: next, of: body)
  }
}
