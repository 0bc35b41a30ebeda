import FramePacing

/// What a loop without work came to.
struct NullReading {
  /// The figures, as `name=value`.
  let line: String

  /// Reads a history.
  init(_ history: FrameHistory) {
    let classes = HitchClass.lateClasses.map { "\($0.name)=\(history.hitchCount(of: $0))" }
    line =
      (["frames=\(history.count)", "hitch_ms_per_s=\(NullReading.rounded(history.hitchRatio ?? 0))"]
      + [
        "hitches=\(history.hitchCount)",
        "longest_ms=\(NullReading.rounded(history.worstHitches.first?.hitch.milliseconds ?? 0))",
      ]
      + classes).joined(separator: " ")
  }

  private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}
