internal import VitrineDataStructures

extension JustifiedBody {
  /// The maximum number of edited runs whose rows are broken immediately; with more runs, rows are broken when
  /// finalized.
  private static let maximumImmediateRuns = 16

  /// Applies edits of the items.
  ///
  /// - Precondition: The edited items exist.
  /// - Complexity: O(k log n + m / 256) for k runs with m of n items. With few runs, the aspect ratios of new items are
  ///   requested and the rows of their segments are broken.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard let content = content as? JustifiedContent, JustifiedRules(content, in: container) == rules else {
      return false
    }
    setContent(content)
    let runs = edits.removals.count + edits.insertions.count + edits.dataChanges.count
    let breaksRows = runs <= JustifiedBody.maximumImmediateRuns
    for items in edits.removals.reversed() where !items.isEmpty {
      let segment = remove(items)
      if breaksRows { breakRows(around: segment) }
    }
    for items in edits.insertions where !items.isEmpty {
      let segment = insert(items)
      if breaksRows { breakRows(around: segment) }
    }
    for items in edits.dataChanges where !items.isEmpty {
      let segments = change(items)
      if breaksRows { for segment in segments { breakRows(around: segment) } }
    }
    return true
  }

  func cost(of edits: SectionEdits) -> Int {
    let runs = edits.removals + edits.insertions + edits.dataChanges
    return min(itemCount + max(0, edits.countDelta), runs.count * rules.segmentSize)
      + runs.reduce(0) { $0 + $1.count / rules.segmentSize }
  }

  /// Removes items and returns the segment at their position.
  private mutating func remove(_ items: Range<Int>) -> Int {
    checkItems(items)
    let rules = rules
    let first = segments.position(ofElement: items.lowerBound)
    let last = segments.position(ofElement: items.upperBound - 1)
    let start = items.lowerBound - first.firstElement
    let end = items.upperBound - last.firstElement
    if first.leaf == last.leaf, items.count < segments[first].count {
      updateSegment(first.leaf) { $0.remove(start..<end, rules) }
    } else {
      let left = segments[first].part(0..<start, rules)
      let right = segments[last].part(end..<segments[last].count, rules)
      replaceSegments(first.leaf..<(last.leaf + 1), with: [left, right].filter { $0.count > 0 })
    }
    rebalance(around: first.leaf)
    rebreakLastSegment()
    return first.leaf
  }

  /// Inserts items and returns the first segment that contains them.
  private mutating func insert(_ items: Range<Int>) -> Int {
    checkPrecondition(
      items.lowerBound >= 0 && items.lowerBound <= itemCount,
      "An update inserts items \(items) of a justified section that then has \(itemCount) before them.")
    guard itemCount > 0 else {
      replaceSegments(0..<0, with: newSegments(of: items.count))
      return 0
    }
    let position = segments.position(ofElement: items.lowerBound)
    let index = items.lowerBound - position.firstElement
    if items.count <= rules.segmentSize {
      let rules = rules
      let ratio = content.aspectRatio
      updateSegment(position.leaf) { segment in
        segment.insert(items.count, { rules.ratio(forAspectRatio: ratio(items.lowerBound + $0)) }, at: index, rules)
      }
      rebalance(around: position.leaf)
      return position.leaf
    }
    let whole = segments[position]
    var left = whole.part(0..<index, rules)
    // The segment is no longer the last one of the section.
    if left.isLast { left.discardRows(rules) }
    let right = whole.part(index..<whole.count, rules)
    let middle = newSegments(of: items.count)
    replaceSegments(
      position.leaf..<(position.leaf + 1),
      with: (left.count > 0 ? [left] : []) + middle + (right.count > 0 ? [right] : []))
    rebalance(around: position.leaf + middle.count + 1)
    rebalance(around: position.leaf)
    return position.leaf
  }

  /// Requests the aspect ratios of changed items in segments that have them, and returns the segments of the items.
  private mutating func change(_ items: Range<Int>) -> ClosedRange<Int> {
    checkItems(items)
    let first = segments.position(ofElement: items.lowerBound).leaf
    let last = segments.position(ofElement: items.upperBound - 1).leaf
    let rules = rules
    let ratio = content.aspectRatio
    for segment in first...last {
      let before = segments.position(ofLeaf: segment).firstElement
      updateSegment(segment) { segment in
        let changed = max(0, items.lowerBound - before)..<min(segment.count, items.upperBound - before)
        if changed.count == segment.count && first < last {
          segment.discardAll(rules)
        } else {
          segment.change(changed, { rules.ratio(forAspectRatio: ratio(before + $0)) }, rules)
        }
      }
    }
    return first...last
  }

  /// Splits a segment that is too large; joins a segment that is too small with a neighbor, preferably one in the same
  /// state.
  private mutating func rebalance(around index: Int) {
    for index in [index + 1, index] where index < segments.leafCount {
      let segment = segments[leaf: index]
      if segment.count > 2 * rules.segmentSize {
        replaceSegments(index..<(index + 1), with: segment.parts(rules))
      } else if segment.count < rules.segmentSize / 2, segments.leafCount > 1 {
        let joinsNext =
          index == 0
          || (index + 1 < segments.leafCount && segments[leaf: index - 1].hasRatios != segment.hasRatios)
        let first = joinsNext ? index : index - 1
        let joined = segments[leaf: first].joined(segments[leaf: first + 1], rules)
        replaceSegments(
          first..<(first + 2), with: joined.count > 2 * rules.segmentSize ? joined.parts(rules) : [joined])
      }
    }
  }

  /// Breaks the rows of a new last segment again, because the last row of the section is not stretched.
  private mutating func rebreakLastSegment() {
    guard let last = (0..<segments.leafCount).last else { return }
    let segment = segments[leaf: last]
    guard segment.isBroken, !segment.isLast else { return }
    let rules = rules
    updateSegment(last) { $0.discardRows(rules) }
    breakRows(around: last)
  }

  private func checkItems(_ items: Range<Int>) {
    checkPrecondition(
      items.lowerBound >= 0 && items.upperBound <= itemCount,
      "An update names items \(items) of a justified section that has \(itemCount).")
  }
}
