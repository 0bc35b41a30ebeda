import CAllocations
import GalleryUI
import Hosting
import ImagePipeline
import PhotoLibrary

/// What the gallery adds to a run's report.
enum GalleryFigures {
  static func makeRunFigures(_ screen: GalleryScreen, _ pipeline: ImagePipeline, _ host: Host) -> RunFigures {
    var figures = RunFigures(of: screen.grid)
    figures.library = {
      LibraryFigures(items: screen.library.count, sections: screen.sectionCount, failed: screen.failedCount)
    }
    figures.images = {
      var images = ImageFigures(of: pipeline, in: host.resources)
      images.placeholderCellMs = screen.placeholderCellMilliseconds
      images.blankCellMs = screen.blankCellMilliseconds
      return images
    }
    figures.journal = pipeline.journal
    figures.workerTime = { pipeline.decodingProcessorTime }
    figures.bitmapBytes = { pipeline.statistics.cacheBytes }
    figures.catalogueBytesPerItem = { screen.library.bytesPerItem.map(Double.init) }
    figures.overlay = {
      var overlay = OverlayFigures(of: screen.grid)
      overlay.add(pipeline)
      overlay.waitingForPicture = screen.pendingPictureCount
      return overlay
    }
    if allocations_are_counted() { figures.allocationCount = { allocations_of_this_thread() } }
    figures.isFullyShown = { screen.isFullyShown }
    return figures
  }
}
