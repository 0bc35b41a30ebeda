import Testing

extension Scenarios {
  @Suite("--demo replaces the gallery by the example beside it")
  struct DemoTests {
    @Test("The example gets every other option, and its status and output are the run's")
    func replaced() throws {
      let version = try VitrineRun.end(["--version", "--demo", "emoji"])
      #expect(version.status == 0 && version.text.hasPrefix("vitrine-emoji "), "\(version)")
      let refused = try VitrineRun.end(["--demo=emoji", "--nonsense"])
      #expect(refused.status == 2 && refused.complaints.hasPrefix("vitrine-emoji: unknown option --nonsense"))
      let report = try VitrineRun.end(
        ["--headless", "--clock", "virtual", "--demo", "emoji", "--frames", "3", "--report", "-"])
      #expect(report.status == 0 && report.complaints.isEmpty, "\(report)")
      #expect(report.text.contains("\"count\" : 3,") && report.text.contains("\"clock\" : \"virtual\""))
    }

    @Test("An unknown name is refused with those that are known, no name with how it is written")
    func unknown() throws {
      for (words, named) in [
        (["--demo", "teapot"], ["--demo teapot", "destinations, emoji, outline"]), (["--demo"], ["--demo NAME"]),
        (["--demo", "emoji", "--demo", "outline"], ["--demo", "twice"]),
        (["--report", "--demo", "emoji"], ["--report --demo", "that is an option"]),
      ] {
        let end = try VitrineRun.end(words)
        #expect(end.status == 2 && end.complaintLines.count == 1 && end.complaints.hasPrefix("vitrine: "), "\(end)")
        for word in named { #expect(end.complaints.contains(word), "\(end)") }
      }
    }

    @Test("Where the example is not beside the program, that is said, with status 2")
    func absent() throws {
      let folder = try TemporaryFolder()
      let copy = folder.path(of: "vitrine")
      let end = try VitrineRun.end(
        ["--demo", "outline"],
        wrapper: ["sh", "-c", "cp \"$0\" '\(copy)' && exec '\(copy)' \"$@\""])
      #expect(end.status == 2 && end.complaintLines.count == 1, "\(end)")
      for word in ["--demo outline", "vitrine-outline", "beside"] { #expect(end.complaints.contains(word), "\(end)") }
    }
  }
}
