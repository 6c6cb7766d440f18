package dev.penstock.cli.top;

import dev.penstock.Ticker;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at a gateway again and again, and shows what it sees. For one thread. */
public final class Top implements AutoCloseable {
    private static final String HOME = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";
    private static final String OTHER_SCREEN = "\033[?1049h\033[?25l";
    private static final String BACK = "\033[?25h\033[?1049l";
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";
    private static final Size ELSEWHERE = new Size(Integer.MAX_VALUE, 160);
    private static final Size USUAL = new Size(24, 80);
    private static final int NARROWEST = 40;

    private final AdminPages pages;
    private final Duration every;
    private final long most;
    private final boolean terminal;
    private final boolean bold;
    private final Ticker ticker = Ticker.SYSTEM;

    private record Size(int lines, int columns) {}

    private Top(AdminPages pages, Duration every, long most) {
        this.pages = pages;
        this.every = every;
        this.most = most;
        this.terminal = !System.getenv().getOrDefault("TERM", "").equals("dumb")
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
        this.bold = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    }

    /**
     * A look at a gateway.
     *
     * @param url of its admin pages
     * @param every how often
     * @param most how many looks at the most
     * @throws IllegalArgumentException when the URL is none, in one line that says what to do
     */
    public static Top of(String url, Duration every, long most) {
        return new Top(AdminPages.of(url), every, most);
    }

    /**
     * Looks until it has looked often enough, or somebody presses Ctrl-C, which ends the program. A gateway that falls silent
     * once it was seen is waited for.
     *
     * @param out where to draw
     * @param err where to say that it is silent, when that is not drawn
     * @throws IOException when it cannot be seen the first time, in one line that says what to do
     * @throws InterruptedException when the thread is
     */
    public void show(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        Snapshot seen = pages.read();
        if (!terminal) {
            look(seen, out, err);
            return;
        }
        Thread restore = new Thread(() -> leaveForGood(out), "penstock-top-restore");
        Runtime.getRuntime().addShutdownHook(restore);
        out.print(OTHER_SCREEN);
        try {
            look(seen, out, err);
        } finally {
            Runtime.getRuntime().removeShutdownHook(restore);
            leave(out);
        }
    }

    private void look(Snapshot first, PrintWriter out, PrintWriter err) throws InterruptedException {
        Snapshot seen = first;
        String state = first.health();
        long due = ticker.nanos();
        for (long look = 1; ; look++) {
            draw(seen, state, out);
            if (look >= most || out.checkError()) {
                return;
            }
            due = Math.max(due + every.toNanos(), ticker.nanos());
            awaitTurn(due);
            try {
                seen = pages.read();
                state = seen.health();
            } catch (IOException silent) {
                state = "does not answer";
                if (!terminal) {
                    err.println("penstock: " + silent.getMessage());
                }
            }
        }
    }

    private void awaitTurn(long due) throws InterruptedException {
        while (ticker.nanos() - due < 0) {
            ticker.parkUntil(due);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private void draw(Snapshot seen, String state, PrintWriter out) {
        Size size = terminal ? size() : ELSEWHERE;
        String heading = "penstock %s  %s  %s"
                .formatted(
                        pages.at(), state, LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
        List<String> lines = new Screen(Math.max(NARROWEST, size.columns())).of(heading, seen);
        synchronized (out) {
            if (terminal) {
                out.print(HOME);
                lines.stream()
                        .limit(size.lines() - 1L)
                        .forEach(line -> out.print(styled(line) + REST_OF_LINE + "\r\n"));
                out.print(REST_OF_SCREEN);
            } else {
                lines.forEach(out::println);
                out.println();
            }
            out.flush();
        }
    }

    private String styled(String line) {
        return bold && (Screen.isMarked(line) || line.startsWith("flow ")) ? BOLD + line + PLAIN : line;
    }

    private static void leave(PrintWriter out) {
        out.print(BACK);
        out.flush();
    }

    /** Nothing may be drawn any more once the terminal is as it was, so the JVM ends here. */
    private static void leaveForGood(PrintWriter out) {
        synchronized (out) {
            leave(out);
            Runtime.getRuntime().halt(0);
        }
    }

    /** What the terminal says of itself now; it may be resized at any time. */
    private static Size size() {
        try {
            Process asked = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            asked.waitFor(1, TimeUnit.SECONDS);
            List<Integer> numbers = said.strip()
                    .lines()
                    .flatMap(line -> List.of(line.split(" ", -1)).stream())
                    .map(Integer::valueOf)
                    .toList();
            return numbers.size() == 2 && numbers.stream().allMatch(number -> number > 0)
                    ? new Size(numbers.get(0), numbers.get(1))
                    : USUAL;
        } catch (IOException | NumberFormatException unknown) {
            return USUAL;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }

    @Override
    public void close() {
        pages.close();
    }
}
