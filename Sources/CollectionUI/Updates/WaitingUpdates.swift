import DataStructures

/// Updates that wait until the client's code that runs has ended.
///
/// Another data source comes before all else that waits: until it is taken, the items on screen are the last one's, and an
/// update of those, asked for before or after, must not make other items of them.
struct PendingUpdateQueue {
  private var sourceChanges = Deque<() -> Void>()
  private var updates = Deque<() -> Void>()

  /// Whether nothing waits.
  var isEmpty: Bool { sourceChanges.isEmpty && updates.isEmpty }

  /// Adds an update behind those that wait.
  mutating func add(_ update: @escaping () -> Void) { updates.append(update) }

  /// Adds the taking of another data source, behind those that wait and before all updates.
  mutating func addSourceChange(_ exchange: @escaping () -> Void) { sourceChanges.append(exchange) }

  /// Takes out what comes next.
  mutating func next() -> (() -> Void)? { sourceChanges.popFirst() ?? updates.popFirst() }
}
