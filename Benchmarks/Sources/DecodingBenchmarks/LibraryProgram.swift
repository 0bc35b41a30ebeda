import BenchmarkSupport
import Glibc
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineImageStore

/// `bench library`: makes the thumbnails of all photographs in a folder as the gallery does at rest, and then shows
/// screens of them as after a jump.
@MainActor
struct LibraryProgram {
  private static let timeAim = Aim(.time, 14_000_000)
  /// 1.5 GiB for 100,000 photographs.
  private static let byteAim = Aim(.bytes, Double(3 << 29) / 100_000)
  private static let screenAim = Aim(.time, 60_000_000)
  /// The number of cells of a screen, and their size in pixels.
  private static let (cells, side) = (48, 196)
  private static let refresh = FrameDuration.milliseconds(1)

  private let options: LibraryOptions
  private let files: [ThumbnailFile]
  private let clock = MonotonicClock()
  private let recorder: FigureRecorder

  /// Lists the files of the folder.
  init(_ options: LibraryOptions, recorder: FigureRecorder) throws {
    self.options = options
    self.recorder = recorder
    guard let folder = opendir(options.photographs) else {
      throw CommandError("\(options.photographs) cannot be read")
    }
    defer { closedir(folder) }
    var files: [ThumbnailFile] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let path = Array(options.photographs.utf8) + [UInt8(ascii: "/")] + name
      var status = stat()
      guard stat(String(decoding: path, as: UTF8.self), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      files.append(
        ThumbnailFile(
          path: path,
          fingerprint: FileFingerprint(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), byteCount: Int64(status.st_size),
            modificationNanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))))
    }
    self.files = files.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    guard files.count >= LibraryProgram.cells else {
      throw CommandError("\(options.photographs) has \(files.count) files; \(LibraryProgram.cells) are needed")
    }
  }

  /// Measures and prints.
  func run() throws {
    var template = Array("/tmp/vitrine-library.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = ShellCommand.output(["/bin/rm", "-rf", folder]) }
    try makeThumbnails(in: folder)
    try showScreens(from: folder)
  }

  private func makeThumbnails(in folder: String) throws {
    let pipeline = try pipeline(folder)
    let cpu = ProcessTime.ofChildren + ProcessTime.now
    let start = clock.now()
    pipeline.makeStoredThumbnails(of: Files(files: files))
    while pipeline.storageStatus?.libraryProgress?.isComplete != true {
      clock.wait(until: clock.now() + .milliseconds(20))
    }
    // The wait for the first idle time is part of it.
    let time = Double((clock.now() - start).nanoseconds) / Double(files.count)
    pipeline.shutdown(within: ShutdownBudget(.seconds(60)))
    let work = Double(ProcessTime.ofChildren + ProcessTime.now - cpu) / Double(files.count)
    guard let status = pipeline.storageStatus, status.count > 0 else { throw CommandError("no thumbnail was stored") }
    let bytes = Double(status.byteCount) / Double(status.count)
    recorder.add(["library", "thumbnail", "time"], time, .nanoseconds, .measured)
    recorder.add(["library", "thumbnail", "bytes"], bytes, .bytes, .measured)
    Output.line(
      "\(FigureText.count(files.count)) photographs, \(FigureText.count(status.count)) thumbnails by two processes of the "
        + "lowest priority: \(FigureText.time(time)) each (processor time \(FigureText.time(work))); "
        + LibraryProgram.timeAim.verdict(on: time))
    Output.line("\(Int(bytes)) bytes each on disk; \(LibraryProgram.byteAim.verdict(on: bytes))")
  }

  /// Requests screens of cells in turn, none of which is in memory, and waits for all pictures of each.
  private func showScreens(from folder: String) throws {
    let pipeline = try pipeline(folder)
    defer { pipeline.shutdown() }
    guard let size = PixelSize(width: LibraryProgram.side, height: LibraryProgram.side) else { return }
    var times: [Double] = []
    for screen in 0..<max(2, options.screens) {
      let start = clock.now()
      for cell in 0..<LibraryProgram.cells {
        // A stride that is prime to most counts: neighbours are not read in the order of their storage.
        let index = (screen * LibraryProgram.cells + cell) * 37 % files.count
        let key = ImageKey(source: UInt64(screen * LibraryProgram.cells + cell), size: size)
        pipeline.request(ImageRequest(key: key, source: .file(path: files[index].path)), deadline: .onScreen)
      }
      var arrived = 0
      while arrived < LibraryProgram.cells {
        clock.wait(until: clock.now() + LibraryProgram.refresh)
        arrived += pipeline.collect(at: clock.now()).count(where: \.isFinal)
      }
      times.append(Double((clock.now() - start).nanoseconds))
    }
    // The first starts the processes.
    let (first, time) = (times[0], DecodeFigure.median(Array(times.dropFirst())))
    recorder.add(["library", "screen", "time"], time, .nanoseconds, .measured)
    Output.line(
      "A screen of \(LibraryProgram.cells) cells of \(LibraryProgram.side) pixels: \(FigureText.time(time)), the first "
        + "\(FigureText.time(first)); from thumbnails \(pipeline.statistics.storeHits) of "
        + "\(times.count * LibraryProgram.cells); \(LibraryProgram.screenAim.verdict(on: time))")
  }

  private func pipeline(_ folder: String) throws -> ImagePipeline {
    try ImagePipeline(
      ImagePipelineConfiguration(
        workers: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), cacheBytes: 0, helperPath: options.decoder,
        storage: .disk(StorageConfiguration(directory: Array(folder.utf8)))), waker: NoWaker())
  }

  private struct Files: ThumbnailFiles {
    let files: [ThumbnailFile]

    var count: Int { files.count }
    var background: UInt32 { 0 }

    func file(at index: Int) -> ThumbnailFile? { files[index] }
  }
}
