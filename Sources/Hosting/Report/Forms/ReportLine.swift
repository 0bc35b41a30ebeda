/// A report as one line of `name=value`, as tools for logs read it; what was not measured is left out.
struct ReportLine {
  /// The figures.
  let report: RunReport

  /// The line and its end.
  var text: String {
    var words = ["vitrine=\(report.version)", "clock=\(report.display.clock)", "frames=\(report.frames.count)"]
    func add(_ name: String, _ value: Double?) {
      if let value { words.append("\(name)=\(value)") }
    }
    // A word that no space breaks.
    func addMeasured(_ name: String, _ value: Double?) {
      words.append("\(name)=" + (value.map { "\($0)" } ?? "not-measured"))
    }
    func add(_ name: String, _ value: Int?) {
      if let value { words.append("\(name)=\(value)") }
    }
    add("items", report.library?.items)
    add("tracked_s", report.frames.trackedSeconds)
    addMeasured("hitch_ms_per_s", report.hitches?.ratioMsPerS)
    add("hitches", report.hitches?.count)
    add("longest_ms", report.hitches?.longestMs)
    for (name, count) in (report.hitches?.byClass ?? [:]).sorted(by: { $0.key < $1.key }) { add(name, count) }
    addMeasured("commit_p50_us", report.frames.commitUs?.p50)
    addMeasured("commit_p99_us", report.frames.commitUs?.p99)
    addMeasured("overrun_p99_us", report.frames.overrunUs?.p99)
    add("allocations_p50", report.frames.allocations?.p50)
    add("allocations_p99", report.frames.allocations?.p99)
    add("forced", report.cells?.preparedForced)
    add("decoded", report.images?.decoded)
    add("decoded_on_render_thread", report.images?.decodedOnRenderThread)
    add("placeholder_cell_ms", report.images?.placeholderCellMs)
    add("blank_cell_ms", report.images?.blankCellMs)
    addMeasured("first_frame_ms", report.launch.firstFrameMs)
    add("resident_peak_bytes", report.memory.residentPeakBytes)
    if let digest = report.frameDigest { words.append("digest=\(digest)") }
    return words.joined(separator: " ") + "\n"
  }
}
