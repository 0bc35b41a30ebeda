import CollectionUI
import Foundation
import Testing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Themes have sufficient contrast")
struct ThemeContrastTests {
  private nonisolated static let themes = [Theme.dark, .light, .highContrastDark, .highContrastLight]

  /// Returns the relative luminance of a color, as the Web Content Accessibility Guidelines 2 define it.
  private func luminance(_ color: Color) -> Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
  }

  /// Returns a color over an opaque one.
  private func blend(_ color: Color, over below: Color) -> Color {
    let alpha = Int(color.alpha)
    func channel(_ first: UInt8, _ second: UInt8) -> UInt8 {
      let sum = Int(first) * alpha + Int(second) * (255 - alpha)
      return UInt8((sum + 127) / 255)
    }
    return Color(
      red: channel(color.red, below.red), green: channel(color.green, below.green),
      blue: channel(color.blue, below.blue))
  }

  private func contrast(_ first: Color, _ second: Color) -> Double {
    let (dark, light) = (min(luminance(first), luminance(second)), max(luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
  }

  /// Returns the lowest contrast of a color with a surface over any picture.
  private func contrastOverPictures(_ color: Color, _ surface: Color) -> Double {
    [Color.black, .white].map { contrast(color, blend(surface, over: $0)) }.min() ?? 0
  }

  @Test("The contrast of known colors")
  func knownContrast() {
    #expect(abs(contrast(.black, .white) - 21) < 0.001)
    #expect(abs(contrast(Color(hex: 0x767676), .white) - 4.54) < 0.01)
    #expect(blend(Color(hex: 0x000000, alpha: 128), over: .white) == Color(hex: 0x7F7F7F))
  }

  @Test("Text on each background on which it is drawn", arguments: themes)
  func text(theme: Theme) {
    let minimum = theme.hasHighContrast ? 7.0 : 4.5
    let pairs: [(text: Color, backgrounds: [Color])] = [
      (
        theme.primaryText,
        [theme.background, theme.bar, theme.panel, theme.panelHighlight, theme.selectedRow, theme.keyFace]
      ),
      (
        theme.secondaryText,
        [theme.background, theme.bar, theme.panel, theme.panelHighlight, theme.selectedRow, theme.brokenSurface]
      ),
      (theme.tertiaryText, [theme.background, theme.panel, theme.brokenSurface]),
      (theme.accent, [theme.panel]), (theme.onAccent, [theme.accent]),
      (theme.ofViewer.secondaryText, [theme.viewer]), (theme.ofViewer.tertiaryText, [theme.viewer]),
    ]
    // Controls and rows of the bars, in each of their states. What is not chosen or pressed may be secondary.
    #expect(contrast(theme.secondaryText, blend(theme.hoverOverlay, over: theme.bar)) >= minimum)
    let barStates = [[], [theme.chosenOverlay]].flatMap { chosen in
      [[], [theme.hoverOverlay], [theme.pressOverlay]].map { chosen + $0 }
    }
    for overlays in barStates {
      let background = overlays.reduce(theme.bar) { blend($1, over: $0) }
      #expect(contrast(theme.primaryText, background) >= minimum, "\(overlays) over the bar")
    }
    for (text, backgrounds) in pairs {
      for background in backgrounds {
        #expect(contrast(text, background) >= minimum, "\(text) on \(background)")
      }
    }
    let overPictures: [(text: Color, surface: Color)] = [
      (theme.badgeText, theme.badge), (theme.ofViewer.primaryText, theme.viewerBar),
      (theme.ofViewer.secondaryText, theme.viewerBar), (theme.scrubber.primaryText, theme.scrubber.surface),
      (theme.scrubber.secondaryText, theme.scrubber.surface), (theme.scrubber.primaryText, theme.scrubber.bubble),
      (theme.scrubber.secondaryText, theme.scrubber.bubble),
    ]
    for (text, surface) in overPictures {
      #expect(contrastOverPictures(text, surface) >= minimum, "\(text) on \(surface) over a picture")
    }
  }

  @Test("Surfaces can be seen, and so can borders and rings", arguments: themes)
  func surfaces(theme: Theme) {
    for surface in [theme.placeholder, theme.brokenSurface] {
      #expect(contrast(surface, theme.background) >= 1.3, "\(surface)")
    }
    #expect(contrast(theme.selectedRow, theme.background) >= 1.2)
    #expect(contrast(theme.panelHighlight, theme.panel) >= 1.2)
    // The rings of the focus and the selection, the progress, and the thumb, also in ordinary themes.
    for ring in [theme.primaryText, theme.accent] { #expect(contrast(ring, theme.background) >= 3) }
    #expect(contrast(theme.accent, theme.bar) >= 3)
    let minimum = theme.hasHighContrast ? 3 : 1.15
    for (line, surface) in [
      (theme.separator, theme.background), (theme.separator, theme.bar), (theme.panelEdge, theme.panel),
      (theme.panelEdge, theme.background), (theme.keyEdge, theme.keyFace),
      (theme.scrubber.border, theme.scrubber.bubble),
      (theme.indicator, theme.background),
    ] {
      let below = blend(surface, over: theme.background)
      #expect(contrast(blend(line, over: below), below) >= minimum, "\(line) on \(surface)")
    }
  }
}

@Suite("A theme that changes while the window is open")
struct ThemeChangeTests {
  /// A drawing command without the name of its texture.
  private struct Mark: Hashable {
    let color: Color
    let frame: PixelRect
  }

  /// What is on screen when the theme changes.
  nonisolated enum Scene: CaseIterable {
    case grid
    case scrolledGrid
    case sections
    case list
    case selection
    case menu
    case keys
    case viewer
    case brokenViewer
    case empty
  }

  private func press(_ gallery: GalleryFixture, _ keys: Key...) {
    for key in keys {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
  }

  private func gallery(_ scene: Scene, theme: Theme) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(scene == .empty ? 0 : 200), FakeFeed.end)
    let broken = (0..<200).filter { $0 % 7 == 1 }.map { Array("/pictures/IMG_\($0).JPG".utf8) }
    let gallery = try GalleryFixture(
      feed, layout: scene == .list ? .list : .grid, grouping: scene == .sections ? .month : .none,
      isCellPrefetchingEnabled: true, theme: theme
    ) { request in
      if case .file(let path) = request.source, broken.contains(path) { return .failure(.decoderTimedOut) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.harness.runUntilIdle()
    switch scene {
    case .grid, .list, .empty: break
    case .scrolledGrid, .sections: press(gallery, .pageDown, .pageDown)
    case .selection: press(gallery, .right, .right)
    case .menu: press(gallery, .right, .menu, .down)
    case .keys: press(gallery, .function(1))
    case .viewer: press(gallery, .home, .enter)
    case .brokenViewer: press(gallery, .home, .right, .enter)
    }
    return gallery
  }

  private func marks(_ gallery: GalleryFixture) throws -> [Mark] {
    let frame = try #require(gallery.harness.display.frames.last)
    return [Mark(color: frame.background, frame: .zero)]
      + frame.commands.map { Mark(color: $0.color, frame: $0.destination) }
  }

  @Test("Everything is drawn as if the window had been opened with the theme", arguments: Scene.allCases)
  func change(scene: Scene) throws {
    let changed = try gallery(scene, theme: .dark)
    let before = try marks(changed)
    let opened = try gallery(scene, theme: .highContrastLight)
    changed.screen.setTheme(.highContrastLight)
    changed.harness.runUntilIdle()
    #expect(try marks(changed) == marks(opened))
    #expect(try marks(changed) != before)
    // Prepared and pooled views, behind the menu or the viewer too.
    for gallery in [changed, opened] { press(gallery, .escape, .escape, .pageDown, .home) }
    for _ in 0..<3 {
      for gallery in [changed, opened] { press(gallery, .pageDown) }
      #expect(try marks(changed) == marks(opened))
    }
    for gallery in [changed, opened] {
      gallery.screen.setTheme(.dark)
      press(gallery, .end)
    }
    #expect(try marks(changed) == marks(opened))
  }

  @Test("The same theme again draws no frame, and a change does not keep the loop awake")
  func idle() throws {
    let gallery = try gallery(.grid, theme: .light)
    let frames = gallery.harness.display.presentedFrames
    gallery.screen.setTheme(.light)
    gallery.harness.run(milliseconds: 5_000)
    #expect(gallery.harness.display.presentedFrames == frames)
    gallery.screen.setTheme(.dark)
    #expect(gallery.harness.runUntilIdle() > 0)
    #expect(gallery.harness.runUntilIdle() == 0)
  }

  @Test("Pictures are decoded again for the new background, and shown again without decoding for the last one")
  func pictures() throws {
    let backgrounds = Lock<[UInt32]>([])
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(6), FakeFeed.end)
    let gallery = try GalleryFixture(feed, theme: .light) { request in
      backgrounds.withLock { $0.append(request.background) }
      return GatedDecoder.generatedImage(for: request.key)
    }
    gallery.harness.runUntilIdle()
    func bitmaps() -> [ObjectIdentifier] {
      gallery.cells.compactMap { cell in
        if case .picture(let bitmap, _) = cell.content { ObjectIdentifier(bitmap) } else { nil }
      }
    }
    let light = bitmaps()
    #expect(backgrounds.withLock { $0 } == Array(repeating: Theme.light.background.packed, count: 6))
    #expect(light.count == 6)
    gallery.screen.setTheme(.dark)
    let frameCount = gallery.harness.runUntilIdle()
    // The last pictures stay until the new ones arrive.
    for frame in gallery.harness.display.frames.suffix(frameCount) {
      #expect(GalleryFixture.fillCount(Theme.dark.placeholder, in: frame) == 0)
    }
    #expect(backgrounds.withLock { $0.suffix(6) } == ArraySlice(repeating: Theme.dark.background.packed, count: 6))
    #expect(bitmaps().count == 6 && Set(bitmaps()).isDisjoint(with: light))
    gallery.screen.setTheme(.light)
    gallery.harness.runUntilIdle()
    #expect(backgrounds.withLock { $0.count } == 12 && bitmaps() == light)
  }
}
