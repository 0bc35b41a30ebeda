import BenchmarkSupport
import DataStructures
import DiffableData

/// What a snapshot and its differences take of memory, for one type of identifiers and one size.
struct DiffMemory<ID: BenchmarkIdentifier> {
  let count: Int
  let recorder: FigureRecorder

  /// A line each: the snapshot, and the differences that need most.
  var lines: [String] {
    let identifiers = (0..<count).map(ID.identifier)
    let before = ProcessMemory.allocated
    let base = SnapshotWork.snapshot(of: identifiers)
    let each = perItem(ProcessMemory.allocated - before) - Double(MemoryLayout<ID>.stride)
    // Freed any sooner, the array would count against the snapshot's own copy.
    keep(identifiers)
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
        "  " + line(name, key, from: base, to: SnapshotWork.emptied(base, filledWith: numbers.map(ID.identifier)))
      }
  }

  private func line(
    _ name: String, _ key: String, from old: DiffableDataSourceSnapshot<Int, ID>,
    to new: DiffableDataSourceSnapshot<Int, ID>
  ) -> String {
    let before = ProcessMemory.allocated
    let (changeset, growth) = ProcessMemory.growth { new.changeset(from: old) }
    let result = ProcessMemory.allocated - before
    keep(changeset)
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
