import BenchmarkSupport
import Glibc

/// The benchmarks: `Benchmarks diff`, `operations`, `layout`, `scroll`, `input`, `null` and `launch`, and what is made of their
/// figures, started by `scripts/bench`.
@main
struct Main {
  @MainActor
  static func main() {
    do {
      let invocation = try BenchmarkInvocation(Array(CommandLine.arguments.dropFirst()))
      let recorder = FigureRecorder()
      switch invocation.command {
      case .help: Output.write(BenchmarkCommand.usage, to: STDOUT_FILENO)
      case .counter: Output.line(ProcessorCounter() == nil ? "none" : "perf_event_open")
      case .diff(let options): DiffProgram(options, recorder: recorder).run()
      case .operations(let options): OperationsProgram(options).run()
      case .layout(let options): LayoutProgram(options, recorder: recorder).run()
      case .scroll(let options): try ScrollProgram(options, recorder: recorder).run()
      case .input(let options): try InputProgram(options, recorder: recorder).run()
      case .null(let options): try NullProgram(options).run()
      case .scene(let options): try SceneProgram(options).run()
      case .hostile, .pixels:
        throw CommandError("pictures are tried by a program of its own; scripts/hostile and scripts/pixels start it")
      case .launch(let options): try LaunchProgram(options, recorder: recorder).run()
      case .judge(let options): if try !JudgeProgram(options).run() { exit(1) }
      case .compare(let options): try ComparisonProgram(options).run()
      case .spread(let files): if try !SpreadProgram(files: files).run() { exit(1) }
      case .decode: throw CommandError("decoding is measured by a program of its own; scripts/bench decode starts it")
      }
      if let path = invocation.figures { try FigureDocument(recorder.figures).write(to: path) }
    } catch {
      Output.write("bench: \(error)\n", to: STDERR_FILENO)
      exit(2)
    }
  }
}
