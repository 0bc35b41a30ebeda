/// A command of the benchmark programs with its options.
public enum BenchmarkCommand: Hashable, Sendable {
  /// Prints the usage.
  case help
  /// Prints the available instruction counter: `perf_event_open` or `none`.
  case counter
  /// Measures diffs.
  case diff(DiffOptions)
  /// Measures every operation at several sizes and compares the growth with the documented complexity.
  case operations(OperationsOptions)
  /// Measures layouts.
  case layout(LayoutOptions)
  /// Measures the frames of a scroll.
  case scroll(ScrollOptions)
  /// Measures input latency.
  case input(InputOptions)
  /// Counts how often anything but the scroll moves what is displayed.
  case anchor(AnchorOptions)
  /// Runs a frame loop without work.
  case null(NullOptions)
  /// Measures a scene on a real display.
  case scene(SceneOptions)
  /// Measures image decoding.
  case decode(DecodeOptions)
  /// Measures the thumbnails of a library.
  case library(LibraryOptions)
  /// Measures searches of a library.
  case search(SearchOptions)
  /// Measures the stored catalogue.
  case catalogue(CatalogueOptions)
  /// Sends hostile images to decoding processes.
  case hostile(HostileOptions)
  /// Decodes images into files of pixels.
  case pixels(PixelOptions)
  /// Measures the launch of the gallery.
  case launch(LaunchOptions)
  /// Compares figures with thresholds.
  case judge(JudgeOptions)
  /// Compares the figures of two revisions.
  case compare(ComparisonOptions)
  /// Checks whether counted figures repeat in several figure files.
  case spread([String])

  /// Whether the command can write figures.
  public var hasFigures: Bool {
    switch self {
    case .diff, .layout, .scroll, .input, .decode, .library, .search, .catalogue, .launch: true
    case .help, .counter, .operations, .anchor, .null, .scene, .hostile, .pixels, .judge, .compare, .spread: false
    }
  }

  /// The usage text.
  public static let usage = """
    usage: scripts/bench [diff] [--n N,N,...] [--ids int,uuid,string] [--repeat K] [--quick] [--instructions]
           scripts/bench operations [--n N,N,...] [--ids int,uuid,string] [--repeat K]
           scripts/bench layout [--n N,N,...] [--layouts NAME,...] [--repeat K] [--instructions]
           scripts/bench scroll [--measure WHAT,...] [--n N,N,...] [--refresh HZ,HZ,...] [--frames K] [--quick]
                                [--instructions]
           scripts/bench scroll --scene window|headless [--n N,N,...] [--seconds S] [--repeat K] [--refresh HZ]
           scripts/bench input [--n N] [--jumps K] [--notches K] [--refresh HZ] [--quick]
           scripts/bench anchor [--n N] [--frames K] [--seed S] [--quick]
           scripts/bench null [--seconds S] [--refresh HZ]
           scripts/bench decode [--pictures FOLDER] [--sizes N,N,...] [--repeat K] [--quick]
           scripts/bench library --photographs FOLDER [--screens N]
           scripts/bench search [--n N,N,...] [--repeat K] [--quick]
           scripts/bench catalogue [--n N,N,...] [--repeat K] [--quick]
           scripts/bench launch [--folder FOLDER] [--n N] [--repeat K] [--quick] [--instructions]
           scripts/bench all [--only NAME,...] [--quick] [--markdown FILE] [--history FILE] [--land]
           scripts/bench --compare REV [NAME,...] [--rounds K] [--quick] [--markdown FILE]
           scripts/bench repeat [NAME,...] [--runs K] [--quick]
           scripts/hostile [FOLDER] [--size N]
           scripts/pixels [FOLDER] [--list FILE]

    diff: the speed of snapshots and their diffs, in comparison with other algorithms

      --n N,N,...       items per snapshot (default 1000,10000,100000,1000000,10000000;
                        quick: 1000,100000,1000000; instructions by valgrind: 1000,10000)
      --ids KIND,...    identifiers: int, uuid, string (default all three)
      --repeat K        runs per case (default 7; quick: 3)
      --quick           fewer sizes and runs
      --instructions    counts instructions: with perf_event_open, otherwise under valgrind, without times

    operations: the time of every operation as n grows, in comparison with its documented complexity

      --n N,N,...       items per value (default 1000,10000,100000,1000000)
      --ids KIND,...    identifiers (default int)
      --repeat K        runs per measurement (default 4)

    layout: the cost of layout queries, and whether it is independent of the number of items

      --n N,N,...       items (default 1000,100000,1000000,10000000; instructions by valgrind: 1000,10000000)
      --layouts NAME,...  grid, groups, mosaic, list, estimated, cards, justified, masonry (default all)
      --repeat K        runs per case (default 7)
      --instructions    counts instructions: with perf_event_open, otherwise under valgrind, without times

    scroll: the cost of the frames of a scrolling collection view, and the benefit of cell prefetching

      --measure WHAT,...  default all, with --instructions only the first:
                          frames: the cost of frames by their kind
                          headroom: the largest sustainable cost of a cell with and without prefetching
                          rival: another prefetching policy, with the same scripts
                          endurance: erratic scrolling, in three equal runs that are compared frame by frame
      --n N,N,...       items (default 1000,100000,10000000; instructions: 1000,10000000; endurance: 1000000)
      --refresh HZ,...  refresh rates of frames and endurance (default 60,120,240; endurance: 60)
      --frames K        frames per scroll (default 1200; quick or instructions: 240; endurance: 100000,
                        quick: 10000)
      --quick           fewer sizes, frames and seconds
      --instructions    counts instructions, allocations and retains under valgrind, without times

    scroll --scene: the cost of a scene in a window, alternately redrawn completely and by moving unchanged pixels:
    1280 x 800 points, six columns of images with a line of text, 2,000 points per second; processor time, memory, late
    frames

      --scene WHERE     window: requires a window system; headless: drawing only, nothing is displayed
      --n N,N,...       items (default 100000,1000000)
      --seconds S       duration of a run (default 10; quick: 4)
      --repeat K        runs per redraw mode (default 3; quick: 1)
      --refresh HZ      refresh rate (default 60)
      --peer PROGRAM    a reference program for comparison, run alternately: scroll_scene, which scripts/bench compiles
      --only MODE       a single run of one redraw mode, damage or whole, with the smallest number of items, printed as
                        one line of numbers

    input: whether any jump of the scroll bar's thumb is in time, whether many events in one frame cause one layout, and
    the input latency; on the cpu clock

      --n N             items (default 10000000)
      --jumps K         jumps (default 10000; quick: 1000)
      --notches K       notches of the wheel (default 2000; quick: 300)
      --refresh HZ      refresh rate (default 60)
      --quick           fewer of both

    anchor: flings through items of unknown height while items are inserted, deleted and resized, on the virtual clock;
    exits with 1 if anything but the scroll moved the first displayed item that kept its size

      --n N             items (default 10000000)
      --frames K        frames (default 1000000; quick: 100000)
      --seed S          seed of sizes, flings and updates (default 1)
      --quick           fewer frames

    null: a frame loop without work, summarized in one line: how late the machine alone makes frames

      --seconds S       duration (default 10)
      --refresh HZ      refresh rate (default 60)

    decode: the cost of thumbnails in comparison with libvips and bare libjpeg-turbo, small C programs compiled for this
    purpose, and their similarity to a Lanczos reference; the overhead of a separate process; the cost of images from the
    disk cache; the delay of frames while all cores decode; the cost of headers. Processor time, medians

      --pictures FOLDER photographs (default: Debian's, scaled to 12, 24 and 50 megapixels once, as baseline and
                        progressive JPEG, and at 12 megapixels as PNG, WebP, AVIF and HEIC)
      --sizes N,N,...   longest sides of the thumbnails (default 256,512)
      --repeat K        runs per case, alternating with the other programs (default 5; quick: 3)

    launch: the time of the gallery from exec to its first frame and to a screen full of images, headless and, if Xvfb is
    installed, in a window, with synthetic items and with a folder; without a disk cache

      --folder FOLDER   photographs (default: 500 synthetic ones, created once)
      --n N             synthetic items (default 100000)
      --repeat K        launches per case, alternating (default 9; quick: 3)
      --instructions    instead of times: instructions, allocations and retains of the main thread up to its first frame,
                        under valgrind, and the files that it opens, with strace

    all: diff, layout, scroll, input, launch and decode in one table, compared with Benchmarks/thresholds.json; exits with 1
    if a threshold is missed that does not depend on the machine

      --only NAME,...   these benchmarks only
      --quick           fewer sizes and runs, without decode: some minutes
      --markdown FILE   also writes the table to a file
      --history FILE    earlier runs on this machine, to which this run is appended (default .build/bench-history.jsonl)
      --land            appends machine-independent figures to Benchmarks/history.jsonl

    --compare: the same benchmarks, alternately in another revision, which is built under .build/compare, and in this one

      NAME,...          any of diff, layout, scroll, input and launch (default scroll)
      --rounds K        rounds of benchmarks that measure times, each in the order other, this, this, other (default 2)
      --quick           as for all
      --markdown FILE   also writes the table to a file

    repeat: whether counted figures are the same in every run, within a thousandth; exits with 1 if they are not

      NAME,...          any of diff, layout, scroll and launch (default all four)
      --runs K          runs (default 3)

    diff, layout, scroll, input, decode and launch accept --json FILE, which writes their figures with name, value, unit
    and nature.

    library: makes the thumbnails of all photographs in a folder as at rest, and shows screens of them as after jumps

      --photographs FOLDER  at least 48 images; scripts/photographs makes some of 12 megapixels
      --screens N           screens of 48 cells (default 20)

    search: the time from a keystroke of a search to the snapshot of what it finds, on a thread, in comparison with its aims,
    and the work of the frame thread

      --n N,N,...       photographs (default 100000,1000000)
      --repeat K        runs per query (default 9)
      --quick           3 runs

    catalogue: the time to open the stored catalogue of a library and its memory, and the launch of the gallery with as many
    files, the first time and again, in comparison with their aims

      --n N,N,...       photographs (default 100000,1000000)
      --repeat K        openings and launches (default 5)
      --quick           3 of each

    hostile: sends images to a decoding process one by one and reports how many outcomes are not as expected, the longest
    time, and the memory of the process and of the program; exits with 1 if there is any problem

      FOLDER            images and their list, MANIFEST.tsv, with tab-separated path, format, expectation (ok, error,
                        either, bomb), width, height and orientation (default: ../shared/images next to the package, or
                        synthetic images)
      --size N          longest side of the decoded images (default 256)

    pixels: decodes images at two sizes and compares every pixel with the results of other decoders

      FOLDER            as for hostile
      --list FILE       output of the list of differences (default: .build/pixels.tsv)

    """

  /// Parses the arguments without the program's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid argument.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--help") {
      self = .help
      return
    }
    switch arguments.first {
    case "counter" where arguments.count == 1: self = .counter
    case "diff": self = .diff(try DiffOptions(Array(arguments.dropFirst())))
    case "operations": self = .operations(try OperationsOptions(Array(arguments.dropFirst())))
    case "layout": self = .layout(try LayoutOptions(Array(arguments.dropFirst())))
    case "scroll":
      let words = Array(arguments.dropFirst())
      if let scene = try SceneOptions(words) { self = .scene(scene) } else { self = .scroll(try ScrollOptions(words)) }
    case "input": self = .input(try InputOptions(Array(arguments.dropFirst())))
    case "anchor": self = .anchor(try AnchorOptions(Array(arguments.dropFirst())))
    case "null": self = .null(try NullOptions(Array(arguments.dropFirst())))
    case "decode": self = .decode(try DecodeOptions(Array(arguments.dropFirst())))
    case "library": self = .library(try LibraryOptions(Array(arguments.dropFirst())))
    case "catalogue": self = .catalogue(try CatalogueOptions(Array(arguments.dropFirst())))
    case "search": self = .search(try SearchOptions(Array(arguments.dropFirst())))
    case "hostile": self = .hostile(try HostileOptions(Array(arguments.dropFirst())))
    case "pixels": self = .pixels(try PixelOptions(Array(arguments.dropFirst())))
    case "launch": self = .launch(try LaunchOptions(Array(arguments.dropFirst())))
    case "judge": self = .judge(try JudgeOptions(Array(arguments.dropFirst())))
    case "compare": self = .compare(try ComparisonOptions(Array(arguments.dropFirst())))
    case "spread":
      guard arguments.count > 2 else { throw CommandError("spread needs two files of figures or more") }
      self = .spread(Array(arguments.dropFirst()))
    case nil: self = .diff(try DiffOptions([]))
    case let word?:
      guard word.hasPrefix("-") else {
        throw CommandError(
          "\(word): there is no such benchmark; there are diff, operations, layout, scroll, input, anchor, null, decode, "
            + "library, search, catalogue, launch and all")
      }
      self = .diff(try DiffOptions(arguments))
    }
  }
}

// MARK: - Parsing

/// A command line: a command, and an optional file for its figures.
public struct BenchmarkInvocation: Hashable, Sendable {
  /// The command.
  public let command: BenchmarkCommand
  /// The file to which the figures are written as a ``FigureDocument``, or nil to only print them.
  public let figures: String?

  /// Parses the arguments without the program's name.
  ///
  /// The option `--json FILE` may follow the command at any position.
  ///
  /// - Throws: ``CommandError`` that names the first invalid argument.
  public init(_ arguments: [String]) throws(CommandError) {
    var (words, figures) = (arguments, String?.none)
    while let index = words.firstIndex(of: "--json") {
      guard index + 1 < words.count, !words[index + 1].isEmpty else { throw CommandError("--json needs a path") }
      figures = words[index + 1]
      words.removeSubrange(index...(index + 1))
    }
    let command = try BenchmarkCommand(words)
    if figures != nil, !command.hasFigures {
      throw CommandError(
        "--json: \(words.first ?? "diff") has no figures; diff, layout, scroll (without --scene), input, decode and "
          + "launch have some")
    }
    (self.command, self.figures) = (command, figures)
  }
}

/// The words of a command line that are not parsed yet.
struct OptionWords {
  private var rest: ArraySlice<String>

  init(_ words: [String]) { rest = words[...] }

  /// Returns the next word, or nil at the end.
  mutating func next() -> String? { rest.popFirst() }

  /// Parses the comma-separated values of an option.
  mutating func list<Element>(
    of name: String, _ accepted: String, _ read: (String) -> Element?
  ) throws(CommandError) -> [Element] {
    guard let text = rest.popFirst() else { throw CommandError("\(name) needs a value: \(accepted)") }
    var elements: [Element] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = read(String(word)) else { throw CommandError("\(name) \(text): accepted are \(accepted)") }
      elements.append(element)
    }
    return elements
  }

  /// Parses comma-separated whole numbers within a range.
  mutating func numbers(of name: String, in range: ClosedRange<Int>) throws(CommandError) -> [Int] {
    try list(of: name, "whole numbers from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Parses one whole number within a range.
  mutating func number(of name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int {
    let numbers = try numbers(of: name, in: range)
    guard let number = numbers.first, numbers.count == 1 else { throw CommandError("\(name) takes one number") }
    return number
  }

  /// Parses one of several words.
  mutating func one<Value>(
    of name: String, _ accepted: [String], _ read: (String) -> Value?
  ) throws(CommandError) -> Value {
    let values = try list(of: name, accepted.joined(separator: ", "), read)
    guard let value = values.first, values.count == 1 else { throw CommandError("\(name) takes one word") }
    return value
  }

  /// Parses a path.
  mutating func path(of name: String) throws(CommandError) -> String {
    guard let path = rest.popFirst(), !path.isEmpty else { throw CommandError("\(name) needs a path") }
    return path
  }

  /// Parses a comma-separated list of identifier types.
  mutating func kinds(of name: String) throws(CommandError) -> [IdentifierKind] {
    let accepted = IdentifierKind.allCases.map(\.rawValue).joined(separator: ", ")
    return try list(of: name, accepted, IdentifierKind.init(rawValue:))
  }

  /// Parses a number of repetitions.
  mutating func repeats(of name: String) throws(CommandError) -> Int {
    let counts = try list(of: name, "a whole number from 1 to 1000") { text in
      Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
    }
    guard let count = counts.first, counts.count == 1 else { throw CommandError("\(name) takes one number") }
    return count
  }
}

/// An error for an invalid command line.
public struct CommandError: Error, Hashable, CustomStringConvertible {
  /// A line that states the reason and what is accepted.
  public let description: String

  /// Creates an error with a description.
  public init(_ description: String) { self.description = description }
}

// MARK: - Options

/// The options of `bench input`, which measures input latency.
public struct InputOptions: Hashable, Sendable {
  /// The number of items.
  public var items = 10_000_000
  /// The number of jumps of the scroll bar's thumb.
  public var jumps = 10_000
  /// The refresh rate, in hertz.
  public var refreshRate = 60
  /// The number of notches of the wheel.
  public var notches = 2_000

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { (jumps, notches) = (1_000, 300) }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--n": items = try words.number(of: name, in: 1_000...100_000_000)
      case "--jumps": jumps = try words.number(of: name, in: 100...1_000_000)
      case "--notches": notches = try words.number(of: name, in: 100...1_000_000)
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}

/// The options of `bench anchor`, which flings through items of unknown height.
public struct AnchorOptions: Hashable, Sendable {
  /// The number of items.
  public var items = 10_000_000
  /// The number of frames.
  public var frames = 1_000_000
  /// The seed of sizes, flings and updates.
  public var seed: UInt64 = 1

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { frames = 100_000 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--n": items = try words.number(of: name, in: 10_000...100_000_000)
      case "--frames": frames = try words.number(of: name, in: 1_000...10_000_000_000)
      case "--seed": seed = UInt64(try words.number(of: name, in: 0...1_000_000_000))
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}

/// The options of `bench search`.
public struct SearchOptions: Hashable, Sendable {
  /// The numbers of photographs.
  public var sizes = [100_000, 1_000_000]
  /// The number of runs per query.
  public var repeats = 9

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--n": sizes = try words.numbers(of: name, in: 1_000...10_000_000)
      case "--repeat": repeats = try words.number(of: name, in: 1...1_000)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}

/// The options of `bench catalogue`.
public struct CatalogueOptions: Hashable, Sendable {
  /// The numbers of photographs.
  public var sizes = [100_000, 1_000_000]
  /// The number of openings and launches.
  public var repeats = 5
  /// The executable of the gallery.
  public var program = ""
  /// A folder of photographs, to which the files of libraries are linked.
  public var photographs = ""
  /// The folder in which libraries are made, on the file system of the photographs.
  public var libraries = ""

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing one.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--n": sizes = try words.numbers(of: name, in: 1_000...10_000_000)
      case "--repeat": repeats = try words.number(of: name, in: 1...1_000)
      case "--program": program = try words.path(of: name)
      case "--photographs": photographs = try words.path(of: name)
      case "--libraries": libraries = try words.path(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if program.isEmpty || photographs.isEmpty || libraries.isEmpty {
      throw CommandError("catalogue needs --program, --photographs and --libraries; scripts/bench gives them")
    }
  }
}

/// The options of `bench null`, which runs a frame loop without work.
public struct NullOptions: Hashable, Sendable {
  /// The refresh rate, in hertz.
  public var refreshRate = 60
  /// The duration, in seconds.
  public var seconds = 10

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      case "--seconds": seconds = try words.number(of: name, in: 1...3_600)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
