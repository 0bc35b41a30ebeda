import BenchmarkSupport
import FoundationEssentials

/// `bench operations`: what a call of each public operation takes as values grow, beside what is stated of it.
struct OperationsProgram {
  private let options: OperationsOptions

  init(_ options: OperationsOptions) { self.options = options }

  /// Measures all sizes of one type of identifiers, then prints, and goes on to the next.
  func run() {
    let most = [CostGrowth.flat, .linear, .linearithmic].map { FigureText.ratio($0.mostPerTenfold) }
    Output.line("Operations: the time of a call, quickest of \(options.repeats) runs, and how it grew per tenfold n.")
    Output.line("k is the same at every n unless n is named instead; s, w, m and c grow with n, d does not.")
    Output.line("A tenfold step may make a call \(most[0]) dearer where it is stated to grow hardly or not at all,")
    Output.line(
      "\(most[1]) where in proportion, \(most[2]) where by n log n; caches are in that. Past it: SLOWER THAN STATED.")
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
