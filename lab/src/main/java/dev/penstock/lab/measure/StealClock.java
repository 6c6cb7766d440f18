package dev.penstock.lab.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The CPU time that a virtual machine demanded, and the part that its host gave to others: the steal time of
 * {@code /proc/stat} (proc(5)), summed over all cores. A stall of the host appears in every contestant's tail latency
 * and looks like the contestant's own.
 *
 * @param wanted kernel clock ticks run or stolen since the system started; -1 when not available
 * @param stolen ticks stolen; -1 when not available
 */
public record StealClock(long wanted, long stolen) {
    private static final Path STAT = Path.of("/proc/stat");
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final StealClock UNKNOWN = new StealClock(-1, -1);

    // The first line: cpu user nice system idle iowait irq softirq steal; guest time is already part of user.
    private static final List<Integer> RUN = List.of(1, 2, 3, 6, 7);
    private static final int STOLEN = 8;

    /** The current values. */
    public static StealClock now() {
        return in(STAT);
    }

    static StealClock in(Path stat) {
        try (BufferedReader lines = Files.newBufferedReader(stat)) {
            String first = lines.readLine();
            return first == null ? UNKNOWN : read(first);
        } catch (IOException e) {
            return UNKNOWN; // not Linux
        }
    }

    private static StealClock read(String line) {
        List<String> words = SPACES.splitAsStream(line).toList();
        if (words.size() <= STOLEN
                || !words.getFirst().equals("cpu")
                || !words.subList(1, STOLEN + 1).stream()
                        .allMatch(word -> NUMBER.matcher(word).matches())) {
            return UNKNOWN;
        }
        long stolen = Long.parseLong(words.get(STOLEN));
        long run = RUN.stream().mapToLong(at -> Long.parseLong(words.get(at))).sum();
        return new StealClock(run + stolen, stolen);
    }

    /**
     * The stolen share of the demanded CPU time since then, 0 to 100; empty when nothing was demanded or the values are
     * not available.
     */
    public OptionalDouble percentSince(StealClock earlier) {
        long ran = wanted - earlier.wanted;
        return stolen < 0 || earlier.stolen < 0 || ran <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.clamp(100.0 * (stolen - earlier.stolen) / ran, 0, 100));
    }
}
