import Testing
import VitrineImageMetadata

extension CommandLineScenarios {
  @Suite("Every exit has a defined status, and every failure prints one line")
  struct ExitStatusTests {
    /// Expects one line on standard error that contains the given words, and empty standard output.
    func expectOneLine(
      _ result: ProcessResult, status: Int32, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
      #expect(result.output.isEmpty, "\(result)", sourceLocation: sourceLocation)
      #expect(
        result.errorLines.count == 1 && result.errorOutput.hasSuffix("\n"), "\(result)", sourceLocation: sourceLocation)
      #expect(result.errorOutput.hasPrefix("vitrine: "), "\(result)", sourceLocation: sourceLocation)
      for word in words { #expect(result.errorOutput.contains(word), "\(result)", sourceLocation: sourceLocation) }
    }

    // MARK: Information

    @Test("--version prints one line and succeeds")
    func version() throws {
      let result = try VitrineRun.run(["--version"])
      #expect(result.status == 0 && result.errorOutput.isEmpty)
      #expect(result.text.wholeMatch(of: /vitrine \d+\.\d+\.\d+\n/) != nil, "\(result)")
    }

    @Test("--about prints a line for each property, with a display and without one")
    func about() throws {
      for options in [["--about", "--headless"], ["--about"]] {
        let result = try VitrineRun.run(options)
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        let facts = Dictionary(
          result.text.split(separator: "\n").map { line in (line.prefix(12).split(separator: "  ").first ?? "", line) },
          uniquingKeysWith: { first, _ in first })
        for name in ["vitrine", "SDL", "kernel", "display", "decoders", "not shown", "sandbox", "not there"] {
          #expect(facts[Substring(name)] != nil, "\(name): \(result)")
        }
        #expect(facts["decoders"]?.contains("JPEG, PNG, WebP") == true, "\(result)")
        // Each format of the table is in one of the two lines.
        let formats = [facts["decoders"], facts["not shown"]].compactMap { $0?.dropFirst(12) }
          .flatMap { $0.split(separator: ", ") }.map { $0.replacing(" (only in a sandbox)", with: "") }
        #expect(formats.map(String.init).sorted() == ImageFormat.table.map(\.name).sorted(), "\(result)")
        #expect(facts["sandbox"]?.contains("processor time, descriptors, file size") == true, "\(result)")
        #expect((facts["clock"] != nil) == options.contains("--headless"), "\(result)")
      }
    }

    @Test("The help fits 80 columns without a terminal, and lists only options that exist")
    func help() throws {
      let result = try VitrineRun.run(["--help"])
      #expect(result.status == 0 && result.errorOutput.isEmpty)
      for line in result.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      let words = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        words.contains("F3 shows the frame rate and hitches; pressed again, ") && words.contains("; then no overlay."))
      let names = result.text.matches(of: /(?m)^  (--[a-z-]+)/).map { String($0.output.1) }
      #expect(Set(names).count == names.count)
      #expect(
        Set(names).isSuperset(of: [
          "--headless", "--clock", "--renderer", "--refresh", "--size", "--scroll", "--duration", "--frames",
          "--report", "--trace",
          "--screenshot", "--overlay", "--seed", "--columns", "--layout", "--group", "--sort", "--theme",
          "--high-contrast", "--workers",
          "--decode-delay", "--upload-cost", "--cache-dir",
          "--no-cache", "--verdicts", "--sample", "--synthetic",
          "--about", "--version", "--help",
        ]))
      for name in names {
        // A switch accepts no value, and no other option accepts an empty one: each option is known, and refused.
        let result = try VitrineRun.run([name + "="])
        expectOneLine(result, status: 2, naming: [name])
        #expect(!result.errorOutput.contains("unknown option"), "\(result)")
      }
    }

    // MARK: Refused command lines

    static let refusals: [([String], [String])] = [
      (["--nonsense"], ["unknown option --nonsense", "--help"]),
      (["--hea"], ["unknown option --hea", "--headless"]),
      (["--clock", "sundial"], ["--clock", "sundial", "auto, vsync, timer, virtual, cpu"]),
      (["--layout", "spiral"], ["--layout", "spiral", "grid, justified, mosaic, list"]),
      (["--group", "colour"], ["--group", "colour", "none, folder, month"]),
      (["--theme", "pink"], ["--theme", "pink", "auto, dark, light"]),
      (["--sort", "colour"], ["--sort", "colour", "name, date, size"]),
      (["--synthetic", "0"], ["--synthetic", "0", "from 1 to 50000000"]),
      (["--synthetic", "5", "/"], ["--synthetic", "--sample", "folders"]),
      (["--synthetic", "5", "--sample", "5"], ["--synthetic", "--sample"]),
      (["--synthetic", "5", "--verdicts", "/dev/null"], ["--synthetic", "--verdicts"]),
      (["--record", "/dev/null", "--verdicts", "/dev/null"], ["--record", "--verdicts"]),
      (["--columns", "3", "--layout", "list", "/"], ["--columns", "--layout grid", "--layout list"]),
      (["--columns", "0"], ["--columns", "0", "from 1 to 64"]),
      (["--workers", "many"], ["--workers", "many", "from 1 to 64"]),
      (["--decode-delay", "-1"], ["--decode-delay", "-1", "from 0 to 10000"]),
      (["--cpu-scale", "2"], ["--cpu-scale", "--clock cpu"]),
      (["--upload-cost", "much"], ["--upload-cost", "much", "from 0 to 10000"]),
      (["--cache-dir", ""], ["--cache-dir", "empty"]),
      (["--verdicts="], ["--verdicts", "empty"]),
      (["--verdicts", "/absent/verdicts.tsv", "/"], ["--verdicts", "/absent/verdicts.tsv", "No such file"]),
      (["--verdicts", "/tmp", "/"], ["--verdicts", "/tmp", "Is a directory"]),
      (["--headless", "--report", "/absent/r.json", "/"], ["--report", "/absent/r.json", "No such file"]),
      (["--report=/tmp", "/"], ["--report", "/tmp", "Is a directory"]),
      (["--report", "/proc/self/nothing", "/"], ["--report", "/proc/self/nothing", "No such file"]),
      (["--headless", "--screenshot", "/absent/s.png", "/"], ["--screenshot", "/absent/s.png", "No such file"]),
      (["--screenshot=/tmp", "/"], ["--screenshot", "/tmp", "Is a directory"]),
      (["--duration"], ["--duration needs a value", "--duration S"]),
      (["--headless=yes"], ["--headless takes no value"]),
      (["--headless", "--clock", "vsync", "/"], ["--headless", "--clock vsync"]),
      (["--headless", "--renderer", "opengl", "/"], ["--headless", "--renderer opengl"]),
      (["--no-cache", "--cache-dir", "/tmp/x", "/"], ["--no-cache", "--cache-dir"]),
      (["--", "--headless"], ["--headless: no such file or folder"]),
      (["/absent/folder"], ["/absent/folder", "no such file or folder"]),
      (["ftp://x.y/z.jpg"], ["ftp://x.y/z.jpg: ", "no such file or folder", "http and https"]),
      (["http://x y/z.json"], ["http://x y/z.json: ", "no address of the web", "https://"]),
      (["http://x.y/z.json", "/"], ["addresses", "folders"]),
      (["http://x.y/z.json", "--verdicts", "/dev/null"], ["--verdicts", "folders"]),
      (["http://x.y/z.json", "--sample", "3"], ["--sample"]),
      (["absent//folder/"], ["absent//folder/: ", "no such file or folder; give"]),
      ([""], ["\"\"", "empty path"]),
      (["/dev/zero"], ["/dev/zero", "neither a folder nor a picture"]),
      (["/proc/self/status"], ["/proc/self/status", "neither a folder nor a picture"]),
    ]

    @Test("An invalid command line is refused with status 2", arguments: refusals)
    func refused(arguments: [String], named: [String]) throws {
      expectOneLine(try VitrineRun.run(arguments), status: 2, naming: named)
    }

    @Test("A refused path is named in one line, whatever its bytes")
    func refusedPaths() throws {
      let folder = try TemporaryFolder()
      try folder.write(Array("a poem".utf8), to: "poem.txt")
      expectOneLine(
        try VitrineRun.run([folder.path(of: "poem.txt")]), status: 2, naming: ["poem.txt", "neither a folder nor"])
      expectOneLine(
        try VitrineRun.run([], paths: [folder.bytes(of: [0x61, 0xFF, 0x0A, 0x1B, 0x62])]), status: 2,
        naming: ["a%FF%0A%1Bb", "no such file"])
    }

    @Test("A line feed or escape sequence in an option does not add a line or move the cursor")
    func hostileOptions() throws {
      for arguments in [["--a\nb"], ["--clock", "x\u{1B}[2J\ny"], ["--scroll=\r\n"], ["--\u{202E}"]] {
        let result = try VitrineRun.run(arguments)
        expectOneLine(result, status: 2, naming: [])
        #expect(result.errorOutput.unicodeScalars.dropLast().allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
      }
      expectOneLine(
        try VitrineRun.run([], paths: [Array("--report".utf8), [0xFF]]), status: 2, naming: ["--report", "UTF-8"])
    }

    // MARK: Output

    @Test("A full disk at the end of a run is a failure of the run", arguments: ["--report", "--screenshot"])
    func fullDisk(option: String) throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let result = try VitrineRun.run(["--headless", "--frames", "2", option, "/dev/full", folder.path])
      expectOneLine(result, status: 1, naming: [option, "/dev/full", "No space left on device"])
    }

    @Test("A screenshot that cannot be written does not discard the report")
    func unwritableScreenshot() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let result = try VitrineRun.run([
        "--headless", "--frames", "2", "--screenshot", "/dev/full", "--report", "-", folder.path,
      ])
      #expect(result.status == 1)
      #expect(try RunFigures(result.output).figures.frames.count == 2)
    }

    /// Returns a wrapper that starts a program with the given redirections of a shell.
    private func redirected(_ redirections: String) -> [String] {
      ["sh", "-c", "exec \(redirections); exec \"$0\" \"$@\""]
    }

    @Test("An error while verdicts are written names the option and the path, also if the pipe is closed")
    func unwritableVerdicts() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let full = try VitrineRun.run(["--verdicts", "/dev/full"], on: folder)
      expectOneLine(
        full, status: 1, naming: ["vitrine: --verdicts /dev/full: cannot be written: No space left on device"])
      try folder.makeFIFO("fifo")
      let closed = try VitrineRun.run(
        ["--verdicts", "-"], on: folder,
        wrapper: redirected("3<>'\(folder.path(of: "fifo"))' >'\(folder.path(of: "fifo"))' 3>&-"))
      expectOneLine(closed, status: 1, naming: ["vitrine: --verdicts -: cannot be written: Broken pipe"])
    }

    @Test("A version or help text that cannot be written is a failure", arguments: ["--version", "--help"])
    func unwritableAnswers(option: String) throws {
      let full = try VitrineRun.run([option], wrapper: redirected(">/dev/full"))
      expectOneLine(
        full, status: 1, naming: ["vitrine: \(option): cannot be written: No space left on device"])
      let folder = try TemporaryFolder()
      try folder.makeFIFO("fifo")
      let fifo = folder.path(of: "fifo")
      let closed = try VitrineRun.run([option], wrapper: redirected("3<>'\(fifo)' >'\(fifo)' 3>&-"))
      expectOneLine(closed, status: 1, naming: ["vitrine: \(option): cannot be written: Broken pipe"])
    }

    @Test("A report is written to a device or through a link, and does not replace it")
    func specialDestinations() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      try folder.link("link.json", to: "target.json")
      try folder.link("null", to: "/dev/null")
      let before = try FolderState(folder).entries
      for name in ["link.json", "null"] {
        let result = try VitrineRun.run(["--headless", "--frames", "1", "--report", folder.path(of: name), folder.path])
        #expect(result.status == 0, "\(result)")
      }
      let after = try FolderState(folder).entries
      for (path, entry) in before where !path.isEmpty { #expect(after[path] == entry) }
      #expect(after.count == before.count + 1)
    }

    @Test("Opening a window without a display fails, and the message suggests --headless")
    func noDisplay() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let result = try VitrineRun.run([folder.path])
      expectOneLine(result, status: 1, naming: ["DISPLAY", "--headless"])
    }
  }
}
