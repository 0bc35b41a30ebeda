import VitrineFramePacing
import VitrineRendering

/// What ``NameSearchController`` needs from the screen.
protocol NameSearchHost: AnyObject {
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { get }
  /// Whether the library has photographs, even if none is shown yet.
  var hasPhotographs: Bool { get }
  /// The number of photographs that are shown.
  var searchableCount: Int { get }
  /// The index of the focused photograph, or nil.
  var focusedIndex: Int? { get }
  /// Returns the bytes of the name of a photograph, or nil if it is gone.
  func name(at index: Int) -> ArraySlice<UInt8>?
  /// Selects a photograph and scrolls to it.
  func revealMatch(at index: Int)
  /// Updates what is shown of the search.
  func searchDidChange()
}

/// The owner of the search for a photograph by typing the beginning of its name.
///
/// Typed letters form a prefix (``TypeAhead``). The search for it (``NameSearch``) begins in the next frame, and examines
/// a limited number of names in each frame and more in its slack.
///
/// Invariants:
/// - The typed text does not expire before its search has ended.
/// - Any other input ends the search without further effects.
final class NameSearchController {
  /// The screen, which owns the controller.
  unowned let host: any NameSearchHost

  private(set) var typeAhead = TypeAhead()
  /// The current search, or nil if there is none.
  private var search: NameSearch?
  /// The number of search steps in the slack of this frame.
  private var stepCount = 0
  /// Whether the last search found no match.
  private var hasNoMatch = false

  /// The number of names that a search examines per frame, per slack step, and the maximum number of slack steps per
  /// frame.
  private static let budget = (perFrame: 4_000, perStep: 250, steps: 64)

  /// Creates the controller of a screen.
  init(host: any NameSearchHost) { self.host = host }

  /// Whether there is typed text, which following input belongs to.
  var isActive: Bool { typeAhead.isActive }

  /// Whether a search is in progress.
  var isSearching: Bool { search != nil }

  /// What is searched for, or that nothing was found, or nil without typed text.
  var statusText: String? {
    guard typeAhead.isActive else { return nil }
    return hasNoMatch ? "No name begins with “\(typeAhead.text)”" : "Name: \(typeAhead.text)"
  }

  /// The time at which the typed text expires, or nil.
  var nextFrame: FrameInstant? { typeAhead.expiry }

  // MARK: - Input

  /// Appends typed text to the prefix.
  func append(_ text: String) {
    guard host.hasPhotographs else { return }
    for letter in text { typeAhead.appendLetter(letter, at: host.now) }
    start()
  }

  /// Intercepts keys that belong to the typed text.
  ///
  /// Other input ends the search.
  ///
  /// - Returns: Whether the event was handled.
  func intercept(_ event: InputEvent) -> Bool {
    guard typeAhead.isActive else { return false }
    switch event.kind {
    case .pointerDown: cancel()
    case .touch(let touch) where touch.phase == .began: cancel()
    case .keyDown(let key, let modifiers, _): return interceptKey(key, modifiers)
    default: break
    }
    return false
  }

  private func interceptKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    guard modifiers.isSubset(of: .shift) else {
      // The right Alt key (AltGr) may be part of text input.
      if !modifiers.contains(.alt) { cancel() }
      return false
    }
    switch key {
    // Only the accompanying text event counts.
    case .space: return true
    case .character: return false
    case .backspace:
      typeAhead.deleteLastLetter(at: host.now)
      start(includesCurrent: true)
      return true
    case .escape:
      cancel()
      return true
    default:
      cancel()
      return false
    }
  }

  /// Cancels the search, and discards the typed text.
  func cancel() {
    guard typeAhead.isActive || search != nil || hasNoMatch else { return }
    typeAhead.clear()
    search = nil
    hasNoMatch = false
    host.searchDidChange()
  }

  // MARK: - Searching

  /// Starts a search for the typed text, which begins in the next frame.
  ///
  /// - Parameter includesCurrent: Whether the focused photograph may match, even if only one letter was typed.
  private func start(includesCurrent: Bool = false) {
    hasNoMatch = false
    guard typeAhead.isActive else {
      search = nil
      return host.searchDidChange()
    }
    let focused = host.focusedIndex ?? -1
    let query = typeAhead.query
    search = NameSearch(
      for: query.prefix, from: query.includesCurrent || includesCurrent ? focused : focused + 1,
      of: host.searchableCount)
    typeAhead.suspendExpiry()
    host.searchDidChange()
  }

  /// Continues the search in a frame, and discards text that has expired.
  func update(at instant: FrameInstant) {
    stepCount = 0
    advance(atMost: NameSearchController.budget.perFrame)
    guard typeAhead.expire(at: instant) else { return }
    hasNoMatch = false
    host.searchDidChange()
  }

  /// Continues the search in the slack of a frame.
  ///
  /// - Returns: Whether a search was in progress.
  func performSlackStep() -> Bool {
    guard search != nil, stepCount < NameSearchController.budget.steps else { return false }
    stepCount += 1
    advance(atMost: NameSearchController.budget.perStep)
    return true
  }

  private func advance(atMost most: Int) {
    let host = host
    switch search?.advance(atMost: most, name: { host.name(at: $0) }) {
    case .found(let index):
      end()
      host.revealMatch(at: index)
    case .notFound:
      end()
      hasNoMatch = true
      host.searchDidChange()
    case .searching, nil: break
    }
  }

  private func end() {
    search = nil
    typeAhead.restartExpiry(from: host.now)
  }
}
