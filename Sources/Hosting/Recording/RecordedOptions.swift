/// Which options of a command line are settings of a run that a recording keeps, and which only say where things go.
enum RecordedOptions {
  /// Where a run's results go, how it is shown, and how long it lasts: another run's own affair.
  private static let unrecordedNames: Set<String> = [
    "--record", "--replay", "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--headless",
    "--renderer", "--clock", "--duration", "--frames", "--cache-dir", "--no-cache", "--verdicts", "--about",
    "--version",
    "--help", "--demo", "--log",
  ]
  /// What may be said of a replay without its frames being others.
  private static let neutralNames: Set<String> = [
    "--record", "--replay", "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--headless",
    "--renderer", "--no-cache",
  ]

  /// Whether a recording keeps an option; a script file is kept by what it says.
  static func isRecorded(_ option: ParsedOption) -> Bool {
    guard option.name.hasPrefix("--"), option.name.count > 2, !option.name.contains("="),
      !unrecordedNames.contains(option.name)
    else { return false }
    return option.name != "--scroll" || !ScriptFile.isFileName(option.value ?? "")
  }

  /// The settings of a run: those of the command line, the last of each, and what was settled in their place.
  static func settings(given: [ParsedOption], settled: [ParsedOption]) -> [ParsedOption] {
    let last = given.enumerated().filter { place, option in
      isRecorded(option) && !given[(place + 1)...].contains { $0.name == option.name }
    }.map(\.element)
    return last.filter { option in !settled.contains { $0.name == option.name } } + settled
  }

  /// The names of options that make a replay another run than was recorded, each once.
  static func overrides(given: [ParsedOption], recorded: [ParsedOption]) -> [String] {
    var names: [String] = []
    for option in given where !neutralNames.contains(option.name) && !recorded.contains(option) {
      if option == ParsedOption("--clock", "virtual") || names.contains(option.name) { continue }
      names.append(option.name)
    }
    return names
  }
}
