import FramePacing

extension AssetLoadTracker {
  /// What the ledger is told.
  enum Event: Sendable {
    /// An asset is wanted, and by when; what is on this machine of it, and whether it is tried although that failed of late.
    case load(ID, ImageTicket, deadline: FrameInstant, stored: StoredImage?, triesAgain: Bool, at: FrameInstant)
    /// It is no longer wanted by one who asked.
    case cancel(ImageTicket)
    /// A download has ended.
    case downloaded(ID, work: UInt64, Result<StoredImage, AssetFailure>, at: FrameInstant)
    /// A preparation has ended.
    case prepared(ID, work: UInt64, ImageOutcome, at: FrameInstant)
    /// Pictures are wanted in another form: what is being prepared is prepared anew.
    case formChanged
  }

  /// What the ledger wants done.
  enum Effect: Hashable, Sendable {
    /// Have an asset downloaded, as this work.
    case download(ID, work: UInt64, deadline: FrameInstant)
    /// Have its picture prepared, as this work.
    case prepare(ID, work: UInt64, StoredImage, deadline: FrameInstant)
    /// A download or a preparation is needed at another time.
    case updateDeadline(work: UInt64, FrameInstant)
    /// Give a work up.
    case cancel(work: UInt64)
    /// Tell those who asked that their asset has come to rest; now, within a collect phase.
    case complete([ImageTicket], ID)
    /// Tell one who asked the same in the next collect phase.
    case completeLater(ImageTicket, ID)
  }
}
