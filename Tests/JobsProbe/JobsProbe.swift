import Dispatch
import VitrineDiagnostics
import VitrineFramePacing
import VitrineGeometry
import VitrineHosting
import VitrineRendering
import VitrineViews

/// A program for tests, whose label is changed by each kind of job of the main queue, one after the other.
///
/// It prints the text of the label whenever a frame shows another one, and rests until a signal ends it. A run that is
/// recorded ends after the last job.
@main
struct JobsProbe {
  static func main() {
    WindowProgram<DiagnosticOptions>("JobsProbe", summary: "Runs jobs of the main queue.").main(run)
  }

  private static func run(_ options: DiagnosticOptions, in context: ProgramContext) throws -> Int32 {
    let host = try context.openHost(options.hosting, title: "Jobs", observer: RunDiagnostics(options))
    defer { host.close() }
    let label = Label(style: TextStyle(size: 20, weight: .regular), color: .white)
    label.text = "first frame"
    let observer = TextObserver(label, context.console)
    return try host.run(root: label, scrollView: nil) { window, _ in
      window.addParticipant(observer)
      observer.onFirstFrame = { runJobs(label, quit: options.record == nil ? {} : host.quit) }
    }
  }

  /// Changes the label by a job of each kind.
  private static func runJobs(_ label: Label, quit: @escaping () -> Void) {
    Task { @MainActor in
      label.text = "Task"
      await Task.detached { await MainActor.run { label.text = "MainActor.run" } }.value
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          DispatchQueue.main.async {
            label.text = "DispatchQueue.main.async"
            continuation.resume()
          }
        }
      }
      // Shown before the label changes again.
      try await Task.sleep(for: .milliseconds(100))
      label.text = "Task.sleep"
      quit()
    }
  }
}

/// A participant that prints the text of a label whenever a frame shows another one.
private final class TextObserver: FrameParticipant {
  var onFirstFrame: (() -> Void)?
  private let label: Label
  private let console: Console
  private var shown = ""

  init(_ label: Label, _ console: Console) {
    self.label = label
    self.console = console
  }

  func frameDidEnd(_ record: FrameRecord) {
    guard label.text != shown else { return }
    shown = label.text
    try? console.print(shown + "\n", for: "the texts")
    onFirstFrame?()
    onFirstFrame = nil
  }
}
