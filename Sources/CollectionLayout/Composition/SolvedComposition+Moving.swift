internal import DataStructures
public import Geometry

extension SolvedComposition {
  /// The frame in points that an item would have if it were put elsewhere, by what is known before it is; nothing changes.
  ///
  /// Only what the item's section and the other one hold is looked at, and of their items what their bodies would look at.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: O(log s) for s sections, and for one or two of them that of taking an edit in to a body that is held
  ///   twice: O(log n) for n items whose places follow from their numbers, otherwise O(n / 32,768) and what a few hundred
  ///   items take.
  public func frame(ofItem index: Int, movedTo section: Int, at place: Int) -> Rect? {
    let (source, item) = position(of: index)
    guard sections.indices.contains(section), place >= 0, (source, item) != (section, place),
      place <= sections[section].itemCount - (source == section ? 1 : 0)
    else { return nil }
    let size = sections[source].body.frame(ofItem: item)
    var edits = SectionEdits(section: section, insertions: [place..<(place + 1)])
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
    if target.body.asksForSize(ofItem: place) {
      _ = target.update { $0.setPreferredSize(width: size.width, height: size.height, ofItem: place) }
    }
    growth += target.length - sections[section].length
    var space = space
    space.mirrorWidth = mirrorWidth(ofLength: length + growth)
    return space.rect(placed(target.body.frame(ofItem: place), target.bodyStart + start, target.bodyCross))
  }
}
