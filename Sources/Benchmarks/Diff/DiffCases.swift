import BenchmarkSupport
import DataStructures
import DiffableData

/// Every case of the benchmark for one type of identifiers and one size.
///
/// Generic over the identifiers and compiled for each, like the code of whoever uses the package.
struct DiffCases<ID: BenchmarkIdentifier> {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, ID>

  let count: Int
  let meter: Meter

  /// The snapshot that others are derived from, and what it holds.
  private let identifiers: [ID]
  private let base: Snapshot

  init(count: Int, meter: Meter) {
    self.count = count
    self.meter = meter
    identifiers = (0..<count).map(ID.identifier)
    base = SnapshotWork.snapshot(of: identifiers)
  }

  /// Measures every case.
  func run(into report: inout DiffReport) {
    let build = meter.measure { SnapshotWork.snapshot(of: opaque(identifiers)) }
    report.add(.build, build)
    unchanged(&report)
    for place in InsertionPlace.allCases { insertion(at: place, &report) }
    scattered(&report)
    let mix = ScatteredEdits.publishedMix(of: count, seed: 2).result
    anew(mix, .mixDiff, whole: .mixFromIdentifiers, stdlibUpTo: 10_000, &report)
    anew((0..<count).reversed(), .reversedDiff, stdlibUpTo: 1_000, &report)
    var random = SplitMix64(seed: 3)
    anew((0..<count).shuffled(using: &random), .shuffledDiff, stdlibUpTo: 1_000, &report)
  }

  private func unchanged(_ report: inout DiffReport) {
    let again = (0..<count).map(ID.identifier)
    let apart = SnapshotWork.snapshot(of: again)
    let stdlib = count <= 10_000 ? meter.measure { opaque(again).difference(from: opaque(identifiers)) } : nil
    let heckel = heckel(from: identifiers, to: again)
    report.add(
      .unchangedApart, meter.measure { opaque(apart).changeset(from: opaque(base)) }, heckel: heckel, stdlib: stdlib)
    let derived = SnapshotWork.emptied(base, filledWith: again)
    report.add(
      .unchangedDerived, meter.measure { opaque(derived).changeset(from: opaque(base)) }, heckel: heckel,
      stdlib: stdlib)
    checkPrecondition(derived.changeset(from: base).isEmpty, "Equal snapshots must not differ.")
  }

  /// A line of snapshots, each a copy of the one before with one more item; all of them are kept.
  private func insertion(at place: InsertionPlace, _ report: inout DiffReport) {
    let batch = 32
    var current = base
    var fresh = count
    var edits = Reading()
    var diffs = Reading()
    for run in 0...meter.repeats {
      let items = (fresh..<(fresh + batch)).map(ID.identifier)
      fresh += batch
      var line = [current]
      line.reserveCapacity(batch + 1)
      let edit = meter.time(operations: batch) {
        for item in items {
          var next = line[line.count - 1]
          SnapshotWork.insert(item, at: place, beside: identifiers, into: &next)
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
    report.add(.insertion(place), edits)
    report.add(.insertionDiff(place), diffs, heckel: heckel, stdlib: stdlib)
  }

  private func scattered(_ report: inout DiffReport) {
    let edits = SnapshotEdits<ID>(ScatteredEdits.onePercent(of: count, seed: 1))
    let result = edits.numbers.result.map(ID.identifier)
    var edited = base
    edits.apply(to: &edited)
    checkPrecondition(edited.itemIdentifiers == result, "The edits must come to what was foretold.")
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
    report.add(.scatteredAppend, meter.measure { SnapshotWork.emptied(opaque(base), filledWith: result) })
    let anew = SnapshotWork.emptied(base, filledWith: result)
    report.add(
      .scatteredAppendDiff, meter.measure { opaque(anew).changeset(from: opaque(base)) }, heckel: heckel,
      stdlib: stdlib)
    note(anew.changeset(from: base), of: .scatteredAppendDiff, in: &report)
  }

  /// The difference to what an emptied copy of the base was filled with.
  private func anew(
    _ numbers: [Int], _ figure: DiffFigure, whole: DiffFigure? = nil, stdlibUpTo most: Int,
    _ report: inout DiffReport
  ) {
    let items = numbers.map(ID.identifier)
    let new = SnapshotWork.emptied(base, filledWith: items)
    let heckel = heckel(from: identifiers, to: items)
    let stdlib = count <= most ? meter.measure { opaque(items).difference(from: opaque(identifiers)) } : nil
    report.add(
      figure, meter.measure { opaque(new).changeset(from: opaque(base)) }, heckel: heckel, stdlib: stdlib)
    if let whole {
      let reading = meter.measure {
        let old = SnapshotWork.snapshot(of: opaque(identifiers))
        let new = SnapshotWork.emptied(old, filledWith: opaque(items))
        return (new.changeset(from: old), old, new)
      }
      report.add(whole, reading, heckel: heckel, stdlib: stdlib)
      if let heckel { report.add(yardstick: "  plain Heckel, from arrays", heckel) }
      if let stdlib { report.add(yardstick: "  CollectionDifference, from arrays", stdlib) }
    }
    note(new.changeset(from: base), of: figure, in: &report)
  }

  private func note(_ changeset: Changeset, of figure: DiffFigure, in report: inout DiffReport) {
    report.note("\(figure.label): \(ChangesetCensus(changeset))")
  }

  /// The yardstick; not beyond a million items, where it takes seconds.
  private func heckel(from old: [ID], to new: [ID]) -> Reading? {
    guard count <= 1_000_000 else { return nil }
    return meter.measure(runs: count < 1_000_000 ? nil : 3) { HeckelDifference(from: opaque(old), to: opaque(new)) }
  }
}
