import Foundation

/// A strict reader of traces: what breaks a rule of the format, and what the trace holds.
///
/// Stricter than viewers, which drop in silence what they cannot make sense of.
public struct TraceChecker {
  /// What is wrong; nothing where all is well.
  public private(set) var faults: [TraceFault] = []
  /// Frames on the main track.
  public private(set) var frames = 0
  /// Pictures that were decoded: not those that failed or came from disk, nor previews of files' own.
  public private(set) var decodes = 0
  /// Late frames by class.
  public private(set) var hitches: [String: Int] = [:]
  /// Arrows.
  public private(set) var flows = 0
  /// How often each counter was told.
  public private(set) var counters: [String: Int] = [:]
  /// What tracks are called, by their numbers.
  public private(set) var trackNames: [Int: String] = [:]

  private let file: TraceFile
  private var spans: [Int: [TraceFile.Event]] = [:]

  /// Reads a trace and checks it.
  ///
  /// - Throws: where it is no JSON, or none of this kind.
  public init(_ bytes: some Sequence<UInt8>) throws {
    file = try JSONDecoder().decode(TraceFile.self, from: Data(bytes))
    if !["ns", "ms"].contains(file.displayTimeUnit) {
      recordFault(.fields, "displayTimeUnit is \(file.displayTimeUnit)")
    }
    for (place, event) in file.traceEvents.enumerated() { checkFields(of: event, place) }
    spans = Dictionary(grouping: file.traceEvents.filter { $0.ph == "X" }) { $0.tid ?? 0 }
    checkNesting()
    checkPairs()
    checkFlows()
    checkCounters()
    checkNames()
    countTotals()
  }

  private mutating func recordFault(_ rule: TraceFault.Rule, _ description: String) {
    faults.append(TraceFault(rule: rule, description: description))
  }

  // MARK: Rules

  private mutating func checkFields(of event: TraceFile.Event, _ place: Int) {
    let label = "event \(place) (\(event.ph ?? "?") \(event.name ?? "?"))"
    var missing: [String] = []
    if event.name?.isEmpty != false { missing.append("name") }
    if event.pid == nil { missing.append("pid") }
    if event.tid == nil { missing.append("tid") }
    if event.ph != "M", event.ts == nil { missing.append("ts") }
    switch event.ph {
    case "X": if event.dur == nil { missing.append("dur") }
    case "b", "e", "s":
      if event.id == nil { missing.append("id") }
      if event.cat?.isEmpty != false { missing.append("cat") }
    case "f":
      if event.id == nil { missing.append("id") }
      if event.cat?.isEmpty != false { missing.append("cat") }
      if event.bp != "e" { missing.append("bp") }
    case "C", "M": if event.args?.isEmpty != false { missing.append("args") }
    default: missing.append("ph")
    }
    if !missing.isEmpty { recordFault(.fields, "\(label) lacks \(missing.joined(separator: ", "))") }
    for (name, value) in [("ts", event.ts), ("dur", event.dur)] {
      if let value, !value.isFinite || value < 0 { recordFault(.times, "\(label): \(name) is \(value)") }
    }
  }

  private mutating func checkNesting() {
    for (track, events) in spans.sorted(by: { $0.key < $1.key }) {
      var open: [TraceFile.Event] = []
      for event in events.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
        while let last = open.last, last.end <= event.start, last.end > last.start || event.start > last.start {
          open.removeLast()
        }
        if let last = open.last, event.end > last.end {
          let names = (event.name ?? "?", last.name ?? "?")
          recordFault(.nesting, "track \(track): \(names.0) at \(event.start) ns begins in \(names.1) and outlasts it")
        }
        open.append(event)
      }
    }
  }

  private mutating func checkPairs() {
    var open: [String: Int64] = [:]
    let events = file.traceEvents.enumerated().filter { $1.ph == "b" || $1.ph == "e" }
    // In the order of time, and of the file where that is equal, as readers have it.
    for (_, event) in events.sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }) {
      let key = "\(event.cat ?? "") \(event.id ?? 0)"
      if event.ph == "b" {
        if open.updateValue(event.start, forKey: key) != nil {
          recordFault(.pairs, "\(key) begins again before it ends")
        }
      } else if open.removeValue(forKey: key) == nil {
        recordFault(.pairs, "\(key) ends and has not begun")
      }
    }
    for key in open.keys.sorted() { recordFault(.pairs, "\(key) never ends") }
  }

  /// What a track's spans cover, in order and apart from each other.
  private static func coveredRanges(_ spans: [TraceFile.Event]) -> [ClosedRange<Int64>] {
    var cover: [ClosedRange<Int64>] = []
    for span in spans.sorted(by: { $0.start < $1.start }) where span.end >= span.start {
      if let last = cover.last, span.start <= last.upperBound {
        cover[cover.count - 1] = last.lowerBound...max(last.upperBound, span.end)
      } else {
        cover.append(span.start...span.end)
      }
    }
    return cover
  }

  private static func contains(_ cover: [ClosedRange<Int64>], _ instant: Int64) -> Bool {
    // The first that ends at the moment or later is the only one that may hold it.
    var (low, high) = (0, cover.count)
    while low < high {
      let middle = (low + high) / 2
      if cover[middle].upperBound < instant { low = middle + 1 } else { high = middle }
    }
    return low < cover.count && cover[low].contains(instant)
  }

  private mutating func checkFlows() {
    let covers = spans.mapValues(TraceChecker.coveredRanges)
    var (starts, ends) = ([String: TraceFile.Event](), [String: TraceFile.Event]())
    for event in file.traceEvents where event.ph == "s" || event.ph == "f" {
      let key = "\(event.cat ?? "") \(event.id ?? 0)"
      let isAgain =
        event.ph == "s" ? starts.updateValue(event, forKey: key) != nil : ends.updateValue(event, forKey: key) != nil
      if isAgain { recordFault(.flows, "\(key) has two \(event.ph ?? "") events") }
      if !TraceChecker.contains(covers[event.tid ?? 0] ?? [], event.start) {
        recordFault(.flows, "\(key): no span holds its \(event.ph ?? "")")
      }
    }
    for key in Set(starts.keys).union(ends.keys).sorted() {
      guard let start = starts[key], let end = ends[key] else {
        recordFault(.flows, "\(key) has one end")
        continue
      }
      if end.start < start.start { recordFault(.flows, "\(key) comes before it leaves") }
    }
    flows = starts.count
  }

  private mutating func checkCounters() {
    for event in file.traceEvents where event.ph == "C" {
      counters[event.name ?? "", default: 0] += 1
      for (name, value) in event.args ?? [:] {
        if case .number(let number) = value, number.isFinite { continue }
        recordFault(.counters, "\(event.name ?? "?"): \(name) is \(value)")
      }
    }
  }

  private mutating func checkNames() {
    var hasProcess = false
    for event in file.traceEvents where event.ph == "M" {
      switch event.name {
      case "process_name", "thread_name":
        guard let name = event.textArgument("name"), !name.isEmpty else {
          recordFault(.names, "a \(event.name ?? "") without a name")
          continue
        }
        if event.name == "process_name" { hasProcess = true } else { trackNames[event.tid ?? 0] = name }
      case "thread_sort_index":
        if event.numberArgument("sort_index") == nil { recordFault(.names, "a thread_sort_index without a number") }
      default: recordFault(.names, "\(event.name ?? "?") names nothing")
      }
    }
    if !hasProcess { recordFault(.names, "the process has no name") }
    for track in spans.keys.sorted() where trackNames[track] == nil {
      recordFault(.names, "track \(track) has no name")
    }
  }

  // MARK: Counting

  private mutating func countTotals() {
    for (track, events) in spans {
      switch trackNames[track] {
      case "main": frames += events.count { $0.name?.hasPrefix("frame ") == true }
      case "Actual timeline":
        for event in events where event.numberArgument("hitch_ms") ?? 0 > 0 {
          hitches[event.textArgument("class") ?? "", default: 0] += 1
        }
      default: break
      }
    }
    decodes = file.traceEvents.count {
      $0.ph == "b" && $0.cat == "decode" && $0.args?["failure"] == nil && $0.args?["from_disk"] == nil
        && $0.textArgument("rung") == "full"
    }
  }
}
