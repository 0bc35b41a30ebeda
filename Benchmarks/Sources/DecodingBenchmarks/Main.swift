import BenchmarkSupport
import Glibc

/// The benchmarks of `scripts/bench decode`, `library`, `search` and `catalogue`, the hostile image test of `scripts/hostile`, and the pixel export
/// of `scripts/pixels`.
///
/// A separate program, because the decoding libraries would add to the memory of the other benchmarks.
@main
struct Main {
  @MainActor
  static func main() {
    do {
      let invocation = try BenchmarkInvocation(Array(CommandLine.arguments.dropFirst()))
      let recorder = FigureRecorder()
      switch invocation.command {
      case .help: Output.write(BenchmarkCommand.usage, to: STDOUT_FILENO)
      case .decode(let options): try DecodeProgram(options, recorder: recorder).run()
      case .library(let options): try LibraryProgram(options, recorder: recorder).run()
      case .search(let options): SearchProgram(options, recorder: recorder).run()
      case .catalogue(let options): try CatalogueProgram(options, recorder: recorder).run()
      case .hostile(let options): if try !HostileProgram(options).run() { exit(1) }
      case .pixels(let options): try PixelProgram(options).run()
      default: throw CommandError("this program measures decoding alone; scripts/bench starts the others")
      }
      if let path = invocation.figures { try FigureDocument(recorder.figures).write(to: path) }
    } catch {
      Output.write("bench: \(error)\n", to: STDERR_FILENO)
      exit(2)
    }
  }
}
