import CollectionEngine
import FramePacing
import Geometry
import Views

extension FrameOverlay {
  /// Draws the last late frame in words; while there is none, which frames count and which do not.
  func drawLastHitch(_ loop: CommitLoop, y: Double, in context: DrawContext) {
    let line = pen.line
    if let hitch = summary.lastHitch, let cause = hitch.hitchCause {
      line.clear()
      line.write("frame ").write(hitch.index).write(": ").write(hitch.hitch.milliseconds, decimals: 1)
      line.write(" ms late, ").write(text: hitch.hitchClass.name).write(": ")
      var words = LineWords(line: line)
      cause.write(to: &words)
      return pen.putWrapped(
        x: OverlayMetrics.padding, y: y, width: end - OverlayMetrics.padding, rows: OverlayMetrics.hitchRows,
        OverlayPalette.text, in: context)
    }
    let (history, visibility) = (loop.history, loop.costVisibility)
    var y = y
    row("late", &y, in: context) { FrameOverlay.writeCounted(history, visibility, in: line) }
    guard visibility != .none, history.restCount + history.stillCount > 0 else { return }
    row("not counted", &y, in: context) {
      FrameOverlay.writeUncounted(history, in: line)
    } trailing: {
      line.write("longest commit ").write(history.longestUncounted.milliseconds, decimals: 1).write(" ms")
    }
  }

  /// Writes how many of the frames that count were late: none, unless it was before the overlay looked.
  static func writeCounted(_ history: FrameHistory, _ visibility: CostVisibility, in line: GlyphLine) {
    guard visibility != .none else { return _ = line.write("not measured: no cost is modelled") }
    guard history.countedCount > 0 else { return _ = line.write("nothing has moved yet") }
    if history.hitchCount == 0 { line.write("none") } else { line.write(history.hitchCount) }
    line.write(" of ").write(history.countedCount).write(" frames that moved")
  }

  /// Writes how many frames do not count, by why.
  static func writeUncounted(_ history: FrameHistory, in line: GlyphLine) {
    line.write(history.restCount).write(" first after rest  ").write(history.stillCount).write(" at rest")
  }

  /// Rows of level 3.
  static let explainingRows = 8
  /// Rows of level 4 above the legend.
  static let memoryRows = 3

  /// Draws what explains the frames.
  ///
  /// - Returns: where the next row begins.
  func drawExplanations(_ loop: CommitLoop, _ figures: OverlayFigures, y: Double, in context: DrawContext) -> Double {
    let line = pen.line
    var y = y
    let seesTimes = loop.costVisibility != .none
    row("commit", &y, in: context) {
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.commit(50), decimals: 2).write("  p95 ").write(summary.commit(95), decimals: 2)
      line.write("  p99 ").write(summary.commit(99), decimals: 2)
      line.write("  max ").write(summary.commit(100), decimals: 2).write(" ms")
    } trailing: {
      guard summary.count > 0, seesTimes else { return }
      let newest = loop.history.recent(0)
      line.write("deadline ").write((newest.deadline - newest.start).milliseconds, decimals: 1).write(" ms")
    }
    row("beyond it", &y, in: context) {
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.overrun(50), decimals: 1).write("  p99 ").write(summary.overrun(99), decimals: 1)
      line.write("  max ").write(summary.overrun(100), decimals: 1).write(" ms")
    }
    row("input", &y, in: context) {
      guard summary.answerCount > 0 else {
        line.write("none yet")
        return
      }
      guard seesTimes else { return writeNotMeasured() }
      line.write("p50 ").write(summary.answer(50), decimals: 1).write("  p95 ").write(summary.answer(95), decimals: 1)
      line.write(" ms to its present")
    }
    row("allocations", &y, in: context) {
      // As for memory below: equal runs on the virtual clock show equal frames, and builds differ in this.
      guard loop.clock.kind != .virtual, summary.allocationCount > 0 else { return writeNotMeasured() }
      line.write("p50 ").write(summary.allocations(50)).write("  p99 ").write(summary.allocations(99))
      line.write("  max ").write(summary.allocations(100)).write(" a frame")
    }
    let slack = figures.slack
    row("slack", &y, in: context) {
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
    row("uploads", &y, in: context) {
      line.write(summary.uploadedBytes / 1e3, decimals: 1).write(" kB a frame in ").write(summary.uploads, decimals: 1)
    }
    let cells = figures.cells
    row("cells", &y, in: context) {
      line.write(figures.visibleCells).write(" shown  ").write(cells.waiting).write(" ready  ")
      line.write(figures.pooledCells).write(" pooled  ").write(figures.waitingForPicture).write(" empty")
    } trailing: {
      line.write(cells.preparedInSlack).write(" in slack  ").write(cells.preparedForced).write(" forced")
    }
    row("pictures", &y, in: context) {
      line.write(figures.decoding).write(" decoding  ").write(figures.queued).write(" queued  ")
      line.write(figures.decoded).write(" done")
    } trailing: {
      line.write(figures.previews).write(" by preview  ").write(figures.failed).write(" failed")
    }
    return y
  }

  /// Draws what is held and what looking costs.
  ///
  /// - Returns: where the next row begins.
  func drawMemory(_ figures: OverlayFigures, y: Double, in context: DrawContext) -> Double {
    let line = pen.line
    var y = y
    row("caches", &y, in: context) {
      line.write("pictures ").write(Double(figures.bitmapBytes) / 1e6, decimals: 1)
      if figures.bitmapLimit > 0 { line.write(" of ").write(Double(figures.bitmapLimit) / 1e6, decimals: 0) }
      line.write(" MB  textures ").write(Double(textureBytes()) / 1e6, decimals: 1).write(" MB")
    } trailing: {
      line.write(figures.memoryHits).write(" hits  ").write(figures.storeHits).write(" from disk")
    }
    row("memory", &y, in: context) {
      // Equal runs on the virtual clock show equal frames, on any machine.
      guard loop?.clock.kind != .virtual else { return writeNotMeasured() }
      guard let bytes = resident.bytes(now: summary.count > 0 ? loop?.history.count ?? 0 : 0) else { return }
      line.write(Double(bytes) / 1e6, decimals: 1).write(" MB resident")
    } trailing: {
      line.write(figures.items).write(" items")
    }
    row("overlay", &y, in: context) {
      guard loop?.clock.kind != .virtual else { return writeNotMeasured() }
      line.write(cost.milliseconds, decimals: 2).write(" ms a frame, in its commit")
    }
    return y
  }

  private func writeNotMeasured() { pen.line.write("not measured") }

  /// Draws a row: its name, its figures, and what stands at the right where there is room.
  private func row(
    _ name: StaticString, _ y: inout Double, in context: DrawContext, _ write: () -> Void,
    trailing: () -> Void = {}
  ) {
    pen.name(name, y: y, in: context)
    write()
    pen.put(
      x: OverlayMetrics.padding + OverlayMetrics.valueColumn, y: y, OverlayPalette.text, in: context)
    trailing()
    pen.putTrailing(end, y: y, OverlayPalette.faint, in: context)
    y += OverlayMetrics.rowHeight
  }
}
