internal import VitrineDataStructures
public import VitrineGeometry

extension SolvedComposition {
  /// Returns the cost of an invalidation.
  ///
  /// The cost counts the sections whose rules are requested and whose boundary is laid out again, and the items that
  /// section bodies process one by one before the next query.
  public func cost(of invalidation: LayoutInvalidation) -> InvalidationCost {
    guard case .items(let update) = invalidation else {
      return InvalidationCost(sections: itemCounts.numberOfSections, items: 0)
    }
    var cost = InvalidationCost(
      sections: update.previousSections == nil ? update.edits.count : update.counts.numberOfSections, items: 0)
    for edit in update.edits {
      let former = update.previousSections.map { $0.indices.contains(edit.section) ? $0[edit.section] : nil }
      guard let former = former ?? edit.section, sections.indices.contains(former) else { continue }
      cost.items += sections[former].body.cost(of: edit)
    }
    return cost
  }

  /// Updates the layout after a change.
  ///
  /// Retained sections keep their bodies if their rules and their container allow it. They always keep their orthogonal
  /// scroll offset and the measured sizes of their boundary views. If the sections did not change, only the rules of
  /// sections with edits are requested again.
  ///
  /// - Precondition: An update is consistent with the items of the layout, and its edits lead to its counts.
  /// - Complexity: O(log s) for each edit within a retained section, plus that of its body; otherwise O(s) for s
  ///   sections.
  public mutating func invalidate(_ invalidation: LayoutInvalidation) {
    switch invalidation {
    case .everything: solveAgain(in: environment, for: itemCounts) { FormerSection(&$1[$0], edits: nil) }
    case .environment(let environment):
      solveAgain(in: environment, for: itemCounts) { FormerSection(&$1[$0], edits: SectionEdits(section: $0)) }
    case .items(let update):
      UpdateCheck(update, from: itemCounts).checkConsistency()
      if let previousSections = update.previousSections {
        applySectionChanges(update, previousSections)
      } else {
        itemCounts = update.counts
        for edits in update.edits { applyEdits(edits) }
        updateMirrorWidth()
      }
    }
  }

  /// Applies the edits within a section whose index did not change.
  private mutating func applyEdits(_ edits: SectionEdits) {
    let number = edits.section
    let count = itemCounts.items(inSection: number).count
    let rules = layout.provider(number, environment)
    let before = (length: sections[number].length, areFramesFinal: sections[number].body.areFramesFinal)
    var former: FormerSection? = FormerSection(&sections[number], edits: edits)
    sections[number] = SolvedSection(rules, number: number, itemCount: count, in: container, former: &former)
    lengths.addDelta(sections[number].length - before.length, at: number)
    updateEstimatedSectionCount(ofSection: number, wereFramesFinal: before.areFramesFinal)
    overhang = max(overhang, sections[number].boundary.overhang)
    supplementaryReach = max(supplementaryReach, sections[number].body.supplementaryReach)
    if rules.visibleItemsInvalidationHandler != nil { hasHandlers = true }
    // From the rules, because reading them from the section would copy it.
    if rules.hasItemsBackground { hasItemsBackgrounds = true }
    let isOrthogonal = rules.orthogonalScrollingBehavior != .none
    if !isOrthogonal, rules.handlers?.targetContentOffset != nil { adjustsTargetContentOffset = true }
    if sections[number].hasScatteredItems {
      hasScatteredItems = true
      if !isOrthogonal { adjustsTargetContentOffset = true }
      sections[number].attach(violations)
    }
  }

  /// Applies an update in which sections were inserted, removed or moved.
  private mutating func applySectionChanges(_ update: LayoutUpdate, _ previousSections: [Int?]) {
    var edits = update.edits[...]
    solveAgain(in: environment, for: update.counts) { number, former in
      var edit = SectionEdits(section: number)
      if let first = edits.first, first.section == number {
        edit = first
        edits = edits.dropFirst()
      }
      return previousSections[number].map { FormerSection(&former[$0], edits: edit) }
    }
  }

  /// Solves the layout again and reuses what is still valid.
  private mutating func solveAgain(
    in environment: LayoutEnvironment, for counts: ItemCounts,
    former formerSection: (Int, inout ContiguousArray<SolvedSection>) -> FormerSection?
  ) {
    // The bodies are uniquely referenced, so that they are mutated in place.
    var former: ContiguousArray<SolvedSection> = []
    swap(&former, &sections)
    self = SolvedComposition(layout, in: environment, for: counts, formerBoundary: boundary, violations: violations) {
      formerSection($0, &former)
    }
  }
}

extension SolvedComposition {
  /// Returns the frame in points that an item would have after a move, without changing the layout.
  ///
  /// Only the two affected sections are updated in a copy, and of their items only those that their bodies would
  /// process.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(log s) for s sections, plus the update of a copy of one or two section bodies: O(log n) for n
  ///   items whose frames follow from their indexes, otherwise O(n / 32,768) and the cost of a few hundred items.
  public func frame(ofItem index: Int, movedTo section: Int, at newItem: Int) -> Rect? {
    let (source, item) = position(of: index)
    guard sections.indices.contains(section), newItem >= 0, (source, item) != (section, newItem),
      newItem <= sections[section].itemCount - (source == section ? 1 : 0)
    else { return nil }
    let size = sections[source].body.frame(ofItem: item)
    var edits = SectionEdits(section: section, insertions: [newItem..<(newItem + 1)])
    var start = firstPixel(ofSection: section)
    var growth = 0
    if source == section {
      edits.removals = [item..<(item + 1)]
    } else {
      let left = sections[source].edited(SectionEdits(section: source, removals: [item..<(item + 1)]))
      growth = left.length - sections[source].length
      if source < section { start += growth }
    }
    var target = sections[section].edited(edits)
    if target.body.usesPreferredSize(ofItem: newItem) {
      _ = target.updateBody {
        $0.setPreferredSize(width: size.width, height: size.height, ofItem: newItem, burst: sizeBurst)
      }
    }
    growth += target.length - sections[section].length
    var space = space
    space.mirrorWidth = mirrorWidth(ofLength: length + growth)
    return space.rect(placed(target.body.frame(ofItem: newItem), target.bodyStart + start, target.bodyCross))
  }
}
