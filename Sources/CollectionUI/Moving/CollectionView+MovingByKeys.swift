import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import ScrollPhysics
import Views

/// Items that are put elsewhere by Alt and an arrow key, one place at a time.
extension CollectionView {
  /// So many places are asked for, where the delegate refuses those before.
  private static var maximumPositions: Int { 200 }

  /// Puts the item where the keyboard is one place further, and keeps it in view.
  ///
  /// - Returns: whether the key means that here, whether there was such a place or not.
  final func moveItemByKey(_ key: Key) -> Bool {
    guard let move = focusMove(of: key), let item = interaction.selection.lead, item < itemCount,
      let source = displayedSource, source.canMoveItem(at: item)
    else { return false }
    guard !interaction.isDragging, !source.hasPendingUpdate else { return true }
    interaction.showsFocus = true
    let isForward = move == .down || move == .next
    let current = indexPath(at: item)
    for place in candidatePositions(from: item, move, isForward: isForward) {
      guard let target = target(of: item, at: place, from: nil), isForward ? target > current : target < current,
        source.moveItem(at: item, to: target)
      else { continue }
      // In the numbers of after the update, which may have to wait until the client's code has ended.
      performWhenReady { self.revealFocusedItem() }
      return true
    }
    return true
  }

  private func focusMove(of key: Key) -> FocusMove? {
    let isMirrored = solution.environment.layoutDirection == .rightToLeft
    switch key {
    case .up: return scrollAxis == .vertical ? .up : .previous
    case .down: return scrollAxis == .vertical ? .down : .next
    case .left: return scrollAxis == .vertical ? (isMirrored ? .next : .previous) : .up
    case .right: return scrollAxis == .vertical ? (isMirrored ? .previous : .next) : .down
    default: return nil
    }
  }

  /// The places that way, the nearest first: those of the items there, and the ends of sections on the way.
  private func candidatePositions(from item: Int, _ move: FocusMove, isForward: Bool) -> [ItemPosition] {
    let counts = solution.itemCounts
    guard let source = counts.position(of: item) else { return [] }
    var places: [ItemPosition] = []
    var (last, section) = (item, source.section)
    while places.count < CollectionView.maximumPositions {
      let next = solution.item(from: last, move).flatMap { counts.position(of: $0) }
      let end = next?.section ?? (isForward ? counts.numberOfSections - 1 : 0)
      // Of sections that are passed or entered, the side that one comes to first; those without items, too.
      while section != end {
        section += isForward ? 1 : -1
        places.append(
          ItemPosition(section: section, item: isForward ? 0 : counts.items(inSection: section).count))
      }
      guard let next, let index = counts.index(section: next.section, item: next.item) else { break }
      if next.section == source.section {
        places.append(ItemPosition(section: next.section, item: next.item))
      } else {
        places.append(ItemPosition(section: next.section, item: isForward ? next.item + 1 : next.item))
      }
      last = index
    }
    return places
  }

  /// Brings the item where the keyboard is into view.
  private func revealFocusedItem() {
    guard let lead = interaction.selection.lead, lead < itemCount else { return }
    // Of two that change places either may count as the one that moved: it is this one that goes over the other.
    if updateAnimation.planner != nil { interaction.movement = InteractiveMovement(settling: lead) }
    updateConfigurationStates()
    scrollToItem(at: indexPath(at: lead), at: [.nearestVerticalEdge, .nearestHorizontalEdge], animated: true)
  }
}
