"""What a page of HTML hides is no command; what people's mail programs write is read."""

import pytest
from helpers import pace

from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import firstpart, requests


def asked(page):
    """The commands in a page."""
    return requests.read(Mail(b"From: anna@example.test\r\nContent-Type: text/html\r\n\r\n" + page.encode(), "a mail"))


@pytest.mark.parametrize(
    "page",
    [
        '<div style="display:none">STATUS</div><p>Hello</p>',
        "<DIV STYLE='color:red; Display : NONE'>STATUS</DIV>",
        "<div style=display:none>STATUS</div>",
        '<div style="dis\\70lay:none">STATUS</div>',
        '<div style="display&#58;none">STATUS</div>',
        '<div style="display:/**/none">STATUS</div>',
        "<div hidden>STATUS</div>",
        '<div title="x"hidden="">STATUS</div>',
        '<p style="font-size:0;color:#fff">STATUS</p>',
        '<p style="font-size: 0.00px">STATUS</p>',
        '<p style="font:0/0 a">STATUS</p>',
        '<p style="visibility: hidden">STATUS</p>',
        '<p style="opacity:0">STATUS</p>',
        '<p style="max-height:0px;overflow:hidden">STATUS</p>',
        '<p style="position:absolute;left:-9999px">STATUS</p>',
        '<p style="mso-hide:all">STATUS</p>',
        "<style>.a{display:none}</style><p class=a>STATUS</p>",
        "<style>.a{dis\\70lay:none}</style><p class='b a'>STATUS</p>",
        "<style>@import 'x';</style><p>STATUS</p>",
        "<p class=a>STATUS</p><p>Hi</p><style>.a{display:none}</style>",
        "<style>.a{display:none;.b{color:red}}</style><p class=a>STATUS</p>",
        "<style>.a{.b{color:red}display:none}</style><p class=a>STATUS</p>",
        "<style>.a{@media all{display:none}}</style><p class=a>STATUS</p>",
        "<style>@layer x{.a{color:red}.b{display:none}}</style><p class=b>STATUS</p>",
        '<style>.b{content:"/*"}.a{display:none}.c{content:"*/"}</style><p class=a>STATUS</p>',
        "<style>.b{background:url(//cdn/*.png)}.a{display:none}</style><p class=a>STATUS</p>",
        "<style>.b\\/*c{}.a{display:none}</style><p class=a>STATUS</p>",
        "<style>.b{content:'}';display:none}</style><p class=b>STATUS</p>",
        "<p style='position:relative;right:9999px;inset:-9999px'>STATUS</p>",
        "<p style='margin-inline-start:-9999px'>STATUS</p>",
        "<p style='translate:-9999px'>STATUS</p>",
        "<p style='text-indent:-99em'>STATUS</p>",
        "<p style='text-indent:100%;white-space:nowrap;overflow:hidden'>STATUS</p>",
        "<p style='height:calc(0px);overflow:hidden'>STATUS</p>",
        "<p style='text-indent:-9999px'>STATUS</p>",
        *(f"<{name}>STATUS</{name}>" for name in ("dialog", "audio", "video", "canvas", "option", "details", "meter")),
    ],
)
def test_T56_what_a_page_hides_is_no_command(page):
    assert asked(page) == []


@pytest.mark.parametrize(
    "page",
    [
        '<html><body><div dir="ltr">STATUS</div></body></html>',
        '<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style><p>STATUS</p>',
        '<div class="elementToProof" style="font-family: &quot;Segoe UI&quot;; font-size: 12pt">STATUS</div>',
        '<body style="overflow-wrap: break-word; line-break: after-white-space">STATUS</body>',
        "<style><!-- /* Fonts */ p.MsoNormal {font-size:10.0pt; mso-x-position:left} --></style>STATUS",
        "<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt'>STATUS</p>",
        "<style>@media (max-width:600px){.b{display:none}}.a{color:red}</style><p class=a>STATUS</p>",
        "<p class=MsoNormal style='margin:0cm'><span style='font-size:10.5pt'>STATUS</span></p>",
        '<div style="font-size:0.9em; line-height:0; min-height:0; border-width:0; opacity: 1">STATUS</div>',
        '<div style="background-position: 0 0; position: relative; visibility: visible; font: 10px a">STATUS</div>',
        '<p>STATUS</p><div style="display:none">HELP</div>',
        '<body style="overflow: hidden"><p class="hidden" title="a hidden thing">STATUS</p></body>',
        "<style>.mceResizeHandle {position: absolute} p.z-TopofForm {display:none} hr {height:0}</style><p>STATUS</p>",
        '<img style="width:0;max-height:0" src="x"><p>STATUS</p>',
        '<a href="?a=1&b=2" style="color:red">STATUS</a>',
        '<p style="font-family: &#34;Segoe UI&#34;">STATUS</p>',
    ],
)
def test_what_mail_programs_write_hides_no_command(page):
    assert [request.name for request in asked(page)] == ["STATUS"]


@pytest.mark.parametrize("said", ["style=", "font:", "display: ", "hidden", "font:0 ", "opacity:0.", "width:  "])
def test_T27_a_page_of_styles_is_read_within_bounds(said):
    for begins in ('<p style="', "<style>"):
        page = f"{begins}{said * 100_000}"[:200_000]
        with pace.within(0.5):
            firstpart.words(b"Content-Type: text/html\n\n" + page.encode())


@pytest.mark.parametrize("rules", ["zoom:;{}", "zoom:;@{", "zoom:0}{", "{zoom:0"])
def test_T27_rules_within_a_rule_are_read_within_bounds(rules):
    """The selectors around were gone through for each of them: a question of 256 KB took a quarter of an hour."""
    page = f"<style>{'a,' * 50_000}{{{rules * 12_000}"
    with pace.within(0.7):
        firstpart.words(b"Content-Type: text/html\n\n" + page.encode())


@pytest.mark.parametrize(("sheets", "heard"), [(1, ["STATUS"]), (3, [])])
def test_T49_of_what_many_sheets_hide_no_more_is_looked_at_than_of_one(sheets, heard):
    """A hundred rules of each sheet were held against every mark: half a minute for a page of a quarter of a MB."""
    rules = ("".join(f"q{sheet}x{number}{{zoom:0}}" for number in range(60)) for sheet in range(sheets))
    page = "".join(f"<style>{rule}</style>" for rule in rules)
    assert [request.name for request in asked(f"{page}<p>STATUS</p>")] == heard
