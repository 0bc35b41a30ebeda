import Views

/// Scripts, in place of hands.
extension Host {
  /// Lets a script do what a hand would.
  func startScripts(
    _ options: HostingOptions, in window: Window, _ scrollView: ScrollView?, _ stagehand: HostScriptEnvironment
  ) throws(HostError) {
    if let script = options.script, let scrollView {
      window.addFirstParticipant(ScrollScriptDriver(script, scrollView: scrollView, seed: options.seed))
    }
    guard !options.steps.isEmpty else { return }
    if onShuffle == nil, let place = options.steps.firstIndex(of: .shuffle) {
      throw HostError("--scroll: step \(place + 1), apply: there is nothing here to put into another order")
    }
    window.addFirstParticipant(
      ScriptStepDriver(options.steps, window: window, scrollView: scrollView, stagehand: stagehand))
  }
}
