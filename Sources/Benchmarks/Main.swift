import BenchmarkSupport
import Glibc

/// The benchmarks: `Benchmarks diff`, started by `scripts/bench`.
@main
struct Main {
  static func main() {
    // A table that a pipe takes is to be read while it grows.
    setvbuf(stdout, nil, _IOLBF, 0)
    do throws(CommandError) {
      switch try BenchmarkCommand(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(BenchmarkCommand.usage, terminator: "")
      case .counter: print(ProcessorCounter() == nil ? "none" : "perf_event_open")
      case .diff(let options): DiffProgram(options).run()
      }
    } catch {
      fputs("bench: \(error)\n", stderr)
      exit(2)
    }
  }
}
