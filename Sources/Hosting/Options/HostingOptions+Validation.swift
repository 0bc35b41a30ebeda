extension HostingOptions {
  /// Takes over what the desktop's settings say of motion; nothing without a window, where runs are to be equal anywhere.
  ///
  /// Read are the files in which GTK and KDE keep them.
  public mutating func applyDesktopSettings() {
    if !isHeadless, !reducesMotion { reducesMotion = ReducedMotionSetting.isEnabled() }
  }

  /// Refuses options that contradict each other.
  ///
  /// - Throws: ``UsageError`` naming both.
  public func validate() throws(UsageError) {
    if isHeadless, clock == .vsync {
      throw UsageError("--clock vsync needs a window; with --headless accepted are auto, timer, virtual, cpu")
    }
    if refreshHz != nil, clock == .vsync {
      throw UsageError(
        "--refresh is for clocks of our own; --clock vsync has the display's; with --refresh accepted are auto, timer, virtual, cpu"
      )
    }
    if processorScale != 1, clock != .cpu {
      throw UsageError("--cpu-scale counts processor time, which --clock cpu alone does; give --clock cpu")
    }
    if clock.isSimulated || clock == .vsync, let place = steps.firstIndex(where: \.needsRealTime) {
      throw UsageError(
        "--scroll: step \(place + 1): nobody sleeps until presenting on --clock \(clock.rawValue); accepted are auto, timer"
      )
    }
    if isHeadless, renderer == .opengl || renderer == .opengles2 {
      throw UsageError(
        "--renderer \(renderer.rawValue) needs a window; with \(replay == nil ? "--headless" : "--replay") accepted are auto, sdl, "
          + "memory")
    }
    if traceHitchThreshold != nil, trace == nil || trace == "-" {
      throw UsageError("--trace-hitch writes beside the file of --trace; give --trace FILE, with a path and not -")
    }
  }

  /// Refuses files that could not be written when the run ends, before it has begun.
  ///
  /// - Throws: ``UsageError`` naming the option, the path and the system's reason.
  public func validateDestinations() throws(UsageError) {
    var taken: [(option: String, destination: String)] = replay.map { [("--replay", $0)] } ?? []
    for (option, destination) in [
      ("--report", report), ("--trace", trace), ("--record", record), ("--frame-log", frameLog),
      ("--screenshot", screenshot),
    ] {
      guard let destination else { continue }
      // A device takes from everybody what it is given.
      if let other = taken.first(where: { $0.destination == destination }), !destination.hasPrefix("/dev/") {
        let place = destination == "-" ? "to standard output" : "to \(destination)"
        throw UsageError("\(option) and \(other.option) both go \(place); give each a place of its own")
      }
      taken.append((option, destination))
      do throws(OutputError) {
        try OutputFile.checkWritable(destination)
      } catch {
        throw UsageError(unwritable: destination, of: option, error)
      }
    }
  }
}
