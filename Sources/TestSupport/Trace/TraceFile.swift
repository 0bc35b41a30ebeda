/// A file in Chrome's Trace Event Format, as it was read.
struct TraceFile: Decodable {
  /// What an event's argument is.
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

  /// One event; which fields it must have depends on its letter.
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

    /// When it is or begins, in nanoseconds.
    var start: Int64 { TraceFile.nanoseconds(ts) }
    /// When it ends, in nanoseconds.
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

  /// Microseconds with three decimals as whole nanoseconds, as which they were written; 0 for what is none.
  private static func nanoseconds(_ microseconds: Double?) -> Int64 {
    guard let microseconds, microseconds.isFinite, abs(microseconds) < 1e15 else { return 0 }
    return Int64((microseconds * 1_000).rounded())
  }
}
