import CollectionLayout
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// How far pages go from an offset so that a row begins where what is seen does, in points.
  ///
  /// As far as a plain page at most, and at least half as far: where no row begins in between, a plain page.
  ///
  /// - Complexity: O(log n + items of a page).
  final func rowAlignedPageDistance(_ pages: Double, from offset: Double) -> Double {
    let way = super.pageDistance(pages, from: offset)
    guard way != 0, pages.isFinite else { return way }
    requireSolvedLayout()
    let target = scroll.range.clamp(offset + way)
    // An end is where it is, whatever begins there.
    guard target == offset + way else { return way }
    let covered = axisInsets.start + pinnedLength(at: target)
    let (near, far) = (offset + way / 2 + covered, target + covered)
    var strip = Rect(origin: .zero, size: solution.contentSize)
    strip.origin[scrollAxis] = min(near, far) - 0.5
    strip.size[scrollAxis] = (far - near).magnitude + 1
    var best: Double?
    solution.visitItems(in: strip) { run in
      for item in run {
        let start = solution.frame(ofItem: item).origin[scrollAxis]
        guard start >= min(near, far) - 0.5, start <= max(near, far) + 0.5 else { continue }
        if best.map({ way > 0 ? start > $0 : start < $0 }) ?? true { best = start }
      }
    }
    return best.map { $0 - covered - offset } ?? way
  }
}
