"""Print on a picture by RapidOCR: where lines stand, which way up the page is, and what the lines say.

Only the helper process imports this module: it brings onnxruntime and OpenCV.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray
from rapidocr import RapidOCR

from local_models import page_ink as ink
from local_models.native import threads
from local_models.page_gutters import Box, Span, cuts
from local_models.page_layout import Line, in_reading_order, is_whole, level
from local_models.protocols import PageReading, TextLine

Image = NDArray[np.uint8]  # (height, width, 3)
Boxes = NDArray[np.float32]  # (n, 4, 2): corners clockwise from the top left one, x before y

LOOK = 1280  # pixels of the longer side when lines are looked for
FEW = 8  # lines; a page with fewer is looked at spot by spot
LINE_HEIGHT = 48  # pixels: what the recogniser reads
LEGIBLE = 0.6  # of the recogniser's confidence; pictures and ornaments that pass for print stay below
LINE_LIKE = 5.0  # times as wide as high: hardly anything but print is
STANDING = 2.5  # times as high as lines are: print that runs along the edge of an upright page
SAMPLES = 3  # lines by which it is decided which way up a page is
UPRIGHT = 0.9  # mean confidence of the samples at which no other way is tried
WHITE = 0.45  # of a line's height, without ink: may be the space between columns
KEPT = 0.15  # of a line's height: white that is left at each side where a line is cut
MOVED = 5  # pixels that a line's edges are moved out by for the second look
FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
ELONGATED = 1.5  # times as long as high: a box that shows the direction of its line


class _Patient(onnxruntime.SessionOptions):  # type: ignore[misc]
    """Threads sleep while they wait. Spinning, as is the default, took 12.5 s of processor time for a page instead of
    7.9, and beside other work 34 s by the clock instead of 16."""

    def __init__(self) -> None:
        super().__init__()
        self.add_session_config_entry("session.intra_op.allow_spinning", "0")


onnxruntime.SessionOptions = _Patient  # RapidOCR takes it from there at its first picture, and has no setting for it


@dataclass(frozen=True, slots=True)
class Seen:
    text: str
    confidence: float


class Engine:
    """Loads the models (1 s)."""

    def __init__(self) -> None:
        # The angle classifier turns upright lines by 180 degrees (character error .086 instead of .0002 on a clean
        # page), and lines that are read in batches are padded to the longest one.
        self._ocr: Any = RapidOCR(
            params={
                "Global.use_cls": False,
                "Global.log_level": "critical",
                "Global.max_side_len": 1 << 20,
                "Global.text_score": 0.0,
                "Rec.rec_batch_num": 1,
                "EngineConfig.onnxruntime.intra_op_num_threads": threads(),
            }
        )

    def read(self, picture: Image) -> PageReading:
        """The lines of a page, whichever way up it is."""
        boxes = self._boxes(picture)
        if not len(boxes):
            return PageReading((), 0.0)
        turned = self._turn(picture, boxes)
        if turned:
            picture = np.ascontiguousarray(np.rot90(picture, -turned // 90))
            boxes = self._boxes(picture)
        skew = _skew(boxes)
        boxes = _parted(picture, boxes, skew)
        high = float(np.median([min(_size(box)) for box in boxes]))
        lines: list[Line] = []
        beside: list[Line] = []
        width = unread = 0.0
        for box in boxes:
            cut = _cut(picture, box)
            along = cut.shape[0] >= 2 * cut.shape[1] and _size(box)[1] >= STANDING * high
            seen = self._recognise(np.ascontiguousarray(np.rot90(cut)) if along else cut)
            line = Line(" ".join(seen.text.split()), seen.confidence, *level(box.tolist(), skew), opens=along)
            legible = line.confidence >= LEGIBLE and bool(line.text)
            if legible and FIGURE.search(line.text):
                line = replace(line, doubtful=self._doubtful(line.text, cut, along=along))
            if legible:
                (beside if along else lines).append(line)
            if line.width >= LINE_LIKE * line.height:
                width += line.width
                unread += 0.0 if legible and is_whole(line) else line.width
        ordered = in_reading_order(lines) + beside
        weight = sum(len(line.text) for line in ordered)
        confidence = sum(len(line.text) * line.confidence for line in ordered) / weight if weight else 0.0
        shares = round(confidence, 4), round(unread / width, 3) if width else 0.0
        return PageReading(tuple(map(_line, ordered)), *shares, turned, round(skew, 2))

    def _boxes(self, picture: Image) -> Boxes:
        """The lines of print, whatever their direction. The detector overlooks a few words on an otherwise empty page,
        as it does not look at all of it at once: it is shown what is printed on, and on such a page each spot."""
        spots = ink.spots(picture)
        found = self._found(picture, ink.around(spots, picture))
        if len(found) < FEW:
            for spot in spots[:FEW]:
                middle = np.reshape(spot, (2, 2)).mean(axis=0)
                if not _inside(middle, found):
                    more = self._found(picture, ink.around([spot], picture))
                    fresh = [box for box in more if not _inside(box.mean(axis=0), found)]
                    found = np.concatenate([found, np.reshape(fresh, (-1, 4, 2))]).astype(np.float32)
        return found

    def _found(self, picture: Image, part: ink.Part) -> Boxes:
        left, top, right, bottom = part
        shown = picture[top:bottom, left:right]
        scale = min(1.0, LOOK / max(shown.shape[:2]))
        small = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else shown
        boxes = self._ocr(small, use_det=True, use_cls=False, use_rec=False).boxes
        if boxes is None:
            return np.empty((0, 4, 2), np.float32)
        return np.asarray(boxes, np.float32) / np.float32(scale) + np.array([left, top], np.float32)

    def _recognise(self, line: Image) -> Seen:
        found = self._ocr.recognize_txt([line])
        return Seen(str(found.txts[0]), float(found.scores[0]))

    def _doubtful(self, text: str, cut: Image, *, along: bool) -> tuple[str, ...]:
        """The figures of a line that a second look at it, in another size and contrast, did not read."""
        other = cv2.copyMakeBorder(cut, MOVED, MOVED, MOVED, MOVED, cv2.BORDER_REPLICATE)
        grey = cv2.cvtColor(other, cv2.COLOR_BGR2GRAY)
        cv2.normalize(grey, grey, 0, 255, cv2.NORM_MINMAX)
        again = np.asarray(cv2.cvtColor(cv2.GaussianBlur(grey, (3, 3), 0), cv2.COLOR_GRAY2BGR), np.uint8)
        seen = self._recognise(np.ascontiguousarray(np.rot90(again)) if along else again)
        left = Counter(FIGURE.findall(text)) - Counter(FIGURE.findall(seen.text))
        return tuple(left.elements())

    def _turn(self, picture: Image, boxes: Boxes) -> int:
        """By how many degrees, clockwise, the picture must be turned. Lines that run from top to bottom say that it
        lies on its side; of the two ways that are left, the recogniser is surer of the right one."""
        sizes = np.array([_size(box) for box in boxes])
        long = np.maximum(*sizes.T) >= ELONGATED * np.minimum(*sizes.T)
        tall = float(sizes[long & (sizes[:, 1] > sizes[:, 0]), 1].sum())
        lying = float(sizes[long & (sizes[:, 0] >= sizes[:, 1]), 0].sum())
        sideways = tall > lying
        along = sizes[:, 1] if sideways else sizes[:, 0]
        samples = [_cut(picture, boxes[index]) for index in np.argsort(-along)[:SAMPLES]]
        ways = (90, 270) if sideways else (0, 180)
        sure: dict[int, float] = {}
        for way in ways:
            turned = (np.ascontiguousarray(np.rot90(sample, -way // 90)) for sample in samples)
            sure[way] = float(np.mean([self._recognise(sample).confidence for sample in turned]))
            if sure[way] >= UPRIGHT:
                break
        return max(sure, key=lambda way: sure[way])


def _parted(picture: Image, boxes: Boxes, skew: float) -> Boxes:
    """The boxes, those that reach over two columns cut in two."""
    levelled = []
    for box in boxes:
        left, top, right, bottom = level(box.tolist(), skew)
        scale = (right - left) / max(1, (cut := _cut(picture, box)).shape[1])
        spaces = [Span(left + start * scale, left + end * scale) for start, end in _spaces(cut)]
        levelled.append(Box(left, top, right, bottom, spaces))
    wanted = cuts(levelled)
    parted: list[NDArray[np.float32]] = []
    for index, (box, flat) in enumerate(zip(boxes, levelled, strict=True)):
        reach = KEPT * (flat.bottom - flat.top)
        edges = [flat.left]
        for space in wanted.get(index, ()):
            edges += [min(space.left + reach, space.right), max(space.right - reach, space.left)]
        edges.append(flat.right)
        shares = [(edge - flat.left) / max(1.0, flat.right - flat.left) for edge in edges]
        parted += [_slice(box, *shares[at : at + 2]) for at in range(0, len(shares), 2)]
    return np.array(parted, np.float32).reshape(-1, 4, 2)


def _slice(box: NDArray[np.float32], start: float, end: float) -> NDArray[np.float32]:
    """The part of a box between two shares of its width."""
    above, below = box[1] - box[0], box[2] - box[3]
    return np.array([box[0] + start * above, box[0] + end * above, box[3] + end * below, box[3] + start * below])


def _spaces(line: Image) -> list[tuple[int, int]]:
    """From which column to which there is no ink, where that is wider than most spaces between words."""
    height, width = line.shape[:2]
    if width < LINE_LIKE * height:
        return []
    grey = cv2.medianBlur(cv2.cvtColor(line, cv2.COLOR_BGR2GRAY), 5)  # specks go, strokes stay
    paper, print_ = np.percentile(grey, 75), np.percentile(grey, 3)
    inked = (np.abs(grey - paper) > 0.45 * abs(paper - print_)).sum(axis=0) >= 2
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(np.int8)))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(start, end) for start, end in runs if end - start >= WHITE * height and start and end < width]


def _inside(point: NDArray[Any], boxes: Boxes) -> bool:
    """Does one of the boxes hold the point?"""
    return bool(((boxes.min(axis=1) <= point) & (point <= boxes.max(axis=1))).all(axis=1).any())


def _size(box: NDArray[np.float32]) -> tuple[float, float]:
    """Width and height along the sides of a box."""
    return float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[3] - box[0]))


def _skew(boxes: Boxes) -> float:
    """Degrees by which the lines fall to the right: the median over long boxes, by length."""
    falls = [(math.degrees(math.atan2(b[1][1] - b[0][1], b[1][0] - b[0][0])), *_size(b)) for b in boxes]
    long = sorted((angle, width) for angle, width, height in falls if width >= 2 * ELONGATED * height)
    half, passed = sum(width for _, width in long) / 2, 0.0
    for angle, width in long:
        passed += width
        if passed >= half:
            return angle
    return 0.0


def _cut(picture: Image, box: Boxes) -> Image:
    """What is inside a box, straightened, its lesser side as high as the recogniser wants it."""
    width, height = (max(2.0, side) for side in _size(box))
    scale = LINE_HEIGHT / min(width, height)
    across, down = max(2, round(width * scale)), max(2, round(height * scale))
    corners = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float32)
    if scale < 1:  # shrinking by interpolation alone leaves out every other pixel
        left, top = np.floor(box.min(axis=0)).astype(int)
        right, bottom = np.ceil(box.max(axis=0)).astype(int) + 1
        part = picture[max(0, top) : bottom, max(0, left) : right]
        smaller = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        box = (box - [max(0, left), max(0, top)]) * [smaller.shape[1] / part.shape[1], smaller.shape[0] / part.shape[0]]
        picture = smaller.astype(np.uint8)
    matrix = cv2.getPerspectiveTransform(box.astype(np.float32), corners)
    cut = cv2.warpPerspective(picture, matrix, (across, down), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)
    return np.asarray(cut, np.uint8)


def _line(line: Line) -> TextLine:
    box = (round(line.left), round(line.top), round(line.right), round(line.bottom))
    return TextLine(line.text, round(line.confidence, 4), box, line.opens, line.doubtful)
