/// What the program is asked to do.
public enum BenchmarkCommand: Hashable, Sendable {
  /// To print how it is used.
  case help
  /// To print by what it can count instructions: `perf_event_open` or `none`.
  case counter
  /// To measure differences.
  case diff(DiffOptions)

  /// How the program is used.
  public static let usage = """
    usage: scripts/bench [diff] [--n N,N,...] [--ids int,uuid,string] [--repeat K] [--quick] [--instructions]

      --n N,N,...       items of a snapshot (default 1000,10000,100000,1000000,10000000;
                        quick: 1000,100000,1000000; instructions by valgrind: 1000,10000)
      --ids KIND,...    identifiers: int, uuid, string (default all three)
      --repeat K        runs of each case (default 7; quick: 3)
      --quick           fewer sizes and runs
      --instructions    counts instructions: by perf_event_open, else under valgrind, without times

    """

  /// Reads arguments, the program's name left out.
  ///
  /// - Throws: ``CommandError`` naming the first argument that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--help") {
      self = .help
      return
    }
    switch arguments.first {
    case "counter" where arguments.count == 1: self = .counter
    case "diff": self = .diff(try DiffOptions(Array(arguments.dropFirst())))
    case nil: self = .diff(try DiffOptions([]))
    case let word?:
      guard word.hasPrefix("-") else { throw CommandError("\(word): there is no such benchmark; there is diff") }
      self = .diff(try DiffOptions(arguments))
    }
  }
}
