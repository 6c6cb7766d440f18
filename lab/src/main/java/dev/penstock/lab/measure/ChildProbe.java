package dev.penstock.lab.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Measures the resource use of another process, for instance a gateway under load. Its child processes are
 * not included.
 * <h2>Design note</h2>
 *
 * <p>CPU time comes from {@link ProcessHandle}: the JDK reads {@code /proc/PID/stat}, gets the length of a clock tick
 * from the system (usually 10 ms), supports other systems, and detects a reused process id. Memory comes from
 * {@code /proc/PID/status}, where it exists: {@code VmRSS} is the current size, {@code VmHWM} the peak since the
 * process started (proc(5)). That peak may be older than this probe, so it counts only if it rose meanwhile; otherwise
 * the largest sampled {@code VmRSS} counts.
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
    private ProcessSample last = ProcessSample.NOTHING;
    private long rssMost;
    private boolean ended;

    /**
     * One sample.
     *
     * @param cpuNanos since the process started; -1 when unknown
     * @param rss current resident set, in bytes; -1 when unknown
     * @param peak peak resident set, in bytes; -1 when unknown
     */
    record ProcessSample(long cpuNanos, long rss, long peak) {
        static final ProcessSample NOTHING = new ProcessSample(-1, -1, -1);
    }

    private ChildProbe(String name, ProcessHandle process, Path proc) {
        this.name = name;
        this.process = process;
        this.status = proc.resolve(String.valueOf(process.pid())).resolve("status");
        restart();
    }

    /**
     * Starts measuring a process.
     *
     * @param name a readable name
     * @param pid process id
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

    /** Discards everything before now. */
    public void restart() {
        sample();
        cpuBefore = last.cpuNanos();
        peakBefore = last.peak();
        rssMost = last.rss();
    }

    /** Resource use since the start or the last {@link #restart()}; may be called repeatedly. */
    public ChildUse soFar() {
        sample();
        long cpu = last.cpuNanos() < 0 || cpuBefore < 0 ? -1 : last.cpuNanos() - cpuBefore;
        long most = last.peak() > peakBefore ? last.peak() : rssMost;
        return new ChildUse(name, process.pid(), cpu, most, ended);
    }

    /** Takes a sample. An ended process keeps its last CPU time and peak, and has no resident memory. */
    ProcessSample sample() {
        boolean alive = process.isAlive();
        long cpu = process.info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
        List<String> lines = alive ? lines() : List.of();
        if (!alive || !process.isAlive()) {
            ended = true;
            return new ProcessSample(last.cpuNanos(), 0, last.peak());
        }
        last = new ProcessSample(cpu, bytes(lines, "VmRSS"), bytes(lines, "VmHWM"));
        rssMost = Math.max(rssMost, last.rss());
        return last;
    }

    private List<String> lines() {
        try {
            return Files.isReadable(status) ? Files.readAllLines(status) : List.of();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // the process just ended, or this system has no such file
        }
    }

    /** The value of a line such as {@code VmRSS:     1776 kB}, in bytes; -1 when absent. */
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
                "no process has the id " + pid + ": use the id of a running process on this machine");
    }
}
