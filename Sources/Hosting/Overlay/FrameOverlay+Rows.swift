import CollectionEngine
import FramePacing
import Geometry
import Views

extension FrameOverlay {
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
    row("commit", &y, in: context) {
      line.write("p50 ").write(summary.commit(50), decimals: 2).write("  p95 ").write(summary.commit(95), decimals: 2)
      line.write("  p99 ").write(summary.commit(99), decimals: 2)
      line.write("  max ").write(summary.commit(100), decimals: 2).write(" ms")
    } trailing: {
      guard summary.count > 0 else { return }
      let newest = loop.history.recent(0)
      line.write("deadline ").write((newest.deadline - newest.start).milliseconds, decimals: 1).write(" ms")
    }
    row("beyond it", &y, in: context) {
      line.write("p50 ").write(summary.overrun(50), decimals: 1).write("  p99 ").write(summary.overrun(99), decimals: 1)
      line.write("  max ").write(summary.overrun(100), decimals: 1).write(" ms")
    }
    row("input", &y, in: context) {
      guard summary.answerCount > 0 else {
        line.write("none yet")
        return
      }
      line.write("p50 ").write(summary.answer(50), decimals: 1).write("  p95 ").write(summary.answer(95), decimals: 1)
      line.write(" ms to its present")
    }
    row("allocations", &y, in: context) {
      // As for memory below: equal runs on the virtual clock show equal frames, and builds differ in this.
      guard loop.clock.kind != .virtual else {
        line.write("not modelled")
        return
      }
      guard summary.allocationCount > 0 else {
        line.write("not counted")
        return
      }
      line.write("p50 ").write(summary.allocations(50)).write("  p99 ").write(summary.allocations(99))
      line.write("  max ").write(summary.allocations(100)).write(" a frame")
    }
    let slack = figures.slack
    row("slack", &y, in: context) {
      let share = slack.available > .zero ? slack.used.seconds / slack.available.seconds * 100 : 0
      line.write(share, decimals: 1).write(" % used in ").write(slack.steps).write(" steps")
    } trailing: {
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
      guard loop?.clock.kind != .virtual else {
        line.write("not modelled")
        return
      }
      guard let bytes = resident.bytes(now: summary.count > 0 ? loop?.history.count ?? 0 : 0) else { return }
      line.write(Double(bytes) / 1e6, decimals: 1).write(" MB resident")
    } trailing: {
      line.write(figures.items).write(" items")
    }
    row("overlay", &y, in: context) {
      line.write(cost.milliseconds, decimals: 2).write(" ms a frame, in its commit")
    }
    return y
  }

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
