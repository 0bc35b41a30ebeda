public import CollectionEngine

extension CellFigures {
  /// The lives that a collection view counted.
  public init(_ counts: CellStatistics) {
    created = counts.created
    dequeued = counts.dequeued
    reused = counts.reused
    prepared = counts.prepared
    preparedInSlack = counts.preparedInSlack
    preparedForced = counts.preparedForced
    displayed = counts.displayed
    redisplayedFromWaiting = counts.redisplayedFromWaiting
    preparedNeverDisplayed = counts.preparedNeverDisplayed
    reconfigured = counts.reconfigured
    visible = counts.visible
    waiting = counts.waiting
    pooled = counts.pooled
    refusedNumbers = counts.refusedSizes + counts.refusedNumbers
  }
}
