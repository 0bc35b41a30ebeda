internal import Geometry

/// How much of a section that scrolls across is seen, how far it is scrolled, and where it comes to rest.
///
/// In whole pixels along the section's own flow. An offset of 0 shows the beginning of the content; group starts are
/// those of the body, which begins behind ``lead``.
struct OrthogonalStrip: Hashable, Sendable {
  /// How far it is scrolled.
  var offset = 0
  /// How much is seen at once.
  private(set) var seen = 0
  /// Before the body.
  private(set) var lead = 0
  /// How long the content is: the body and what is around it.
  private(set) var contentLength = 0
  private var spacing = 0
  private var bodyLength = 0
  private var behavior = OrthogonalScrollingBehavior.none

  /// The largest offset at which nothing is seen beyond the content.
  var maximumOffset: Int { max(0, contentLength - seen) }

  /// Takes over how long a body is.
  ///
  /// Where groups come to rest in the middle, there is room before the first and behind the last for them to do so.
  mutating func measure(
    _ body: any SectionBody, seen: Int, insets: (near: Int, far: Int), spacing: Int,
    behavior: OrthogonalScrollingBehavior
  ) {
    self.seen = max(0, seen)
    self.spacing = spacing
    self.behavior = behavior
    bodyLength = body.length
    var (near, far) = insets
    if behavior == .groupPagingCentered, let first = group(at: 0, of: body), let last = group(at: .max, of: body) {
      near = max(near, (self.seen - first.count) / 2)
      far = max(far, self.seen - last.count - (self.seen - last.count) / 2)
    }
    lead = near
    contentLength = near + bodyLength + far
  }

  /// Where the section comes to rest.
  ///
  /// - Parameters:
  ///   - from: the offset at which it rested before it was touched.
  ///   - proposed: where it would come to a stop by itself.
  ///   - flick: the sign of the speed at which it was let go; 0 when it was let go at rest.
  ///   - body: the section's body.
  func restingOffset(from: Int, proposed: Int, flick: Int, of body: any SectionBody) -> Int {
    let proposed = bounded(proposed)
    let from = bounded(from)
    switch behavior {
    case .none, .continuous: return proposed
    case .continuousGroupLeadingBoundary: return nearestRest(to: proposed, of: body)
    case .paging:
      guard seen > 0 else { return proposed }
      let before = bounded((from + seen - 1) / seen * seen - seen)
      let behind = bounded(from / seen * seen + seen)
      let nearest = bounded((2 * proposed + seen) / (2 * seen) * seen)
      return turned(nearest, from: from, flick: flick, before: before, behind: behind)
    case .groupPaging, .groupPagingCentered:
      return turned(
        nearestRest(to: proposed, of: body), from: from, flick: flick, before: rest(before: from, of: body),
        behind: rest(behind: from, of: body))
    }
  }

  // MARK: Resting offsets

  /// One page at most; a flick turns one, however short.
  private func turned(_ nearest: Int, from: Int, flick: Int, before: Int, behind: Int) -> Int {
    if flick > 0, nearest <= from { return behind }
    if flick < 0, nearest >= from { return before }
    return max(before, min(nearest, behind))
  }

  private func bounded(_ offset: Int) -> Int { max(0, min(offset, maximumOffset)) }

  /// The pixels of the group around a line of the body; the gap behind a group belongs to it.
  private func group(at line: Int, of body: any SectionBody) -> Range<Int>? {
    guard bodyLength > 0, let starts = body.groupStarts(around: max(0, min(line, bodyLength - 1))) else { return nil }
    let end = starts.behind.map { $0 - spacing } ?? bodyLength
    return starts.atOrBefore..<max(starts.atOrBefore, end)
  }

  /// The offset at which a group rests: where the first one stood at the beginning, or in the middle.
  private func rest(of group: Range<Int>) -> Int {
    guard behavior == .groupPagingCentered else { return bounded(group.lowerBound) }
    return bounded(lead + group.lowerBound - (seen - group.count) / 2)
  }

  /// The line of the body at which a group is looked for that would rest at an offset.
  private func line(at offset: Int) -> Int {
    behavior == .groupPagingCentered ? offset + seen / 2 - lead : offset
  }

  private func nearestRest(to offset: Int, of body: any SectionBody) -> Int {
    guard let group = group(at: line(at: offset), of: body) else { return offset }
    var best = rest(of: group)
    for neighbour in [self.group(before: group, of: body), self.group(behind: group, of: body)] {
      guard let neighbour else { continue }
      let rest = rest(of: neighbour)
      if (rest - offset).magnitude < (best - offset).magnitude { best = rest }
    }
    return best
  }

  /// The last resting offset before another offset, or the first of all.
  private func rest(before offset: Int, of body: any SectionBody) -> Int {
    guard offset > 0 else { return 0 }
    var candidate = group(at: line(at: offset), of: body)
    while let group = candidate {
      if rest(of: group) < offset { return rest(of: group) }
      candidate = self.group(before: group, of: body)
    }
    return 0
  }

  /// The first resting offset behind another offset, or the last of all.
  private func rest(behind offset: Int, of body: any SectionBody) -> Int {
    guard offset < maximumOffset else { return maximumOffset }
    var candidate = group(at: line(at: offset), of: body)
    while let group = candidate {
      if rest(of: group) > offset { return rest(of: group) }
      candidate = self.group(behind: group, of: body)
    }
    return maximumOffset
  }

  private func group(before group: Range<Int>, of body: any SectionBody) -> Range<Int>? {
    group.lowerBound > 0 ? self.group(at: group.lowerBound - 1, of: body) : nil
  }

  private func group(behind group: Range<Int>, of body: any SectionBody) -> Range<Int>? {
    guard let behind = body.groupStarts(around: group.lowerBound)?.behind, behind < bodyLength else { return nil }
    return self.group(at: behind, of: body)
  }
}
