import FramePacing

/// Figures that belong together, in words for people.
struct ReportSection: Hashable {
  /// One figure.
  struct Row: Hashable {
    /// What it is.
    var name: String
    /// Its value with its unit.
    var value: String
    /// How good it is, where that is known.
    var rating: HitchRating?

    init(_ name: String, _ value: String, _ verdict: HitchRating? = nil) {
      self.name = name
      self.value = value
      self.rating = verdict
    }
  }

  /// The phases of a frame by their names, in the order in which they come.
  static let phaseNames = FramePhase.allCases.map(\.name)

  /// What they are about.
  var title: String
  /// The figures, in the order in which they are read.
  var rows: [Row]
}
