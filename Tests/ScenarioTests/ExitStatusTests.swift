import Testing

extension Scenarios {
  @Suite("Every end has its status, and every failure is one line")
  struct ExitStatusTests {
    /// One line on standard error that names these, and nothing on standard output.
    func expectOneLine(
      _ end: ProcessEnd, status: Int32, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(end.status == status, "\(end)", sourceLocation: sourceLocation)
      #expect(end.output.isEmpty, "\(end)", sourceLocation: sourceLocation)
      #expect(end.complaintLines.count == 1 && end.complaints.hasSuffix("\n"), "\(end)", sourceLocation: sourceLocation)
      #expect(end.complaints.hasPrefix("vitrine: "), "\(end)", sourceLocation: sourceLocation)
      for word in words { #expect(end.complaints.contains(word), "\(end)", sourceLocation: sourceLocation) }
    }

    @Test("The version is a line, and the run a success")
    func version() throws {
      let end = try VitrineRun.end(["--version"])
      #expect(end.status == 0 && end.complaints.isEmpty)
      #expect(end.text.wholeMatch(of: /vitrine \d+\.\d+\.\d+\n/) != nil, "\(end)")
    }

    @Test("What the program is made of is told a line a fact, with a display and without one")
    func about() throws {
      for options in [["--about", "--headless"], ["--about"]] {
        let end = try VitrineRun.end(options)
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        let facts = Dictionary(
          end.text.split(separator: "\n").map { line in (line.prefix(12).split(separator: "  ").first ?? "", line) },
          uniquingKeysWith: { first, _ in first })
        for name in ["vitrine", "SDL", "kernel", "display", "decoders", "sandbox", "not there"] {
          #expect(facts[Substring(name)] != nil, "\(name): \(end)")
        }
        #expect(facts["decoders"]?.contains("JPEG, PNG, WebP") == true, "\(end)")
        #expect(facts["sandbox"]?.contains("processor time, descriptors, file size") == true, "\(end)")
        #expect((facts["clock"] != nil) == options.contains("--headless"), "\(end)")
      }
    }

    @Test("The help fits 80 columns where there is no terminal, and names only options that there are")
    func help() throws {
      let end = try VitrineRun.end(["--help"])
      #expect(end.status == 0 && end.complaints.isEmpty)
      for line in end.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      let words = end.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("F3 shows the frames' rate and hitches; again: ") && words.contains("; then none"))
      let names = end.text.matches(of: /(?m)^  (--[a-z-]+)/).map { String($0.output.1) }
      #expect(Set(names).count == names.count)
      #expect(
        Set(names).isSuperset(of: [
          "--headless", "--clock", "--renderer", "--refresh", "--size", "--scroll", "--duration", "--frames",
          "--report", "--trace",
          "--screenshot", "--overlay", "--seed", "--columns", "--layout", "--group", "--sort", "--workers",
          "--decode-delay", "--upload-cost", "--cache-dir",
          "--no-cache", "--verdicts", "--sample", "--synthetic",
          "--about", "--version", "--help",
        ]))
      for name in names {
        // A switch takes no value, and nothing is no value of any other option: known, and refused.
        let end = try VitrineRun.end([name + "="])
        expectOneLine(end, status: 2, naming: [name])
        #expect(!end.complaints.contains("unknown option"), "\(end)")
      }
    }

    static let refusals: [([String], [String])] = [
      (["--nonsense"], ["unknown option --nonsense", "--help"]),
      (["--hea"], ["unknown option --hea", "--headless"]),
      (["--clock", "sundial"], ["--clock", "sundial", "auto, vsync, timer, virtual, cpu"]),
      (["--layout", "spiral"], ["--layout", "spiral", "grid, justified, mosaic, list"]),
      (["--group", "colour"], ["--group", "colour", "none, folder, month"]),
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
      (["http://x.y/z.json", "--verdicts", "/dev/null"], ["--verdicts", "files"]),
      (["http://x.y/z.json", "--sample", "3"], ["--sample"]),
      (["absent//folder/"], ["absent//folder/: ", "no such file or folder; give"]),
      ([""], ["\"\"", "empty path"]),
      (["/dev/zero"], ["/dev/zero", "neither a folder nor a picture"]),
      (["/proc/self/status"], ["/proc/self/status", "neither a folder nor a picture"]),
    ]

    @Test("A command line that cannot be carried out is refused with status 2", arguments: refusals)
    func refused(words: [String], named: [String]) throws {
      expectOneLine(try VitrineRun.end(words), status: 2, naming: named)
    }

    @Test("Paths that are refused are named whatever their bytes, still in one line")
    func refusedPaths() throws {
      let folder = try TemporaryFolder()
      try folder.write(Array("a poem".utf8), to: "poem.txt")
      expectOneLine(
        try VitrineRun.end([folder.path(of: "poem.txt")]), status: 2, naming: ["poem.txt", "neither a folder nor"])
      expectOneLine(
        try VitrineRun.end([], paths: [folder.bytes(of: [0x61, 0xFF, 0x0A, 0x1B, 0x62])]), status: 2,
        naming: ["a%FF%0A%1Bb", "no such file"])
    }

    @Test("A line feed or an escape in an option makes no second line and moves no cursor")
    func hostileOptions() throws {
      for words in [["--a\nb"], ["--clock", "x\u{1B}[2J\ny"], ["--scroll=\r\n"], ["--\u{202E}"]] {
        let end = try VitrineRun.end(words)
        expectOneLine(end, status: 2, naming: [])
        #expect(end.complaints.unicodeScalars.dropLast().allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
      }
      expectOneLine(
        try VitrineRun.end([], paths: [Array("--report".utf8), [0xFF]]), status: 2, naming: ["--report", "UTF-8"])
    }

    @Test("A disk that is full when the run ends is a failure of the run", arguments: ["--report", "--screenshot"])
    func full(option: String) throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let end = try VitrineRun.end(["--headless", "--frames", "2", option, "/dev/full", folder.path])
      expectOneLine(end, status: 1, naming: [option, "/dev/full", "No space left on device"])
    }

    @Test("A screenshot that cannot be written does not lose the report")
    func oneOfTwo() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let end = try VitrineRun.end([
        "--headless", "--frames", "2", "--screenshot", "/dev/full", "--report", "-", folder.path,
      ])
      #expect(end.status == 1)
      #expect(try RunFigures(end.output).figures.frames.count == 2)
    }

    /// Words that start a program with its standard output where a shell's redirections lead.
    private func redirected(_ redirections: String) -> [String] {
      ["sh", "-c", "exec \(redirections); exec \"$0\" \"$@\""]
    }

    @Test("Verdicts that cannot be written are named with their option and path, as is a reader that has gone")
    func verdictsLost() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let full = try VitrineRun.end(["--verdicts", "/dev/full"], on: folder)
      expectOneLine(
        full, status: 1, naming: ["vitrine: --verdicts /dev/full: cannot be written: No space left on device"])
      try folder.makeFIFO("fifo")
      let closed = try VitrineRun.end(
        ["--verdicts", "-"], on: folder,
        wrapper: redirected("3<>'\(folder.path(of: "fifo"))' >'\(folder.path(of: "fifo"))' 3>&-"))
      expectOneLine(closed, status: 1, naming: ["vitrine: --verdicts -: cannot be written: Broken pipe"])
    }

    @Test("Version and help that nobody gets to read are a failure", arguments: ["--version", "--help"])
    func answersLost(option: String) throws {
      let full = try VitrineRun.end([option], wrapper: redirected(">/dev/full"))
      expectOneLine(
        full, status: 1, naming: ["vitrine: \(option): cannot be written: No space left on device"])
      let folder = try TemporaryFolder()
      try folder.makeFIFO("fifo")
      let fifo = folder.path(of: "fifo")
      let closed = try VitrineRun.end([option], wrapper: redirected("3<>'\(fifo)' >'\(fifo)' 3>&-"))
      expectOneLine(closed, status: 1, naming: ["vitrine: \(option): cannot be written: Broken pipe"])
    }

    @Test("A report goes to a device or through a link, and takes the place of neither")
    func specialDestinations() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      try folder.link("link.json", to: "target.json")
      try folder.link("null", to: "/dev/null")
      let before = try FolderState(folder).entries
      for name in ["link.json", "null"] {
        let end = try VitrineRun.end(["--headless", "--frames", "1", "--report", folder.path(of: name), folder.path])
        #expect(end.status == 0, "\(end)")
      }
      let after = try FolderState(folder).entries
      for (path, entry) in before where !path.isEmpty { #expect(after[path] == entry) }
      #expect(after.count == before.count + 1)
    }

    @Test("Without a display a window is a failure that names the way without one")
    func noDisplay() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let end = try VitrineRun.end([folder.path])
      expectOneLine(end, status: 1, naming: ["DISPLAY", "--headless"])
    }
  }
}
