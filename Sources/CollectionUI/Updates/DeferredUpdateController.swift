import VitrineDataStructures

/// The owner of the updates that wait until running client code has returned.
///
/// Client code runs in cell providers, handlers and delegates. Updates that it requests would change the indices that
/// the view is working with, so they are performed after the outermost call has returned.
///
/// Invariants:
/// - No update is performed while client code runs.
/// - Updates are performed in the order in which they were requested, also those that are requested while pending ones
///   are being performed.
/// - A replacement of the data source precedes all other pending updates. Until it is performed, the former items are
///   displayed, and an update of them, requested before or after, must not be applied to other items.
package final class DeferredUpdateController {
  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  /// The number of calls of client code that are in progress.
  @exclusivity(unchecked) private var callDepth = 0
  @exclusivity(unchecked) private var sourceChanges = Deque<() -> Void>()
  @exclusivity(unchecked) private var updates = Deque<() -> Void>()

  /// Creates a controller without pending updates.
  package init() {}

  /// Whether client code is running.
  package var isCallingClient: Bool { callDepth > 0 }

  /// Calls a closure that calls client code, and performs the pending updates if no other call is in progress.
  package func deferringUpdates(_ body: () -> Void) {
    callDepth += 1
    body()
    callDepth -= 1
    while callDepth == 0, let update = nextUpdate() { update() }
  }

  /// Performs an update now, or after running client code and the pending updates.
  package func perform(_ update: @escaping () -> Void) {
    if callDepth == 0, sourceChanges.isEmpty, updates.isEmpty { update() } else { updates.append(update) }
  }

  /// Performs a replacement of the data source now, or after running client code and before the pending updates.
  package func performSourceChange(_ change: @escaping () -> Void) {
    if callDepth == 0 { change() } else { sourceChanges.append(change) }
  }

  /// Removes and returns the next update, or nil if there is none.
  private func nextUpdate() -> (() -> Void)? { sourceChanges.popFirst() ?? updates.popFirst() }
}
