import BenchmarkSupport
import Testing

@Suite("Callgrind profiles")
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

  @Test("A profile contains the instructions and the calls of each kind of function")
  func counts() throws {
    let profile = try #require(CallgrindProfile(text))
    #expect(profile.instructions == 12_345)
    #expect(profile.count(of: .allocation) == 1)
    #expect(profile.count(of: .retain) == 6)
    #expect(profile.count(of: .release) == 5)
    #expect(FrameCost(profile).calls == [1, 6, 5])
  }

  @Test("A call of an allocator that calls the next one counts once")
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

  @Test("A profile without a summary is invalid")
  func incomplete() {
    #expect(CallgrindProfile("fn=(1) main\n0 5\ncfn=(2) malloc\ncalls=1 0\n") == nil)
    #expect(CallgrindProfile("") == nil)
  }
}

@Suite("Output of instruments")
struct InstrumentTextTests {
  @Test("Byte counts of the kernel are found by their full name")
  func kernel() {
    let text = "VmPeak:\t    2048 kB\nVmHWM:\t      12 kB\nVmHWMx: 9 kB\nThreads:\t1\nBroken: many kB\n"
    #expect(InstrumentText.bytes(of: "VmHWM", in: text) == 12_288)
    #expect(InstrumentText.bytes(of: "VmRSS", in: text) == nil)
    #expect(InstrumentText.bytes(of: "Threads", in: text) == nil)
    #expect(InstrumentText.bytes(of: "Broken", in: text) == nil)
  }

  @Test("The total of a callgrind profile is found")
  func callgrind() {
    #expect(InstrumentText.callgrindTotal(in: "events: Ir\nfn=(1)\n+3 4\n\ntotals: 29347887\n") == 29_347_887)
    #expect(InstrumentText.callgrindTotal(in: "events: Ir\nsummary: 5\n") == nil)
  }
}

@Suite("Launch benchmark")
struct LaunchTests {
  @Test("Times are relative to the start of the program")
  func readings() throws {
    let text = """
      {"launch": {"firstFrameMs": 40.1, "firstFrameInstantNs": 5040000000, "firstFullScreenInstantNs": 5240000000},
       "memory": {"residentPeakBytes": 65000000, "bitmapBytes": 1}, "frames": {},
       "library": {"items": 60, "sections": 1}, "hitches": {"ratioMsPerS": 1.5, "byClass": {"commitLate": 2, "external": 9}}}
      """
    let report = try LaunchReport(text, from: "report.json")
    let reading = LaunchReading(start: 5_000_000_000, report: report)
    #expect(reading.firstFrame == 40e6 && reading.fullScreen == 240e6 && report.residentBytes == 65e6)
    #expect(report.itemCount == 60 && report.hitchFigures?.ratio == 1.5 && report.hitchFigures?.ownCount == 2)
    let early = try LaunchReport(#"{"launch": {}, "memory": {"residentPeakBytes": 1}}"#, from: "report.json")
    #expect(early.itemCount == nil && early.hitchFigures == nil)
    var readings = LaunchReadings()
    readings.add(reading)
    readings.add(LaunchReading(start: 0, report: early))
    #expect(readings.firstFrames == [40e6] && readings.fullScreens == [240e6])
    #expect(throws: ResultError.self) { try LaunchReport("{}", from: "report.json") }
  }

  @Test("Only successfully opened files are counted")
  func openedFiles() {
    let text = """
      openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
      openat(AT_FDCWD, "/usr/lib/a=b.so", O_RDONLY) = -1 ENOENT (No such file or directory)
      [pid   123] 12:00:01.5 open("/tmp/openat(", O_RDONLY) = 14
      1234  openat2(AT_FDCWD, ".", {flags=O_PATH}, 24) = 5
      --- SIGCHLD {si_signo=SIGCHLD} ---
      read(3, "openat(", 7) = 7
      openat(AT_FDCWD, "/x", O_RDONLY <unfinished ...>
      +++ exited with 0 +++
      """
    #expect(OpenedFiles.count(in: text) == 3)
  }

  @Test("Every case is launched headless, and in a window if there is one")
  func cases() throws {
    let words = ["--program", "/p", "--folder", "/f", "--n", "2000"]
    let headless = LaunchCase.all(try LaunchOptions(words))
    #expect(
      headless.map { BenchmarkFigure.name($0.words) } == ["launch.synthetic.headless", "launch.folder.headless"])
    #expect(headless[0].arguments.contains("2000") && headless[1].arguments.last == "/f")
    let both = LaunchCase.all(try LaunchOptions(words + ["--window"]))
    #expect(both.count == 4 && both.count { $0.arguments.contains("--headless") } == 2)
    #expect(try LaunchOptions(words + ["--quick"]).repeats == 3)
    #expect(throws: CommandError("launch needs --folder FOLDER; scripts/bench makes one")) {
      try LaunchOptions(["--program", "/p"])
    }
  }
}
