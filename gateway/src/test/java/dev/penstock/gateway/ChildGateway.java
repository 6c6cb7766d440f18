package dev.penstock.gateway;

import dev.penstock.gateway.file.FlowFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A gateway in a separate process, which can be killed. */
final class ChildGateway implements AutoCloseable {
    private static final String MARK = "@serving ";

    private final Process process;
    private final String url;

    private ChildGateway(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** The main method of that process. It ends with its parent. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Gateway gateway = Gateway.start(FlowFile.read(Path.of(args[0])).config());
            System.out.println(MARK + Running.url(gateway));
            if (System.in.read() >= 0) {
                gateway.drain();
                gateway.close();
            }
            Runtime.getRuntime().halt(0);
        }
    }

    /**
     * Starts a gateway and waits until it serves.
     *
     * @param errors gets what it prints on standard error
     */
    static ChildGateway start(Path flows, Path errors, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), flows.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        BufferedReader out = process.inputReader();
        String line = "";
        while (!line.startsWith(MARK)) {
            line = Objects.requireNonNull(out.readLine(), "it ended; see " + errors);
        }
        return new ChildGateway(process, line.substring(MARK.length()));
    }

    /** The address of its first flow. */
    String url() {
        return url;
    }

    /** Kills it like kill -9. May be called by many threads. */
    void kill() {
        process.destroyForcibly();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The CPU time that it has used. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Sends it a signal, for instance STOP. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Drains it and waits for its end. */
    void stop() throws Exception {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        awaitEnd();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
