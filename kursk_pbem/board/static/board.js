// @ts-check
// The page of a game: the entry module.
import * as buttons from "./buttons.js";
import * as copying from "./copying.js";
import { get } from "./dom.js";
import * as filter from "./filter.js";
import * as guide from "./guide.js";
import * as keyboard from "./keyboard.js";
import * as leave from "./leave.js";
import * as links from "./links.js";
import * as loupe from "./loupe.js";
import * as notes from "./notes.js";
import { dress, tab } from "./panels.js";
import * as plans from "./plans.js";
import * as pointer from "./pointer.js";
import * as ruler from "./ruler.js";
import * as signing from "./signing.js";
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
filter.begin();
links.begin();
guide.begin();
leave.begin();
plans.begin();
ruler.begin();
loupe.begin();
copying.begin();
notes.begin();
signing.begin();
watching.begin(get("main").dataset.watch || "");
