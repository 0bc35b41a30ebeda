import Geometry
import Testing

extension Scenarios {
  @Suite(
    "What is drawn in software reaches the screen",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct PresentingTests {
    private func open(sharesMemory: Bool) throws -> GalleryWindow {
      try GalleryWindow(
        ["--renderer", "software", "--size", "620x500"], on: XServer(sharesMemory: sharesMemory))
    }

    /// The pixels on the screen at the start, after scrolls near and far, and in another extent.
    private func course(_ gallery: GalleryWindow) throws -> [[[UInt8]]] {
      var screens = [try rows(gallery)]
      for words in [["click", "--repeat", "2", "5"], ["key", "End"], ["windowsize", gallery.window, "700", "540"]] {
        try gallery.act(words)
        // The scroll indicator.
        try gallery.waitForFading()
        screens.append(try rows(gallery))
      }
      return screens
    }

    /// The colours below the bar, which names the folder; a pixel's fourth byte says nothing.
    private func rows(_ gallery: GalleryWindow) throws -> [[UInt8]] {
      let (screen, frame, _) = try gallery.look()
      return (Int(frame.y) + GalleryWindow.barHeight..<screen.height).map { row in
        var bytes = [UInt8](screen.row(row, from: 0, to: screen.width))
        for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 0 }
        return bytes
      }
    }

    @Test("A server that shares memory reads it there; from one that does not the screen is the same")
    func ways() throws {
      let sharing = try open(sharesMemory: true)
      let other = try open(sharesMemory: false)
      #expect(sharing.server.look.maps("vitrine-window"))
      #expect(!other.server.look.maps("vitrine-window"))
      let (one, two) = (try course(sharing), try course(other))
      for (step, screens) in zip(one, two).enumerated() {
        let different = zip(screens.0, screens.1).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect(different.isEmpty, "step \(step)")
      }
      #expect(zip(one, one.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("However far it was scrolled, the screen has what a window has that was drawn anew")
    func farScroll() throws {
      let gallery = try open(sharesMemory: true)
      let start = try gallery.look()
      for notches in ["3", "8"] {
        try gallery.act("click", "--repeat", notches, "5")
        try gallery.waitForFading()
        let moved = try gallery.look()
        #expect(moved.items.numbers != start.items.numbers)
        // Another extent is drawn into other memory.
        try gallery.act("windowsize", gallery.window, "620", "501")
        try gallery.act("windowsize", gallery.window, "620", "500")
        try gallery.waitForFading()
        #expect(try gallery.look().screen == moved.screen)
      }
    }
  }
}
