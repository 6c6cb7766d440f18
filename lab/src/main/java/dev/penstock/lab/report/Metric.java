package dev.penstock.lab.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A metric of a result file: its key, its title, and whether higher or lower is better. All are in {@code metrics.txt}.
 *
 * @param key as in result files
 * @param title readable, with its unit
 * @param better which direction is better
 * @param count whether 0 is a normal value: a count, or bytes that may be absent
 */
public record Metric(String key, String title, Better better, boolean count) {
    /** Which direction is better. */
    public enum Better {
        /** Lower is better. */
        LOWER,
        /** Higher is better. */
        HIGHER,
        /** Neither: descriptive. */
        NEITHER
    }

    private static final Map<String, Metric> KNOWN = read("metrics.txt");

    /** The metric of a key; an unknown key is descriptive and its own title. */
    public static Metric of(String key) {
        return KNOWN.getOrDefault(key, new Metric(key, key, Better.NEITHER, false));
    }

    private static Map<String, Metric> read(String file) {
        InputStream in = Objects.requireNonNull(Metric.class.getResourceAsStream(file), file);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Metric::parse)
                    .collect(Collectors.toUnmodifiableMap(Metric::key, Function.identity()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Metric parse(String line) {
        String[] cells = line.split(" ", 3);
        boolean count = cells[0].equals("fewer");
        return new Metric(
                cells[1], cells[2], count ? Better.LOWER : Better.valueOf(cells[0].toUpperCase(Locale.ROOT)), count);
    }
}
