internal import DataStructures

extension JustifiedBody {
  /// So many runs of edits have their rows broken at once; more wait until they are settled.
  private static let mostMended = 16

  /// Takes edits in.
  ///
  /// - Precondition: The edits are of items that there are.
  /// - Complexity: O(k log n + m / 256) for k runs that hold m items of n; few runs ask for the ratios of what is new
  ///   in their segments, and break those segments' rows.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard let content = content as? JustifiedContent, JustifiedRules(content, in: room) == rules else { return false }
    take(content)
    let runs = edits.removals.count + edits.insertions.count + edits.changes.count
    let mends = runs <= JustifiedBody.mostMended
    for items in edits.removals.reversed() where !items.isEmpty {
      let segment = remove(items)
      if mends { mend(around: segment) }
    }
    for items in edits.insertions where !items.isEmpty {
      let segment = insert(items)
      if mends { mend(around: segment) }
    }
    for items in edits.changes where !items.isEmpty {
      let segments = change(items)
      if mends { for segment in segments { mend(around: segment) } }
    }
    return true
  }

  func cost(of edits: SectionEdits) -> Int {
    let runs = edits.removals + edits.insertions + edits.changes
    return min(itemCount + max(0, edits.growth), runs.count * rules.segmentSize)
      + runs.reduce(0) { $0 + $1.count / rules.segmentSize }
  }

  /// Takes items out, and tells the segment where they were.
  private mutating func remove(_ items: Range<Int>) -> Int {
    demandItems(items)
    let rules = rules
    let first = segments.position(ofElement: items.lowerBound)
    let last = segments.position(ofElement: items.upperBound - 1)
    let start = items.lowerBound - first.firstElement
    let end = items.upperBound - last.firstElement
    if first.leaf == last.leaf, items.count < segments[first].count {
      edit(first.leaf) { $0.remove(start..<end, rules) }
    } else {
      let left = segments[first].part(0..<start, rules)
      let right = segments[last].part(end..<segments[last].count, rules)
      replace(first.leaf..<(last.leaf + 1), with: [left, right].filter { $0.count > 0 })
    }
    tidy(around: first.leaf)
    keepLastRow()
    return first.leaf
  }

  /// Takes new items in, and tells a segment where they are.
  private mutating func insert(_ items: Range<Int>) -> Int {
    checkPrecondition(
      items.lowerBound >= 0 && items.lowerBound <= itemCount,
      "An update inserts items \(items) of a justified section that then has \(itemCount) before them.")
    guard itemCount > 0 else {
      replace(0..<0, with: newSegments(of: items.count))
      return 0
    }
    let position = segments.position(ofElement: items.lowerBound)
    let place = items.lowerBound - position.firstElement
    if items.count <= rules.segmentSize {
      let rules = rules
      let ratio = content.aspectRatio
      edit(position.leaf) { segment in
        segment.insert(items.count, { rules.share(ofRatio: ratio(items.lowerBound + $0)) }, at: place, rules)
      }
      tidy(around: position.leaf)
      return position.leaf
    }
    let whole = segments[position]
    var left = whole.part(0..<place, rules)
    // It is the section's last no more.
    if left.isLast { left.forgetRows(rules) }
    let right = whole.part(place..<whole.count, rules)
    let middle = newSegments(of: items.count)
    replace(
      position.leaf..<(position.leaf + 1),
      with: (left.count > 0 ? [left] : []) + middle + (right.count > 0 ? [right] : []))
    tidy(around: position.leaf + middle.count + 1)
    tidy(around: position.leaf)
    return position.leaf
  }

  /// Asks for the ratios of items again where they were asked; tells the segments that hold them.
  private mutating func change(_ items: Range<Int>) -> ClosedRange<Int> {
    demandItems(items)
    let first = segments.position(ofElement: items.lowerBound).leaf
    let last = segments.position(ofElement: items.upperBound - 1).leaf
    let rules = rules
    let ratio = content.aspectRatio
    for segment in first...last {
      let before = segments.position(ofLeaf: segment).firstElement
      edit(segment) { segment in
        let changed = max(0, items.lowerBound - before)..<min(segment.count, items.upperBound - before)
        if changed.count == segment.count && first < last {
          segment.forget(rules)
        } else {
          segment.change(changed, { rules.share(ofRatio: ratio(before + $0)) }, rules)
        }
      }
    }
    return first...last
  }

  /// Splits a segment that became too large; joins one that became too small with a neighbour, best one that is as well
  /// known.
  private mutating func tidy(around index: Int) {
    for index in [index + 1, index] where index < segments.leafCount {
      let segment = segments[leaf: index]
      if segment.count > 2 * rules.segmentSize {
        replace(index..<(index + 1), with: segment.parts(rules))
      } else if segment.count < rules.segmentSize / 2, segments.leafCount > 1 {
        let joinsNext =
          index == 0
          || (index + 1 < segments.leafCount && segments[leaf: index - 1].isRead != segment.isRead)
        let first = joinsNext ? index : index - 1
        let joined = segments[leaf: first].joined(segments[leaf: first + 1], rules)
        replace(first..<(first + 2), with: joined.count > 2 * rules.segmentSize ? joined.parts(rules) : [joined])
      }
    }
  }

  /// A segment that became the section's last breaks its rows anew: its last row is not stretched.
  private mutating func keepLastRow() {
    guard let last = (0..<segments.leafCount).last else { return }
    let segment = segments[leaf: last]
    guard segment.isBroken, !segment.isLast else { return }
    let rules = rules
    edit(last) { $0.forgetRows(rules) }
    mend(around: last)
  }

  private func demandItems(_ items: Range<Int>) {
    checkPrecondition(
      items.lowerBound >= 0 && items.upperBound <= itemCount,
      "An update names items \(items) of a justified section that has \(itemCount).")
  }
}
