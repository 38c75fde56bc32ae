// @ts-check
// Zoom and pan of a map: wheel, pinch, drag, and keys. Shared by the replay and the board.
/** @typedef {(event: any, point: DOMPoint) => void} Heard */

const EDGE = 12; // pixels that may be seen beyond the edge of the map
export const HEX = 1732; // map units from side to side of a hex
const TINY = 18; // pixels of a hex below which a counter has only its strength
const FAR = 30; // and below which a counter has only large figures
const NEAR = 70; // and above which there is everything

/**
 * ``grab`` returns the listeners of a drag, or null if the drag moves the map.
 * @param {HTMLElement} box @param {SVGSVGElement} picture
 * @param {Heard} [clicked] @param {(event: PointerEvent) => {over: Heard, drop: Heard} | null} [grab]
 */
export function kurskMap(box, picture, clicked, grab) {
  const whole = (picture.getAttribute("viewBox") || "").split(" ").map(Number);
  /** @type {Map<number, [number, number]>} */
  const pointers = new Map();
  let view = whole.slice();
  let moved = 0;
  /** @type {{over: Heard, drop: Heard} | null} */
  let held = null;

  /** How many units of the map a pixel is. */
  function per() {
    const shown = picture.getBoundingClientRect();
    return Math.max(view[2] / (shown.width || 1), view[3] / (shown.height || 1));
  }
  /** Keep the view over the map; center a map smaller than the view. */
  function keep() {
    const shown = picture.getBoundingClientRect();
    for (const [axis, size] of [[0, shown.width * per()], [1, shown.height * per()]]) {
      const middle = whole[axis] + whole[axis + 2] / 2;
      const far = Math.max(0, (whole[axis + 2] - size) / 2 + EDGE * per());
      const at = view[axis] + view[axis + 2] / 2;
      view[axis] = Math.min(middle + far, Math.max(middle - far, at)) - view[axis + 2] / 2;
    }
  }
  function look() {
    keep();
    picture.setAttribute("viewBox", view.join(" "));
    picture.style.setProperty("--per", per().toFixed(2));
    const hex = HEX / per();
    picture.dataset.zoom = hex < TINY ? "tiny" : hex < FAR ? "far" : hex > NEAR ? "near" : "middle";
    box.dispatchEvent(new Event("look"));
  }
  /** @param {{clientX: number, clientY: number}} event */
  function point(event) {
    const drawn = picture.getScreenCTM();
    const shown = new DOMPoint(event.clientX, event.clientY);
    return drawn ? shown.matrixTransform(drawn.inverse()) : shown;
  }
  /** @param {number} factor @param {number} x @param {number} y */
  function zoom(factor, x, y) {
    const wide = view[2] * factor;
    if (factor > 1 && wide > whole[2] * 1.1 && view[3] * factor > whole[3] * 1.1) return;
    if (wide < 3000) return;
    view = [x - (x - view[0]) * factor, y - (y - view[1]) * factor, wide, view[3] * factor];
    look();
  }
  /** @param {PointerEvent} event @param {[number, number]} was */
  function drag(event, was) {
    const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [, other] = others[0];
      const far = (/** @type {[number, number]} */ one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
      const at = point({ clientX: (event.clientX + other[0]) / 2, clientY: (event.clientY + other[1]) / 2 });
      zoom(far(was) / far([event.clientX, event.clientY]), at.x, at.y);
      return;
    }
    const step = per();
    view[0] -= (event.clientX - was[0]) * step;
    view[1] -= (event.clientY - was[1]) * step;
    look();
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    const at = point(event);
    zoom(event.deltaY > 0 ? 1.15 : 0.87, at.x, at.y);
    event.preventDefault();
  }
  box.addEventListener("wheel", wheel, { passive: false });
  box.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (held && moved > 4) held.drop(null, point(event)); // a second finger
    moved = 0;
    held = grab && pointers.size === 1 && event.button === 0 ? grab(event) : null;
  });
  box.addEventListener("pointermove", (event) => {
    const was = pointers.get(event.pointerId);
    if (!was) return;
    if (held && event.buttons & 2) {
      moved = 5; // the right button ends the drag, and is no click
      return ends(event);
    }
    moved += Math.hypot(event.clientX - was[0], event.clientY - was[1]);
    if (moved > 4) {
      if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
      if (held) held.over(event, point(event));
      else drag(event, was);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }
  });
  /** @param {PointerEvent} event */
  function ends(event) {
    pointers.delete(event.pointerId);
    if (held && moved > 4) held.drop(event.type === "pointerup" ? event : null, point(event));
    held = null;
  }
  box.addEventListener("pointerup", ends);
  box.addEventListener("pointercancel", ends);
  if (clicked) {
    box.addEventListener("click", (event) => {
      if (moved <= 4) clicked(event, point(event));
    });
  }

  look(); // what is drawn before the observer first speaks needs the scale, too
  new ResizeObserver(look).observe(box);

  return {
    whole,
    view: () => view,
    per,
    point,
    /** @param {number[]} at */
    look(at) {
      view = at;
      look();
    },
    fit() {
      view = whole.slice();
      look();
    },
    /** @param {number} factor */
    zoom(factor) {
      zoom(factor, view[0] + view[2] / 2, view[1] + view[3] / 2);
    },
    /** @param {number} right @param {number} down */
    pan(right, down) {
      view[0] += right * view[2];
      view[1] += down * view[3];
      look();
    },
    /** @param {number} x @param {number} y */
    seen(x, y) {
      return x > view[0] && x < view[0] + view[2] && y > view[1] && y < view[1] + view[3];
    },
    /** @param {number} x @param {number} y */
    to(x, y) {
      view = [x - view[2] / 2, y - view[3] / 2, view[2], view[3]];
      look();
    },
    /** @param {number} x @param {number} y @param {number} [times] how many times as large as the whole map */
    show(x, y, times) {
      const wide = whole[2] / (times || 4);
      const high = whole[3] / (times || 4);
      view = [x - wide / 2, y - high / 2, wide, high];
      look();
    },
  };
}
