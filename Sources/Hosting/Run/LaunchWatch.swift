import CPlatform
import FramePacing
import Views

/// Notes when the first frame was shown, and the first in which the screen was full.
final class LaunchTimer: FrameParticipant {
  private let launch: FrameInstant
  private let isFullyShown: () -> Bool
  private(set) var figures = LaunchFigures()

  init(launch: FrameInstant, isFullyShown: @escaping () -> Bool) {
    self.launch = launch
    self.isFullyShown = isFullyShown
  }

  func frameDidEnd(_ record: FrameRecord) {
    guard figures.firstFullScreenMs == nil else { return }
    let now = MonotonicClock.now()
    let took = RunReport.rounded((now - launch).milliseconds, 1)
    if figures.firstFrameMs == nil {
      (figures.firstFrameMs, figures.firstFrameInstantNs) = (took, now.nanoseconds)
      platform_first_frame_was_shown()
    }
    if isFullyShown() { (figures.firstFullScreenMs, figures.firstFullScreenInstantNs) = (took, now.nanoseconds) }
  }
}
