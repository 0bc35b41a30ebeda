/// A search for the smallest session that still fails in the same way.
///
/// Steps are removed in halves, quarters and so on (delta debugging, Zeller and Hildebrandt, 2002), then the remaining
/// ones are simplified, and the library is made smaller.
package nonisolated struct SimulationShrinker {
  /// The maximum number of sessions to run.
  private var remaining: Int
  private let fails: (SimulationScript) -> Bool

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - runs: The maximum number of sessions to run. Default: 2,000.
  ///   - fails: Returns whether a session fails as the first one did.
  package init(atMost runs: Int = 2_000, fails: @escaping (SimulationScript) -> Bool) {
    (remaining, self.fails) = (runs, fails)
  }

  /// Returns a small session that fails as the given one does.
  package mutating func shrink(_ script: SimulationScript, failingAt event: Int) -> SimulationScript {
    var best = script
    var shorter = script
    shorter.events = Array(script.events.prefix(max(0, event)))
    if shorter.events.count < script.events.count, stillFails(shorter) { best = shorter }
    var size = -1
    while remaining > 0, size != best.text.utf8.count {
      size = best.text.utf8.count
      best = withoutEvents(best)
      best = withSmallerSettings(best)
      best = withSimplerEvents(best)
    }
    return best
  }

  private mutating func stillFails(_ script: SimulationScript) -> Bool {
    guard remaining > 0 else { return false }
    remaining -= 1
    return fails(script)
  }

  /// Returns a session without steps, keeping the times of the others if that is necessary.
  private mutating func withoutEvents(_ script: SimulationScript) -> SimulationScript {
    var best = script
    var length = max(1, best.events.count / 2)
    while length >= 1 {
      var start = 0
      while start < best.events.count, remaining > 0 {
        let end = min(best.events.count, start + length)
        var next = best
        let delay = best.events[start..<end].reduce(0) { $0 + $1.delay }
        next.events.removeSubrange(start..<end)
        if stillFails(next) {
          best = next
          continue
        }
        if delay > 0, start < next.events.count {
          next.events[start].delay += delay
          if stillFails(next) {
            best = next
            continue
          }
        }
        start = end
      }
      if length == 1 { break }
      length /= 2
    }
    return best
  }

  private mutating func withSmallerSettings(_ script: SimulationScript) -> SimulationScript {
    var best = script
    let simplest = SimulationScript.Settings()
    for (_, path) in SimulationScript.Settings.names {
      let value = best.settings[keyPath: path]
      let isCount = path == \.files || path == \.folders
      let candidates = isCount ? [0, 1, value / 4, value / 2, value * 3 / 4, value - 1] : [simplest[keyPath: path]]
      for candidate in candidates where candidate >= 0 && (isCount ? candidate < value : candidate != value) {
        var next = best
        next.settings[keyPath: path] = candidate
        if stillFails(next) {
          best = next
          break
        }
      }
    }
    return best
  }

  private mutating func withSimplerEvents(_ script: SimulationScript) -> SimulationScript {
    var best = script
    for index in best.events.indices {
      for delay in [0, 100, 1_000] where delay < best.events[index].delay {
        var next = best
        next.events[index].delay = delay
        if stillFails(next) {
          best = next
          break
        }
      }
      for position in best.events[index].numbers.indices {
        let value = best.events[index].numbers[position]
        for candidate in [0, 1, value / 10, value / 2] where candidate.magnitude < value.magnitude {
          var next = best
          next.events[index].numbers[position] = candidate
          if stillFails(next) {
            best = next
            break
          }
        }
      }
    }
    return best
  }
}
