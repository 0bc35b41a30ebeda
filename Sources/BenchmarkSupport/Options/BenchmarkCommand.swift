/// What the program is asked to do.
public enum BenchmarkCommand: Hashable, Sendable {
  /// To print how it is used.
  case help
  /// To print by what it can count instructions: `perf_event_open` or `none`.
  case counter
  /// To measure differences.
  case diff(DiffOptions)
  /// To measure every operation at several sizes, beside its stated complexity.
  case operations(OperationsOptions)
  /// To measure layouts.
  case layout(LayoutOptions)
  /// To measure frames that scroll.
  case scroll(ScrollOptions)
  /// To measure how input is answered.
  case input(InputOptions)
  /// To run a loop without work.
  case null(NullOptions)
  /// To measure a scene on a real display.
  case scene(SceneOptions)
  /// To measure how pictures are decoded.
  case decode(DecodeOptions)
  /// To hand hostile pictures to decoding processes.
  case hostile(HostileOptions)
  /// To decode pictures into files of pixels.
  case pixels(PixelOptions)
  /// To measure how the gallery launches.
  case launch(LaunchOptions)
  /// To hold figures against thresholds.
  case judge(JudgeOptions)
  /// To hold two revisions' figures beside each other.
  case compare(ComparisonOptions)
  /// To say whether what is counted repeats, by files of figures.
  case spread([String])

  /// Whether what it finds out can be written as figures.
  public var hasFigures: Bool {
    switch self {
    case .diff, .layout, .scroll, .input, .decode, .launch: true
    case .help, .counter, .operations, .null, .scene, .hostile, .pixels, .judge, .compare, .spread: false
    }
  }

  /// How the program is used.
  public static let usage = """
    usage: scripts/bench [diff] [--n N,N,...] [--ids int,uuid,string] [--repeat K] [--quick] [--instructions]
           scripts/bench operations [--n N,N,...] [--ids int,uuid,string] [--repeat K]
           scripts/bench layout [--n N,N,...] [--layouts NAME,...] [--repeat K] [--instructions]
           scripts/bench scroll [--measure WHAT,...] [--n N,N,...] [--refresh HZ,HZ,...] [--frames K] [--quick]
                                [--instructions]
           scripts/bench scroll --scene window|headless [--n N,N,...] [--seconds S] [--repeat K] [--refresh HZ]
           scripts/bench input [--n N] [--jumps K] [--notches K] [--refresh HZ] [--quick]
           scripts/bench null [--seconds S] [--refresh HZ]
           scripts/bench decode [--pictures FOLDER] [--sizes N,N,...] [--repeat K] [--quick]
           scripts/bench launch [--folder FOLDER] [--n N] [--repeat K] [--quick] [--instructions]
           scripts/bench all [--only NAME,...] [--quick] [--markdown FILE] [--history FILE] [--land]
           scripts/bench --compare REV [NAME,...] [--rounds K] [--quick] [--markdown FILE]
           scripts/bench repeat [NAME,...] [--runs K] [--quick]
           scripts/hostile [FOLDER] [--size N]
           scripts/pixels [FOLDER] [--list FILE]

    diff: how fast snapshots and their differences are, beside other methods

      --n N,N,...       items of a snapshot (default 1000,10000,100000,1000000,10000000;
                        quick: 1000,100000,1000000; instructions by valgrind: 1000,10000)
      --ids KIND,...    identifiers: int, uuid, string (default all three)
      --repeat K        runs of each case (default 7; quick: 3)
      --quick           fewer sizes and runs
      --instructions    counts instructions: by perf_event_open, else under valgrind, without times

    operations: what a call of each operation takes as n grows, beside the complexity that its documentation states

      --n N,N,...       items of a value (default 1000,10000,100000,1000000)
      --ids KIND,...    identifiers (default int)
      --repeat K        runs of each measurement (default 4)

    layout: what a layout's questions cost, and that they cost the same for any number of items

      --n N,N,...       items (default 1000,100000,1000000,10000000; instructions by valgrind: 1000,10000000)
      --layouts NAME,...  grid, groups, mosaic, list, estimated, cards, justified (default all)
      --repeat K        runs of each case (default 7)
      --instructions    counts instructions: by perf_event_open, else under valgrind, without times

    scroll: what the frames of a scrolling collection view take, and what preparing cells ahead is good for

      --measure WHAT,...  default all, with instructions the first:
                          frames: what frames take, by what they have to do
                          headroom: the largest cost of a cell that is borne with and without preparing ahead
                          rival: another way to prepare ahead, on the same scripts
                          endurance: wild scrolling, in three equal runs that are compared frame by frame
      --n N,N,...       items (default 1000,100000,10000000; instructions: 1000,10000000; endurance: 1000000)
      --refresh HZ,...  refreshes a second of frames and endurance (default 60,120,240; endurance: 60)
      --frames K        frames of each scroll (default 1200; quick or instructions: 240; endurance: 100000,
                        quick: 10000)
      --quick           fewer sizes, frames and seconds
      --instructions    counts instructions, allocations and retains under valgrind, without times

    scroll --scene: what a scene takes in a window, drawn whole and with what has only moved moved, in turn: 1280 x 800,
    six columns of pictures with a line of type, 2,000 points a second; processor time, memory, late frames

      --scene WHERE     window: needs a window system; headless: drawing alone, nothing is shown
      --n N,N,...       items (default 100000,1000000)
      --seconds S       seconds of each run (default 10; quick: 4)
      --repeat K        runs of each way (default 3; quick: 1)
      --refresh HZ      refreshes a second (default 60)
      --peer PROGRAM    what to hold ours against, in turn with it: scroll_scene, which scripts/bench compiles
      --only WAY        one run of one way, damage or whole, of the least number of items, told in one line of numbers

    input: that any jump of the scroll bar's thumb is in time, that many events in one frame make one layout, and how soon
    input is answered; on the cpu clock

      --n N             items (default 10000000)
      --jumps K         jumps (default 10000; quick: 1000)
      --notches K       notches of the wheel (default 2000; quick: 300)
      --refresh HZ      refreshes a second (default 60)
      --quick           fewer of both

    null: the loop with nothing to do, in one line: how late frames are for the machine's sake alone

      --seconds S       for how long (default 10)
      --refresh HZ      refreshes a second (default 60)

    decode: what thumbnails take beside libvips and bare libjpeg-turbo, small C programs that are compiled for it, and how
    near they are to a Lanczos reference; what the way through a process adds; what a picture takes that was kept on disk,
    and how late frames begin while all cores decode; what headers take. Processor time, medians

      --pictures FOLDER photographs to measure with (default: Debian's, made to 12, 24 and 50 megapixels once, as JPEG in
                        one pass and in several, and at 12 as PNG, WebP, AVIF and HEIC)
      --sizes N,N,...   longest sides of the thumbnails (default 256,512)
      --repeat K        runs of each case, ours and theirs in turn (default 5; quick: 3)

    launch: how long the gallery takes from exec to its first frame and to a screen of pictures, headless and, where Xvfb is
    there, in a window, of items without files and of a folder; with nothing kept on disk

      --folder FOLDER   photographs (default: 500 painted ones, made once)
      --n N             items without files (default 100000)
      --repeat K        launches of each case, in turn (default 9; quick: 3)
      --instructions    in place of times: instructions, allocations and retains of the drawing thread up to its first
                        frame, under valgrind, and files that it opens, by strace

    all: diff, layout, scroll, input, launch and decode, held against Benchmarks/thresholds.json, as one table; the status is
    1 where a threshold is missed that says more of the program than of the machine

      --only NAME,...   these alone
      --quick           fewer sizes and runs, without decode: some minutes
      --markdown FILE   where the table goes besides
      --history FILE    this machine's earlier runs, which this one is added to (default .build/bench-history.jsonl)
      --land            adds what means something on every machine to Benchmarks/history.jsonl

    --compare: the same benchmarks in another revision, which is built under .build/compare, and in this tree, in turn

      NAME,...          which of diff, layout, scroll, input and launch (default scroll)
      --rounds K        of those whose times are taken: runs of that, this, this, that (default 2)
      --quick           as of all
      --markdown FILE   where the table goes besides

    repeat: whether what is counted is the same in every run, within a thousandth; the status is 1 where it is not

      NAME,...          which of diff, layout, scroll and launch (default all four)
      --runs K          runs (default 3)

    Each of diff, layout, scroll, input, decode and launch takes --json FILE: its figures by name, value, unit and nature.

    hostile: hands pictures to a decoding process, one by one, and says how many did not become what is expected of them,
    how long the longest took, and how much memory the process and the program took; the status is 1 if anything is wrong

      FOLDER            pictures and their list, MANIFEST.tsv: path, format, what is expected (ok, error, either, bomb),
                        width, height and orientation, between tabs (default: ../shared/images beside the package, or
                        made-up ones)
      --size N          the longest side of what is made of each (default 256)

    pixels: decodes pictures at two sizes and holds every pixel against what other decoders make of them

      FOLDER            as of hostile
      --list FILE       where the list of differences goes (default: .build/pixels.tsv)

    """

  /// Reads arguments, the program's name left out.
  ///
  /// - Throws: ``CommandError`` naming the first argument that is not understood.
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
    case "null": self = .null(try NullOptions(Array(arguments.dropFirst())))
    case "decode": self = .decode(try DecodeOptions(Array(arguments.dropFirst())))
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
          "\(word): there is no such benchmark; there are diff, operations, layout, scroll, input, null, decode, launch and "
            + "all")
      }
      self = .diff(try DiffOptions(arguments))
    }
  }
}
