import CollectionEngine
import CollectionUI
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
      LibraryFigures(items: screen.grid.itemCount, sections: screen.sectionCount, failed: screen.failedCount)
    }
    figures.cells = {
      let counts = screen.grid.statistics
      return CellFigures(
        created: counts.created, dequeued: counts.dequeued, reused: counts.reused, prepared: counts.prepared,
        displayed: counts.displayed, reconfigured: counts.reconfigured, visible: screen.grid.visibleCells.count,
        pooled: screen.grid.pooledCount)
    }
    figures.images = { images(screen, pipeline, host) }
    figures.bitmapBytes = { pipeline.statistics.cacheBytes }
    figures.catalogueBytesPerItem = {
      screen.library.catalogue.count > 0 ? Double(screen.library.catalogue.bytesPerItem) : nil
    }
    figures.isFullyShown = { screen.isFullyShown }
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
    figures.placeholderCellMs = screen.placeholderCellMilliseconds
    return figures
  }
}
