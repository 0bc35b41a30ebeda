import VitrineDataStructures

/// A generator of random sessions.
///
/// Equal seeds generate equal sessions. Each session has only some of the kinds of steps, so that their combinations
/// differ more than if all occurred in all sessions.
package nonisolated struct SimulationGenerator {
  private var random: SplitMix64
  private var weights: [(kind: SimulationEvent.Kind, weight: Int)]

  /// Creates the generator of a seed.
  package init(seed: UInt64) {
    random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x51)
    weights = []
    weights = SimulationGenerator.weights.filter { $0.kind == .rest || below(3) > 0 }
    if weights.count < 6 { weights = SimulationGenerator.weights }
  }

  private static let weights: [(kind: SimulationEvent.Kind, weight: Int)] = [
    (.move, 5), (.wheel, 12), (.flick, 8), (.zoom, 4), (.click, 14), (.menu, 2), (.drag, 6), (.touch, 4), (.key, 26),
    (.type, 3), (.search, 4), (.open, 1), (.resize, 3), (.scale, 1), (.hide, 1), (.show, 3), (.refresh, 1), (.lose, 1),
    (.expose, 1), (.memory, 1), (.theme, 1), (.stall, 2), (.present, 2), (.refuse, 1), (.cancel, 1), (.leave, 1),
    (.add, 6), (.write, 5), (.begin, 2), (.finish, 2), (.remove, 5), (.rename, 3), (.folder, 2), (.vanish, 2),
    (.restore, 3), (.unmount, 1), (.mount, 3), (.overflow, 1), (.decode, 3), (.network, 2), (.rest, 4),
  ]

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  private mutating func choice<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Generates a session.
  package mutating func makeScript() -> SimulationScript {
    var settings = SimulationScript.Settings()
    settings.files = choice([0, 3, 20, 60, 150, 400, 1_200])
    settings.folders = choice([0, 1, 3, 8])
    settings.width = choice([320, 500, 640, 900])
    settings.height = choice([240, 420, 480, 700])
    settings.layout = below(4)
    settings.grouping = below(3)
    settings.sorting = below(3)
    settings.cache = choice([1, 4, 16, 64])
    settings.workers = within(1...4)
    settings.gap = choice([0, 3, 20, 200])
    settings.seed = below(1_000)
    // Some sessions begin with the list of pictures on the web.
    var events = below(8) == 0 ? [SimulationEvent(after: below(200), .open, SimulatedUse.listNumber)] : []
    for _ in 0..<within(1...8) {
      for _ in 0..<within(5...50) { events.append(makeEvent()) }
      // A pause: the user looks at the photographs, talks, or does something else.
      let pause = choice([1_000, 60_000, 60_000, 60_000, 1_200_000, 1_200_000, 1_200_000, 14_400_000])
      events.append(SimulationEvent(after: pause, .rest))
    }
    return SimulationScript(settings, events)
  }

  private mutating func makeEvent() -> SimulationEvent {
    var number = below(weights.reduce(0) { $0 + $1.weight })
    let kind =
      weights.first {
        number -= $0.weight; return number < 0
      }?.kind ?? .rest
    let delay = choice([0, 0, 5, 16, 40, 120, 300, 700, 1_500, 4_000])
    let (x, y) = (below(1_001), below(1_001))
    func event(_ numbers: Int..., word: String = "") -> SimulationEvent {
      SimulationEvent(after: delay, kind, numbers: numbers, word: word)
    }
    switch kind {
    case .move, .menu: return event(x, y)
    case .wheel: return event(choice([-100, -30, -10, -3, 3, 10, 30, 100]))
    case .flick: return event(choice([-1, 1]) * choice([60, 300, 900, 4_000]))
    case .zoom: return event(choice([-2, -1, 1, 2]))
    case .click: return event(x, y, choice([0, 0, 0, 2, 2, 1, 1, 3]), choice([1, 1, 1, 1, 1, 2]))
    case .drag:
      // Some drags are those of the scroll bar.
      let startX = choice([x, x, 995])
      return event(startX, y, startX == 995 ? 995 : below(1_001), below(1_001), within(1...20))
    case .touch: return event(x, y, within(-80...80), within(-400...400))
    case .key:
      let key = choice(SimulationGenerator.keys)
      return event(key.modifiers, choice([0, 0, 0, 0, 3, 20]), word: key.name)
    case .type: return event(word: choice(["k", "pl", "le", "qu", "t", "i", "r", "c", "x", "0", "1"]))
    case .search: return event(word: choice(["-", "-", "kiwi", "plum", "kiw", "lime", "quinc", "zzz", "portrait"]))
    case .open: return event(choice([0, 1, 2, 3, 3]))
    case .resize: return event(choice([200, 320, 500, 640, 1_000, 1_400, 1]), choice([1, 150, 240, 480, 800]))
    case .scale: return event(choice([100, 125, 150, 200]))
    case .refresh: return event(choice([30, 60, 75, 144, 240]))
    case .theme, .begin, .rename, .vanish, .unmount: return event(below(1_000))
    case .stall: return event(choice([30, 120, 900, 5_000]))
    case .present: return event(choice([20, 90, 400]), within(1...6))
    case .refuse: return event(choice([1, 5, 40]))
    case .add: return event(below(100), choice([1, 1, 3, 20, 120]), choice([0, 0, 0, below(10)]))
    case .write: return event(below(10_000), choice([0, 0, 0, below(10)]))
    case .remove: return event(below(10_000), choice([1, 1, 4, 30, 200]))
    case .folder: return event(below(100), choice([0, 1, 10, 60]))
    case .decode: return event(choice([0, 0, below(7)]))
    case .network: return event(choice([0, 0, below(4)]))
    default: return event()
    }
  }

  private static let keys: [(modifiers: Int, name: String)] = {
    let moves = ["up", "down", "left", "right", "pageup", "pagedown", "home", "end"]
    return moves.flatMap { [(0, $0), (0, $0), (1, $0), (2, $0)] }
      + ["enter", "escape", "escape", "tab", "space", "menu", "backspace", "f5", "f8", "f9", "f6", "f1"].map { (0, $0) }
      + ["a", "a", "1", "2", "3", "f", "c", "+", "-", "0", "space"].map { (2, $0) }
      + ["1", "2", "3", "4", "5", "6", "7", "c", "left"].map { (4, $0) } + [(1, "space"), (1, "tab")]
  }()
}
