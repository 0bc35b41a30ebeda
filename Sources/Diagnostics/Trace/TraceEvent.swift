import VitrineFramePacing

/// An event of a trace in Chrome's Trace Event Format, which is one line of the file.
nonisolated struct TraceEvent {
  /// The value of an event's argument.
  nonisolated enum Value: Hashable {
    case integer(Int)
    case milliseconds(FrameDuration)
    /// A number of bytes that is written in megabytes.
    case megabytes(Int)
    case flag(Bool)
    case text(String)
  }

  /// The kind of an event, with the phase letter (`ph`) of the format.
  nonisolated enum Kind {
    /// A complete span (`X`). Spans of one track must be disjoint or nested.
    case span(from: FrameInstant, to: FrameInstant)
    /// The start of an asynchronous span (`b`), which may overlap others of its category.
    case begin(at: FrameInstant, category: StaticString, id: UInt64)
    /// The end of an asynchronous span (`e`).
    case end(at: FrameInstant, category: StaticString, id: UInt64)
    /// The start of a flow arrow (`s`), in the span that contains the instant on the track.
    case flowStart(at: FrameInstant, category: StaticString, id: UInt64)
    /// The end of a flow arrow (`f`), in the enclosing span of the track.
    case flowEnd(at: FrameInstant, category: StaticString, id: UInt64)
    /// Counter values from an instant on (`C`).
    case counters(at: FrameInstant)
    /// The name or sort index of a process or track (`M`).
    case metadata
  }

  let kind: Kind
  let name: String
  let track: Int
  /// A reserved color name of Perfetto.
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

  /// Writes the event as JSON.
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

/// A writer of JSON objects, field by field, to a byte array.
///
/// A trace has hundreds of thousands of lines, for which `JSONEncoder` takes seconds.
nonisolated struct TraceJSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Opens an object.
  mutating func openObject() {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Opens an object as the value of a field.
  mutating func openObjectField(_ name: String) {
    writeKey(name)
    openObject()
  }

  /// Closes the innermost object.
  mutating func closeObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Writes bytes between objects.
  mutating func writeRaw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func writeField(_ name: String, integer: Int) {
    writeKey(name)
    bytes.append(contentsOf: String(integer).utf8)
  }

  mutating func writeField(_ name: String, flag: Bool) {
    writeKey(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes nanoseconds as microseconds with three decimals.
  mutating func writeField(_ name: String, microseconds nanoseconds: Int64) {
    writeField(name, thousandths: nanoseconds)
  }

  /// Writes thousandths of a number with three decimals.
  mutating func writeField(_ name: String, thousandths: Int64) {
    writeKey(name)
    if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = thousandths.magnitude
    let rest = String(magnitude % 1_000)
    bytes.append(contentsOf: String(magnitude / 1_000).utf8)
    bytes.append(UInt8(ascii: "."))
    for _ in rest.utf8.count..<3 { bytes.append(UInt8(ascii: "0")) }
    bytes.append(contentsOf: rest.utf8)
  }

  mutating func writeField(_ name: String, text: String) {
    writeKey(name)
    writeString(text)
  }

  private mutating func writeKey(_ name: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    writeString(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a string according to RFC 8259, section 7.
  private mutating func writeString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        bytes += Array("\\u00".utf8) + [TraceJSONWriter.digits[Int(byte >> 4)], TraceJSONWriter.digits[Int(byte & 15)]]
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
