import GalleryUI
import Hosting

/// The gallery's settings: the shared ones and its own.
struct GalleryOptions {
  /// What every program on the library has.
  var hosting = HostingOptions()
  /// Painted photographs to show, where asked for.
  var sampleCount: Int?
  /// Pictures without files to show, where asked for.
  var syntheticCount: Int?
  /// The example to show in the gallery's place, where asked for.
  var demo: DemoProgram?
  /// How photographs are placed.
  var layout = GalleryLayoutKind.grid
  /// By what they are put into sections.
  var grouping = GalleryGrouping.none
  /// In which order they stand there, where given.
  var sorting: GallerySorting?
  /// Columns of the grid, where given.
  var columns: Int?
  /// Who decodes, and how fast.
  var decoding = DecodingOptions()
  /// Where thumbnails, previews and sample photographs are kept, where given.
  var cacheFolder: String?
  /// Whether nothing is kept on disk.
  var isCacheDisabled = false
  /// Where a line for each item goes, instead of a window.
  var verdictsPath: String?
  /// Whether only what the program is made of is asked for.
  var wantsAbout = false
  /// Whether only the version is asked for.
  var wantsVersion = false
  /// Whether only the help is asked for.
  var wantsHelp = false

  /// The options of the command line, in the order of the help.
  static var table: OptionTable<GalleryOptions> {
    var options = [
      CommandOption<GalleryOptions>(
        "--sample", "N", "show a library of N painted photographs, made once and kept in the cache folder"
      ) { (settings, text) throws(UsageError) in
        settings.sampleCount = try OptionValue.integer(text, of: "--sample", in: 1...1_000_000)
      },
      CommandOption<GalleryOptions>(
        "--synthetic", "N", "show N pictures without files, painted in memory: for a million and more"
      ) { (settings, text) throws(UsageError) in
        settings.syntheticCount = try OptionValue.integer(text, of: "--synthetic", in: 1...50_000_000)
      },
      CommandOption<GalleryOptions>(
        "--demo", "NAME",
        "show an example of the library in the gallery's place, with all other options: destinations, emoji or outline"
      ) { (settings, text) throws(UsageError) in settings.demo = try OptionValue.choice(text, of: "--demo") },
      CommandOption<GalleryOptions>("--layout", "NAME", "grid (default), justified, mosaic or list") {
        (settings, text) throws(UsageError) in settings.layout = try OptionValue.choice(text, of: "--layout")
      },
      CommandOption<GalleryOptions>("--group", "NAME", "sections by none (default), folder or month") {
        (settings, text) throws(UsageError) in settings.grouping = try OptionValue.choice(text, of: "--group")
      },
      CommandOption<GalleryOptions>(
        "--sort", "NAME", "in a section by name (default), date (in months the default) or size"
      ) { (settings, text) throws(UsageError) in settings.sorting = try OptionValue.choice(text, of: "--sort") },
      CommandOption<GalleryOptions>("--columns", "N", "columns of the grid (default: as many as fit)") {
        (settings, text) throws(UsageError) in
        settings.columns = try OptionValue.integer(text, of: "--columns", in: 1...64)
      },
    ]
    options += HostingOptions.table.map { $0.scoped(to: \.hosting) }
    options += DecodingOptions.table.map { $0.scoped(to: \.decoding) }
    options += [
      CommandOption<GalleryOptions>(
        "--cache-dir", "DIR", "where thumbnails, previews, downloads and samples are kept"
      ) {
        (settings, text) throws(UsageError) in settings.cacheFolder = try OptionValue.path(text, of: "--cache-dir")
      },
      CommandOption<GalleryOptions>(switch: "--no-cache", "keep nothing on disk") { $0.isCacheDisabled = true },
      CommandOption<GalleryOptions>(
        "--verdicts", "FILE",
        "prepare every item once and write a line each: path, ok or error, width, height, orientation, reason"
      ) { (settings, text) throws(UsageError) in settings.verdictsPath = try OptionValue.path(text, of: "--verdicts") },
      CommandOption<GalleryOptions>(
        switch: "--about", "print versions, renderer, clock, decoders and which layers of the sandbox are up"
      ) { $0.wantsAbout = true },
      CommandOption<GalleryOptions>(switch: "--version", "print the version") { $0.wantsVersion = true },
      CommandOption<GalleryOptions>(switch: "--help", "print this help") { $0.wantsHelp = true },
    ]
    return OptionTable(options)
  }

  /// The modes in which only some options have a meaning.
  static var modes: [RunMode] {
    [
      RunMode(
        "--about", "prints what the program is made of",
        accepting: ["--headless", "--clock", "--cpu-scale", "--renderer", "--refresh", "--size"]),
      RunMode(
        "--verdicts", "prepares every item and shows nothing",
        accepting: [
          "--headless", "--sample", "--seed", "--workers", "--decode-delay", "--cache-dir", "--no-cache",
        ]),
    ]
  }

  /// The recorded settings that the command line of a replay takes the place of, as they exclude each other.
  static func replacedOptionNames(by line: OptionTable<GalleryOptions>.Parsed) -> Set<String> {
    let options = line.settings
    var names: Set<String> = []
    if options.sampleCount != nil || options.syntheticCount != nil || !line.operands.isEmpty {
      names = ["--sample", "--synthetic"]
    }
    if line.parsedOptions.contains(where: { $0.name == "--layout" }) { names.insert("--columns") }
    return names
  }

  /// Refuses options that contradict each other.
  func validate(operandCount: Int) throws(UsageError) {
    try hosting.validate()
    if sampleCount != nil, operandCount > 0 {
      throw UsageError("--sample shows painted photographs; give either it or folders, not both")
    }
    if syntheticCount != nil, sampleCount != nil || operandCount > 0 {
      throw UsageError("--synthetic shows pictures without files; give either it, --sample or folders")
    }
    if syntheticCount != nil, cacheFolder != nil {
      throw UsageError(
        (hosting.replay.map { "--replay \($0): " } ?? "")
          + "--synthetic shows pictures without files, of which nothing is kept in --cache-dir; give one of them")
    }
    if columns != nil, layout != .grid {
      throw UsageError("--columns is for --layout grid; --layout \(layout.rawValue) has none to set")
    }
    if isCacheDisabled, cacheFolder != nil {
      throw UsageError("--no-cache and --cache-dir exclude each other")
    }
  }
}
