package dev.penstock.races.overhead;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What a contestant's JVM prints: kept from the race's own output, and its first line told when it gives no figures. A JVM
 * that cannot start says why there and nowhere else. Keeps {@value #MOST_BYTES} bytes and drops the rest. Safe for many
 * threads.
 */
final class FirstWords extends OutputStream {
    private static final int MOST_BYTES = 1_024;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    /** What JMH prints to: silent itself, it passes on what the JVM says. */
    OutputFormat format() {
        return OutputFormatFactory.createFormatInstance(
                new PrintStream(this, true, Charset.defaultCharset()), VerboseMode.SILENT);
    }

    @Override
    public synchronized void write(int oneByte) {
        if (kept.size() < MOST_BYTES) {
            kept.write(oneByte);
        }
    }

    /** Nothing, or the first line in brackets after a space. */
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
