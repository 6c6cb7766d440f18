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
 * The result of a wrk run: a closed model over many connections at full speed.
 *
 * @param values by name as printed by {@code report.lua}
 */
record Wrk(Map<String, Double> values) {
    private static final String REPORT = "report ";
    private static final List<String> ERRORS = List.of("connect", "read", "write", "timeout", "status");

    Wrk {
        values = Map.copyOf(values);
    }

    /**
     * Runs wrk.
     *
     * @param core the command prefix that pins it to a core
     * @param folder the folder for its files
     */
    static Wrk run(List<String> core, Path folder, HopClient client, int port, Duration lasting)
            throws IOException, InterruptedException {
        String script = HopContestants.write("report.lua", folder, Map.of());
        Path output = folder.resolve("wrk");
        List<String> command = new ArrayList<>(core);
        command.addAll(List.of(
                Program.path("wrk"),
                "-t1",
                "-c" + HopTraffic.CONNECTIONS,
                "-d" + Math.max(1, lasting.toSeconds()) + "s",
                "-s",
                script,
                client.url(port)));
        client.fields().forEach(field -> command.addAll(List.of("-H", field)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(lasting.toSeconds() + 30, TimeUnit.SECONDS)) {
                throw new IOException("wrk did not exit in time");
            }
        } finally {
            process.destroyForcibly();
        }
        return read(Files.readAllLines(output));
    }

    /** Parses wrk's output. */
    static Wrk read(List<String> lines) throws IOException {
        String report = lines.stream()
                .filter(line -> line.startsWith(REPORT))
                .findFirst()
                .orElseThrow(() -> new IOException("unexpected output from wrk: " + String.join("; ", lines)));
        Map<String, Double> values = new LinkedHashMap<>();
        Stream.of(report.substring(REPORT.length()).split(" ", -1)).forEach(name -> {
            int equals = name.indexOf('=');
            values.put(name.substring(0, equals), Double.valueOf(name.substring(equals + 1)));
        });
        return new Wrk(values);
    }

    private double value(String name) {
        return values.getOrDefault(name, 0.0);
    }

    long requests() {
        return (long) value("requests");
    }

    long bytes() {
        return (long) value("bytes");
    }

    double seconds() {
        return value("duration_us") / 1e6;
    }

    /** The number of requests without an answer, with a status other than 2xx and 3xx, or without an answer in time. */
    double errors() {
        return ERRORS.stream().mapToDouble(this::value).sum();
    }

    /** The metrics under the keys of result files. */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", value("requests"));
        metrics.put("tps", (value("requests") - value("status")) / seconds());
        for (String name : List.of("mean", "p50", "p90", "p99", "p999", "max")) {
            metrics.put(name + "_ms", value(name + "_us") / 1e3);
        }
        metrics.put("errors", errors());
        return metrics;
    }
}
