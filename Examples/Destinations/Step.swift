/// The way to lists that do not stutter, a step each: every one is a real configuration of the program.
nonisolated enum Step: Int, CaseIterable, Sendable {
  /// The cell's handler decodes the picture: it is there at once, and the frame is late.
  case decodingInTheHandler = 1
  /// The picture is downloaded and put into the cell that asked, which may show another post by then.
  case settingTheCapturedCell
  /// The picture is downloaded and the post reconfigured; it is decoded when it is shown.
  case reconfiguring
  /// The picture is prepared elsewhere before the post is reconfigured.
  case preparing
  /// Cells are prepared before they are seen.
  case prefetchingCells
  /// Downloads begin before cells are prepared.
  case prefetchingData

  /// What it is called.
  var title: String {
    switch self {
    case .decodingInTheHandler: "decode in the handler"
    case .settingTheCapturedCell: "set the captured cell"
    case .reconfiguring: "reconfigure, undecoded"
    case .preparing: "prepare off the render thread"
    case .prefetchingCells: "prefetch cells"
    case .prefetchingData: "prefetch data"
    }
  }

  /// Whether pictures are decoded by the thread that draws.
  var decodesInPlace: Bool { self <= .reconfiguring }
  /// Whether cells are prepared before they are seen.
  var prefetchesCells: Bool { self >= .prefetchingCells }
  /// Whether downloads begin before cells are prepared.
  var prefetchesData: Bool { self >= .prefetchingData }
}

nonisolated extension Step: Comparable {
  static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
}
