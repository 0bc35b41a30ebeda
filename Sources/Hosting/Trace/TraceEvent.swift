import FramePacing

/// One line of a trace: an event in the words of Chrome's Trace Event Format.
nonisolated struct TraceEvent {
  /// What an event's argument is.
  nonisolated enum Value: Hashable {
    case integer(Int)
    case milliseconds(FrameDuration)
    /// Thousands of bytes, to be read as megabytes.
    case megabytes(Int)
    case flag(Bool)
    case text(String)
  }

  /// The kinds of events that are written here, by the letters of the format (`ph`).
  nonisolated enum Kind {
    /// Something that lasted (`X`); those of one track lie one after the other or one within another.
    case span(from: FrameInstant, to: FrameInstant)
    /// Something begins that may overlap others of its category (`b`).
    case begin(at: FrameInstant, category: StaticString, id: UInt64)
    /// It ends (`e`).
    case end(at: FrameInstant, category: StaticString, id: UInt64)
    /// An arrow begins in the span that holds this moment on the track (`s`).
    case flowStart(at: FrameInstant, category: StaticString, id: UInt64)
    /// It ends in the span that holds this moment on the track (`f`, bound to what encloses it).
    case flowEnd(at: FrameInstant, category: StaticString, id: UInt64)
    /// Figures from a moment on (`C`).
    case counters(at: FrameInstant)
    /// What a process or track is called, or where it stands (`M`).
    case metadata
  }

  let kind: Kind
  let name: String
  let track: Int
  /// One of Perfetto's reserved colours.
  var color: String?
  var arguments: [(name: String, value: Value)] = []

  init(_ kind: Kind, _ name: String, track: Int, color: String? = nil, _ arguments: [(name: String, value: Value)] = [])
  {
    self.kind = kind
    self.name = name
    self.track = track
    self.color = color
    self.arguments = arguments
  }

  /// Adds the event to JSON text.
  func write(to line: inout TraceJSONWriter) {
    line.openObject()
    line.writeField("name", text: name)
    switch kind {
    case .span(let start, let end):
      line.writeField("ph", text: "X")
      line.writeField("ts", microseconds: start.nanoseconds)
      line.writeField("dur", microseconds: max(0, (end - start).nanoseconds))
    case .begin(let instant, let category, let id): write("b", instant, category, id, to: &line)
    case .end(let instant, let category, let id): write("e", instant, category, id, to: &line)
    case .flowStart(let instant, let category, let id): write("s", instant, category, id, to: &line)
    case .flowEnd(let instant, let category, let id):
      write("f", instant, category, id, to: &line)
      line.writeField("bp", text: "e")
    case .counters(let instant):
      line.writeField("ph", text: "C")
      line.writeField("ts", microseconds: instant.nanoseconds)
    case .metadata:
      line.writeField("ph", text: "M")
    }
    line.writeField("pid", integer: 1)
    line.writeField("tid", integer: track)
    if let color { line.writeField("cname", text: color) }
    if !arguments.isEmpty {
      line.openObjectField("args")
      for argument in arguments {
        switch argument.value {
        case .integer(let value): line.writeField(argument.name, integer: value)
        case .milliseconds(let value): line.writeField(argument.name, thousandths: value.nanoseconds / 1_000)
        case .megabytes(let value): line.writeField(argument.name, thousandths: Int64(value / 1_000))
        case .flag(let value): line.writeField(argument.name, flag: value)
        case .text(let value): line.writeField(argument.name, text: value)
        }
      }
      line.closeObject()
    }
    line.closeObject()
  }

  private func write(
    _ letter: String, _ instant: FrameInstant, _ category: StaticString, _ id: UInt64, to line: inout TraceJSONWriter
  ) {
    line.writeField("ph", text: letter)
    line.writeField("cat", text: "\(category)")
    line.writeField("id", integer: Int(truncatingIfNeeded: id))
    line.writeField("ts", microseconds: instant.nanoseconds)
  }
}
