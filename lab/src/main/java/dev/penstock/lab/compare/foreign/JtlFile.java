package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.compare.foreign.JtlSamples.Sample;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JMeter JTL file in CSV format. It is read twice, row by row: first for its start and end, then for the metrics, in
 * total and in 10 parts of equal time. Memory use does not depend on its size.
 *
 * <p>Rows of transaction controllers are skipped, because they sum other rows; unless one is selected by its label.
 */
final class JtlFile {
    /** The number of parts of a run. */
    static final int PARTS = 10;

    private static final int MAX_LABELS = 20;

    private final Path file;
    private final JtlSamples.Columns columns;
    private final @Nullable String label;
    private final TreeSet<String> labels = new TreeSet<>();
    private long firstStart = Long.MAX_VALUE;
    private long lastStart = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private int users;
    private long leftOut;
    private @Nullable String firstBroken;

    private JtlFile(Path file, JtlSamples.Columns columns, @Nullable String label) {
        this.file = file;
        this.columns = columns;
        this.label = label;
    }

    /**
     * Reads a file.
     *
     * @param columns from its first line
     * @param label of the samples to count; null for all
     * @throws IOException when it cannot be read; the message does not name the file
     */
    static ResultFile read(Path file, JtlSamples.Columns columns, @Nullable String label) throws IOException {
        return new JtlFile(file, columns, label).read();
    }

    private ResultFile read() throws IOException {
        long broken = each(this::span);
        if (firstStart > lastStart) {
            throw new IOException("it contains no samples with the label '" + label + "'; its labels are "
                    + String.join(", ", labels));
        }
        SampleTally all = new SampleTally();
        List<SampleTally> parts = Stream.generate(SampleTally::new).limit(PARTS).toList();
        each(sample -> {
            all.add(sample);
            parts.get(part(sample.start())).add(sample);
        });
        Map<String, Double> metrics = all.metrics((lastEnd - firstStart) / 1e3);
        if (users > 0) {
            metrics.put("users_max", (double) users);
        }
        Contestant contestant = Contestant.of(
                        label == null ? "all samples" : label, Contestant.Role.OURS, settings(broken), List.of(metrics))
                .sliced(slices(parts))
                .drawn(all.latency().curve(), null);
        return ForeignResult.load("JMeter", file, contestant);
    }

    private List<Map<String, Double>> slices(List<SampleTally> parts) {
        double seconds = (lastStart - firstStart) / 1e3 / PARTS;
        boolean everyPart = parts.stream().allMatch(part -> part.count() > 0);
        List<Map<String, Double>> slices = new ArrayList<>();
        if (everyPart) {
            parts.forEach(part -> slices.add(part.metrics(seconds)));
        }
        return slices;
    }

    private Map<String, String> settings(long broken) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(ForeignResult.GENERATOR, "JMeter");
        if (leftOut > 0) {
            settings.put("left_out", leftOut + " rows of transaction controllers, which sum other rows");
        }
        if (broken > 0) {
            settings.put(ForeignResult.BROKEN, ForeignResult.leftOut(broken, firstBroken));
        }
        return settings;
    }

    private int part(long start) {
        long length = Math.max(1, lastStart - firstStart);
        return (int) Math.min(PARTS - 1, (start - firstStart) * PARTS / length);
    }

    private void span(Sample sample) {
        firstStart = Math.min(firstStart, sample.start());
        lastStart = Math.max(lastStart, sample.start());
        lastEnd = Math.max(lastEnd, sample.end());
        users = Math.max(users, sample.users());
    }

    /** Calls the consumer for every sample that counts; returns the number of malformed rows. */
    private long each(Consumer<Sample> use) throws IOException {
        leftOut = 0;
        try (Reader in = open()) {
            JtlSamples samples = new JtlSamples(in, columns);
            for (Sample sample = samples.next(); sample != null; sample = samples.next()) {
                if (counts(sample)) {
                    use.accept(sample);
                }
            }
            samples.check();
            firstBroken = samples.firstBroken();
            return samples.broken();
        }
    }

    private boolean counts(Sample sample) {
        if (label != null) {
            if (labels.size() < MAX_LABELS) {
                labels.add(sample.label());
            }
            return label.equals(sample.label());
        }
        leftOut += sample.transaction() ? 1 : 0;
        return !sample.transaction();
    }

    /** Replaces malformed characters: a label in another encoding is no reason to reject a file. */
    private Reader open() throws IOException {
        return new InputStreamReader(
                Files.newInputStream(file),
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE));
    }
}
