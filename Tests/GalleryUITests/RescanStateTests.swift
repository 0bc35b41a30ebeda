import Testing
import VitrineDiffableData
import VitrinePhotoLibrary

@testable import VitrineGalleryUI

@Suite("The state of rescans: requests, problems, and photos that are offline")
struct RescanStateTests {
  private static func problem(_ folder: String) -> ScanProblem {
    ScanProblem(folder: PhotoPath(folder), reason: .tooDeep)
  }

  private static var cancelled: ScanSummary {
    var summary = ScanSummary()
    summary.wasCancelled = true
    return summary
  }

  private static func start(_ state: inout RescanState) {
    state.start(from: Rescan.Snapshot(), keepsListedOrder: true)
  }

  @Test("A request stays until a rescan is possible, and several requests result in one")
  func requests() {
    var state = RescanState()
    var taken = [state.takeRequest(if: true)]
    for _ in 0..<3 { state.request() }
    for isPossible in [false, true, true] { taken.append(state.takeRequest(if: isPossible)) }
    #expect(taken == [false, false, true, false])
    Self.start(&state)
    state.request()
    let isTakenDuringRescan = state.takeRequest(if: true)
    #expect(state.isRunning && !isTakenDuringRescan)
    let rescan = state.finish(ScanSummary())
    let isTakenAfterwards = state.takeRequest(if: true)
    #expect(rescan != nil && !state.isRunning && isTakenAfterwards)
  }

  @Test("The problems of the first scan are reported immediately, those of a rescan at its end")
  func problems() {
    var state = RescanState()
    state.addProblem(Self.problem("/a"))
    #expect(state.problems == [Self.problem("/a")])
    let first = state.finish(ScanSummary())
    #expect(first == nil, "the first scan is no rescan")
    #expect(state.problems == [Self.problem("/a")])
    Self.start(&state)
    state.addProblem(Self.problem("/b"))
    #expect(state.problems == [Self.problem("/a")])
    let second = state.finish(ScanSummary())
    #expect(second != nil && state.problems == [Self.problem("/b")])
    Self.start(&state)
    let third = state.finish(ScanSummary())
    #expect(third != nil && state.problems.isEmpty)
  }

  @Test("A cancelled rescan changes nothing, and its problems are not those of the next one")
  func cancelledRescan() {
    var state = RescanState()
    state.addProblem(Self.problem("/a"))
    _ = state.finish(ScanSummary())
    Self.start(&state)
    state.addProblem(Self.problem("/b"))
    let cancelled = state.finish(Self.cancelled)
    #expect(cancelled == nil && !state.isRunning)
    #expect(state.problems == [Self.problem("/a")])
    Self.start(&state)
    state.addProblem(Self.problem("/c"))
    let finished = state.finish(ScanSummary())
    #expect(finished != nil && state.problems == [Self.problem("/c")])
  }

  @Test("Photos in a folder that could not be read are offline, also those in its subfolders")
  func offline() {
    let (catalogue, items) = LibraryArrangementTests.catalogue([("/p", 1), ("/p/b", 1), ("/p/b/c", 1), ("/p/bc", 1)])
    var state = RescanState()
    #expect(items.allSatisfy { !state.isOffline($0, using: catalogue) })
    Self.start(&state)
    state.addProblem(Self.problem("/p/b"))
    #expect(items.allSatisfy { !state.isOffline($0, using: catalogue) }, "the rescan may be cancelled")
    _ = state.finish(ScanSummary())
    #expect(items.map { state.isOffline($0, using: catalogue) } == [false, true, true, false])
  }

  @Test("The finished rescan has the listed photos, and photos that are listed before its start do not count")
  func listedPhotos() throws {
    let (catalogue, items) = LibraryArrangementTests.catalogue([("/p", 4)])
    var shown = Rescan.Snapshot()
    shown.appendSections([.all])
    shown.appendItems(Array(items[..<3]))
    var state = RescanState()
    state.addListed([items[0]])
    state.start(from: shown, keepsListedOrder: true)
    state.addListed([items[1]])
    state.addListed([items[2], items[3]])
    let finished = state.finish(ScanSummary())
    let rescan = try #require(finished)
    let controller = ArrangementController(.none, isComputed: false, thread: nil)
    let outcome = try #require(controller.outcome(of: rescan, using: catalogue) { _ in false })
    #expect(outcome.removed == [items[0]] && outcome.arrived == [items[3]])
    #expect(outcome.snapshot.itemIdentifiers == Array(items[1...]))
  }
}
