import FramePacing
import Glibc
import Hosting

/// The program.
///
/// Synchronous, so that the loop stays on the process's first thread, where window systems want it.
@main
struct Main {
  static func main() {
    let launch = ProcessFigures.launchInstant()
    // Before any thread is started, so that all of them inherit it.
    Interrupt.blockSignals()
    ProcessFigures.limitHeapRetention()
    exit(GalleryProgram(launch: launch).run(CommandLineArguments.current))
  }
}
