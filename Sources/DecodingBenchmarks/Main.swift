import BenchmarkSupport
import Glibc

/// The benchmark of decoding, which `scripts/bench decode` starts, the trial by hostile pictures of
/// `scripts/hostile`, and the pixels that `scripts/pixels` compares.
///
/// A program of its own: the others are not to carry the decoders' libraries, whose pages would count as theirs.
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
