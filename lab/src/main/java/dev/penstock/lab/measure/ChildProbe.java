package dev.penstock.lab.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Watches what another process uses, for instance a gateway under load. Its own children are not in the figures.
 *
 * <h2>Design note</h2>
 *
 * <p>CPU time comes from {@link ProcessHandle}: the JDK reads {@code /proc/PID/stat}, asks the system how long a clock tick
 * is (mostly 10 ms), and does the like on other systems; and it notices when the id was given to another process. Memory
 * is read from {@code /proc/PID/status}, where there is one: {@code VmRSS} is what it holds now, {@code VmHWM} the most it
 * ever held (proc(5)). The latter may be older than the watch, so it counts only when it rose meanwhile; otherwise the
 * largest {@code VmRSS} of all looks does.
 *
 * <p>For one thread.
 */
public final class ChildProbe {
    private static final Pattern KILOBYTES = Pattern.compile("(\\w+):\\s+(\\d{1,15}) kB");

    private final String name;
    private final ProcessHandle process;
    private final Path status;
    private long cpuBefore;
    private long peakBefore;
    private Look last = Look.NOTHING;
    private long rssMost;
    private boolean ended;

    /**
     * What it uses now.
     *
     * @param cpuNanos since it started; -1 when not known
     * @param rss held now, in bytes; -1 when not known
     * @param peak the most ever held, in bytes; -1 when not known
     */
    record Look(long cpuNanos, long rss, long peak) {
        static final Look NOTHING = new Look(-1, -1, -1);
    }

    private ChildProbe(String name, ProcessHandle process, Path proc) {
        this.name = name;
        this.process = process;
        this.status = proc.resolve(String.valueOf(process.pid())).resolve("status");
        restart();
    }

    /**
     * Begins to watch a process.
     *
     * @param name what it is, for people
     * @param pid its id
     * @throws IllegalArgumentException when there is no such process
     */
    public static ChildProbe start(String name, long pid) {
        return start(name, pid, Path.of("/proc"));
    }

    static ChildProbe start(String name, long pid, Path proc) {
        if (pid < 1) {
            throw none(pid);
        }
        return new ChildProbe(name, ProcessHandle.of(pid).orElseThrow(() -> none(pid)), proc);
    }

    /** Forgets what was used before now. */
    public void restart() {
        look();
        cpuBefore = last.cpuNanos();
        peakBefore = last.peak();
        rssMost = last.rss();
    }

    /** What it used since the start, or the last {@link #restart()}; may be asked again. */
    public ChildUse soFar() {
        look();
        long cpu = last.cpuNanos() < 0 || cpuBefore < 0 ? -1 : last.cpuNanos() - cpuBefore;
        long most = last.peak() > peakBefore ? last.peak() : rssMost;
        return new ChildUse(name, process.pid(), cpu, most, ended);
    }

    /** Looks now; a process that has ended keeps its last figures, but holds no memory any more. */
    Look look() {
        boolean alive = process.isAlive();
        long cpu = process.info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
        List<String> lines = alive ? lines() : List.of();
        if (!alive || !process.isAlive()) {
            ended = true;
            return new Look(last.cpuNanos(), 0, last.peak());
        }
        last = new Look(cpu, bytes(lines, "VmRSS"), bytes(lines, "VmHWM"));
        rssMost = Math.max(rssMost, last.rss());
        return last;
    }

    private List<String> lines() {
        try {
            return Files.isReadable(status) ? Files.readAllLines(status) : List.of();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // it ended just now, or this system has no such file
        }
    }

    /** A line such as {@code VmRSS:     1776 kB}; -1 when there is none. */
    static long bytes(List<String> lines, String key) {
        return lines.stream()
                .map(KILOBYTES::matcher)
                .filter(line -> line.matches() && line.group(1).equals(key))
                .mapToLong(line -> Long.parseLong(line.group(2)) * 1024)
                .findFirst()
                .orElse(-1);
    }

    private static IllegalArgumentException none(long pid) {
        return new IllegalArgumentException(
                "no process has the id " + pid + ": give that of a process that runs on this machine");
    }
}
