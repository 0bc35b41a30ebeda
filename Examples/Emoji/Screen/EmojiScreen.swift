import CollectionUI
import ExampleSupport
import FramePacing
import Geometry
import Hosting
import Rendering
import Threads
import Views

/// The example's screen: the counts of operations over the grid of emoji.
final class EmojiScreen: View {
  let grid: EmojiGrid
  let pulse: LoadingPulse
  let bar: CountsBar
  private let theme: ExampleTheme

  /// Makes the screen.
  ///
  /// - Parameters:
  ///   - settings: what can be set.
  ///   - clock: the frames'.
  ///   - waker: wakes the loop.
  ///   - log: told what is asked for ahead, and what is given up.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(
    _ settings: EmojiSettings, clock: any FrameClock, waker: any LoopWaker, log: ((String) -> Void)? = nil
  ) throws(ThreadError) {
    let queue = try LoadingQueue(
      maxConcurrentOperationCount: settings.operations, clock: clock, waker: waker)
    let seed = settings.hosting.seed
    let store = DataStore(numberOfEmoji: settings.items ?? EmojiList.all.count, seed: seed)
    theme = settings.theme
    grid = EmojiGrid(store, loadingQueue: queue, step: settings.step, theme: settings.theme, log: log)
    pulse = LoadingPulse(of: grid, reducesMotion: settings.hosting.reducesMotion)
    bar = CountsBar(title: "Emoji", theme: settings.theme)
    super.init()
    bar.subtitle = "\(store.numberOfEmoji) emoji, \(queue.maxConcurrentOperationCount) ratings at a time"
    queue.onCount = { [weak bar] counts in bar?.counts = counts }
    addSubview(grid.collectionView)
    addSubview(bar)
  }

  /// Takes its place in a window's frames, before the collection view takes its own.
  func join(_ window: Window) {
    if !window.resources.text.hasOwnColors(EmojiList.all[0]) {
      bar.subtitle = "No colours: the font of fonts-noto-color-emoji is not installed"
    }
    window.addParticipant(grid.loadingQueue)
    window.addParticipant(pulse)
  }

  override func layoutSubviews() {
    let height = min(CountsBar.height, bounds.height)
    bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    grid.collectionView.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
  }
}
