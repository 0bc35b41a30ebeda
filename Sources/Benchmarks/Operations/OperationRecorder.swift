import BenchmarkSupport

/// Times calls of operations, and notes them in the ledger for the size at hand.
///
/// Calls are made in batches on places spread over a value, the same ones in every run, so that what they touch is in the
/// caches: what grows is the work, not the way to the memory. The quickest of the runs counts.
final class OperationRecorder {
  /// Which call it is.
  struct Turn {
    /// Unlike that of every other call in this program.
    let number: Int
    /// The call's place in its batch.
    let place: Int
  }

  /// The figures so far.
  private(set) var ledger: OperationLedger
  /// The type whose operations are measured.
  var type = ""
  /// Items of the values that are measured.
  var count = 0

  private let meter: Meter
  private var number = 0

  init(meter: Meter, sizes: [Int]) {
    self.meter = meter
    ledger = OperationLedger(sizes: sizes)
  }

  /// An operation that changes nothing.
  ///
  /// What a dear call returns lives until its run is over: destroying it is not measured.
  func query<Result>(_ name: String, _ stated: StatedCost, _ body: (Int) -> Result) {
    let first = meter.time(operations: 1) { keep(body(0)) }
    guard first.nanoseconds < 50_000 else {
      note(name, stated, meter.measure { body(0) })
      return
    }
    let warmUp = meter.time(operations: 16) { for place in 0..<16 { keep(body(place)) } }
    let calls = Int(max(1, min(4_096, 200_000 / max(warmUp.nanoseconds, 1))))
    var reading = Reading()
    for _ in 0..<meter.repeats {
      reading.add(meter.time(operations: calls) { for place in 0..<calls { keep(body(place)) } })
    }
    note(name, stated, reading)
  }

  /// An operation that changes a value which nobody shares; what it needs and what undoes it is not measured.
  func change<Value>(
    _ name: String, _ stated: StatedCost, of value: inout Value, calls: Int = 64,
    preparing prepare: (inout Value, Turn) -> Void = { _, _ in },
    _ body: (inout Value, Turn) -> Void,
    undoing undo: (inout Value, Turn) -> Void = { _, _ in }
  ) {
    var reading = Reading()
    for run in 0...meter.repeats {
      let first = number
      number += calls
      let turns = (0..<calls).map { Turn(number: first + $0, place: $0) }
      for turn in turns { prepare(&value, turn) }
      let sample = meter.time(operations: calls) { for turn in turns { body(&value, turn) } }
      for turn in turns { undo(&value, turn) }
      if run > 0 { reading.add(sample) }
    }
    note(name, stated, reading)
  }

  /// An operation that changes a value in such a way that the next call needs a new one, which nobody shares.
  func change<Value>(_ name: String, _ stated: StatedCost, making make: () -> Value, _ body: (inout Value) -> Void) {
    let calls = max(1, min(32, 100_000 / count))
    var reading = Reading()
    for run in 0...meter.repeats {
      var values = (0..<calls).map { _ in make() }
      let sample = meter.time(operations: calls) { for place in values.indices { body(&values[place]) } }
      if run > 0 { reading.add(sample) }
    }
    note(name, stated, reading)
  }

  /// A copy of a value, and the first change of it.
  func firstChange<Value>(
    _ name: String, _ stated: StatedCost, ofCopyOf value: Value, _ body: (inout Value, Turn) -> Void
  ) {
    var place = 0
    let reading = meter.measure {
      var copy = opaque(value)
      body(&copy, Turn(number: number, place: place))
      number += 1
      place += 1
      return copy
    }
    note(name + ", first after a copy", stated, reading)
  }

  private func note(_ name: String, _ stated: StatedCost, _ reading: Reading) {
    guard let least = reading.least else { return }
    ledger.add(type: type, operation: name, stated: stated, count: count, nanoseconds: least)
  }
}
