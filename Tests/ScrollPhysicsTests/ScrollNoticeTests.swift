import ScrollPhysics
import Testing

@Suite("What ends is told before what begins, and nothing where nothing changes")
struct ScrollNoticeTests {
  @Test("From every phase to every phase")
  func table() {
    let phases: [ScrollPhase] = [.idle, .tracking, .decelerating, .bouncing, .animating]
    #expect(phases == ScrollPhase.allCases)
    let beginnings: [ScrollNotice?] = [
      nil, .willBeginDragging, .willBeginDecelerating, .willBeginDecelerating, .willBeginAnimation,
    ]
    let ends: [ScrollNotice?] = [
      nil, .didEndDragging(willDecelerate: false), .didEndDecelerating, .didEndDecelerating, .didEndAnimation,
    ]
    for (last, end) in zip(phases, ends) {
      for (next, beginning) in zip(phases, beginnings) {
        let told = last.notices(of: next)
        let free: [ScrollPhase] = [.decelerating, .bouncing]
        let isSame = last == next || (free.contains(last) && free.contains(next))
        let runsOn = last == .tracking && free.contains(next)
        #expect(told.beginning == (isSame ? nil : beginning))
        #expect(told.end == (isSame ? nil : runsOn ? .didEndDragging(willDecelerate: true) : end))
      }
    }
  }
}
