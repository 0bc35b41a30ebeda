// The code of the article “Threads”.
import CollectionUI
import Dispatch
import VitrineThreads

/// A list that loads its rows in a task.
@MainActor
final class SearchResults {
  private let source: DiffableDataSource<Int, String>
  private var task: Task<Void, Never>?

  init(_ source: DiffableDataSource<Int, String>) { self.source = source }

  func search(_ text: String) {
    task?.cancel()
    task = Task {
      // The main actor: between frames' work, once a frame.
      let names = await findNames(containing: text)
      guard !Task.isCancelled else { return }
      var snapshot = DiffableDataSourceSnapshot<Int, String>()
      snapshot.appendSections([0])
      snapshot.appendItems(names)
      await source.apply(snapshot)
    }
  }
}

/// Computes on a thread of Swift's pool, because it is isolated to no actor.
@concurrent
func findNames(containing text: String) async -> [String] {
  let all = (0..<100_000).map { "name \($0)" }
  return all.filter { $0.contains(text) }
}

/// Reads a file on a thread of its own, and shows the result on the main actor.
func countLines(read: @escaping @Sendable () -> Int, show: @escaping @MainActor @Sendable (Int) -> Void) throws {
  let thread = try WorkerThread(name: "lines", isLowPriority: true) {
    let count = read()
    DispatchQueue.main.async { show(count) }
  }
  thread.detach()
}

/// What a client does with the misuse that a window reports.
@MainActor
func failOnMisuse(of window: Window) {
  window.misuse.onReport = { sentence in preconditionFailure(sentence) }
}
