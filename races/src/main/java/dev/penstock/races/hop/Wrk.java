package dev.penstock.races.hop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What wrk found: who waits for each answer before it asks again, over many connections, as fast as it goes.
 *
 * @param byWord as {@code report.lua} says it
 */
record Wrk(Map<String, Double> byWord) {
    private static final String REPORT = "report ";
    private static final List<String> ERRORS = List.of("connect", "read", "write", "timeout", "status");

    Wrk {
        byWord = Map.copyOf(byWord);
    }

    /**
     * Runs it.
     *
     * @param core what to put before its command, to keep it there
     * @param folder for its files
     */
    static Wrk run(List<String> core, Path folder, int port, Duration lasting)
            throws IOException, InterruptedException {
        Path script = HopSettings.write("report.lua", folder, Map.of());
        Path said = folder.resolve("wrk");
        List<String> command = new ArrayList<>(core);
        command.addAll(List.of(
                Program.path("wrk"),
                "-t1",
                "-c" + HopTraffic.CONNECTIONS,
                "-d" + Math.max(1, lasting.toSeconds()) + "s",
                "-H",
                HopTraffic.KEY,
                "-s",
                script.toString(),
                "http://127.0.0.1:" + port + HopTraffic.PATH));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (!process.waitFor(lasting.toSeconds() + 30, TimeUnit.SECONDS)) {
                throw new IOException("wrk did not end");
            }
        } finally {
            process.destroyForcibly();
        }
        return read(Files.readAllLines(said));
    }

    /** Reads what it said. */
    static Wrk read(List<String> lines) throws IOException {
        String report = lines.stream()
                .filter(line -> line.startsWith(REPORT))
                .findFirst()
                .orElseThrow(() -> new IOException("wrk said " + String.join("; ", lines)));
        Map<String, Double> byWord = new LinkedHashMap<>();
        Stream.of(report.substring(REPORT.length()).split(" ", -1)).forEach(word -> {
            int equals = word.indexOf('=');
            byWord.put(word.substring(0, equals), Double.valueOf(word.substring(equals + 1)));
        });
        return new Wrk(byWord);
    }

    private double said(String word) {
        return byWord.getOrDefault(word, 0.0);
    }

    long requests() {
        return (long) said("requests");
    }

    long bytes() {
        return (long) said("bytes");
    }

    double seconds() {
        return said("duration_us") / 1e6;
    }

    /** Answers that were none, of another status than 2xx and 3xx, or that did not come in time. */
    double errors() {
        return ERRORS.stream().mapToDouble(this::said).sum();
    }

    /** The figures under the keys of result files. */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", said("requests"));
        metrics.put("tps", (said("requests") - said("status")) / seconds());
        for (String word : List.of("mean", "p50", "p90", "p99", "p999", "max")) {
            metrics.put(word + "_ms", said(word + "_us") / 1e3);
        }
        metrics.put("errors", errors());
        return metrics;
    }
}
