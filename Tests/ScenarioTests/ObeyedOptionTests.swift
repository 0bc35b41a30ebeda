import Foundation
import Testing

extension Scenarios {
  @Suite("Every option has its effect while all others are given")
  struct ObeyedOptionTests {
    /// An option as it is given, and what shows that it was obeyed.
    private struct Aspect: CustomStringConvertible {
      /// How it shows: by a figure of the report, which is another one without the option, or by the frames alone, which are
      /// others without it.
      enum Evidence {
        case figure(String, ClosedRange<Double>)
        case text(String, equals: String)
        case frames
      }

      let words: [String]
      let evidence: Evidence

      init(_ words: String, _ evidence: Evidence) {
        self.words = words.split(separator: " ").map(String.init)
        self.evidence = evidence
      }

      var description: String { words.joined(separator: " ") }
    }

    /// A run's report, as it stands in its file.
    private struct Report {
      let fields: [String: Any]

      init(_ words: [String]) throws {
        let end = try VitrineRun.end(["--headless", "--report", "-"] + words)
        try #require(end.status == 0 && end.complaints.isEmpty, "\(words): \(end)")
        fields = try #require(JSONSerialization.jsonObject(with: Data(end.output)) as? [String: Any])
      }

      func value(_ path: String) -> Any? {
        path.split(separator: ".").reduce(fields as Any?) { ($0 as? [String: Any])?[String($1)] }
      }

      func shows(_ evidence: Aspect.Evidence) -> Bool? {
        switch evidence {
        case .figure(let path, let expected): (value(path) as? Double).map(expected.contains) ?? false
        case .text(let path, let expected): value(path) as? String == expected
        case .frames: nil
        }
      }
    }

    /// What goes with everything; a layout has no columns to set, and a run ends by its frames or by its seconds.
    private static let common = [
      Aspect("--synthetic 40", .figure("library.items", 40...40)),
      Aspect("--group month", .figure("library.sections", 2...2)),
      Aspect("--sort name", .frames), Aspect("--seed 3", .frames), Aspect("--overlay 2", .frames),
      Aspect("--renderer memory", .text("display.drawnBy", equals: "memory")),
      Aspect("--refresh 120", .figure("display.refreshHz", 120...120)),
      Aspect("--size 400x300", .figure("display.widthPoints", 400...400)),
      Aspect("--scroll steady:900", .frames), Aspect("--prefetch off", .figure("cells.preparedInSlack", 0...0)),
      Aspect("--cell-cost 1", .frames), Aspect("--upload-cost 1", .frames), Aspect("--frame-id-stripe", .frames),
      Aspect("--decode-delay 40", .figure("images.decodeMs.p50", 40...10_000)),
    ]
    private static let lines = [
      common + [Aspect("--layout justified", .frames), Aspect("--frames 24", .figure("frames.count", 24...24))],
      common + [Aspect("--columns 5", .frames), Aspect("--duration 0.1", .figure("frames.count", 12...13))],
    ]

    @Test("Each one shows, and is what makes it so: without it alone it does not", arguments: 0...1)
    func each(line: Int) throws {
      let aspects = Self.lines[line]
      let clock = ["--clock", "virtual"]
      let all = try Report(clock + aspects.flatMap(\.words))
      #expect(
        try Report(clock + aspects.flatMap(\.words)).value("frameDigest") as? String == all.value("frameDigest")
          as? String)
      for (index, aspect) in aspects.enumerated() {
        #expect(all.shows(aspect.evidence) != false, "\(aspect): \(all.fields)")
        // Without a number of pictures there would be none, and without an end no end.
        let instead =
          index == 0 ? ["--synthetic", "50"] : aspect.words[0] == aspects.last?.words[0] ? ["--frames", "50"] : []
        let rest = aspects.indices.filter { $0 != index }.flatMap { aspects[$0].words }
        let without = try Report(clock + rest + instead)
        let shows =
          without.shows(aspect.evidence)
          ?? (without.value("frameDigest") as? String == all.value("frameDigest") as? String)
        #expect(!shows, "\(aspect) has no effect beside \(rest)")
      }
    }

    @Test("On every clock", arguments: ["timer", "cpu"], 0...1)
    func clocks(clock: String, line: Int) throws {
      let aspects = Self.lines[line]
      let report = try Report(["--clock", clock] + aspects.flatMap(\.words))
      #expect(report.value("display.clock") as? String == clock)
      // How many frames there are, and whether a picture is decoded by their end, is the machine's on these.
      let timed = ["--duration", "--frames", "--decode-delay"]
      for aspect in aspects where !timed.contains(aspect.words[0]) {
        #expect(report.shows(aspect.evidence) != false, "\(aspect): \(report.fields)")
      }
      #expect(report.value("images.decodeMs.p50") as? Double ?? 40 >= 40)
      #expect(try #require(report.value("frames.count") as? Double) <= 24)
    }
  }
}
