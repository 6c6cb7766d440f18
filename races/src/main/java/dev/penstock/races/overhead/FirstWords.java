package dev.penstock.races.overhead;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Captures what a contestant's JVM prints, to keep it out of the race's own output; its first line is reported when
 * there is no result. A JVM that cannot start reports the reason only there. Keeps {@value #MAX_BYTES} bytes and
 * discards the rest. Thread-safe.
 */
final class FirstWords extends OutputStream {
    private static final int MAX_BYTES = 1_024;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    /** JMH's output format: prints nothing itself, and forwards the JVM's output. */
    OutputFormat format() {
        return OutputFormatFactory.createFormatInstance(
                new PrintStream(this, true, Charset.defaultCharset()), VerboseMode.SILENT);
    }

    @Override
    public synchronized void write(int oneByte) {
        if (kept.size() < MAX_BYTES) {
            kept.write(oneByte);
        }
    }

    /** Empty, or the first line in parentheses after a space. */
    @Override
    public synchronized String toString() {
        return kept.toString(Charset.defaultCharset())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .map(line -> " (" + line.strip() + ")")
                .orElse("");
    }
}
