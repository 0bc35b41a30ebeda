import BenchmarkSupport
import Testing

@Suite("A profile of callgrind")
struct CallgrindProfileTests {
  private let text = """
    version: 1
    creator: callgrind
    events: Ir
    summary: 12345

    fl=(1) ???
    fn=(7) $s5Views10CommitLoopC8runFrameyyF
    0 120
    cfn=(9) swift_retain
    calls=3 0
    0 30
    cob=(2) libc.so.6
    cfn=(12) malloc
    calls=1 0
    0 90

    fn=(9)
    0 30
    cfn=(14) swift_retain'2
    calls=2 0
    0 4
    cfn=(9)
    calls=1 0
    0 4
    cfn=(20) swift_release
    calls=5 0
    0 9

    totals: 14999

    """

  @Test("says what was counted in all, and how often functions were called, by whatever name they go")
  func counts() throws {
    let profile = try #require(CallgrindProfile(text))
    #expect(profile.instructions == 12_345)
    #expect(profile.count(of: .allocation) == 1)
    #expect(profile.count(of: .retain) == 6)
    #expect(profile.count(of: .release) == 5)
    #expect(StretchCost(profile).calls == [1, 6, 5])
  }

  @Test("counts a call of an allocator that calls the next one once")
  func allocatorBeforeAnother() throws {
    let text = """
      fn=(1) main
      cfn=(2) malloc
      calls=4 0
      cfn=(3) posix_memalign
      calls=1 0
      fn=(2)
      cfn=(2)
      calls=4 0
      fn=(3)
      cfn=(4) memalign
      calls=1 0
      summary: 9
      """
    #expect(try #require(CallgrindProfile(text)).count(of: .allocation) == 5)
  }

  @Test("is none without a summary")
  func incomplete() {
    #expect(CallgrindProfile("fn=(1) main\n0 5\ncfn=(2) malloc\ncalls=1 0\n") == nil)
    #expect(CallgrindProfile("") == nil)
  }
}
