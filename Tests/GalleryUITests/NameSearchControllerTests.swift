import Testing
import VitrineFramePacing
@testable import VitrineGalleryUI
import VitrineRendering

@Suite("The name search controller, without a screen")
struct NameSearchControllerTests {
  @Test("The search begins in the next frame, examines a limited number of names, and goes on in slack")
  func steps() {
    let host = NameSearchDouble(count: 9_000)
    let search = NameSearchController(host: host)
    search.append("x8")
    #expect(search.isSearching && host.examined == 0 && host.match == nil)
    search.update(at: host.now)
    #expect(host.examined == 4_000 && search.isSearching)
    while search.performSlackStep() {}
    #expect(host.match == 8_000 && !search.isSearching && search.statusText == "Name: x8")
    #expect(host.examined == 8_001 && !search.performSlackStep())
  }

  @Test("Slack steps of one frame are limited")
  func slack() {
    let host = NameSearchDouble(count: 100_000)
    let search = NameSearchController(host: host)
    search.append("y")
    search.update(at: host.now)
    var steps = 0
    while search.performSlackStep() { steps += 1 }
    #expect(steps == 64 && host.examined == 4_000 + 64 * 250 && search.isSearching)
  }

  @Test("Text without a match says so, and expires after the search only")
  func expiry() {
    let host = NameSearchDouble(count: 6_000)
    let search = NameSearchController(host: host)
    search.append("zz")
    host.now = host.now + .seconds(5)
    search.update(at: host.now)
    #expect(search.isSearching && search.isActive, "it does not expire during the search")
    search.update(at: host.now)
    #expect(search.statusText == "No name begins with “zz”" && search.typeAhead.expiry == host.now + TypeAhead.timeout)
    host.now = host.now + TypeAhead.timeout
    let changes = host.changes
    search.update(at: host.now)
    #expect(!search.isActive && search.statusText == nil && host.changes == changes + 1)
  }

  @Test("Keys of the text are intercepted, and any other input ends the search")
  func input() {
    let host = NameSearchDouble(count: 100)
    let search = NameSearchController(host: host)
    func press(_ key: Key, _ modifiers: KeyModifiers = []) -> Bool {
      search.intercept(InputEvent(time: host.now, kind: .keyDown(key, modifiers: modifiers, isRepeat: false)))
    }
    #expect(!press(.escape), "nothing was typed")
    search.append("x9")
    #expect(press(.space) && !press(.character("a")) && press(.backspace) && search.statusText == "Name: x")
    #expect(!press(.character("a"), .alt) && search.isActive, "AltGr types characters")
    #expect(press(.escape) && !search.isActive)
    search.append("x9")
    #expect(!press(.down) && !search.isActive && host.match == nil)
    host.hasPhotographs = false
    search.append("x")
    #expect(!search.isActive, "an empty library has no names")
  }
}

/// Names from x0 on.
private final class NameSearchDouble: @MainActor NameSearchHost {
  var now = FrameInstant.zero + .seconds(100)
  var hasPhotographs = true
  let searchableCount: Int
  var focusedIndex: Int? { nil }
  var match: Int?
  /// The number of names that were examined.
  private(set) var examined = 0
  private(set) var changes = 0

  init(count: Int) { searchableCount = count }

  func name(at index: Int) -> ArraySlice<UInt8>? {
    examined += 1
    // Names from x8000 on have this prefix first.
    return Array("x\(index < 8_000 ? "_" : "")\(index)".utf8)[...]
  }

  func revealMatch(at index: Int) { match = index }
  func searchDidChange() { changes += 1 }
}
