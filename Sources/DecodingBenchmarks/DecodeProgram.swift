import BenchmarkSupport
import Glibc
import Rendering

/// `bench decode`: thumbnails of photographs beside other programs', what the way through a process adds, and headers.
@MainActor
struct DecodeProgram {
  private static let headerAim = Aim(.time, 10_000)

  private let options: DecodeOptions
  private let peers: PeerPrograms
  private let recorder: FigureRecorder

  init(_ options: DecodeOptions, recorder: FigureRecorder) {
    self.recorder = recorder
    self.options = options
    peers = PeerPrograms(folder: options.peers)
  }

  /// Measures and prints table by table.
  func run() throws {
    let pictures = try MeasuredPicture.all(in: options.pictures)
    Output.line(
      "Processor time, user's and system's, of reading a file and making its thumbnail; medians of \(options.repeats) "
        + "runs, ours and the peer's in turn. libvips: vips_thumbnail in a process of its own, one thread.")
    try compare(pictures)
    try followRoutes(pictures.filter(\.kind.isBaseline))
    try revisit(pictures)
    try countLateFrames(pictures.filter(\.kind.isBaseline))
    try readHeaders(pictures)
  }

  private func compare(_ pictures: [MeasuredPicture]) throws {
    var table = TextTable(DecodeFigure.columns)
    for picture in pictures {
      let own = OwnDecoding(picture: picture)
      var thumbnails: [Bitmap] = []
      var figures: [DecodeFigure] = []
      for size in options.sizes {
        var figure = DecodeFigure(
          name: picture.name, kind: picture.kind, megapixels: picture.megapixels, size: size)
        // What the first does once is not measured, as the peer's is not.
        thumbnails.append(try own.thumbnail(side: size).bitmap)
        for _ in 0..<options.repeats {
          figure.ours.append(try own.thumbnail(side: size).nanoseconds)
          figure.peer.append(try peers.thumbnail(picture, side: size))
          if picture.kind == .heicWithPreview {
            figure.peerOfWhole.append(try peers.thumbnail(picture, side: size, ofWhole: true))
          }
        }
        figures.append(figure)
      }
      for (index, quality) in try own.qualities(of: thumbnails).enumerated() {
        figures[index].quality = quality
        table.add(figures[index].row)
        figures[index].record(in: recorder)
      }
    }
    for line in table.lines { Output.line("  " + line) }
    Output.line(
      "HEIC with a small picture is held against libvips' time for the picture itself, and is as good as the small one is; "
        + "the time of libvips for that one, which it takes too where it is large enough, stands first.")
    Output.line("Quality is against the whole picture, decoded and made small by Lanczos' kernel in double precision.")
  }

  private func followRoutes(_ pictures: [MeasuredPicture]) throws {
    guard !pictures.isEmpty else { return }
    var table = TextTable(RouteFigure.columns)
    for picture in pictures {
      let own = OwnDecoding(picture: picture)
      let pipeline = PipelineRun(picture: picture, decoder: options.decoder)
      for size in options.sizes {
        var figure = RouteFigure(name: picture.name, size: size)
        for _ in 0..<options.repeats {
          figure.bare.append(try peers.scaledDecode(picture, side: size))
          figure.inProcess.append(try own.thumbnail(side: size).nanoseconds)
          figure.pipeline.append(try pipeline.thumbnail(side: size))
        }
        table.add(figure.row)
        figure.record(in: recorder)
      }
    }
    Output.line("The way through the pipeline and a sandboxed process, all processes' time together:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func revisit(_ pictures: [MeasuredPicture]) throws {
    var table = TextTable(RevisitFigure.columns)
    let run = RevisitRun(pictures: pictures, decoder: options.decoder)
    for size in options.sizes {
      let figure = try run.figure(side: size)
      table.add(figure.row)
      recorder.add(
        ["decode", "revisit", "\(size)", "wait"], DecodeFigure.median(figure.waits), .nanoseconds, .measured)
    }
    Output.line("Pictures that were prepared before, from the pack on disk through the pipeline, one by one:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func countLateFrames(_ pictures: [MeasuredPicture]) throws {
    guard !pictures.isEmpty else { return }
    var table = TextTable(LatenessFigure.columns)
    let figure = try LatenessRun(pictures: pictures, decoder: options.decoder).figure(side: options.sizes[0])
    table.add(figure.row)
    recorder.add(["decode", "lateness", "p95"], figure.laterBy, .nanoseconds, .measured)
    Output.line(
      "How late a loop of sixty frames a second begins them, with nothing to do and with every core decoding:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func readHeaders(_ pictures: [MeasuredPicture]) throws {
    let run = HeaderRun(pictures: pictures)
    var times: [Double] = []
    for _ in 0..<options.repeats { times.append(try run.time() / Double(HeaderRun.count)) }
    let time = DecodeFigure.median(times)
    recorder.add(["decode", "headers", "time"], time, .nanoseconds, .measured)
    Output.line(
      "\(FigureText.count(HeaderRun.count)) headers, each file opened anew: \(FigureText.time(time)) a header; "
        + DecodeProgram.headerAim.verdict(on: time))
  }
}
