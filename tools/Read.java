import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.counters.*;
import java.awt.Point;
import java.io.*;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Collectors;
import javax.swing.SwingUtilities;

/** MODULE GAME OUT STEPS [SAVED UNIT X Y]: opens a game in VASSAL, steps to the end, writes the counters at STEPS. */
public class Read {
  static GamePiece[] counters() {
    var pieces = GameModule.getGameModule().getGameState().getAllPieces().stream();
    return pieces.filter(piece -> !(piece instanceof Stack)).toArray(GamePiece[]::new);
  }

  static void dump(PrintWriter out, int step) {
    for (GamePiece piece : counters()) {
      Point at = piece.getPosition();
      String name = piece.getMap() == null ? "no map" : piece.getMap().locationName(at);
      Object[] told = {step, piece.getProperty("Unit"), at.x, at.y, piece.getProperty("Look_Level"), name};
      out.println(java.util.Arrays.stream(told).map(String::valueOf).collect(Collectors.joining("\t")));
    }
  }

  static void play(String[] given, PrintWriter out) throws Exception {
    Method init = VASSAL.tools.python.Helper.class.getDeclaredMethod("init");
    init.setAccessible(true);
    init.invoke(null);
    GameModule.init(new GameModule(new VASSAL.tools.DataArchive(given[0])));
    GameModule module = GameModule.getGameModule();
    for (String key : Set.of("PromptNewLogAtStart", "PromptNewLogEnd", "promptLogComment"))
      if (module.getPrefs().getOption(key) != null) module.getPrefs().setValue(key, false);
    module.getGameState().loadGameInForeground(new File(given[1]));
    BasicLogger logger = (BasicLogger) module.getLogger();
    Method step = BasicLogger.class.getDeclaredMethod("step");
    step.setAccessible(true);
    int number = 0;
    for (dump(out, 0); logger.isReplaying();) {
      step.invoke(logger);
      if (Set.of(given[3].split(",")).contains("" + ++number)) dump(out, number);
    }
    out.println("steps\t" + number);
    if (given.length == 4) return;
    for (GamePiece piece : counters()) {
      Point to = piece.getMap().snapTo(new Point(Integer.parseInt(given[6]), Integer.parseInt(given[7])));
      if (given[5].equals(piece.getProperty("Unit"))) piece.getMap().placeOrMerge(piece, to);
    }
    module.getGameState().saveGame(new File(given[4]));
  }

  public static void main(String[] given) throws Exception {
    try (PrintWriter out = new PrintWriter(given[2], "UTF-8")) {
      SwingUtilities.invokeAndWait(() -> { try { play(given, out); } catch (Throwable it) { it.printStackTrace(); } });
    }
    Runtime.getRuntime().halt(0);
  }
}
