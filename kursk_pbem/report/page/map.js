"use strict";
// Zoom and pan of a map: wheel, pinch, drag, and what keys ask for. Shared by the replay and the board.
// clicked(event, point); grab(event) gives {over, drop}, both (event, point), where a drag moves something else.
function kurskMap(box, picture, clicked, grab) {
  const whole = picture.getAttribute("viewBox").split(" ").map(Number);
  const pointers = new Map();
  let view = whole.slice();
  let moved = 0;
  let held = null;

  function look() {
    picture.setAttribute("viewBox", view.join(" "));
  }
  function point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  }
  function zoom(factor, x, y) {
    const wide = view[2] * factor;
    if (wide > whole[2] * 1.5 || wide < 3000) return;
    view = [x - (x - view[0]) * factor, y - (y - view[1]) * factor, wide, view[3] * factor];
    look();
  }
  function drag(event, was) {
    const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [, other] = others[0];
      const far = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
      const at = point({ clientX: (event.clientX + other[0]) / 2, clientY: (event.clientY + other[1]) / 2 });
      zoom(far(was) / far([event.clientX, event.clientY]), at.x, at.y);
      return;
    }
    const shown = picture.getBoundingClientRect();
    const per = Math.max(view[2] / shown.width, view[3] / shown.height);
    view[0] -= (event.clientX - was[0]) * per;
    view[1] -= (event.clientY - was[1]) * per;
    look();
  }

  box.addEventListener("wheel", (event) => {
    const at = point(event);
    zoom(event.deltaY > 0 ? 1.15 : 0.87, at.x, at.y);
    event.preventDefault();
  }, { passive: false });
  box.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
    held = grab && pointers.size === 1 && event.button === 0 ? grab(event) : null;
  });
  box.addEventListener("pointermove", (event) => {
    const was = pointers.get(event.pointerId);
    if (!was) return;
    moved += Math.hypot(event.clientX - was[0], event.clientY - was[1]);
    if (moved > 4) {
      if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
      if (held) held.over(event, point(event));
      else drag(event, was);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    box.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (held && moved > 4) held.drop(end === "pointerup" ? event : null, point(event));
      held = null;
    });
  }
  if (clicked) {
    box.addEventListener("click", (event) => {
      if (moved <= 4) clicked(event, point(event));
    });
  }

  return {
    view: () => view,
    look(at) {
      view = at;
      look();
    },
    fit() {
      view = whole.slice();
      look();
    },
    zoom(factor) {
      zoom(factor, view[0] + view[2] / 2, view[1] + view[3] / 2);
    },
    pan(right, down) {
      view[0] += right * view[2];
      view[1] += down * view[3];
      look();
    },
    seen(x, y) {
      return x > view[0] && x < view[0] + view[2] && y > view[1] && y < view[1] + view[3];
    },
    to(x, y) {
      view = [x - view[2] / 2, y - view[3] / 2, view[2], view[3]];
      look();
    },
    show(x, y, times) {
      const wide = whole[2] / (times || 4), high = whole[3] / (times || 4);
      view = [x - wide / 2, y - high / 2, wide, high];
      look();
    },
  };
}
