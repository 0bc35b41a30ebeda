import Geometry
import Testing

@testable import CollectionLayout

@Suite("Justified rows in characters")
struct JustifiedPictureTests {
  private func gallery(_ ratios: [Double], width: Double = 24) -> JustifiedGallery {
    var gallery = JustifiedGallery(ratios)
    gallery.width = width
    gallery.target = 4
    return gallery
  }

  private func drawn(_ gallery: JustifiedGallery, settled: Bool = true) -> String {
    let body = settled ? gallery.settledBody : gallery.body
    return gallery.flow == .vertical
      ? picture(of: body.frames, width: Int(gallery.width), height: body.length)
      : picture(of: body.frames, width: body.length, height: Int(gallery.height))
  }

  @Test("rows fill the width near the target of 4; the last one ends where its pictures end")
  func fillsRows() {
    #expect(
      drawn(gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1])) == """
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        IIIIJJJJ................
        IIIIJJJJ................
        IIIIJJJJ................
        IIIIJJJJ................
        """)
  }

  @Test("pictures of a row and rows keep their distances")
  func keepsGaps() {
    var gallery = gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1])
    gallery.spacing = 2
    gallery.lineSpacing = 1
    #expect(
      drawn(gallery) == """
        AAAAA..BBB..CCCCCC..DDDD
        AAAAA..BBB..CCCCCC..DDDD
        AAAAA..BBB..CCCCCC..DDDD
        ........................
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        ........................
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        """)
  }

  @Test("captions add to the heights of rows")
  func addsCaptions() {
    var gallery = gallery([1.5, 1, 2, 1.5, 1.5, 0.75])
    gallery.spacing = 1
    gallery.lineSpacing = 1
    gallery.caption = 2
    #expect(
      drawn(gallery) == """
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        ........................
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        """)
  }

  @Test("a section that flows to the right has columns that fill the height")
  func fillsColumns() {
    var gallery = gallery([1.5, 1, 0.5, 1.5, 0.75, 1, 0.75, 3, 1, 1, 1])
    gallery.flow = .horizontal
    gallery.target = 8
    gallery.height = 14
    #expect(
      drawn(gallery) == """
        AAAAAAAACCCCCCCDDDDDDDFFFFFFHHHHHHKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFHHHHHHKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCEEEEEEEFFFFFFIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        """)
  }

  @Test("a panorama is cut to what half a row's height can show, a sliver to what is seen of it")
  func boundsPanoramas() {
    #expect(
      drawn(gallery([1, 1, 40, 1.5, 1, 0.01, 1.5, 1, 1])) == """
        AABBCCCCCCCCCCCCCCCCCCCC
        AABBCCCCCCCCCCCCCCCCCCCC
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        IIII....................
        IIII....................
        IIII....................
        IIII....................
        """)
  }

  @Test("one picture is as high as the target, unless it is wider than the room")
  func placesOne() {
    #expect(
      drawn(gallery([1.5])) == """
        AAAAAA..................
        AAAAAA..................
        AAAAAA..................
        AAAAAA..................
        """)
    #expect(
      drawn(gallery([20])) == """
        AAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAA
        """)
  }

  @Test("in a narrow room every picture has a row of its own")
  func fitsNarrowRooms() {
    #expect(drawn(gallery([1, 1, 1], width: 3)) == "AAA\nAAA\nAAA\nBBB\nBBB\nBBB\nCCC\nCCC\nCCC")
  }

  @Test("before it settles, rows are as high as the target and their pictures are equal")
  func estimates() {
    #expect(
      drawn(gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1]), settled: false) == """
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        """)
  }
}
