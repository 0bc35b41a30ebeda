import Foundation

/// What strace wrote about a run with `-f -y`: one call a line, descriptors with their paths behind them.
struct SystemCallLog {
  /// One call.
  struct Call {
    /// The line without the process's number.
    var line: Substring

    /// The call's name.
    var name: Substring { line.prefix { $0 != "(" } }

    /// What decides what it touches: all its words, but what is written only by the descriptor that it goes to.
    var place: Substring {
      guard name.contains("write"), let comma = line.firstIndex(of: ",") else { return line }
      return line[..<comma]
    }

    /// Whether it opens a file of this name.
    func opens(_ file: String) -> Bool { name.hasPrefix("open") && line.contains("\(file)\"") }

    /// Whether it is an opening for reading alone: the only thing that may be done with a user's path.
    var isReading: Bool {
      guard name == "open" || name == "openat" else { return false }
      return line.contains("O_RDONLY")
        && !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"].contains { line.contains($0) }
    }
  }

  private let calls: [Call]

  /// Reads a log; a call that another process interrupted stands there in two lines, the first of which has its words.
  init(path: String) throws {
    calls = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      Call(line: line.drop { $0.isNumber || $0 == " " })
    }.filter { !$0.line.hasPrefix("<... ") }
  }

  /// The calls that name a path or something below it, by a word or by a descriptor.
  func calls(naming path: String) -> [Call] {
    calls.filter { call in ["/", "\"", ">"].contains { call.place.contains(path + $0) } }
  }
}
