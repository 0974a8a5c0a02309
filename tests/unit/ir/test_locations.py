"""Locations: fused flat, in order, each source once, and read back as frames."""

from stepwell.ir.locations import UNKNOWN, Frame, call_site, file_location, frames, fuse, is_known
from xdsl.dialects.builtin import CallSiteLoc, FusedLoc, NameLoc, NoneAttr, StringAttr

A, B, C = (file_location(f"{name}.py", 1, 2) for name in "abc")


def test_fuse_flattens_and_drops_duplicates_and_unknowns():
    nested = FusedLoc((A, FusedLoc((B, A), NoneAttr())), NoneAttr())
    assert fuse([nested, UNKNOWN, C, B]) == FusedLoc((A, B, C), NoneAttr())
    assert fuse([A, A]) == A
    assert fuse([UNKNOWN]) == UNKNOWN == fuse([])


def test_frames_are_flat_and_name_the_function():
    inner = file_location("model.py", 3, 4, "forward")
    caller = file_location("main.py", 7, 8)
    assert frames(fuse([call_site(inner, caller), caller])) == (
        Frame("model.py", 3, 4, "forward"),
        Frame("main.py", 7, 8),
    )


def test_call_sites_need_two_known_ends():
    assert call_site(UNKNOWN, A) == A == call_site(A, UNKNOWN) == call_site(A, A)
    assert call_site(A, B) == CallSiteLoc(A, B)


def test_known_means_a_source_somewhere():
    assert is_known(NameLoc(StringAttr("layer"), NoneAttr())) and is_known(fuse([A, B]))
    assert not is_known(UNKNOWN) and not is_known(FusedLoc((UNKNOWN,), NoneAttr()))


def test_a_line_is_named_by_the_end_of_its_path():
    frame = Frame("/src/pkg/model.py", 12, 3)
    assert all(frame.is_at(file, 12) for file in ("/src/pkg/model.py", "pkg/model.py", "pkg\\model.py", "model.py"))
    assert not frame.is_at("model.py", 13) and not frame.is_at("odel.py", 12) and not frame.is_at("kg/model.py", 12)
