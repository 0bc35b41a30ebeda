import CollectionUI
import Foundation
import Testing
import VitrineFramePacing
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("One table of commands makes the keys, the menu, the list of keys, the help and the documents")
@MainActor struct GalleryCommandTests {
  private func makeGallery() throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(6, byteCount: 7), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    return gallery
  }

  @Test("No two commands share a key or a typed text")
  func uniqueInputs() {
    let performed = GalleryCommand.table.filter { $0.perform != nil }
    let shortcuts = performed.flatMap { command in command.shortcuts.map { ($0.key, $0.modifiers) } }
    for (index, one) in shortcuts.enumerated() {
      #expect(!shortcuts[(index + 1)...].contains { $0 == one }, "\(one)")
    }
    let texts = performed.flatMap(\.typedTexts)
    #expect(Set(texts).count == texts.count)
    // What the user reads names each key once.
    let labels = GalleryCommand.table.flatMap(\.inputLabels)
    #expect(Set(labels).count == labels.count, "\(labels)")
  }

  @Test("Each shortcut and each typed text of the table is handled by the screen, in the viewer only if it works there")
  func keysAreHandled() throws {
    let gallery = try makeGallery()
    for command in GalleryCommand.table where command.perform != nil && command.scope != .viewer {
      let events =
        command.shortcuts.map { InputEvent.Kind.keyDown($0.key, modifiers: $0.modifiers, isRepeat: false) }
        + command.typedTexts.map { .text($0) }
      for kind in events {
        let event = InputEvent(time: gallery.harness.clock.now(), kind: kind)
        #expect(gallery.screen.handleCommand(event), "\(command.effect)")
        gallery.screen.overlays.close()
        // A slide show opens it.
        gallery.screen.viewer.close()
        gallery.harness.runUntilIdle()
      }
    }
    gallery.screen.viewer.open(try #require(gallery.screen.dataSource.itemIdentifier(atFlatIndex: 0)))
    for command in GalleryCommand.table where command.perform != nil && command.typedTexts != ["?"] {
      for shortcut in command.shortcuts {
        let kind = InputEvent.Kind.keyDown(shortcut.key, modifiers: shortcut.modifiers, isRepeat: false)
        let isHandled = gallery.screen.handleCommand(InputEvent(time: gallery.harness.clock.now(), kind: kind))
        #expect(isHandled == (command.scope != .grid), "\(command.effect)")
      }
    }
  }

  @Test("A held key repeats only the commands that it is meant to repeat")
  func repetition() throws {
    let gallery = try makeGallery()
    let held = InputEvent(
      time: gallery.harness.clock.now(), kind: .keyDown(.function(1), modifiers: [], isRepeat: true))
    #expect(gallery.screen.handleCommand(held) && gallery.screen.overlays.openView == nil)
  }

  @Test("The list of keyboard shortcuts has a line for each meaning, with F1 and the question mark")
  func keyboardShortcuts() throws {
    let lines = KeyboardShortcuts.columns.joined().flatMap(\.lines)
    #expect(Set(lines.map(\.meaning)).count == lines.count)
    #expect(lines.allSatisfy { !$0.keys.isEmpty && $0.meaning.count <= 27 })
    #expect(lines.contains(KeyboardShortcuts.Line(keys: ["F1", "?"], meaning: "show all keys")))
    #expect(lines.contains(KeyboardShortcuts.Line(keys: ["Ctrl 1", "2", "3"], meaning: "sort by name, date, size")))
    #expect(lines.contains(KeyboardShortcuts.Line(keys: ["+", "−", "Ctrl wheel"], meaning: "larger, smaller")))
  }

  @Test("The table in Documentation/Gallery.md has a row for each command")
  func documents() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation/Gallery.md")
    let lines = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "| Keys and gestures | Effect |"))
    let rows = Array(lines[(start + 2)...].prefix { $0.hasPrefix("|") })
    let expected = GalleryScreen.keyTable
    #expect(rows == expected, "the table must be:\n\(expected.joined(separator: "\n"))")
  }
}
