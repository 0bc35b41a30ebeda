import VitrineGeometry

extension HostingOptions: CommonOptions {
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
      CommandOption("--duration", "S", "quit after S seconds") { (settings, text) throws(UsageError) in
        settings.duration = try OptionValue.number(text, of: "--duration", in: 0.001...1_000_000)
      },
      CommandOption("--frames", "N", "quit after N frames, one per refresh") {
        (settings, text) throws(UsageError) in
        settings.frames = try OptionValue.integer(text, of: "--frames", in: 1...1_000_000_000)
      },
      CommandOption("--screenshot", "FILE", "write the last frame as PNG") { (settings, text) throws(UsageError) in
        settings.screenshot = try OptionValue.path(text, of: "--screenshot")
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

  /// The settings themselves.
  public var hosting: HostingOptions {
    get { self }
    set { self = newValue }
  }
}
