package dev.penstock.cli.top;

import dev.penstock.Ticker;
import dev.penstock.cli.top.AdminPages.Snapshot;
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

/** Polls a gateway and shows its state. Not thread-safe. */
public final class Top implements AutoCloseable {
    private static final String HOME = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";
    private static final String ALTERNATE_SCREEN = "\033[?1049h\033[?25l";
    private static final String NORMAL_SCREEN = "\033[?25h\033[?1049l";
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";
    private static final Size NO_TERMINAL = new Size(Integer.MAX_VALUE, 160);
    private static final Size DEFAULT_SIZE = new Size(24, 80);
    private static final int MIN_COLUMNS = 40;

    private final AdminPages pages;
    private final Duration every;
    private final long count;
    private final boolean terminal;
    private final boolean bold;
    private final Ticker ticker = Ticker.SYSTEM;

    private record Size(int lines, int columns) {}

    private Top(AdminPages pages, Duration every, long count) {
        this.pages = pages;
        this.every = every;
        this.count = count;
        this.terminal = !System.getenv().getOrDefault("TERM", "").equals("dumb")
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
        this.bold = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    }

    /**
     * Creates a view of a gateway.
     *
     * @param url the admin address
     * @param every the polling interval
     * @param count the number of updates
     * @throws IllegalArgumentException invalid URL, with a one-line remedy
     */
    public static Top of(String url, Duration every, long count) {
        return new Top(AdminPages.of(url), every, count);
    }

    /**
     * Shows updates until the count is reached or Ctrl-C ends the program. If the gateway stops answering,
     * keeps polling.
     *
     * @param out the screen output
     * @param err receives connection errors, when there is no terminal
     * @throws IOException the first poll failed, with a one-line remedy
     * @throws InterruptedException the thread was interrupted
     */
    public void show(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        Snapshot seen = pages.read();
        if (!terminal) {
            run(seen, out, err);
            return;
        }
        Thread restore = new Thread(() -> leaveForGood(out), "penstock-top-restore");
        Runtime.getRuntime().addShutdownHook(restore);
        out.print(ALTERNATE_SCREEN);
        try {
            run(seen, out, err);
        } finally {
            Runtime.getRuntime().removeShutdownHook(restore);
            leave(out);
        }
    }

    private void run(Snapshot first, PrintWriter out, PrintWriter err) throws InterruptedException {
        Snapshot seen = first;
        String state = first.health();
        long due = ticker.nanos();
        for (long run = 1; ; run++) {
            draw(seen, state, out);
            if (run >= count || out.checkError()) {
                return;
            }
            due = Math.max(due + every.toNanos(), ticker.nanos());
            awaitTurn(due);
            try {
                seen = pages.read();
                state = seen.health();
            } catch (IOException silent) {
                state = "no answer";
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
        Size size = terminal ? size() : NO_TERMINAL;
        String heading = "penstock %s  %s  %s"
                .formatted(
                        pages.at(), state, LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
        List<String> lines = new Screen(Math.max(MIN_COLUMNS, size.columns())).of(heading, seen);
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
        out.print(NORMAL_SCREEN);
        out.flush();
    }

    /** Halts the JVM, so that nothing is drawn after the terminal was restored. */
    private static void leaveForGood(PrintWriter out) {
        synchronized (out) {
            leave(out);
            Runtime.getRuntime().halt(0);
        }
    }

    /** The current size of the terminal, which may be resized at any time. */
    private static Size size() {
        try {
            Process asked = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            asked.waitFor(1, TimeUnit.SECONDS);
            List<Integer> numbers = output.strip()
                    .lines()
                    .flatMap(line -> List.of(line.split(" ", -1)).stream())
                    .map(Integer::valueOf)
                    .toList();
            return numbers.size() == 2 && numbers.stream().allMatch(number -> number > 0)
                    ? new Size(numbers.get(0), numbers.get(1))
                    : DEFAULT_SIZE;
        } catch (IOException | NumberFormatException unknown) {
            return DEFAULT_SIZE;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return DEFAULT_SIZE;
        }
    }

    @Override
    public void close() {
        pages.close();
    }
}
