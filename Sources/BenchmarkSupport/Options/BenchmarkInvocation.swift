/// A command line: what the program is asked to do, and where what it finds out goes besides its tables.
public struct BenchmarkInvocation: Hashable, Sendable {
  /// What is asked for.
  public let command: BenchmarkCommand
  /// The file that the figures are written to, as ``FigureDocument`` has it; nothing where they are printed alone.
  public let figures: String?

  /// Reads arguments, the program's name left out; `--json FILE` may stand anywhere behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first argument that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    var (words, figures) = (arguments, String?.none)
    while let place = words.firstIndex(of: "--json") {
      guard place + 1 < words.count, !words[place + 1].isEmpty else { throw CommandError("--json needs a path") }
      figures = words[place + 1]
      words.removeSubrange(place...(place + 1))
    }
    let command = try BenchmarkCommand(words)
    if figures != nil, !command.hasFigures {
      throw CommandError(
        "--json: \(words.first ?? "diff") has no figures; diff, layout, scroll (without --scene), input, decode and "
          + "launch have some")
    }
    (self.command, self.figures) = (command, figures)
  }
}
