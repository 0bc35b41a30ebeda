import BenchmarkSupport
import Glibc

/// The benchmarks: `Benchmarks diff`, `operations`, `layout`, `scroll`, `input` and `null`, started by `scripts/bench`.
@main
struct Main {
  @MainActor
  static func main() {
    do {
      switch try BenchmarkCommand(Array(CommandLine.arguments.dropFirst())) {
      case .help: Output.write(BenchmarkCommand.usage, to: STDOUT_FILENO)
      case .counter: Output.line(ProcessorCounter() == nil ? "none" : "perf_event_open")
      case .diff(let options): DiffProgram(options).run()
      case .operations(let options): OperationsProgram(options).run()
      case .layout(let options): LayoutProgram(options).run()
      case .scroll(let options): try ScrollProgram(options).run()
      case .input(let options): try InputProgram(options).run()
      case .null(let options): try NullProgram(options).run()
      case .scene(let options): try SceneProgram(options).run()
      case .hostile: throw CommandError("hostile pictures are tried by a program of its own; scripts/hostile starts it")
      case .decode: throw CommandError("decoding is measured by a program of its own; scripts/bench decode starts it")
      }
    } catch {
      Output.write("bench: \(error)\n", to: STDERR_FILENO)
      exit(2)
    }
  }
}
