/// What became of the operations of a run.
struct OperationCounts: Hashable {
  /// Operations that were given to the queue.
  private(set) var started = 0
  /// Of those, operations that were cancelled before they had loaded.
  private(set) var cancelled = 0
  /// Of those, operations that have loaded.
  private(set) var completed = 0
  /// Of the completed ones, those that a cell has shown.
  private(set) var shown = 0
  /// Of the completed ones, those that no cell will show.
  private(set) var wasted = 0

  /// Operations under way.
  var running: Int { started - cancelled - completed }
  /// Completed operations that wait for their cell to come.
  var ahead: Int { completed - shown - wasted }

  /// An operation was given to the queue.
  mutating func begin() { started += 1 }

  /// An operation has come to a state.
  mutating func note(_ state: DataLoadOperation.State) {
    switch state {
    case .underWay: break
    case .cancelled: cancelled += 1
    case .completed: completed += 1
    case .shown: shown += 1
    case .wasted: wasted += 1
    }
  }
}
