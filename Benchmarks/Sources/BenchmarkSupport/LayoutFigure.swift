/// A measured case of the layout benchmark.
public enum LayoutFigure: CaseIterable, Hashable, Sendable {
  /// Solving a layout for n items.
  case solve
  /// Finalizing the frames on the first screen.
  case settleScreen
  /// Finalizing all frames.
  case settleAll
  /// Querying the items in a rectangle and the frame of each of them, for sixty items.
  case query
  /// Inserting one item and querying the rectangle around it.
  case insertion
  /// Finding the drop position of a dragged item that is already at its best position: the positions around it are
  /// examined, and none is better.
  case dropPosition
  /// Inserting one item before all others, all of which are measured, and querying a screen in the middle.
  case headInsertion
  /// Finalizing all frames after such an insertion.
  case settleAfterInsertion
  /// The same as ``dropPosition`` with all items measured.
  case measuredDropPosition

  /// The maximum number of items that are measured one by one.
  public static let maximumMeasuredItems = 1_000_000

  /// The label in the table.
  public var label: String {
    switch self {
    case .solve: "first layout"
    case .settleScreen: "first screen made final"
    case .settleAll: "all made final"
    case .query: "visible rectangle, per 60 items"
    case .insertion: "one insert, answered there"
    case .dropPosition: "one item in a hand, asked where"
    case .headInsertion: "one insert at the head, all measured"
    case .settleAfterInsertion: "all made final behind it"
    case .measuredDropPosition: "one in a hand, all measured"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .solve: "solve"
    case .settleScreen: "settle-screen"
    case .settleAll: "settle-all"
    case .query: "question"
    case .insertion: "insert"
    case .dropPosition: "gap"
    case .headInsertion: "insert-head-measured"
    case .settleAfterInsertion: "settle-behind"
    case .measuredDropPosition: "gap-measured"
    }
  }

  /// Returns the upper bound on the time, or nil if there is none.
  public func timeAim(of kind: LayoutKind, count: Int) -> Aim? {
    switch self {
    case .query: Aim(.time, 10e3)
    case .solve where kind.isUniform && count == 1_000_000: Aim(.time, 1e6)
    case .settleAll where kind == .justified && count == 1_000_000: Aim(.time, 30e6)
    case .insertion where count == 1_000_000: Aim(.time, 20e3)
    case .headInsertion where count == 1_000_000: Aim(.time, 20e3)
    case .dropPosition, .measuredDropPosition: Aim(.time, 200e3)
    default: nil
    }
  }

  /// The maximum cost relative to the smallest number of items, or nil if the cost may grow.
  public var growthAim: Double? { self == .query ? 1.05 : nil }

  /// Returns the upper bound on the memory per item, or nil if there is none.
  public static func memoryAim(of kind: LayoutKind, count: Int) -> Aim? {
    guard count >= 1_000_000 else { return nil }
    // A few numbers per layout, divided by a million items, round to zero.
    return kind.isUniform ? Aim(.bytes, 0.05) : kind == .justified ? Aim(.bytes, 8) : nil
  }
}

/// A measured layout, by its name on the command line.
public enum LayoutKind: String, CaseIterable, Sendable {
  /// Columns that fill the width, with items of equal size.
  case grid
  /// The same as a repeated group of a compositional layout.
  case groups
  /// A pattern of nested groups with a hero item.
  case mosaic
  /// Rows of one height.
  case list
  /// Rows with self-sizing cells.
  case estimated
  /// Two self-sizing cells side by side, as high as the higher of them.
  case cards
  /// Rows of images that keep their aspect ratios.
  case justified
  /// Columns of a client's layout, in which each item is at the end of the shortest one.
  case masonry

  /// The maximum number of items.
  ///
  /// A client's layout may store each item and visit many for an answer, so that the aims for a million items do not
  /// apply to it.
  public var maximumItems: Int { self == .masonry ? 100_000 : .max }

  /// Whether all frames follow from the number of items alone.
  public var isUniform: Bool { !isSelfSizing && self != .justified && self != .masonry }

  /// Whether cells are self-sizing.
  public var isSelfSizing: Bool { self == .estimated || self == .cards }
}

/// The options of `bench layout`, which measures layouts.
public struct LayoutOptions: Hashable, Sendable {
  /// The numbers of items, in ascending order.
  public var sizes = [1_000, 100_000, 1_000_000, 10_000_000]
  /// The layouts.
  public var kinds = LayoutKind.allCases
  /// The number of runs of each case.
  public var repeats = 7
  /// The path prefix of the callgrind profiles, or nil if the program does not run under callgrind.
  public var callgrindOutput: String?

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--callgrind") {
      sizes = [1_000, 10_000_000]
      repeats = 1
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--instructions": break
      case "--n": sizes = Set(try words.numbers(of: name, in: 100...100_000_000)).sorted()
      case "--layouts":
        let accepted = LayoutKind.allCases.map(\.rawValue).joined(separator: ", ")
        kinds = try words.list(of: name, accepted, LayoutKind.init(rawValue:))
      case "--repeat": repeats = try words.repeats(of: name)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
