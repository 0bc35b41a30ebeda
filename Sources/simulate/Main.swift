import Glibc
import VitrineSimulation

/// The program behind `scripts/simulate`.
///
///     simulate run SECONDS SEED STEP LIMIT STATUS   runs sessions of the seeds SEED, SEED + STEP and so on below LIMIT
///     simulate seed SEED                            runs the session of a seed, and prints its script
///     simulate replay FILE                          runs the session of a file
///     simulate shrink FILE                          prints the smallest session that fails as that of the file
///
/// A session that ends the program, or hangs, is found by its exit status.
@main
struct Simulate {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let second = arguments.count > 1 ? arguments[1] : ""
    switch arguments.first {
    case "run" where arguments.count == 6:
      guard let seconds = Int(second), let seed = UInt64(arguments[2]), let step = UInt64(arguments[3]),
        let limit = UInt64(arguments[4])
      else { break }
      exit(run(seconds, from: seed, by: step, below: limit, status: arguments[5]))
    case "seed":
      guard let seed = UInt64(second) else { break }
      var generator = SimulationGenerator(seed: seed)
      let script = generator.makeScript()
      print(script.text, terminator: "")
      // A session may end the process.
      fflush(nil)
      exit(report(script))
    case "replay":
      guard let script = read(second) else { break }
      exit(report(script))
    case "shrink":
      guard let script = read(second) else { break }
      exit(shrink(script, path: second))
    default: break
    }
    printError("usage: simulate run SECONDS SEED STEP LIMIT STATUS | seed SEED | replay FILE | shrink FILE")
    exit(64)
  }

  /// Ends the process if a session takes two minutes of processor time, so that it counts as hanging.
  ///
  /// The C function is `setitimer` with `ITIMER_PROF`.
  private static func startTimeout() {
    var time = itimerval()
    time.it_value.tv_sec = 120
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &time, nil)
  }

  /// Runs sessions for a time.
  ///
  /// The file of the status holds the seed of the session that is running, or the result of all.
  private static func run(_ seconds: Int, from first: UInt64, by step: UInt64, below limit: UInt64, status: String)
    -> Int32
  {
    let end = time(nil) + seconds
    var seed = first
    var (sessions, tally) = (0, SimulatedUse.Tally())
    while time(nil) < end, seed < limit {
      startTimeout()
      writeText(
        "seed \(seed)\n\(sessions) \(tally.events) \(tally.frames) \(tally.milliseconds) \(tally.checks)\n", status)
      var generator = SimulationGenerator(seed: seed)
      guard let result = try? SimulatedUse.run(generator.makeScript()) else {
        printError("simulate: no thread for a decoder")
        return 70
      }
      sessions += 1
      tally += result.tally
      if let violation = result.violation {
        print("\(violation)")
        writeText(
          "seed \(seed)\n\(sessions) \(tally.events) \(tally.frames) \(tally.milliseconds) \(tally.checks)\n", status)
        return 1
      }
      seed += step
    }
    writeText(
      "done \(seed)\n\(sessions) \(tally.events) \(tally.frames) \(tally.milliseconds) \(tally.checks)\n", status)
    return 0
  }

  private static func report(_ script: SimulationScript) -> Int32 {
    startTimeout()
    guard let result = try? SimulatedUse.run(script) else { return 70 }
    let tally = result.tally
    printError(
      "\(tally.events) steps, \(tally.frames) frames, \(tally.milliseconds / 1_000) s, \(tally.checks) checks, digest "
        + String(result.digest, radix: 16))
    guard let violation = result.violation else { return 0 }
    printError("\(violation)")
    return 1
  }

  // MARK: - Shrinking

  /// The time after which the smallest session that was found is printed.
  private static let shrinkingSeconds = 240

  /// Prints the smallest session that fails as the given one does.
  ///
  /// Each session runs in a process of its own, because it may end it.
  private static func shrink(_ script: SimulationScript, path: String) -> Int32 {
    let temporary = path + ".try"
    defer { unlink(temporary) }
    guard let failure = outcome(of: script, at: temporary) else {
      printError("simulate: the session does not fail")
      return 65
    }
    let end = time(nil) + shrinkingSeconds
    var shrinker = SimulationShrinker { time(nil) < end && outcome(of: $0, at: temporary)?.kind == failure.kind }
    let smallest = shrinker.shrink(script, failingAt: failure.event ?? script.events.count)
    print("# " + (outcome(of: smallest, at: temporary)?.text ?? failure.text))
    print(smallest.text, terminator: "")
    return 0
  }

  /// How a session failed.
  private struct Failure {
    /// What was violated, or the signal that ended the process.
    var kind: String
    /// The last line of the output.
    var text: String
    /// The number of the step, if it is known.
    var event: Int?
  }

  /// Runs a session in another process.
  ///
  /// The C function is `popen`.
  private static func outcome(of script: SimulationScript, at path: String) -> Failure? {
    writeText(script.text, path)
    var program = [CChar](repeating: 0, count: 4_096)
    let length = readlink("/proc/self/exe", &program, program.count - 1)
    guard length > 0 else { return nil }
    let name = String(decoding: program[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let output = popen("'\(name)' replay '\(path)' 2>&1", "r") else { return nil }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, Int32(line.count), output) != nil {
      let end = line.firstIndex(of: 0) ?? line.count
      lines.append(
        String(decoding: line[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self).trimmingNewline)
    }
    let status = pclose(output)
    guard status != 0 else { return nil }
    let code = (status >> 8) & 0xFF
    guard code == 1, let last = lines.last else {
      let reason = lines.first { $0.contains("Fatal error") || $0.contains("error:") } ?? "the process ended"
      return Failure(kind: "status \(code) \(reason.prefix(60))", text: reason, event: nil)
    }
    let event = last.split(separator: "(step ").last.flatMap { Int($0.prefix { $0.isNumber }) }
    return Failure(kind: String(last.prefix { $0 != ":" }), text: last, event: event)
  }

  // MARK: - Files

  private static func read(_ path: String) -> SimulationScript? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return SimulationScript(text: String(decoding: bytes, as: UTF8.self))
  }

  private static func writeText(_ text: String, _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  private static func printError(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }
}

extension String {
  /// The text without a line break at its end.
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
