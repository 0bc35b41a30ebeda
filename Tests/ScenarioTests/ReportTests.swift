import Testing

extension CommandLineScenarios {
  @Suite("A report has the documented fields with plausible values")
  struct ReportTests {
    /// The fields in the report of every run that scrolled.
    static let documentedFields = Set([
      "schema", "version", "display.driver", "display.renderer", "display.drawnBy", "display.clock",
      "display.refreshHz",
      "display.widthPoints", "display.heightPoints", "display.scale", "library.items", "library.sections",
      "library.failed", "launch.firstFrameMs", "launch.firstFullScreenMs", "frames.count", "frames.trackedSeconds",
      "frames.commitUs.p50", "frames.commitUs.p95", "frames.commitUs.p99", "frames.commitUs.max",
      "frames.overrunUs.p50", "frames.overrunUs.p95", "frames.overrunUs.p99", "frames.overrunUs.max",
      "hitches.count", "hitches.totalMs",
      "hitches.ratioMsPerS", "hitches.longestMs", "hitches.byClass.commitLate", "hitches.byClass.slackOverrun",
      "hitches.byClass.presentLate", "hitches.byClass.ownWorkers", "hitches.byClass.wakeLate",
      "hitches.byClass.external", "hitches.worst",
      "cells.created", "cells.dequeued", "cells.reused", "cells.prepared", "cells.displayed", "cells.reconfigured",
      "cells.visible", "cells.pooled", "images.requested", "images.coalesced", "images.cancelled", "images.decoded",
      "images.failed", "images.decodedOnRenderThread", "images.memoryHits", "images.storeHits", "images.uploads",
      "images.uploadedBytes",
      "images.decodeMs.p50", "images.decodeMs.p99", "images.placeholderCellMs", "images.blankCellMs",
      "memory.residentPeakBytes",
      "memory.bitmapBytes", "memory.textureBytes", "memory.catalogueBytesPerItem", "process.cpuSeconds",
      "process.voluntarySwitches",
    ]).union(
      ["events", "update", "collect", "layout", "commit", "upload", "raster", "slack", "present"].flatMap {
        ["frames.phasesUs.\($0).p50", "frames.phasesUs.\($0).p99"]
      })

    @Test("On the cpu clock every field is present, with plausible values and no decode on the render thread")
    func cpuClock() throws {
      let folder = try TemporaryFolder.photoLibrary()
      let report = try VitrineRun.report(
        VitrineRun.smallWindow
          + ["--clock", "cpu", "--scroll", "flick:8000", "--duration", "3", "--workers", "2"], on: folder)
      #expect(Self.documentedFields.subtracting(report.fields).sorted() == [])
      // The program counts no allocations by itself.
      #expect(!report.fields.contains { $0.hasPrefix("frames.allocations.") })
      let figures = report.figures
      #expect(figures.schema == 1)
      #expect(figures.display.driver == "dummy" && figures.display.renderer == "software")
      #expect(figures.display.drawnBy == "sdl")
      #expect(figures.display.widthPoints == 640 && figures.display.heightPoints == 480)
      #expect(figures.library.items == 145 && figures.library.failed == 2)
      let first = try #require(figures.launch.firstFrameMs)
      let full = try #require(figures.launch.firstFullScreenMs)
      #expect(first > 0 && full >= first)
      #expect(figures.frames.count > 100)
      #expect(figures.frames.trackedSeconds > 2.5 && figures.frames.trackedSeconds < 3.5)
      #expect(figures.images.decodedOnRenderThread == 0)
      #expect(figures.images.decoded > 50 && figures.images.decoded <= figures.images.requested)
      #expect(figures.images.failed == 0)
      #expect(figures.images.uploads > 50 && figures.images.uploadedBytes > 50 * 4 * 1_000)
      #expect(figures.memory.residentPeakBytes > 10 << 20 && figures.memory.textureBytes > 1 << 18)
      #expect(figures.process.cpuSeconds > 0.05 && figures.process.voluntarySwitches > 0)
      if let hitches = figures.hitches { #expect(hitches.byClass.values.reduce(0, +) == hitches.count) }
    }

    @Test("A run without motion has no percentiles and no hitches, and an empty folder no fields of images")
    func nothingMoved() throws {
      let report = try VitrineRun.report(["--clock", "virtual", "--frames", "10"], on: try TemporaryFolder())
      #expect(report.figures.frames.count == 10)
      #expect(report.figures.library.items == 0 && report.figures.library.failed == 0)
      for absent in ["frames.commitUs.p50", "hitches.count", "images.decodeMs.p50", "memory.catalogueBytesPerItem"] {
        #expect(!report.fields.contains(absent), "\(absent)")
      }
      for null in ["frames.commitUs", "frames.overrunUs", "frames.phasesUs", "hitches", "images.decodeMs"] {
        #expect(report.fields.contains(null), "\(null)")
      }
    }

    @Test("The virtual clock reports no frame times, unless a cost is modelled, and then those of its phases")
    func virtualClock() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 60)
      func run(_ options: String...) throws -> RunFigures {
        try VitrineRun.report(
          VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "steady:6000", "--duration", "2"] + options,
          on: folder)
      }
      let nulls = [
        "hitches", "frames.commitUs", "frames.overrunUs", "frames.phasesUs", "slack.availableMs", "slack.usedMs",
        "slack.refusals", "slack.overruns",
      ]
      let free = try run()
      #expect(free.figures.hitches == nil && free.figures.slack?.overruns == nil)
      #expect(nulls.filter { !free.nulls.contains($0) } == [])
      let costly = try run("--cell-cost", "20")
      #expect(nulls.filter { costly.nulls.contains($0) } == [])
      #expect(try #require(costly.figures.hitches).count > 0)
      #expect(costly.nulls.contains("frames.phasesUs.layout") && costly.fields.contains("frames.phasesUs.commit.p50"))
    }

    @Test("In real time a run has the given number of frames and decodes in other processes")
    func timerClock() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let report = try VitrineRun.report(["--frames", "60", "--refresh", "120"], on: folder)
      #expect(report.figures.display.clock == "timer")
      #expect(report.figures.frames.count == 60)
      #expect(report.figures.images.decodedOnRenderThread == 0)
    }
  }
}
