import BenchmarkSupport
import FoundationEssentials
import VitrineDataStructures
import VitrineDiffableData

/// `bench diff`: measures the speed of snapshots and their diffs, and of the baselines in the same run.
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
    // Measured and rounded up: arrays, snapshots, and a baseline's dictionary and scratch memory.
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

// MARK: - Cases

/// All cases of the benchmark for one type of identifiers and one size.
///
/// Generic over the identifiers and specialized for each type, like the code of the package's clients.
private struct DiffCases<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  let count: Int
  let meter: Meter

  /// The snapshot from which the others are derived, and its items.
  private let identifiers: [ID]
  private let base: Snapshot

  init(count: Int, meter: Meter) {
    self.count = count
    self.meter = meter
    identifiers = (0..<count).map(ID.identifier)
    base = SnapshotBuilder.snapshot(of: identifiers)
  }

  /// Measures every case.
  func run(into report: inout DiffReport) {
    let build = meter.measure { SnapshotBuilder.snapshot(of: opaque(identifiers)) }
    report.add(.build, build)
    let last = identifiers[count - 1]
    report.add(.buildAndAsk, meter.measure { SnapshotBuilder.snapshot(of: opaque(identifiers)).indexOfItem(last) })
    report.add(.indexOfItem, meter.measure { opaque(base).indexOfItem(opaque(last)) })
    measureUnchanged(&report)
    for position in InsertionPosition.allCases { measureInsertion(at: position, &report) }
    measureScatteredEdits(&report)
    let mix = ScatteredEdits.publishedMix(of: count, seed: 2).result
    measureRefill(mix, .mixDiff, fromArrays: .mixFromIdentifiers, stdlibUpTo: 10_000, &report)
    measureRefill((0..<count).reversed(), .reversedDiff, stdlibUpTo: 1_000, &report)
    var random = SplitMix64(seed: 3)
    measureRefill((0..<count).shuffled(using: &random), .shuffledDiff, stdlibUpTo: 1_000, &report)
  }

  private func measureUnchanged(_ report: inout DiffReport) {
    let equalIdentifiers = (0..<count).map(ID.identifier)
    let apart = SnapshotBuilder.snapshot(of: equalIdentifiers)
    let stdlib =
      count <= 10_000 ? meter.measure { opaque(equalIdentifiers).difference(from: opaque(identifiers)) } : nil
    let heckel = heckel(from: identifiers, to: equalIdentifiers)
    report.add(
      .unchangedApart, meter.measure { opaque(apart).changeset(from: opaque(base)) }, heckel: heckel, stdlib: stdlib)
    let derived = SnapshotBuilder.refilled(base, with: equalIdentifiers)
    report.add(
      .unchangedDerived, meter.measure { opaque(derived).changeset(from: opaque(base)) }, heckel: heckel,
      stdlib: stdlib)
    checkPrecondition(derived.changeset(from: base).isEmpty, "Equal snapshots must not differ.")
  }

  /// Measures a chain of snapshots, each of which is a copy of the previous one with one more item.
  ///
  /// All of them stay alive.
  private func measureInsertion(at position: InsertionPosition, _ report: inout DiffReport) {
    let batch = 32
    var current = base
    var nextNumber = count
    var edits = Reading()
    var diffs = Reading()
    for run in 0...meter.repeats {
      let items = (nextNumber..<(nextNumber + batch)).map(ID.identifier)
      nextNumber += batch
      var line = [current]
      line.reserveCapacity(batch + 1)
      let edit = meter.time(operations: batch) {
        for item in items {
          var next = line[line.count - 1]
          SnapshotBuilder.insert(item, at: position, relativeTo: identifiers, into: &next)
          line.append(next)
        }
      }
      var changes: [Changeset] = []
      changes.reserveCapacity(batch)
      let diff = meter.time(operations: batch) {
        for number in 0..<batch { changes.append(opaque(line[number + 1]).changeset(from: line[number])) }
      }
      checkPrecondition(changes.allSatisfy { $0.sections.first?.inserts.count == 1 }, "One insertion must be found.")
      current = line[batch]
      if run > 0 {
        edits.add(edit)
        diffs.add(diff)
      }
    }
    let new = current.itemIdentifiers
    let heckel = heckel(from: identifiers, to: new)
    let stdlib = count <= 10_000 ? meter.measure { opaque(new).difference(from: opaque(identifiers)) } : nil
    report.add(.insertion(position), edits)
    report.add(.insertionDiff(position), diffs, heckel: heckel, stdlib: stdlib)
  }

  private func measureScatteredEdits(_ report: inout DiffReport) {
    let edits = SnapshotEdits<ID>(ScatteredEdits.onePercent(of: count, seed: 1))
    let result = edits.numbers.result.map(ID.identifier)
    var edited = base
    edits.apply(to: &edited)
    checkPrecondition(edited.itemIdentifiers == result, "The result of the edits does not match the model.")
    report.add(
      .scatteredEdits,
      meter.measure {
        var copy = opaque(base)
        edits.apply(to: &copy)
        return copy
      })
    let heckel = heckel(from: identifiers, to: result)
    let stdlib = count <= 10_000 ? meter.measure { opaque(result).difference(from: opaque(identifiers)) } : nil
    report.add(
      .scatteredEditsDiff, meter.measure { opaque(edited).changeset(from: opaque(base)) }, heckel: heckel,
      stdlib: stdlib)
    report.add(.scatteredAppend, meter.measure { SnapshotBuilder.refilled(opaque(base), with: result) })
    let refilled = SnapshotBuilder.refilled(base, with: result)
    report.add(
      .scatteredAppendDiff, meter.measure { opaque(refilled).changeset(from: opaque(base)) }, heckel: heckel,
      stdlib: stdlib)
    addSummary(refilled.changeset(from: base), of: .scatteredAppendDiff, in: &report)
  }

  /// Measures the diff from the base to a copy of it that is emptied and refilled.
  private func measureRefill(
    _ numbers: [Int], _ figure: DiffFigure, fromArrays: DiffFigure? = nil, stdlibUpTo limit: Int,
    _ report: inout DiffReport
  ) {
    let items = numbers.map(ID.identifier)
    let new = SnapshotBuilder.refilled(base, with: items)
    let heckel = heckel(from: identifiers, to: items)
    let stdlib = count <= limit ? meter.measure { opaque(items).difference(from: opaque(identifiers)) } : nil
    report.add(
      figure, meter.measure { opaque(new).changeset(from: opaque(base)) }, heckel: heckel, stdlib: stdlib)
    if let fromArrays {
      let reading = meter.measure {
        let old = SnapshotBuilder.snapshot(of: opaque(identifiers))
        let new = SnapshotBuilder.refilled(old, with: opaque(items))
        return (new.changeset(from: old), old, new)
      }
      report.add(fromArrays, reading, heckel: heckel, stdlib: stdlib)
      if let heckel { report.add(baseline: "  plain Heckel, from arrays", heckel) }
      if let stdlib { report.add(baseline: "  CollectionDifference, from arrays", stdlib) }
    }
    addSummary(new.changeset(from: base), of: figure, in: &report)
  }

  private func addSummary(_ changeset: Changeset, of figure: DiffFigure, in report: inout DiffReport) {
    report.addNote("\(figure.label): \(ChangesetSummary(changeset))")
  }

  /// Measures the baseline, except for more than a million items, where it takes seconds.
  private func heckel(from old: [ID], to new: [ID]) -> Reading? {
    guard count <= 1_000_000 else { return nil }
    return meter.measure(runs: count < 1_000_000 ? nil : 3) { HeckelDifference(from: opaque(old), to: opaque(new)) }
  }
}

/// Operations on snapshots that use only their public interface.
enum SnapshotBuilder {
  /// Returns a snapshot of one section to which all items are appended in one call.
  static func snapshot<ID: BenchmarkIdentifier>(of identifiers: [ID]) -> DiffableDataSourceSnapshot<Int, ID> {
    var snapshot = DiffableDataSourceSnapshot<Int, ID>()
    snapshot.appendSections([0])
    snapshot.appendItems(identifiers)
    return snapshot
  }

  /// Returns a copy of a snapshot with its items replaced by others.
  static func refilled<ID: BenchmarkIdentifier>(
    _ snapshot: DiffableDataSourceSnapshot<Int, ID>, with identifiers: [ID]
  ) -> DiffableDataSourceSnapshot<Int, ID> {
    var copy = snapshot
    copy.deleteAllItems()
    copy.appendItems(identifiers)
    return copy
  }

  /// Inserts an item next to one of the original items of a snapshot.
  static func insert<ID: BenchmarkIdentifier>(
    _ item: ID, at position: InsertionPosition, relativeTo identifiers: [ID],
    into snapshot: inout DiffableDataSourceSnapshot<Int, ID>
  ) {
    switch position {
    case .head: snapshot.insertItems([item], beforeItem: identifiers[0])
    case .middle: snapshot.insertItems([item], afterItem: identifiers[identifiers.count / 2])
    case .end: snapshot.insertItems([item], afterItem: identifiers[identifiers.count - 1])
    }
  }
}

/// Scattered edits with precomputed identifiers.
private struct SnapshotEdits<ID: BenchmarkIdentifier> {
  /// The edits as numbers.
  let numbers: ScatteredEdits
  private let deletions: [ID]
  private let moves: [(item: ID, anchor: ID)]
  private let insertions: [(item: ID, anchor: ID)]

  init(_ numbers: ScatteredEdits) {
    func identifiers(_ placements: [ScatteredEdits.Placement]) -> [(item: ID, anchor: ID)] {
      placements.map { (ID.identifier(of: $0.number), ID.identifier(of: $0.anchor)) }
    }
    self.numbers = numbers
    deletions = numbers.deletions.map(ID.identifier)
    moves = identifiers(numbers.moves)
    insertions = identifiers(numbers.insertions)
  }

  /// Deletes in one call, and moves and inserts item by item.
  func apply(to snapshot: inout DiffableDataSourceSnapshot<Int, ID>) {
    snapshot.deleteItems(deletions)
    for move in moves { snapshot.moveItem(move.item, afterItem: move.anchor) }
    for insertion in insertions { snapshot.insertItems([insertion.item], afterItem: insertion.anchor) }
  }
}

/// The memory of a snapshot and its diffs for one type of identifiers and one size.
private struct DiffMemory<ID: BenchmarkIdentifier> {
  let count: Int
  let recorder: FigureRecorder

  /// One line each for the snapshot and the diffs with the largest memory.
  var lines: [String] {
    let identifiers = (0..<count).map(ID.identifier)
    let before = ProcessMemory.allocated
    let base = SnapshotBuilder.snapshot(of: identifiers)
    // Hashes the items.
    blackHole(base.contains(identifiers[0]))
    let each = perItem(ProcessMemory.allocated - before)
    // Keeps the array alive, which the snapshot shares. If it were freed, its memory would be subtracted.
    blackHole(identifiers)
    recorder.add(words + ["snapshot", "bytes"], each, .bytes, .counted)
    let aim = count == 1_000_000 ? "; " + Aim(.bytes, 16).verdict(on: each) : ""
    let snapshot =
      "memory of a snapshot: \(FigureText.bytes(each)) an item beside the identifier's own "
      + "\(MemoryLayout<ID>.stride) (mallinfo2)\(aim)"
    var random = SplitMix64(seed: 3)
    let shuffled = (0..<count).shuffled(using: &random)
    let edited = ScatteredEdits.onePercent(of: count, seed: 1).result
    return ["  " + snapshot]
      + [("1 % edits", "edits", edited), ("shuffled", "shuffled", shuffled)].map { name, key, numbers in
        "  " + line(name, key, from: base, to: SnapshotBuilder.refilled(base, with: numbers.map(ID.identifier)))
      }
  }

  private func line(
    _ name: String, _ key: String, from old: DiffableDataSourceSnapshot<Int, ID>,
    to new: DiffableDataSourceSnapshot<Int, ID>
  ) -> String {
    let before = ProcessMemory.allocated
    let (changeset, growth) = ProcessMemory.growth { new.changeset(from: old) }
    let result = ProcessMemory.allocated - before
    blackHole(changeset)
    guard let growth else { return "memory of a diff, \(name): the kernel does not say" }
    let scratch = perItem(growth - result)
    recorder.add(words + [key, "scratch-bytes"], scratch, .bytes, .related)
    let aim = count == 1_000_000 ? "; " + Aim(.bytes, 20).verdict(on: scratch) : ""
    return "memory of a diff, \(name): \(FigureText.bytes(perItem(growth))) an item at its height (VmHWM), "
      + "\(FigureText.bytes(perItem(result))) of them the changeset (mallinfo2), scratch \(FigureText.bytes(scratch))\(aim)"
  }

  private var words: [String] { ["diff", ID.kind.rawValue, "\(count)", "memory"] }

  private func perItem(_ bytes: Int) -> Double { Double(bytes) / Double(count) }
}

// MARK: - Report

/// The rows of one block of the table, added as they are measured.
private struct DiffReport {
  /// The number of items of a snapshot.
  let count: Int
  /// The type of identifiers.
  let kind: IdentifierKind
  private let countsOnly: Bool
  private let countsInstructions: Bool
  private var table: TextTable
  private var notes: [String] = []
  private let recorder: FigureRecorder

  init(count: Int, kind: IdentifierKind, meter: Meter, recorder: FigureRecorder) {
    self.recorder = recorder
    self.count = count
    self.kind = kind
    countsOnly = meter.countsOnly
    countsInstructions = meter.countsInstructions
    var columns: [(head: String, alignment: TextTable.Alignment)] = [("case", .left)]
    if !countsOnly { columns += ["least", "median", "most"].map { ($0, .right) } }
    if countsInstructions { columns.append(("instructions", .right)) }
    columns.append(("heckel/ours", .right))
    columns.append(("stdlib/ours", .right))
    if !countsOnly { columns.append(("aim", .left)) }
    table = TextTable(columns)
  }

  /// Adds a row.
  mutating func add(_ figure: DiffFigure, _ reading: Reading, heckel: Reading? = nil, stdlib: Reading? = nil) {
    let heckel = heckel.flatMap { ratio(of: $0, to: reading) }
    var aims: [String] = []
    if let least = reading.least, let aim = figure.timeAim(count: count, kind: kind) {
      aims.append(aim.verdict(on: least))
    }
    if let heckel, let aim = figure.ratioAim(count: count) { aims.append("heckel " + aim.verdict(on: heckel)) }
    record(figure, reading, heckel)
    add(figure.label, reading, heckel, stdlib.flatMap { ratio(of: $0, to: reading) }, aims)
  }

  /// Adds the row of a baseline.
  mutating func add(baseline name: String, _ reading: Reading) { add(name, reading, nil, nil, []) }

  /// Adds a line below the table.
  mutating func addNote(_ line: String) { notes.append(line) }

  /// The table and the lines below it.
  var lines: [String] { (table.lines + notes).map { "  " + $0 } }

  /// Records instructions only under callgrind, because the counts of the hardware counter differ between runs.
  private func record(_ figure: DiffFigure, _ reading: Reading, _ heckel: Double?) {
    let words = ["diff", kind.rawValue, "\(count)", figure.key]
    if countsOnly {
      recorder.add(words + ["instructions"], reading.instructions, .instructions, .counted)
      recorder.add(words + ["heckel-instructions"], heckel, .speedup, .counted)
    } else {
      recorder.add(words + ["time"], reading.least, .nanoseconds, .measured)
      recorder.add(words + ["heckel"], heckel, .speedup, .related)
    }
  }

  private mutating func add(
    _ label: String, _ reading: Reading, _ heckel: Double?, _ stdlib: Double?, _ aims: [String]
  ) {
    var entries = [label]
    if !countsOnly {
      entries += [reading.least, reading.median, reading.most].map { $0.map(FigureText.time) ?? "-" }
    }
    if countsInstructions { entries.append(reading.instructions.map { FigureText.count($0) } ?? "-") }
    entries += [heckel, stdlib].map { $0.map(FigureText.ratio) ?? "" }
    if !countsOnly { entries.append(aims.joined(separator: ", ")) }
    table.add(entries)
  }

  /// Returns the ratio of the times, or of the instructions if only they are measured.
  private func ratio(of other: Reading, to ours: Reading) -> Double? {
    guard countsOnly else { return other.ratio(to: ours) }
    guard let others = other.instructions, let mine = ours.instructions, mine > 0 else { return nil }
    return others / mine
  }
}

/// The number of changes in a changeset.
private struct ChangesetSummary: CustomStringConvertible {
  private let deletes: Int
  private let inserts: Int
  private let moves: Int
  private let runs: Int

  init(_ changeset: Changeset) {
    deletes = changeset.sections.reduce(0) { $0 + $1.deletes.count }
    inserts = changeset.sections.reduce(0) { $0 + $1.inserts.count }
    moves = changeset.movedItemCount
    runs = changeset.itemMoves.count
  }

  var description: String {
    "\(FigureText.count(deletes)) deleted, \(FigureText.count(inserts)) inserted, \(FigureText.count(moves)) moved in "
      + "\(FigureText.count(runs)) runs"
  }
}
