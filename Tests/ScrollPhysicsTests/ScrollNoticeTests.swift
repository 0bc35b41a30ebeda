import ScrollPhysics
import Testing

@Suite("What ends is told before what begins, and nothing where nothing changes")
struct ScrollNoticeTests {
  @Test("From every phase to every phase")
  func table() {
    let phases: [ScrollPhase] = [.idle, .tracking, .decelerating, .animating]
    let beginnings: [ScrollNotice?] = [nil, .willBeginDragging, .willBeginDecelerating, .willBeginAnimation]
    let ends: [ScrollNotice?] = [nil, .didEndDragging(willDecelerate: false), .didEndDecelerating, .didEndAnimation]
    for (last, end) in zip(phases, ends) {
      for (next, beginning) in zip(phases, beginnings) {
        let told = last.notices(of: next)
        let runsOn = last == .tracking && next == .decelerating
        #expect(told.beginning == (last == next ? nil : beginning))
        #expect(told.end == (last == next ? nil : runsOn ? .didEndDragging(willDecelerate: true) : end))
      }
    }
  }
}
