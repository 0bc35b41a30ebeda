import FoundationEssentials
import VitrineFramePacing
public import VitrineHosting
import VitrineViews

/// A replay of a recording.
public nonisolated struct Replay: Sendable {
  /// The recording.
  public let recording: Recording
  /// The path of the recording.
  public let path: String
  /// The names of options that differ from the recorded run, and `folder` if another library is shown.
  public var overridden: [String]

  /// The operands of the recorded command line, as bytes.
  public var operands: [[UInt8]] { recording.header.operands.compactMap(PercentEncoding.bytes(of:)) }

  /// The default limits of the replay, which are those of the recorded run.
  @MainActor var limits: LoopLimits {
    recording.header.countsFrames
      ? LoopLimits(frames: recording.end.frames) : LoopLimits(duration: FrameDuration(nanoseconds: recording.end.ns))
  }
}

extension OptionTable {
  /// Parses arguments.
  ///
  /// With `--replay`, the settings of the recording precede them.
  ///
  /// - Parameters:
  ///   - arguments: The command line, without the program's name.
  ///   - settings: The default settings.
  ///   - common: The key path of the options for diagnostics.
  ///   - program: The program's name. Recordings of other programs are rejected.
  ///   - modes: The modes in which only some options have an effect. Default: none.
  ///   - replacedNames: Returns the names of recorded settings that the command line replaces, in addition to those
  ///     that it contains.
  /// - Throws: `UsageError` that names the first invalid argument or the error in the recording.
  public func parse(
    _ arguments: [[UInt8]], into settings: Settings, common: WritableKeyPath<Settings, DiagnosticOptions>,
    of program: String, modes: [RunMode] = [], replacedNames: (_ given: Parsed) -> Set<String> = { _ in [] }
  ) throws(UsageError) -> Parsed {
    var parsed = try parse(arguments, into: settings)
    try RunMode.validate(parsed.parsedOptions, modes: modes)
    if let path = parsed.settings[keyPath: common].replay {
      let recording = try RecordingReader.read(path)
      let header = recording.header
      guard header.program == program else {
        throw UsageError("--replay \(path): a recording of \(header.program); one of \(program) is accepted")
      }
      let replaced = replacedNames(parsed)
      let standing = header.options.filter { !replaced.contains($0.name) }
      var recorded: Parsed
      var leftOut: [String] = []
      do throws(UsageError) {
        recorded = try parse(standing.map { Array($0.argument.utf8) }, into: settings)
        if let script = header.script {
          // A simulated clock never sleeps, so wake-ups cannot be late.
          let steps = try ScriptFile.steps(in: Data(script.utf8), of: path)
          recorded.settings[keyPath: common].steps = steps.filter { !$0.needsRealTime }
          leftOut = steps.contains(where: \.needsRealTime) ? ["fault wake"] : []
          recorded.settings[keyPath: common].scriptText = script
        }
      } catch {
        throw UsageError("--replay \(path): \(error)")
      }
      parsed = try parse(arguments, into: recorded.settings)
      let given = parsed.parsedOptions
      try parsed.settings[keyPath: common].applyReplay(
        Replay(
          recording: recording, path: path,
          overridden: RecordedOptions.overrides(options: given, recorded: header.options) + leftOut))
      parsed.parsedOptions = standing + given
    }
    parsed.settings[keyPath: common].parsedOptions = parsed.parsedOptions
    parsed.settings[keyPath: common].program = program
    return parsed
  }
}

extension DiagnosticOptions {
  /// Configures a headless run on the virtual or cpu clock.
  mutating func applyReplay(_ replay: Replay) throws(UsageError) {
    if hosting.clock == .auto { hosting.clock = .virtual }
    guard hosting.clock.isSimulated else {
      throw UsageError("--clock \(hosting.clock.rawValue): --replay runs on virtual (default) or cpu")
    }
    hosting.isHeadless = true
    hosting.headlessOption = "--replay"
    loadedReplay = replay
  }
}

/// The options that are part of a recording, and those that affect a replay's frames.
enum RecordedOptions {
  /// The options for destinations, display and duration, which are not recorded.
  private static let unrecordedNames: Set<String> = [
    "--record", "--replay", "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--headless",
    "--renderer", "--clock", "--duration", "--frames", "--cache-dir", "--no-cache", "--verdicts", "--about",
    "--version",
    "--help", "--demo", "--log",
  ]
  /// The options that do not affect the frames of a replay.
  private static let neutralNames: Set<String> = [
    "--record", "--replay", "--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--headless",
    "--renderer", "--no-cache",
  ]

  /// Returns whether an option is recorded.
  ///
  /// A script file is recorded by its contents instead.
  static func isRecorded(_ option: ParsedOption) -> Bool {
    guard option.name.hasPrefix("--"), option.name.count > 2, !option.name.contains("="),
      !unrecordedNames.contains(option.name)
    else { return false }
    return option.name != "--scroll" || !ScriptFile.isFileName(option.value ?? "")
  }

  /// Returns the settings of a run: the last value of each recorded option, replaced by derived settings.
  static func settings(options: [ParsedOption], derived: [ParsedOption]) -> [ParsedOption] {
    let last = options.enumerated().filter { place, option in
      isRecorded(option) && !options[(place + 1)...].contains { $0.name == option.name }
    }.map(\.element)
    return last.filter { option in !derived.contains { $0.name == option.name } } + derived
  }

  /// Returns the names of options that make a replay differ from the recorded run, without duplicates.
  static func overrides(options: [ParsedOption], recorded: [ParsedOption]) -> [String] {
    var names: [String] = []
    for option in options where !neutralNames.contains(option.name) && !recorded.contains(option) {
      if option == ParsedOption("--clock", "virtual") || names.contains(option.name) { continue }
      names.append(option.name)
    }
    return names
  }
}

/// The figures of a replay, and whether its frames match those of the recorded run.
public struct ReplayFigures: Encodable {
  /// The path of the recording.
  var recording: String
  /// The version and the clock of the recorded program.
  var recordedVersion, recordedClock: String
  /// The number of replayed input events.
  var events: Int
  /// The options that differ from the recording, and `folder` for another library.
  var overridden: [String]
  /// The numbers of missing and of changed files of the recorded library.
  var filesMissing, filesChanged: Int?
  /// The number of recorded frames whose jobs did not arrive, or nil if there are none.
  var jobFramesMissing: Int?
  /// The recorded digest of all frames, if any.
  var recordedDigest: String?
  /// Whether the replay's digest equals the recorded one, or nil if they are not comparable.
  var digestMatches: Bool?

  /// Creates the figures of a replay.
  ///
  /// - Parameters:
  ///   - replay: The replay.
  ///   - files: The comparison of the library's files, if they were listed.
  ///   - jobFramesMissing: The number of recorded frames whose jobs did not arrive.
  ///   - digest: The replay's digest on the virtual clock.
  init(_ replay: Replay, files: ReplayedFiles?, jobFramesMissing: Int, digest: String?) {
    let recorded = replay.recording
    recording = replay.path
    recordedVersion = recorded.header.version
    recordedClock = recorded.header.clock
    events = recorded.events.count
    overridden = replay.overridden
    filesMissing = files?.missing
    filesChanged = files?.changed
    self.jobFramesMissing = jobFramesMissing > 0 ? jobFramesMissing : nil
    recordedDigest = recorded.end.frameDigest
    guard let recordedDigest, let digest, overridden.isEmpty, files?.missing ?? 0 == 0 else { return }
    digestMatches = recordedDigest == digest
  }

  /// The figures as one line for the user.
  var summary: String {
    var words = [recording]
    if !overridden.isEmpty { words.append("otherwise: " + overridden.joined(separator: " ")) }
    if let filesMissing, filesMissing > 0 { words.append("\(filesMissing) files missing") }
    if let filesChanged, filesChanged > 0 { words.append("\(filesChanged) files changed") }
    if let jobFramesMissing { words.append("\(jobFramesMissing) frames without their jobs") }
    if let digestMatches { words.append(digestMatches ? "the same frames" : "other frames") }
    return words.joined(separator: ", ")
  }
}

/// The comparison of a recorded library's files with those at its replay.
public nonisolated struct ReplayedFiles: Hashable, Sendable {
  /// The number of missing files.
  public var missing: Int
  /// The number of files with another size or modification time.
  public var changed: Int

  /// Creates a comparison.
  public init(missing: Int, changed: Int) {
    self.missing = missing
    self.changed = changed
  }
}
