import BenchmarkSupport
import FoundationEssentials

/// `bench operations`: what a call of each public operation takes as values grow, beside what is stated of it.
struct OperationsProgram {
  private let options: OperationsOptions

  init(_ options: OperationsOptions) { self.options = options }

  /// Measures all sizes of one type of identifiers, then prints, and goes on to the next.
  func run() {
    let growths = [CostGrowth.flat, .linear, .linearithmic]
    let means = growths.map { FigureText.ratio($0.mostInTheMean) }
    let steps = growths.map { FigureText.ratio($0.mostInOneStep) }
    Output.line("Operations: the time of a call, quickest of \(options.repeats) runs, and how it grew per tenfold n.")
    Output.line("k and d are the same at every n, unless all n are named; s (n/10 sections), w, m and c grow with n.")
    Output.line("Held against what is stated: growth per tenfold n, in the mean and in one step, of at most")
    Output.line(
      "\(means[0]) and \(steps[0]) for 1, log n and what n does not change, also n/2^16 up to a million items,")
    Output.line(
      "\(means[1]) and \(steps[1]) in proportion to n, \(means[2]) and \(steps[2]) for n log n. The room is for caches."
    )
    Output.line("What is stated with + 128 is judged from 2^16 items on, where as much is there to be walked along.")
    for kind in options.kinds {
      switch kind {
      case .int: measure(Int.self)
      case .uuid: measure(UUID.self)
      case .string: measure(String.self)
      }
    }
  }

  private func measure<ID: BenchmarkIdentifier>(_: ID.Type) {
    let sizes = options.sizes.filter { count in
      // Several values and their copies at a time; measured, rounded up.
      let needed = count * 1_500
      guard let available = ProcessMemory.available, needed > available / 4 * 3 else { return true }
      Output.line("\(FigureText.count(count)) items: skipped; about \(needed >> 20) MiB are needed.")
      return false
    }
    let recorder = OperationRecorder(
      meter: Meter(repeats: options.repeats, callgrindOutput: nil), sizes: sizes)
    for count in sizes {
      recorder.count = count
      recorder.type = "DiffableDataSourceSnapshot"
      ItemOperations<ID>(count: count).run(recorder)
      SectionOperations<ID>(count: count).run(recorder)
      WholeSnapshotOperations<ID>(count: count).run(recorder)
      recorder.type = "DiffableDataSourceSectionSnapshot"
      OutlineOperations<ID>(count: count).run(recorder)
      recorder.type = "Changeset"
      ChangesetOperations<ID>(count: count).run(recorder)
      recorder.type = "DiffableDataSourceTransaction"
      TransactionOperations<ID>(count: count).run(recorder)
    }
    Output.line("")
    Output.line("identifiers: \(ID.kind.rawValue)")
    for line in recorder.ledger.lines { Output.line(line) }
  }
}
