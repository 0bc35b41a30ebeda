import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("A paragraph takes as many lines as its text needs in its width")
struct ParagraphTests {
  let paragraph = Paragraph(
    style: TextStyle(size: 10), color: .white, linePitch: 16, mostLines: 3, alignment: .leading)
  let stage: Stage

  init() {
    let root = View()
    root.addSubview(paragraph)
    stage = Stage(root: root)
    stage.settle()
  }

  private func width(of text: String) -> Double {
    Double(stage.resources.text.width(of: text, style: TextStyle(size: 10), scale: .one))
  }

  @Test("One line where it fits, more where it does not, none of nothing, and no more than told")
  func lines() {
    paragraph.text = "one two three four"
    paragraph.fit(width: width(of: "one two three four"))
    #expect(paragraph.frame.height == 16)
    paragraph.fit(width: width(of: "three four"))
    #expect(paragraph.frame.height == 32)
    paragraph.fit(width: 1)
    #expect(paragraph.frame.height == 48 && paragraph.frame.width == 1)
    paragraph.text = ""
    paragraph.fit(width: 100)
    #expect(paragraph.frame.height == 0)
  }

  @Test("Fitting what fits already asks for no frame, another scale breaks anew")
  func again() {
    paragraph.text = "one two three four"
    paragraph.fit(width: 40)
    stage.settle()
    let frames = stage.display.presentedFrames
    paragraph.fit(width: 40)
    stage.settle()
    #expect(stage.display.presentedFrames == frames)
    stage.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    stage.settle()
    paragraph.text = "one"
    paragraph.fit(width: 40)
    #expect(paragraph.frame.height == 16)
  }

  @Test("Outside of a window it is a line")
  func alone() {
    let alone = Paragraph(style: TextStyle(size: 10), color: .white, linePitch: 16, mostLines: 3)
    alone.text = "one two three four"
    alone.fit(width: 1)
    #expect(alone.frame.height == 16)
  }
}
