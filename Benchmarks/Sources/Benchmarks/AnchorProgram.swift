import BenchmarkSupport
import VitrineFramePacing
import VitrineTestSupport

/// `bench anchor`: flings through items of unknown height while items are inserted, deleted and resized, and counts how
/// often anything but the scroll moved what the user looks at.
@MainActor
struct AnchorProgram {
  private let options: AnchorOptions
  private static let reports = 10

  init(_ options: AnchorOptions) { self.options = options }

  /// Runs all frames and prints the tally after each tenth.
  ///
  /// - Returns: Whether nothing jumped.
  func run() -> Bool {
    Output.line(
      """
      Anchor: \(FigureText.count(options.items)) items of unknown height, \(FigureText.count(options.frames)) frames on \
      the virtual clock, seed \(options.seed).
      """)
    let stress = AnchorStress(count: options.items, seed: options.seed)
    let start = ThreadTime.now()
    var done = 0
    for report in 1...AnchorProgram.reports {
      let due = options.frames / AnchorProgram.reports * report
      let next = report == AnchorProgram.reports ? options.frames : due
      stress.run(frames: next - done)
      done = next
      Output.line("  \(stress.tally)")
    }
    let cost = Double((ThreadTime.now() - start).nanoseconds) / Double(max(1, options.frames))
    Output.line("  \(FigureText.time(cost)) of processor time a frame, checks and updates included")
    Output.line("  jumps: \(Aim(.count, 0).verdict(on: Double(stress.tally.jumps)))")
    return stress.tally.jumps == 0
  }
}
