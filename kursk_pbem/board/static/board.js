// @ts-check
// The page of a game: everything begins here.
import * as buttons from "./buttons.js";
import { get } from "./dom.js";
import * as keyboard from "./keyboard.js";
import { dress, tab } from "./panels.js";
import * as pointer from "./pointer.js";
import * as view from "./view.js";
import * as watch from "./watch.js";
import * as watching from "./watching.js";

view.begin(pointer.clicked, pointer.grab);
pointer.begin();
keyboard.begin();
buttons.begin();
dress();
tab(get("main").dataset.first || "orders");
watch.begin();
watching.begin(get("main").dataset.first === "report" && get("main").dataset.came === "1", get("main").dataset.watch === "1");
