import Geometry

extension HostingOptions {
  /// The options that every program on the library has.
  public static var table: [CommandOption<HostingOptions>] {
    [
      CommandOption(switch: "--headless", "no window: SDL's dummy video driver and software renderer") {
        $0.isHeadless = true
      },
      CommandOption("--clock", "KIND", "auto (default; headless: timer), vsync, timer, virtual or cpu") {
        (settings, text) throws(UsageError) in settings.clock = try OptionValue.choice(text, of: "--clock")
      },
      CommandOption(
        "--cpu-scale", "FACTOR",
        "--clock cpu: count processor time so many times; 2 models a machine half as fast (default 1)"
      ) { (settings, text) throws(UsageError) in
        settings.processorScale = try OptionValue.number(text, of: "--cpu-scale", in: 0.01...100)
      },
      CommandOption("--renderer", "NAME", "auto (default), sdl, memory, opengl or opengles2") {
        (settings, text) throws(UsageError) in settings.renderer = try OptionValue.choice(text, of: "--renderer")
      },
      CommandOption("--refresh", "HZ", "refreshes a second of the timer, virtual and cpu clocks (default 60)") {
        (settings, text) throws(UsageError) in
        settings.refreshHz = try OptionValue.number(text, of: "--refresh", in: 1...1_000)
      },
      CommandOption("--size", "WxH", "window size in points (default 1280x800)") {
        (settings, text) throws(UsageError) in settings.size = try OptionValue.size(text, of: "--size")
      },
      CommandOption(
        "--scroll", "SCRIPT",
        "steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed or FILE.json; SPEED in points per second, 0 excluded"
      ) { (settings, text) throws(UsageError) in
        let isFile = ScriptFile.isFileName(text)
        let contents = isFile ? try ScriptFile.contents(at: text) : nil
        settings.steps = try contents.map { data throws(UsageError) in try ScriptFile.steps(in: data, of: text) } ?? []
        settings.scriptText = contents.map { String(decoding: $0, as: UTF8.self) }
        settings.script = isFile ? nil : try ScrollScript(text)
      },
      CommandOption("--prefetch", "on|off", "prepare cells in the slack of short commits (default on)") {
        (settings, text) throws(UsageError) in
        let choice: OnOffValue = try OptionValue.choice(text, of: "--prefetch")
        settings.preparesCellsAhead = choice == .on
      },
      CommandOption("--cell-cost", "MS", "spend so much each time a cell is configured for an item, in one step") {
        (settings, text) throws(UsageError) in
        settings.cellCost = try OptionValue.number(text, of: "--cell-cost", in: 0...10_000)
      },
      CommandOption("--upload-cost", "MS", "slow every upload of a picture by so much: for demonstrations and tests") {
        (settings, text) throws(UsageError) in
        settings.uploadCost = try OptionValue.number(text, of: "--upload-cost", in: 0...10_000)
      },
      CommandOption("--duration", "S", "leave after so many seconds") { (settings, text) throws(UsageError) in
        settings.duration = try OptionValue.number(text, of: "--duration", in: 0.001...1_000_000)
      },
      CommandOption("--frames", "N", "leave after so many frames, one every refresh") {
        (settings, text) throws(UsageError) in
        settings.frames = try OptionValue.integer(text, of: "--frames", in: 1...1_000_000_000)
      },
      CommandOption(
        "--report", "FILE|-",
        "the run's figures as JSON; as a table at a terminal, a page with graphs where FILE ends in .html, a line more of a log in .log"
      ) { (settings, text) throws(UsageError) in
        settings.report = try OptionValue.path(text, of: "--report")
      },
      CommandOption(
        "--trace", "FILE",
        "the run's time line as Chrome trace JSON, for ui.perfetto.dev; SIGUSR1 writes the last 10 s to FILE-usr1-1, and so on"
      ) { (settings, text) throws(UsageError) in
        settings.trace = try OptionValue.path(text, of: "--trace")
      },
      CommandOption("--frame-log", "FILE", "every frame's times in nanoseconds, a line each, between tabs") {
        (settings, text) throws(UsageError) in
        settings.frameLog = try OptionValue.path(text, of: "--frame-log")
      },
      CommandOption(switch: "--frame-id-stripe", "draw each frame's number at the window's edges (scripts/observe)") {
        $0.drawsFrameNumbers = true
      },
      CommandOption(
        "--record", "FILE", "keep input, settings and the library's listing, to run the same again by --replay"
      ) { (settings, text) throws(UsageError) in settings.record = try OptionValue.path(text, of: "--record") },
      CommandOption(
        "--replay", "FILE",
        "run a recording again, without a window, on the virtual clock; other options say what is to be otherwise"
      ) { (settings, text) throws(UsageError) in settings.replay = try OptionValue.path(text, of: "--replay") },
      CommandOption(
        "--trace-hitch", "MS",
        "with --trace: the last 10 s beside FILE, with -hitch-1 and so on in its name, when a frame is later than MS"
      ) { (settings, text) throws(UsageError) in
        settings.traceHitchThreshold = try OptionValue.number(text, of: "--trace-hitch", in: 0...60_000)
      },
      CommandOption("--screenshot", "FILE", "the last frame as PNG") { (settings, text) throws(UsageError) in
        settings.screenshot = try OptionValue.path(text, of: "--screenshot")
      },
      CommandOption("--overlay", "LEVEL", "0 to 4: figures of the frames over the content (F3 in the window)") {
        (settings, text) throws(UsageError) in
        settings.overlay = try OptionValue.integer(text, of: "--overlay", in: 0...4)
      },
      CommandOption(switch: "--reduce-motion", "show changes at once, without motion (or as the desktop says)") {
        $0.reducesMotion = true
      },
      CommandOption("--seed", "S", "the seed of sample pictures and of jumps (default 1)") {
        (settings, text) throws(UsageError) in
        guard let seed = UInt64(text) else {
          throw UsageError("--seed \(text): a whole number from 0 to \(UInt64.max) is accepted")
        }
        settings.seed = seed
      },
    ]
  }
}
