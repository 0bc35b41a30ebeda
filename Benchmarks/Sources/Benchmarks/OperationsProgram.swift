import BenchmarkSupport
import FoundationEssentials
import VitrineDataStructures
import VitrineDiffableData

/// `bench operations`: measures the time of every public operation for values of growing size, and compares the growth
/// with the documented complexity.
struct OperationsProgram {
  private let options: OperationsOptions

  init(_ options: OperationsOptions) { self.options = options }

  /// Measures all sizes of one type of identifiers and prints them, type by type.
  func run() {
    let growths = [CostGrowth.flat, .linear, .linearithmic]
    let means = growths.map { FigureText.ratio($0.maximumMeanGrowth) }
    let steps = growths.map { FigureText.ratio($0.maximumStepGrowth) }
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
      // Measured and rounded up: several values and their copies exist at a time.
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
    for line in recorder.report.lines { Output.line(line) }
  }
}

// MARK: - Measurement

/// Measures calls of operations and adds them to a report for the current size.
///
/// The calls are made in batches at random positions, which are the same in every run, so that the accessed memory is
/// cached and only the growth of the work is measured. The fastest run counts.
final class OperationRecorder {
  /// A call in a batch.
  struct Call {
    /// A number that is unique in this program.
    let number: Int
    /// The index of the call in its batch.
    let index: Int
  }

  /// The report on the operations so far.
  private(set) var report: OperationReport
  /// The type whose operations are measured.
  var type = ""
  /// The number of items of the measured values.
  var count = 0

  private let meter: Meter
  private var number = 0

  init(meter: Meter, sizes: [Int]) {
    self.meter = meter
    report = OperationReport(sizes: sizes)
  }

  /// Measures an operation without side effects.
  ///
  /// The results of an expensive call are destroyed after the end of the run, outside the measurement.
  func measureQuery<Result>(_ name: String, _ stated: StatedComplexity, _ body: (Int) -> Result) {
    let first = meter.time(operations: 1) { blackHole(body(0)) }
    guard first.nanoseconds < 50_000 else {
      record(name, stated, meter.measure { body(0) })
      return
    }
    let warmUp = meter.time(operations: 16) { for index in 0..<16 { blackHole(body(index)) } }
    let calls = Int(max(1, min(4_096, 200_000 / max(warmUp.nanoseconds, 1))))
    var reading = Reading()
    for _ in 0..<meter.repeats {
      reading.add(meter.time(operations: calls) { for index in 0..<calls { blackHole(body(index)) } })
    }
    record(name, stated, reading)
  }

  /// Measures an operation that mutates an unshared value.
  ///
  /// Its preparation and its undoing are not measured.
  func measureMutation<Value>(
    _ name: String, _ stated: StatedComplexity, of value: inout Value, calls: Int = 64,
    preparing prepare: (inout Value, Call) -> Void = { _, _ in },
    _ body: (inout Value, Call) -> Void,
    undoing undo: (inout Value, Call) -> Void = { _, _ in }
  ) {
    var reading = Reading()
    for run in 0...meter.repeats {
      let first = number
      number += calls
      let batch = (0..<calls).map { Call(number: first + $0, index: $0) }
      for call in batch { prepare(&value, call) }
      let sample = meter.time(operations: calls) { for call in batch { body(&value, call) } }
      for call in batch { undo(&value, call) }
      if run > 0 { reading.add(sample) }
    }
    record(name, stated, reading)
  }

  /// Measures an operation after which the next call needs a new unshared value.
  func measureMutation<Value>(
    _ name: String, _ stated: StatedComplexity, making make: () -> Value, _ body: (inout Value) -> Void
  ) {
    let calls = max(1, min(32, 100_000 / count))
    var reading = Reading()
    for run in 0...meter.repeats {
      var values = (0..<calls).map { _ in make() }
      let sample = meter.time(operations: calls) { for index in values.indices { body(&values[index]) } }
      if run > 0 { reading.add(sample) }
    }
    record(name, stated, reading)
  }

  /// Measures copying a value and mutating the copy for the first time.
  func measureFirstMutation<Value>(
    _ name: String, _ stated: StatedComplexity, ofCopyOf value: Value, _ body: (inout Value, Call) -> Void
  ) {
    var index = 0
    let reading = meter.measure {
      var copy = opaque(value)
      body(&copy, Call(number: number, index: index))
      number += 1
      index += 1
      return copy
    }
    record(name + ", first after a copy", stated, reading)
  }

  private func record(_ name: String, _ stated: StatedComplexity, _ reading: Reading) {
    guard let least = reading.least else { return }
    report.add(type: type, operation: name, stated: stated, count: count, nanoseconds: least)
  }
}

/// Random indices of a value, used cyclically.
struct RandomIndices {
  private let indices: [Int]

  /// Creates 256 random numbers below a count, which are the same each time.
  init(below count: Int) {
    var random = SplitMix64(seed: 5)
    indices = (0..<256).map { _ in Int.random(in: 0..<count, using: &random) }
  }

  /// Returns the index for a call.
  subscript(call: Int) -> Int { indices[call & 255] }
}

// MARK: - Snapshots

/// Measures operations on all items of a snapshot, or on two snapshots.
private struct WholeSnapshotOperations<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  private let identifiers: [ID]
  private let indices: RandomIndices
  private let shared: Snapshot

  init(count: Int) {
    identifiers = (0..<count).map(ID.identifier)
    indices = RandomIndices(below: count)
    shared = SnapshotBuilder.snapshot(of: identifiers)
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    recorder.measureQuery("itemIdentifiers", .linear("n")) { _ in opaque(shared).itemIdentifiers }
    recorder.measureQuery("itemIdentifiers(inSection:), all", .linear("n")) { _ in
      opaque(shared).itemIdentifiers(inSection: 0)
    }
    recorder.measureQuery("outline(ofSection:), all", .linear("n")) { _ in opaque(shared).outline(ofSection: 0) }
    recorder.measureQuery("appendItems(_:), all in one call", .linear("n")) { _ in
      SnapshotBuilder.snapshot(of: opaque(identifiers))
    }
    recorder.measureMutation(
      "deleteItems(_:), all, unshared", .linearithmic("k log n"), making: { SnapshotBuilder.snapshot(of: identifiers) }
    ) {
      $0.deleteItems(identifiers)
    }
    recorder.measureMutation(
      "deleteAllItems(), unshared", .linear("s + n/512"), making: { SnapshotBuilder.snapshot(of: identifiers) }
    ) {
      $0.deleteAllItems()
    }
    recorder.measureFirstMutation("deleteAllItems()", .flat("s"), ofCopyOf: shared) { snapshot, _ in
      snapshot.deleteAllItems()
    }
    let outline = shared.outline(ofSection: 0)
    var longer = outline
    longer.insert([ID.identifier(of: identifiers.count)], after: identifiers[identifiers.count / 2])
    recorder.measureFirstMutation(
      "showVisibleItems(of:inSection:), one new", .linear("v + k log n + c"), ofCopyOf: shared
    ) {
      snapshot, _ in snapshot.showVisibleItems(of: longer, inSection: 0)
    }
    comparisons(recorder)
  }

  private func comparisons(_ recorder: OperationRecorder) {
    let apart = SnapshotBuilder.snapshot(of: identifiers)
    var edited = shared
    edited.moveItem(identifiers[indices[0]], afterItem: identifiers[(indices[0] + 1) % identifiers.count])
    edited.moveItem(identifiers[indices[0]], beforeItem: identifiers[(indices[0] + 1) % identifiers.count])
    var longer = shared
    longer.insertItems([ID.identifier(of: identifiers.count)], afterItem: identifiers[indices[1]])
    var random = SplitMix64(seed: 3)
    let shuffled = SnapshotBuilder.refilled(shared, with: identifiers.shuffled(using: &random))
    recorder.measureQuery("==, one edit and its undoing between", .flat("s + n/2^16")) { _ in opaque(edited) == shared }
    recorder.measureQuery("==, built apart", .linear("n")) { _ in opaque(apart) == shared }
    recorder.measureQuery("changeset(from:), one edit between", .flat("s + w + n/2^16")) { _ in
      opaque(longer).changeset(from: shared)
    }
    recorder.measureQuery("changeset(from:), built apart", .linear("n")) { _ in opaque(apart).changeset(from: shared) }
    recorder.measureQuery("changeset(from:), shuffled", .linearithmic("n log n")) { _ in
      opaque(shuffled).changeset(from: shared)
    }
    let changes = longer.changeset(from: shared)
    recorder.measureQuery("applying(_:insertionsFrom:)", .linearithmic("n log n")) { _ in
      opaque(shared).applying(changes, insertionsFrom: longer)
    }
  }
}

// MARK: - Changesets

/// Measures the queries of a changeset.
private struct ChangesetOperations<ID: BenchmarkIdentifier> {
  private let count: Int
  private let indices: RandomIndices
  private let identifiers: [ID]

  init(count: Int) {
    self.count = count
    indices = RandomIndices(below: count)
    identifiers = (0..<count).map(ID.identifier)
  }

  /// Measures all operations.
  func run(_ recorder: OperationRecorder) {
    let old = SnapshotBuilder.snapshot(of: identifiers)
    var one = old
    one.insertItems([ID.identifier(of: count)], afterItem: identifiers[indices[0]])
    let mixed = SnapshotBuilder.refilled(
      old, with: ScatteredEdits.publishedMix(of: count, seed: 2).result.map(ID.identifier))
    let few = one.changeset(from: old)
    let many = mixed.changeset(from: old)
    recorder.measureQuery("position(afterUpdateOf:), one edit", .flat("log c")) {
      few.position(afterUpdateOf: ItemPosition(section: 0, item: indices[$0]))
    }
    recorder.measureQuery("position(afterUpdateOf:), n/5 edits", .flat("log c")) {
      many.position(afterUpdateOf: ItemPosition(section: 0, item: indices[$0]))
    }
    recorder.measureQuery("collectionDifference(from:to:), one edit", .flat("s + k log n")) { _ in
      few.collectionDifference(from: old, to: one)
    }
    recorder.measureQuery("collectionDifference(from:to:), n/5 edits", .linearithmic("s + k log n")) { _ in
      many.collectionDifference(from: old, to: mixed)
    }
    sections(recorder)
  }

  private func sections(_ recorder: OperationRecorder) {
    var old = DiffableDataSourceSnapshot<Int, ID>()
    let sections = Array(0..<(count / 10))
    old.appendSections(sections)
    var one = old
    one.moveSection(0, afterSection: sections.count / 2)
    var reversed = DiffableDataSourceSnapshot<Int, ID>()
    reversed.appendSections(sections.reversed())
    let few = one.changeset(from: old)
    let many = reversed.changeset(from: old)
    let indices = RandomIndices(below: sections.count)
    recorder.measureQuery("section(afterUpdateOf:), one of n/10 moved", .flat("log m + m")) {
      few.section(afterUpdateOf: indices[$0])
    }
    recorder.measureQuery("section(afterUpdateOf:), n/10 moved", .linear("log m + m")) {
      many.section(afterUpdateOf: indices[$0])
    }
  }
}
