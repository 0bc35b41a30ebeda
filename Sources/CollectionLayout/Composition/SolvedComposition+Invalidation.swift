internal import DataStructures

extension SolvedComposition {
  /// What it would cost to take an invalidation in.
  ///
  /// Sections are counted whose rules are asked for and whose surroundings are placed; items are those that bodies look
  /// at one by one before the next question.
  public func cost(of invalidation: LayoutInvalidation) -> InvalidationCost {
    guard case .items(let update) = invalidation else {
      return InvalidationCost(sections: itemCounts.numberOfSections, items: 0)
    }
    var cost = InvalidationCost(
      sections: update.formerSections == nil ? update.edits.count : update.counts.numberOfSections, items: 0)
    for edit in update.edits {
      let former = update.formerSections.map { $0.indices.contains(edit.section) ? $0[edit.section] : nil }
      guard let former = former ?? edit.section, sections.indices.contains(former) else { continue }
      cost.items += sections[former].body.cost(of: edit)
    }
    return cost
  }

  /// Takes in what changed.
  ///
  /// Sections that stayed keep their bodies where their rules and their room allow, and always how far they are scrolled
  /// across and how long their headers were measured to be. Where sections are the same, only the rules of those with
  /// edits are asked for again.
  ///
  /// - Precondition: An update is one of the items that it was solved for, and its edits lead to its counts.
  /// - Complexity: For edits within sections that stay, O(log s) for each, and that of its body; otherwise O(s).
  public mutating func invalidate(_ invalidation: LayoutInvalidation) {
    switch invalidation {
    case .everything: solveAnew(in: environment, for: itemCounts) { FormerSection(&$1[$0], edits: nil) }
    case .environment(let environment):
      solveAnew(in: environment, for: itemCounts) { FormerSection(&$1[$0], edits: SectionEdits(section: $0)) }
    case .items(let update):
      UpdateCheck(update, from: itemCounts).demandConsistent()
      if let formerSections = update.formerSections {
        take(update, formerSections)
      } else {
        itemCounts = update.counts
        for edit in update.edits { take(edit) }
        placeMirror()
      }
    }
  }

  /// Edits within a section that stays where it is.
  private mutating func take(_ edit: SectionEdits) {
    let number = edit.section
    let count = itemCounts.items(inSection: number).count
    let rules = layout.provider(number, environment)
    let before = (length: sections[number].length, isSettled: sections[number].body.isSettled)
    var former: FormerSection? = FormerSection(&sections[number], edits: edit)
    sections[number] = SolvedSection(rules, number: number, itemCount: count, in: room, former: &former)
    lengths.addDelta(sections[number].length - before.length, at: number)
    note(number, wasSettled: before.isSettled)
    overhang = max(overhang, sections[number].boundary.overhang)
    reach = max(reach, sections[number].body.supplementaryReach)
    if rules.visibleItemsInvalidationHandler != nil { hasHandlers = true }
  }

  /// Sections that came, went or moved.
  private mutating func take(_ update: LayoutUpdate, _ formerSections: [Int?]) {
    var edits = update.edits[...]
    solveAnew(in: environment, for: update.counts) { number, former in
      var edit = SectionEdits(section: number)
      if let first = edits.first, first.section == number {
        edit = first
        edits = edits.dropFirst()
      }
      return formerSections[number].map { FormerSection(&former[$0], edits: edit) }
    }
  }

  /// Solves everything anew of what was.
  private mutating func solveAnew(
    in environment: LayoutEnvironment, for counts: ItemCounts,
    former formerSection: (Int, inout ContiguousArray<SolvedSection>) -> FormerSection?
  ) {
    // Held by nobody else, bodies are changed in place.
    var former: ContiguousArray<SolvedSection> = []
    swap(&former, &sections)
    self = SolvedComposition(layout, in: environment, for: counts, formerBoundary: boundary) {
      formerSection($0, &former)
    }
  }
}
