/// A thing that the benchmark of layouts measures.
public enum LayoutFigure: CaseIterable, Hashable, Sendable {
  /// From the rules to answers for n items.
  case solve
  /// The places on the first screen made final.
  case settleScreen
  /// All places made final.
  case settleAll
  /// What is in a rectangle, and the frame of each item there; sixty items.
  case question
  /// One item inserted, and what is seen there answered.
  case insertion
  /// An item in a hand is where it is meant to be: the places around it are looked at, and none is better.
  case gap
  /// One item inserted before all others, each of which was measured, and a screen in the middle answered.
  case headInsertion
  /// All places made final after that.
  case settleBehind
  /// The same as ``gap`` where each item was measured.
  case measuredGap

  /// The most items that are measured one by one.
  public static let mostMeasured = 1_000_000

  /// The name in the table.
  public var label: String {
    switch self {
    case .solve: "first layout"
    case .settleScreen: "first screen made final"
    case .settleAll: "all made final"
    case .question: "visible rectangle, per 60 items"
    case .insertion: "one insert, answered there"
    case .gap: "one item in a hand, asked where"
    case .headInsertion: "one insert at the head, all measured"
    case .settleBehind: "all made final behind it"
    case .measuredGap: "one in a hand, all measured"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .solve: "solve"
    case .settleScreen: "settle-screen"
    case .settleAll: "settle-all"
    case .question: "question"
    case .insertion: "insert"
    case .gap: "gap"
    case .headInsertion: "insert-head-measured"
    case .settleBehind: "settle-behind"
    case .measuredGap: "gap-measured"
    }
  }

  /// What the time is to be at most; nothing where no aim is set.
  public func timeAim(of kind: LayoutKind, count: Int) -> Aim? {
    switch self {
    case .question: Aim(.time, 10e3)
    case .solve where kind.isUniform && count == 1_000_000: Aim(.time, 1e6)
    case .settleAll where kind == .justified && count == 1_000_000: Aim(.time, 30e6)
    case .insertion where count == 1_000_000: Aim(.time, 20e3)
    case .headInsertion where count == 1_000_000: Aim(.time, 20e3)
    case .gap, .measuredGap: Aim(.time, 200e3)
    default: nil
    }
  }

  /// The most that the cost may be of that for the smallest number of items, as a share; nothing where it may grow.
  public var growthAim: Double? { self == .question ? 1.05 : nil }

  /// What a layout may keep for an item at most, in bytes; nothing where no aim is set.
  public static func memoryAim(of kind: LayoutKind, count: Int) -> Aim? {
    guard count >= 1_000_000 else { return nil }
    // A few numbers of the whole layout, divided by a million, round to nothing.
    return kind.isUniform ? Aim(.bytes, 0.05) : kind == .justified ? Aim(.bytes, 8) : nil
  }
}
