import Geometry
import Synchronization

@testable import CollectionLayout

/// A group that counts how often one like it is placed.
struct CountedGroup: MeasurableGroup {
  /// How often.
  final class Counter: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }

    /// How often since it was last asked.
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  let group: SlottedGroup
  let counter = Counter()

  var slotCount: Int { group.slotCount }
  func asks(ofSlot slot: Int) -> MeasuredSides { group.asks(ofSlot: slot) }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    counter.add()
    return group.solved(measured: measured, atLeast: minimum)
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { (other as? CountedGroup)?.group == group }
}
