import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineViews

extension FrameOverlay {
  /// Draws a description of the last late frame, or the numbers of counted and uncounted frames if there is none.
  func drawLastHitch(_ loop: CommitLoop, y: Double, in context: DrawContext) {
    let line = textRenderer.line
    if let hitch = summary.lastHitch, let cause = hitch.hitchCause {
      line.removeAll()
      line.write("frame ").write(hitch.index).write(": ").write(hitch.hitch.milliseconds, decimals: 1)
      line.write(" ms late, ").write(text: hitch.hitchClass.name).write(": ")
      var words = GlyphLineTextWriter(line: line)
      cause.write(to: &words)
      return textRenderer.drawWrappedLine(
        x: OverlayMetrics.padding, y: y, width: trailingEdge - OverlayMetrics.padding,
        rows: OverlayMetrics.hitchRowCount,
        OverlayPalette.text, in: context)
    }
    let (history, visibility) = (loop.history, loop.costVisibility)
    var y = y
    drawRow("late", &y, in: context) { FrameOverlay.writeLateFrames(history, visibility, in: line) }
    guard visibility != .none, history.firstAfterIdleCount + history.atRestCount > 0 else { return }
    drawRow("not counted", &y, in: context) {
      FrameOverlay.writeUncountedFrames(history, in: line)
    } trailing: {
      line.write("longest commit ").write(history.longestIneligibleCommit.milliseconds, decimals: 1).write(" ms")
    }
  }

  /// Writes how many of the counted frames were late.
  ///
  /// Includes frames that preceded the overlay.
  static func writeLateFrames(_ history: FrameHistory, _ visibility: CostVisibility, in line: GlyphLine) {
    guard visibility != .none else { return _ = line.write("not measured: no cost is modelled") }
    guard history.hitchEligibleCount > 0 else { return _ = line.write("nothing has moved yet") }
    if history.hitchCount == 0 { line.write("none") } else { line.write(history.hitchCount) }
    line.write(" of ").write(history.hitchEligibleCount).write(" frames that moved")
  }

  /// Writes how many frames do not count, by reason.
  static func writeUncountedFrames(_ history: FrameHistory, in line: GlyphLine) {
    line.write(history.firstAfterIdleCount).write(" first after rest  ").write(history.atRestCount).write(" at rest")
  }

  /// The number of rows of level 3.
  static let detailRowCount = 8
  /// The number of rows of level 4 above the legend.
  static let memoryRowCount = 3

  /// Draws the rows of level 3.
  ///
  /// - Returns: The position of the next row.
  func drawDetails(_ loop: CommitLoop, _ figures: OverlayFigures, y: Double, in context: DrawContext) -> Double {
    let line = textRenderer.line
    var y = y
    let seesTimes = loop.costVisibility != .none
    drawRow("commit", &y, in: context) {
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.commitPercentile(50), decimals: 2).write("  p95 ").write(
        summary.commitPercentile(95), decimals: 2)
      line.write("  p99 ").write(summary.commitPercentile(99), decimals: 2)
      line.write("  max ").write(summary.commitPercentile(100), decimals: 2).write(" ms")
    } trailing: {
      guard summary.count > 0, seesTimes else { return }
      let newest = loop.history.record(atAge: 0)
      line.write("deadline ").write((newest.deadline - newest.start).milliseconds, decimals: 1).write(" ms")
    }
    drawRow("beyond it", &y, in: context) {
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.overrunPercentile(50), decimals: 1).write("  p99 ").write(
        summary.overrunPercentile(99), decimals: 1)
      line.write("  max ").write(summary.overrunPercentile(100), decimals: 1).write(" ms")
    }
    drawRow("input", &y, in: context) {
      guard summary.inputLatencyCount > 0 else {
        line.write("none yet")
        return
      }
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.inputLatencyPercentile(50), decimals: 1).write("  p95 ").write(
        summary.inputLatencyPercentile(95), decimals: 1)
      line.write(" ms to its present")
    }
    drawRow("allocations", &y, in: context) {
      // Equal runs on the virtual clock must show equal frames, and builds differ in their allocations.
      guard loop.clock.kind != .virtual, summary.allocationCount > 0 else { return writeNotMeasured() }
      line.write("p50 ").write(summary.allocationPercentile(50)).write("  p99 ").write(summary.allocationPercentile(99))
      line.write("  max ").write(summary.allocationPercentile(100)).write(" a frame")
    }
    let slack = figures.slack
    drawRow("slack", &y, in: context) {
      guard seesTimes else {
        line.write("not measured, in ").write(slack.steps).write(" steps")
        return
      }
      let share = slack.available > .zero ? slack.used.seconds / slack.available.seconds * 100 : 0
      line.write(share, decimals: 1).write(" % used in ").write(slack.steps).write(" steps")
    } trailing: {
      guard seesTimes else { return }
      line.write(slack.refusals).write(" refused  ").write(slack.overruns).write(" too long")
    }
    drawRow("uploads", &y, in: context) {
      line.write(summary.uploadedBytes / 1e3, decimals: 1).write(" kB a frame in ").write(summary.uploads, decimals: 1)
    }
    let cells = figures.cells
    drawRow("cells", &y, in: context) {
      line.write(figures.visibleCells).write(" shown  ").write(cells.waiting).write(" ready  ")
      line.write(figures.pooledCells).write(" pooled  ").write(figures.visibleCellsWithoutImage).write(" empty")
    } trailing: {
      line.write(cells.preparedInSlack).write(" in slack  ").write(cells.preparedForced).write(" forced")
    }
    drawRow("pictures", &y, in: context) {
      line.write(figures.decoding).write(" decoding  ").write(figures.queued).write(" queued  ")
      line.write(figures.decoded).write(" done")
    } trailing: {
      line.write(figures.previews).write(" by preview  ").write(figures.failed).write(" failed")
    }
    return y
  }

  /// Draws the rows of level 4: memory use and the cost of the overlay.
  ///
  /// - Returns: The position of the next row.
  func drawMemory(_ figures: OverlayFigures, y: Double, in context: DrawContext) -> Double {
    let line = textRenderer.line
    var y = y
    drawRow("caches", &y, in: context) {
      line.write("pictures ").write(Double(figures.bitmapBytes) / 1e6, decimals: 1)
      if figures.bitmapLimit > 0 { line.write(" of ").write(Double(figures.bitmapLimit) / 1e6, decimals: 0) }
      line.write(" MB  textures ").write(Double(textureBytes()) / 1e6, decimals: 1).write(" MB")
    } trailing: {
      line.write(figures.memoryHits).write(" hits  ").write(figures.storeHits).write(" from disk")
    }
    drawRow("memory", &y, in: context) {
      // Equal runs on the virtual clock must show equal frames on all machines.
      guard loop?.clock.kind != .virtual else { return writeNotMeasured() }
      guard let bytes = residentMemory.bytes(atFrame: summary.count > 0 ? loop?.history.count ?? 0 : 0) else { return }
      line.write(Double(bytes) / 1e6, decimals: 1).write(" MB resident")
    } trailing: {
      line.write(figures.items).write(" items")
    }
    drawRow("overlay", &y, in: context) {
      guard loop?.clock.kind != .virtual else { return writeNotMeasured() }
      line.write(drawingCost.milliseconds, decimals: 2).write(" ms a frame, in its commit")
    }
    return y
  }

  private func writeNotMeasured() { textRenderer.line.write("not measured") }

  /// Draws a row: its name, its leading figures, and its trailing figures if they fit.
  private func drawRow(
    _ name: StaticString, _ y: inout Double, in context: DrawContext, _ write: () -> Void,
    trailing: () -> Void = {}
  ) {
    textRenderer.drawName(name, y: y, in: context)
    write()
    textRenderer.drawLine(
      x: OverlayMetrics.padding + OverlayMetrics.valueColumn, y: y, OverlayPalette.text, in: context)
    trailing()
    textRenderer.drawTrailingLine(trailingEdge, y: y, OverlayPalette.secondaryText, in: context)
    y += OverlayMetrics.rowHeight
  }
}

/// A text writer that writes a hitch's cause to a line of the overlay without allocating.
struct GlyphLineTextWriter: @MainActor TextWriter {
  let line: GlyphLine

  mutating func write(_ words: StaticString) { line.write(words) }

  mutating func write(tenths: Int64) { line.write(Double(tenths) / 10, decimals: 1).write(" ms") }
}
