import CollectionEngine
import CollectionLayout
import FramePacing
import Geometry
import ScrollPhysics
public import Views

extension CollectionView {
  /// A view behind the content that fills the view and does not scroll with it; nothing unless told.
  public final var backgroundView: View? {
    get { contentEnvironment.background }
    set {
      guard newValue !== contentEnvironment.background else { return }
      contentEnvironment.background?.removeFromSuperview()
      contentEnvironment.background = newValue
      guard let newValue else { return }
      addSubview(newValue)
      newValue.frame = bounds
    }
  }

  /// The background, unless somebody took it away.
  final var visibleBackground: View? {
    guard let view = contentEnvironment.background, view.superview === self, !view.isHidden else { return nil }
    return view
  }

  // MARK: Places beside the inset

  /// Anchors are places in what the content's inset leaves uncovered: where that begins, before where the view does.
  private var anchorShift: Double { solution.beginsAtEnd ? -axisInsets.end : axisInsets.start }

  /// The offset from which anchors count: of content that is beyond an end that end, which it comes back to.
  final var anchoringOffset: Double {
    let rest = scroll.range.clamp(contentOffset)
    // Within a point it is the whole pixel beside the end.
    return ((contentOffset - rest).magnitude < 1 ? contentOffset : rest) + anchorShift
  }

  /// The anchor of what is seen first.
  final func firstVisibleAnchor() -> ContentAnchor { solution.anchor(at: anchoringOffset) }

  /// The offset at which an anchor is where it says, as far as the content and its inset reach.
  final func offset(of anchor: ContentAnchor) -> Double {
    let range = ScrollRange(
      contentLength: solution.contentSize[scrollAxis], viewportLength: solution.viewportLength,
      leadingInset: axisInsets.start, trailingInset: axisInsets.end)
    guard let place = solution.unboundedOffset(of: anchor) else {
      return solution.beginsAtEnd ? range.maximum : range.minimum
    }
    return range.clamp(place - anchorShift)
  }

  // MARK: Sections that scroll across

  /// Tells of sections that moved, and of what moves them.
  final func notifySectionScroll(at instant: FrameInstant) {
    guard let delegate = contentEnvironment.orthogonalDelegate else { return }
    let changes = orthogonal.takePhaseChanges(at: instant)
    guard !changes.isEmpty || !contentEnvironment.movedSections.isEmpty else { return }
    let moved = contentEnvironment.movedSections
    contentEnvironment.movedSections.removeAll(keepingCapacity: true)
    deferringUpdates {
      for change in changes where change.next != .idle {
        notifyDelegate(change.last.notices(of: change.next), change.section, delegate)
      }
      for section in moved {
        guard let strip = solution.orthogonalSection(section) else { continue }
        delegate.collectionView(self, didScrollSection: section, to: strip.offset)
      }
      for change in changes where change.next == .idle {
        notifyDelegate(change.last.notices(of: change.next), change.section, delegate)
      }
    }
  }

  private func notifyDelegate(
    _ notices: (end: ScrollNotice?, beginning: ScrollNotice?), _ section: Int, _ delegate: any OrthogonalScrollDelegate
  ) {
    if let end = notices.end { delegate.collectionView(self, didNotice: end, inSection: section) }
    if let beginning = notices.beginning { delegate.collectionView(self, didNotice: beginning, inSection: section) }
  }

  /// A section stands elsewhere.
  final func recordMovedSection(_ section: Int) {
    guard contentEnvironment.orthogonalDelegate != nil, !contentEnvironment.movedSections.contains(section) else {
      return
    }
    contentEnvironment.movedSections.append(section)
  }
}
