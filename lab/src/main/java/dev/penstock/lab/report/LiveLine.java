package dev.penstock.lab.report;

import java.io.Console;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/**
 * Shows progress: one line rewritten in place on a terminal, a plain line every few seconds elsewhere, nothing
 * when quiet.
 *
 * <p>Thread-safe.
 */
public final class LiveLine implements AutoCloseable {
    /** How the line is shown. */
    public enum Style {
        /** Rewritten in place, with its first word in bold. */
        REWRITTEN,
        /** Rewritten in place, without colour or bold. */
        REWRITTEN_PLAIN,
        /** A new line every few seconds. */
        LINES,
        /** Not shown. */
        QUIET;

        /**
         * Chooses the style.
         *
         * @param quiet whether the user asked for no progress
         * @param terminal whether the stream is a terminal
         * @param environment the process's environment: {@code NO_COLOR}, {@code TERM} and {@code COLUMNS} are used
         */
        public static Style of(boolean quiet, boolean terminal, Map<String, String> environment) {
            if (quiet) {
                return QUIET;
            }
            if (!terminal || environment.getOrDefault("TERM", "").equals("dumb")) {
                return LINES;
            }
            return environment.getOrDefault("NO_COLOR", "").isEmpty() ? REWRITTEN : REWRITTEN_PLAIN;
        }
    }

    private static final long LINES_EVERY_NANOS = 5_000_000_000L;
    private static final String ERASE = "\r\033[K";

    private final PrintStream out;
    private final Style style;
    private final int columns;
    private boolean shown;
    private boolean any;
    private long lastAt;

    /**
     * A line on a stream.
     *
     * @param out the stream, usually standard error
     * @param style the style
     * @param columns width of the terminal; longer lines are cut, because they could not be rewritten
     */
    public LiveLine(PrintStream out, Style style, int columns) {
        this.out = out;
        this.style = style;
        this.columns = Math.max(20, columns);
    }

    /** A line on standard error, in the style for this process; 80 columns unless {@code COLUMNS} is set. */
    public static LiveLine onStandardError(boolean quiet) {
        Map<String, String> environment = System.getenv();
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return new LiveLine(System.err, Style.of(quiet, terminal, environment), columns(environment));
    }

    /**
     * Shows the line.
     *
     * @param nanos the time, by any monotonic clock
     * @param text one line
     */
    public synchronized void show(long nanos, String text) {
        switch (style) {
            case QUIET -> {}
            case REWRITTEN, REWRITTEN_PLAIN -> rewrite(text);
            case LINES -> {
                if (!any || nanos - lastAt >= LINES_EVERY_NANOS) {
                    any = true;
                    lastAt = nanos;
                    out.println(text);
                    out.flush();
                }
            }
        }
    }

    /** Erases the rewritten line. */
    @Override
    public synchronized void close() {
        if (shown) {
            out.print(ERASE);
            out.flush();
            shown = false;
        }
    }

    private void rewrite(String text) {
        String fitting = text.length() < columns ? text : text.substring(0, columns - 1);
        out.print(ERASE + (style == Style.REWRITTEN ? emphasized(fitting) : fitting));
        out.flush();
        shown = true;
    }

    private static String emphasized(String text) {
        int end = text.indexOf(' ');
        return end < 0 ? text : "\033[1m" + text.substring(0, end) + "\033[0m" + text.substring(end);
    }

    private static int columns(Map<String, String> environment) {
        try {
            return Integer.parseInt(environment.getOrDefault("COLUMNS", "80"));
        } catch (NumberFormatException e) {
            return 80;
        }
    }
}
