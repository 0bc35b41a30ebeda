import Foundation

extension OptionTable {
  /// Reads arguments; where they ask for a replay, a recording's settings stand before them.
  ///
  /// - Parameters:
  ///   - arguments: the program's name left out.
  ///   - settings: the defaults.
  ///   - hosting: where the shared settings are.
  ///   - program: the program's name: a recording of another one is refused.
  ///   - modes: the ways of running in which only some options have a meaning. Default: none.
  ///   - replaced: the names of recorded settings that a command line takes the place of, beyond those that it gives.
  /// - Throws: ``UsageError`` naming the first argument, or what is wrong with the recording.
  public func parse(
    _ arguments: [[UInt8]], into settings: Settings, hosting: WritableKeyPath<Settings, HostingOptions>,
    of program: String, modes: [RunMode] = [], replaced: (_ given: Parsed) -> Set<String> = { _ in [] }
  ) throws(UsageError) -> Parsed {
    var parsed = try parse(arguments, into: settings)
    try RunMode.validate(parsed.parsedOptions, modes: modes)
    if let path = parsed.settings[keyPath: hosting].replay {
      let recording = try RecordingReader.read(path)
      let header = recording.header
      guard header.program == program else {
        throw UsageError("--replay \(path): a recording of \(header.program); one of \(program) is accepted")
      }
      let replaced = replaced(parsed)
      let standing = header.options.filter { !replaced.contains($0.name) }
      var recorded: Parsed
      var leftOut: [String] = []
      do throws(UsageError) {
        recorded = try parse(standing.map { Array($0.argument.utf8) }, into: settings)
        if let script = header.script {
          // A simulated clock never sleeps, so no wake-up can be late.
          let steps = try ScriptFile.steps(in: Data(script.utf8), of: path)
          recorded.settings[keyPath: hosting].steps = steps.filter { !$0.needsRealTime }
          leftOut = steps.contains(where: \.needsRealTime) ? ["fault wake"] : []
          recorded.settings[keyPath: hosting].scriptText = script
        }
      } catch {
        throw UsageError("--replay \(path): \(error)")
      }
      parsed = try parse(arguments, into: recorded.settings)
      let given = parsed.parsedOptions
      try parsed.settings[keyPath: hosting].applyReplay(
        Replay(
          recording: recording, path: path,
          overridden: RecordedOptions.overrides(given: given, recorded: header.options) + leftOut))
      parsed.parsedOptions = standing + given
    }
    parsed.settings[keyPath: hosting].parsedOptions = parsed.parsedOptions
    parsed.settings[keyPath: hosting].program = program
    return parsed
  }
}

extension HostingOptions {
  /// Settles what a replay is: without a window, on the virtual clock or on cpu.
  mutating func applyReplay(_ replay: Replay) throws(UsageError) {
    if clock == .auto { clock = .virtual }
    guard clock.isSimulated else {
      throw UsageError("--clock \(clock.rawValue): --replay runs on virtual (default) or cpu")
    }
    isHeadless = true
    loadedReplay = replay
  }
}
