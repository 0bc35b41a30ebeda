import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("A paragraph takes as many lines as its text needs in its width")
struct ParagraphTests {
  let paragraph = Paragraph(
    style: TextStyle(size: 10), color: .white, lineHeight: 16, numberOfLines: 3, alignment: .leading)
  let stage: WindowHarness

  init() {
    let root = View()
    root.addSubview(paragraph)
    stage = WindowHarness(root: root)
    stage.runUntilIdle()
  }

  private func width(of text: String) -> Double {
    Double(stage.resources.text.width(of: text, style: TextStyle(size: 10), scale: .one))
  }

  @Test("One line where it fits, more where it does not, none of nothing, and no more than told")
  func lines() {
    paragraph.text = "one two three four"
    paragraph.sizeToFit(width: width(of: "one two three four"))
    #expect(paragraph.frame.height == 16)
    paragraph.sizeToFit(width: width(of: "three four"))
    #expect(paragraph.frame.height == 32)
    paragraph.sizeToFit(width: 1)
    #expect(paragraph.frame.height == 48 && paragraph.frame.width == 1)
    paragraph.text = ""
    paragraph.sizeToFit(width: 100)
    #expect(paragraph.frame.height == 0)
  }

  @Test("Fitting what fits already asks for no frame, another scale breaks anew")
  func again() {
    paragraph.text = "one two three four"
    paragraph.sizeToFit(width: 40)
    stage.runUntilIdle()
    let frames = stage.display.presentedFrames
    paragraph.sizeToFit(width: 40)
    stage.runUntilIdle()
    #expect(stage.display.presentedFrames == frames)
    stage.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    stage.runUntilIdle()
    paragraph.text = "one"
    paragraph.sizeToFit(width: 40)
    #expect(paragraph.frame.height == 16)
  }

  @Test("Outside of a window it is a line")
  func alone() {
    let alone = Paragraph(style: TextStyle(size: 10), color: .white, lineHeight: 16, numberOfLines: 3)
    alone.text = "one two three four"
    alone.sizeToFit(width: 1)
    #expect(alone.frame.height == 16)
  }
}
