import CollectionEngine
import CollectionLayout
import FramePacing
import Geometry
import ScrollPhysics
public import Views

extension CollectionView {
  /// A view behind the content that fills the view and does not scroll with it; nothing unless told.
  public final var backgroundView: View? {
    get { surroundings.background }
    set {
      guard newValue !== surroundings.background else { return }
      surroundings.background?.removeFromSuperview()
      surroundings.background = newValue
      guard let newValue else { return }
      addSubview(newValue)
      newValue.frame = bounds
    }
  }

  /// The background, unless somebody took it away.
  final var shownBackground: View? {
    guard let view = surroundings.background, view.superview === self, !view.isHidden else { return nil }
    return view
  }

  // MARK: Places beside the inset

  /// Anchors are places in what the content's inset leaves uncovered: where that begins, before where the view does.
  private var anchorShift: Double { solution.beginsAtEnd ? -insetAlong.end : insetAlong.start }

  /// The offset from which anchors count: of content that is beyond an end that end, which it comes back to.
  final var anchoringOffset: Double {
    let rest = scroll.range.clamp(contentOffset)
    // Within a point it is the whole pixel beside the end.
    return ((contentOffset - rest).magnitude < 1 ? contentOffset : rest) + anchorShift
  }

  /// The anchor of what is seen first.
  final func standingAnchor() -> ContentAnchor { solution.anchor(at: anchoringOffset) }

  /// The offset at which an anchor is where it says, as far as the content and its inset reach.
  final func offset(of anchor: ContentAnchor) -> Double {
    let range = ScrollRange(
      contentLength: solution.contentSize[scrollAxis], viewportLength: solution.viewportLength,
      leadingInset: insetAlong.start, trailingInset: insetAlong.end)
    guard let place = solution.unboundedOffset(of: anchor) else {
      return solution.beginsAtEnd ? range.maximum : range.minimum
    }
    return range.clamp(place - anchorShift)
  }

  // MARK: Sections that scroll across

  /// Tells of sections that moved, and of what moves them.
  final func tellOfSections(at instant: FrameInstant) {
    guard let delegate = surroundings.sections else { return }
    let changes = orthogonal.phaseChanges(at: instant)
    guard !changes.isEmpty || !surroundings.movedSections.isEmpty else { return }
    let moved = surroundings.movedSections
    surroundings.movedSections.removeAll(keepingCapacity: true)
    exclusively {
      for change in changes where change.next != .idle {
        tell(change.last.notices(of: change.next), change.section, delegate)
      }
      for section in moved {
        guard let strip = solution.orthogonalSection(section) else { continue }
        delegate.collectionView(self, didScrollSection: section, to: strip.offset)
      }
      for change in changes where change.next == .idle {
        tell(change.last.notices(of: change.next), change.section, delegate)
      }
    }
  }

  private func tell(
    _ notices: (end: ScrollNotice?, beginning: ScrollNotice?), _ section: Int, _ delegate: any OrthogonalScrollDelegate
  ) {
    if let end = notices.end { delegate.collectionView(self, didNotice: end, inSection: section) }
    if let beginning = notices.beginning { delegate.collectionView(self, didNotice: beginning, inSection: section) }
  }

  /// A section stands elsewhere.
  final func noteMoved(_ section: Int) {
    guard surroundings.sections != nil, !surroundings.movedSections.contains(section) else { return }
    surroundings.movedSections.append(section)
  }
}
