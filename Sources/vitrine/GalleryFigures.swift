import CollectionEngine
import CollectionUI
import DecodingProtocol
import FramePacing
import GalleryUI
import Hosting
import ImagePipeline
import PhotoLibrary
import Views

/// What the gallery adds to a run's report.
enum GalleryFigures {
  static func figures(_ screen: GalleryScreen, _ pipeline: ImagePipeline, _ host: Host) -> RunFigures {
    var figures = RunFigures()
    figures.library = {
      LibraryFigures(items: screen.library.count, sections: screen.sectionCount, failed: screen.failedCount)
    }
    figures.cells = { cells(screen.grid.statistics) }
    figures.slack = {
      let ledger = screen.grid.slackLedger
      return SlackFigures(
        availableMs: ledger.availableMs, usedMs: ledger.usedMs, steps: ledger.steps, refusals: ledger.refusals,
        overruns: ledger.overruns)
    }
    figures.prefetch = {
      let counts = screen.grid.prefetchStatistics
      return PrefetchFigures(requested: counts.requested, cancelled: counts.cancelled)
    }
    figures.images = { images(screen, pipeline, host) }
    figures.decodes = { pipeline.journal?.spans ?? [] }
    figures.bitmapBytes = { pipeline.statistics.cacheBytes }
    figures.catalogueBytesPerItem = {
      screen.library.catalogue.count > 0 ? Double(screen.library.catalogue.bytesPerItem) : nil
    }
    figures.isFullyShown = { screen.isFullyShown }
    return figures
  }

  private static func cells(_ counts: CellStatistics) -> CellFigures {
    var figures = CellFigures()
    figures.created = counts.created
    figures.dequeued = counts.dequeued
    figures.reused = counts.reused
    figures.prepared = counts.prepared
    figures.preparedInSlack = counts.preparedInSlack
    figures.preparedForced = counts.preparedForced
    figures.displayed = counts.displayed
    figures.redisplayedFromWaiting = counts.redisplayedFromWaiting
    figures.preparedNeverDisplayed = counts.preparedNeverDisplayed
    figures.reconfigured = counts.reconfigured
    figures.visible = counts.visible
    figures.waiting = counts.waiting
    figures.pooled = counts.pooled
    figures.refusedNumbers = counts.refusedSizes + counts.refusedNumbers
    return figures
  }

  private static func images(_ screen: GalleryScreen, _ pipeline: ImagePipeline, _ host: Host) -> ImageFigures {
    let counts = pipeline.statistics
    var figures = ImageFigures()
    figures.requested = counts.requested
    figures.coalesced = counts.coalesced
    figures.cancelled = counts.cancelled
    figures.decoded = counts.decoded
    figures.failed = counts.failed
    figures.decodedOnRenderThread = counts.decodedOnRenderThread
    figures.memoryHits = counts.memoryHits
    figures.uploads = host.resources.textures.uploadCount
    figures.uploadedBytes = host.resources.textures.uploadedBytes
    if counts.decoded > 0 {
      figures.setDecodeMs(
        p50: counts.decodeMedian.milliseconds, p99: counts.decode99thPercentile.milliseconds)
    }
    let decoders = pipeline.decoderCondition
    figures.sandbox = decoders.layers?.names
    figures.decoderDeaths = decoders.deaths
    figures.decodingStopped = decoders.isStopped
    figures.placeholderCellMs = screen.placeholderCellMilliseconds
    figures.blankCellMs = screen.blankCellMilliseconds
    figures.previews = counts.previews
    figures.interrupted = counts.interrupted
    return figures
  }
}
