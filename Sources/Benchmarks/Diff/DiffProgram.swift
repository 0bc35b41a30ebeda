import BenchmarkSupport
import FoundationEssentials

/// `bench diff`: the speed of snapshots and of their differences, beside the yardsticks, in one run.
struct DiffProgram {
  private let options: DiffOptions
  private let meter: Meter
  private let recorder: FigureRecorder

  init(_ options: DiffOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
    meter = Meter(repeats: options.repeats, callgrindOutput: options.callgrindOutput)
  }

  /// Measures and prints block by block.
  func run() {
    if meter.countsOnly {
      Output.line("Snapshots and their differences: instructions of each case; edits are the mean of 32.")
    } else {
      Output.line("Snapshots and their differences; runs a case: \(options.repeats) after a warm-up, edits 32 a run.")
      Output.line("Aims are held against the least.")
    }
    Output.line("heckel/ours, stdlib/ours: how many times more the plain Heckel over Dictionary, and")
    Output.line("CollectionDifference, took in this run for the same two arrays; above 1 ours is faster.")
    Output.line("Instructions: \(meter.source).")
    for count in options.sizes {
      for kind in options.kinds {
        switch kind {
        case .int: block(Int.self, count: count)
        case .uuid: block(UUID.self, count: count)
        case .string: block(String.self, count: count)
        }
      }
    }
  }

  private func block<ID: BenchmarkIdentifier>(_: ID.Type, count: Int) {
    let title = "\(ID.kind.rawValue), \(FigureText.count(count)) items"
    // Arrays, snapshots, a yardstick's dictionary and scratch; measured, rounded up.
    let needed = count * (ID.kind == .string ? 700 : 450)
    if let available = ProcessMemory.available, needed > available / 4 * 3 {
      Output.line("\n\(title): skipped; about \(needed >> 20) MiB are needed and \(available >> 20) MiB are there")
      return
    }
    Output.line("\n\(title)")
    var report = DiffReport(count: count, kind: ID.kind, meter: meter, recorder: recorder)
    DiffCases<ID>(count: count, meter: meter).run(into: &report)
    for line in report.lines { Output.line(line) }
    guard !meter.countsOnly, count >= 100_000 else { return }
    for line in DiffMemory<ID>(count: count, recorder: recorder).lines { Output.line(line) }
  }
}
