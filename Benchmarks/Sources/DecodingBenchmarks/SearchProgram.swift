import BenchmarkSupport
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary

/// `bench search`: the time from a keystroke of a search to the snapshot of what it finds, which a thread computes, and
/// the work of the frame thread for it.
struct SearchProgram {
  private typealias Snapshot = DiffableDataSourceSnapshot<Int, PhotoID>

  /// The aims: the next frame at 60 Hz, and 100 ms.
  private static func aim(_ count: Int) -> Aim { Aim(.time, count <= 100_000 ? 1e9 / 60 : 100_000_000) }
  private static let queries = [
    ("name", "img_12"), ("no match", "xyz"), ("every", "img"), ("folder", "holidays"), ("accents", "été"),
    ("date", "date:2019-07"), ("numbers", ">5MB format:png"), ("words", "2019 img -7 landscape"),
  ]

  private let options: SearchOptions
  private let recorder: FigureRecorder
  private let clock = MonotonicClock()

  /// Creates the benchmark.
  init(_ options: SearchOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures each size and prints it.
  func run() {
    Output.line(
      "Search: a query is tested against all photographs, without what earlier queries found; medians of \(options.repeats)."
    )
    for count in options.sizes { measure(count) }
  }

  private func measure(_ count: Int) {
    let catalogue = SearchProgram.makeCatalogue(count)
    var all = Snapshot()
    all.appendSections([0])
    all.appendItems((1...UInt32(count)).map(PhotoID.init))
    Output.line(
      "\n\(FigureText.count(count)) photographs; aim of the thread \(SearchProgram.aim(count).verdict(on: 0))")
    var table = TextTable([
      ("query", .left), ("text", .left), ("found", .right), ("thread", .right), ("aim", .left),
      ("keystroke in the frame", .right), ("difference in frames", .right),
    ])
    for (name, text) in SearchProgram.queries {
      var (thread, frame, difference): ([Double], [Double], [Double]) = ([], [], [])
      var found = 0
      for _ in 0..<options.repeats {
        var filter = PhotoFilter(PhotoQuery(""))
        var records: any PhotoRecords = catalogue
        frame.append(
          time {
            filter = PhotoFilter(PhotoQuery(text), roots: [PhotoPath("/home/a/Pictures")])
            records = catalogue.readOnlyCopy
          })
        var result: Snapshot?
        thread.append(
          time {
            var matches = PhotoMatches()
            if matches.update(with: filter, in: records) { result = all.filteringItems(matches.contains) }
          })
        guard let result else { continue }
        found = result.numberOfItems
        var work = SnapshotDifference(from: all, to: result)
        difference.append(time { while work.advance(steps: 16_384) == nil {} })
      }
      let (answer, share) = (SearchProgram.median(thread), SearchProgram.median(frame))
      table.add([
        name, text, FigureText.count(found), FigureText.time(answer), SearchProgram.aim(count).verdict(on: answer),
        FigureText.time(share), FigureText.time(SearchProgram.median(difference)),
      ])
      let words = ["search", "\(count)", name.replacing(" ", with: "-")]
      recorder.add(words + ["answer"], answer, .nanoseconds, .measured)
      recorder.add(words + ["frame"], share, .nanoseconds, .measured)
    }
    for line in table.lines { Output.line("  " + line) }
  }

  private func time(_ body: () -> Void) -> Double {
    let start = clock.now()
    body()
    return Double((clock.now() - start).nanoseconds)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Returns a library with 400 photographs in each folder, from 20 years, of three formats and cameras.
  private static func makeCatalogue(_ count: Int) -> PhotoCatalogue {
    let root = PhotoPath("/home/a/Pictures")
    let formats: [ImageFormat] = [.jpeg, .jpeg, .heic, .jpeg, .png]
    let names = ["Holidays", "Été", "Work", "Garden"]
    var catalogue = PhotoCatalogue()
    for first in stride(from: 0, to: count, by: 400) {
      let folder = root.appending("\(2000 + first / 400 % 20)").appending("\(names[first / 400 % 4]) \(first / 400)")
      let numbers = first..<min(count, first + 400)
      func identity(_ number: Int) -> FileIdentity {
        FileIdentity(
          device: 1, inode: UInt64(number) + 1, byteCount: Int64(number * 7_919 % 9_000_000),
          modificationNanoseconds: 1_500_000_000_000_000_000)
      }
      _ = catalogue.apply(
        .found(
          numbers.map {
            FoundPhoto(
              ordinal: UInt32($0), folder: folder, name: Array(($0 % 50 == 0 ? "été_\($0).jpg" : "IMG_\($0).JPG").utf8),
              identity: identity($0))
          }))
      _ = catalogue.apply(
        .headers(
          numbers.map { number in
            var header = ImageHeader(
              format: formats[number % 5], storedSize: PixelSize(width: 4_000, height: 2_000 + number % 3 * 1_500),
              captureTime: 946_684_800 + Int64(number) * 613 % 630_000_000)
            header.camera = ["NIKON D750", "Apple iPhone 12", nil][number % 3]
            return HeaderResult(ordinal: UInt32(number), identity: identity(number), header: header)
          }))
    }
    return catalogue
  }
}
