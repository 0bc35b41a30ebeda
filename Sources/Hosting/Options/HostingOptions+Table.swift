import Geometry

extension HostingOptions {
  /// The options that are common to all programs.
  public static var table: [CommandOption<HostingOptions>] {
    [
      CommandOption(switch: "--headless", "open no window; use SDL's dummy video driver and software renderer") {
        $0.isHeadless = true
      },
      CommandOption("--clock", "KIND", "auto (default; headless: timer), vsync, timer, virtual or cpu") {
        (settings, text) throws(UsageError) in settings.clock = try OptionValue.choice(text, of: "--clock")
      },
      CommandOption(
        "--cpu-scale", "FACTOR",
        "with --clock cpu: multiply processor time by FACTOR; 2 models a machine half as fast (default 1)"
      ) { (settings, text) throws(UsageError) in
        settings.processorScale = try OptionValue.number(text, of: "--cpu-scale", in: 0.01...100)
      },
      CommandOption("--renderer", "NAME", "auto (default), sdl, memory, opengl or opengles2") {
        (settings, text) throws(UsageError) in settings.renderer = try OptionValue.choice(text, of: "--renderer")
      },
      CommandOption("--refresh", "HZ", "refresh rate of the timer, virtual and cpu clocks (default 60)") {
        (settings, text) throws(UsageError) in
        settings.refreshHz = try OptionValue.number(text, of: "--refresh", in: 1...1_000)
      },
      CommandOption("--size", "WxH", "window size in points (default 1280x800)") {
        (settings, text) throws(UsageError) in settings.size = try OptionValue.size(text, of: "--size")
      },
      CommandOption(
        "--scroll", "SCRIPT",
        "steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed or FILE.json; SPEED in points per second, not 0"
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
        settings.isCellPrefetchingEnabled = choice == .on
      },
      CommandOption("--cell-cost", "MS", "add this time to each configuration of a cell for an item, in one step") {
        (settings, text) throws(UsageError) in
        settings.cellCost = try OptionValue.number(text, of: "--cell-cost", in: 0...10_000)
      },
      CommandOption("--upload-cost", "MS", "add this time to each image upload, for demonstrations and tests") {
        (settings, text) throws(UsageError) in
        settings.uploadCost = try OptionValue.number(text, of: "--upload-cost", in: 0...10_000)
      },
      CommandOption("--duration", "S", "quit after S seconds") { (settings, text) throws(UsageError) in
        settings.duration = try OptionValue.number(text, of: "--duration", in: 0.001...1_000_000)
      },
      CommandOption("--frames", "N", "quit after N frames, one per refresh") {
        (settings, text) throws(UsageError) in
        settings.frames = try OptionValue.integer(text, of: "--frames", in: 1...1_000_000_000)
      },
      CommandOption(
        "--report", "FILE|-",
        "write the run's figures as JSON, as a table to a terminal, as a page with charts if FILE ends in .html, or append one line if it ends in .log"
      ) { (settings, text) throws(UsageError) in
        settings.report = try OptionValue.path(text, of: "--report")
      },
      CommandOption(
        "--trace", "FILE",
        "write the run's timeline as Chrome trace JSON, for ui.perfetto.dev; SIGUSR1 writes the last 10 s to FILE-usr1-1 and so on"
      ) { (settings, text) throws(UsageError) in
        settings.trace = try OptionValue.path(text, of: "--trace")
      },
      CommandOption(
        "--frame-log", "FILE", "write each frame's times in nanoseconds, one line per frame, separated by tabs"
      ) {
        (settings, text) throws(UsageError) in
        settings.frameLog = try OptionValue.path(text, of: "--frame-log")
      },
      CommandOption(
        switch: "--frame-id-stripe", "draw each frame's number at the window's top and bottom (scripts/observe)"
      ) {
        $0.drawsFrameNumbers = true
      },
      CommandOption(
        "--record", "FILE", "record input, settings and the library's listing for --replay"
      ) { (settings, text) throws(UsageError) in settings.record = try OptionValue.path(text, of: "--record") },
      CommandOption(
        "--replay", "FILE",
        "replay a recording without a window on the virtual clock; other options override the recorded ones"
      ) { (settings, text) throws(UsageError) in settings.replay = try OptionValue.path(text, of: "--replay") },
      CommandOption(
        "--trace-hitch", "MS",
        "with --trace: write the last 10 s to FILE-hitch-1 and so on when a frame is late by more than MS"
      ) { (settings, text) throws(UsageError) in
        settings.traceHitchThreshold = try OptionValue.number(text, of: "--trace-hitch", in: 0...60_000)
      },
      CommandOption("--screenshot", "FILE", "write the last frame as PNG") { (settings, text) throws(UsageError) in
        settings.screenshot = try OptionValue.path(text, of: "--screenshot")
      },
      CommandOption(
        "--overlay", "LEVEL", "show figures of the frames over the content, at level 0 to 4 (F3 in the window)"
      ) {
        (settings, text) throws(UsageError) in
        settings.overlay = try OptionValue.integer(text, of: "--overlay", in: 0...4)
      },
      CommandOption(switch: "--reduce-motion", "show changes without animation (default: the desktop's setting)") {
        $0.reducesMotion = true
      },
      CommandOption("--seed", "S", "seed of generated photographs and random choices (default 1)") {
        (settings, text) throws(UsageError) in
        guard let seed = UInt64(text) else {
          throw UsageError("--seed \(text): a whole number from 0 to \(UInt64.max) is accepted")
        }
        settings.seed = seed
      },
    ]
  }
}

/// The value of an option that turns a feature on or off.
private enum OnOffValue: String, CaseIterable {
  case on
  case off
}
