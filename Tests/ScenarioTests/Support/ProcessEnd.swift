/// How a process ended, and what it had to say.
struct ProcessEnd: CustomStringConvertible {
  /// Its exit status; nothing where a signal ended it.
  var status: Int32?
  /// The signal that ended it; nothing where it left by itself.
  var signal: Int32?
  /// What it wrote to standard output.
  var output: [UInt8]
  /// What it wrote to standard error.
  var complaints: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines of standard error.
  var complaintLines: [Substring] { complaints.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

  var description: String {
    let end = status.map { "status \($0)" } ?? signal.map { "signal \($0)" } ?? "no end"
    return "\(end), complaints: \(complaints), output: \(text.prefix(400))"
  }
}
