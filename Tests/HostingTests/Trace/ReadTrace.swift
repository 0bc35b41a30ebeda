/// A trace, read back as a viewer reads it.
struct ReadTrace: Decodable {
  struct Event: Decodable {
    struct Arguments: Decodable {
      var name: String?
    }

    var ph: String
    var name: String
    var tid: Int
    var ts: Double?
    var dur: Double?
    var args: Arguments?

    var start: Double { ts ?? 0 }
    var end: Double { start + (dur ?? 0) }
  }

  var traceEvents: [Event]

  /// What the tracks are called.
  var trackNames: [Int: String] {
    var names: [Int: String] = [:]
    for event in traceEvents where event.name == "thread_name" { names[event.tid] = event.args?.name }
    return names
  }

  /// Pairs of a track's events of which neither holds the other nor ends before it; in microseconds, exact to a tenth.
  var overlaps: [String] {
    var found: [String] = []
    for (track, events) in Dictionary(grouping: traceEvents.filter { $0.ph == "X" }, by: \.tid) {
      var open: [Event] = []
      for event in events.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
        while let last = open.last, last.end <= event.start + 0.1 { open.removeLast() }
        if let last = open.last, event.end > last.end + 0.1 { found.append("\(track): \(last.name), \(event.name)") }
        open.append(event)
      }
    }
    return found.sorted()
  }
}
