import Foundation

/// A strict parser of traces, which reports violations of the format and counts events.
///
/// Viewers are less strict and silently drop invalid events.
public struct TraceChecker {
  /// The violations of the format, empty for a valid trace.
  public private(set) var faults: [TraceFault] = []
  /// The number of frames on the main track.
  public private(set) var frames = 0
  /// The number of decoded images, without failures, images from the disk cache and embedded previews.
  public private(set) var decodes = 0
  /// The number of late frames by class.
  public private(set) var hitches: [String: Int] = [:]
  /// The number of flow arrows.
  public private(set) var flows = 0
  /// The number of samples of each counter.
  public private(set) var counters: [String: Int] = [:]
  /// The names of the tracks, by their numbers.
  public private(set) var trackNames: [Int: String] = [:]

  private let file: TraceFile
  private var spans: [Int: [TraceFile.Event]] = [:]

  /// Parses and checks a trace.
  ///
  /// - Throws: A decoding error if the data is not JSON of a trace.
  public init(_ bytes: some Sequence<UInt8>) throws {
    file = try JSONDecoder().decode(TraceFile.self, from: Data(bytes))
    if !["ns", "ms"].contains(file.displayTimeUnit) {
      recordFault(.fields, "displayTimeUnit is \(file.displayTimeUnit)")
    }
    for (index, event) in file.traceEvents.enumerated() { checkFields(of: event, index) }
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

  // MARK: - Rules

  private mutating func checkFields(of event: TraceFile.Event, _ index: Int) {
    let label = "event \(index) (\(event.ph ?? "?") \(event.name ?? "?"))"
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
    // Ordered by time, then by position in the file, like viewers do.
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

  /// Returns the disjoint ranges that the spans of a track cover, in order.
  private static func coveredRanges(_ spans: [TraceFile.Event]) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    for span in spans.sorted(by: { $0.start < $1.start }) where span.end >= span.start {
      if let last = ranges.last, span.start <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, span.end)
      } else {
        ranges.append(span.start...span.end)
      }
    }
    return ranges
  }

  private static func contains(_ ranges: [ClosedRange<Int64>], _ instant: Int64) -> Bool {
    // Only the first range that ends at or after the instant can contain it.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < instant { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(instant)
  }

  private mutating func checkFlows() {
    let ranges = spans.mapValues(TraceChecker.coveredRanges)
    var (starts, ends) = ([String: TraceFile.Event](), [String: TraceFile.Event]())
    for event in file.traceEvents where event.ph == "s" || event.ph == "f" {
      let key = "\(event.cat ?? "") \(event.id ?? 0)"
      let isDuplicate =
        event.ph == "s" ? starts.updateValue(event, forKey: key) != nil : ends.updateValue(event, forKey: key) != nil
      if isDuplicate { recordFault(.flows, "\(key) has two \(event.ph ?? "") events") }
      if !TraceChecker.contains(ranges[event.tid ?? 0] ?? [], event.start) {
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

  // MARK: - Counting

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
        && $0.textArgument("representation") == "full"
    }
  }
}

// MARK: - Faults

/// A violation of the trace format.
public struct TraceFault: Hashable, Sendable, CustomStringConvertible {
  /// The rules of Chrome's Trace Event Format, and additional requirements of its viewers.
  public enum Rule: Hashable, Sendable {
    /// An event has the fields that its phase requires.
    case fields
    /// Times are finite and not negative, and durations are not negative.
    case times
    /// The spans of a track are disjoint or nested.
    case nesting
    /// An asynchronous event begins once and ends once afterwards.
    case pairs
    /// A flow arrow leaves a span and enters a span at the same time or later.
    case flows
    /// Counter values are finite numbers.
    case counters
    /// The process and every track with spans have names.
    case names
  }

  /// The violated rule.
  public var rule: Rule
  /// The event and the violation.
  public var description: String
}

// MARK: - Trace file

/// A parsed file in Chrome's Trace Event Format.
private struct TraceFile: Decodable {
  /// An argument of an event.
  enum Argument: Decodable {
    case flag(Bool)
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  /// An event.
  ///
  /// The fields that it must have depend on its phase.
  struct Event: Decodable {
    var ph: String?
    var name: String?
    var cat: String?
    var id: Int?
    var pid: Int?
    var tid: Int?
    var ts: Double?
    var dur: Double?
    var bp: String?
    var args: [String: Argument]?

    /// The time or start of the event, in nanoseconds.
    var start: Int64 { TraceFile.nanoseconds(ts) }
    /// The end of the event, in nanoseconds.
    var end: Int64 { start + TraceFile.nanoseconds(dur) }

    func textArgument(_ name: String) -> String? {
      if case .text(let text)? = args?[name] { text } else { nil }
    }

    func numberArgument(_ name: String) -> Double? {
      if case .number(let number)? = args?[name] { number } else { nil }
    }
  }

  var displayTimeUnit: String
  var traceEvents: [Event]

  /// Converts microseconds with three decimals to nanoseconds, and invalid values to 0.
  private static func nanoseconds(_ microseconds: Double?) -> Int64 {
    guard let microseconds, microseconds.isFinite, abs(microseconds) < 1e15 else { return 0 }
    return Int64((microseconds * 1_000).rounded())
  }
}
