import BenchmarkSupport
import Testing

@Suite("The benchmark of launching")
struct LaunchTests {
  @Test("Times count from when the program was started")
  func readings() throws {
    let text = """
      {"launch": {"firstFrameMs": 40.1, "firstFrameInstantNs": 5040000000, "firstFullScreenInstantNs": 5240000000},
       "memory": {"residentPeakBytes": 65000000, "bitmapBytes": 1}, "frames": {}}
      """
    let report = try LaunchReport(text, from: "report.json")
    let reading = LaunchReading(start: 5_000_000_000, report: report)
    #expect(reading.firstFrame == 40e6 && reading.fullScreen == 240e6 && report.residentBytes == 65e6)
    let early = try LaunchReport(#"{"launch": {}, "memory": {"residentPeakBytes": 1}}"#, from: "report.json")
    var readings = LaunchReadings()
    readings.add(reading)
    readings.add(LaunchReading(start: 0, report: early))
    #expect(readings.firstFrames == [40e6] && readings.fullScreens == [240e6])
    #expect(throws: ResultError.self) { try LaunchReport("{}", from: "report.json") }
  }

  @Test("Files are counted that were opened, not those that were looked for")
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

  @Test("Every case is launched headless, and in a window where there is one")
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
