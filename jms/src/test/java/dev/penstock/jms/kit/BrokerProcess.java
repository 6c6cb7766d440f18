package dev.penstock.jms.kit;

import dev.penstock.jms.JmsBroker;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.RestartableServer;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Artemis broker in its own process, with its journal in a folder and the settings of the embedded broker. It
 * listens on 127.0.0.1 and keeps its first port. It ends with this JVM, however that ends.
 *
 * <pre>{@code
 * try (BrokerProcess broker = BrokerProcess.start()) {
 *     JmsSource.at(JmsBroker.at(broker.url())) ...
 *     broker.kill();       // kill -9
 *     broker.restart();    // the same folder, the same port
 * }
 * }</pre>
 *
 * <p>Safe for many threads.
 */
public final class BrokerProcess implements RestartableServer {
    private static final long STOPS_WITHIN_SECONDS = 60;
    private static final int LAST_WORDS = 5;
    /** For a fast start rather than peak performance. */
    private static final List<String> FAST_START = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path folder;
    private final boolean temporary;
    private final List<String> jvmOptions;
    private int port;
    private @Nullable Running running;
    private @Nullable SuspendedProcess suspended;

    private BrokerProcess(Path folder, boolean temporary, int port, List<String> jvmOptions) {
        this.folder = folder;
        this.temporary = temporary;
        this.port = port;
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * Starts a broker on a free port, with a folder under java.io.tmpdir that is deleted with it.
     *
     * @throws IOException when it does not start, with its last log lines
     */
    public static BrokerProcess start() throws IOException {
        return start(FAST_START);
    }

    /**
     * The same.
     *
     * @param jvmOptions options of its JVM, for instance {@code -Xmx1g}
     * @throws IOException as above
     */
    public static BrokerProcess start(List<String> jvmOptions) throws IOException {
        return started(
                new BrokerProcess(Files.createTempDirectory("penstock-broker"), true, StablePort.free(), jvmOptions));
    }

    /**
     * Starts a broker in a folder that is kept.
     *
     * @param folder the folder of its journal; created if missing
     * @param port 1 to 65535, or 0 for a free one
     * @throws IOException as above
     */
    public static BrokerProcess start(Path folder, int port) throws IOException {
        return started(new BrokerProcess(folder, false, port == 0 ? StablePort.free() : port, FAST_START));
    }

    private static BrokerProcess started(BrokerProcess broker) throws IOException {
        try {
            broker.restart();
            return broker;
        } catch (IOException e) {
            broker.close();
            throw e;
        }
    }

    /** The URL for clients, {@code tcp://127.0.0.1:port}. */
    public synchronized String url() {
        return "tcp://127.0.0.1:" + port;
    }

    @Override
    public synchronized int port() {
        return port;
    }

    /** The process id of its JVM; changes with each start. */
    public synchronized long pid() {
        return own().process.pid();
    }

    /** The folder of its journal. */
    public Path folder() {
        return folder;
    }

    /**
     * The number of messages in a queue, including those delivered and not acknowledged.
     *
     * @throws IOException when the broker is not running
     */
    public synchronized long count(String queue) throws IOException {
        return Long.parseLong(own().ask(queue));
    }

    /**
     * The same broker through another protocol.
     *
     * @param scheme of its URL: tcp or amqp
     */
    public TestedBroker by(String scheme) {
        return new TestedBroker() {
            @Override
            public JmsBroker at() {
                return JmsBroker.at(url().replace("tcp:", scheme + ":"));
            }

            @Override
            public void kill() {
                BrokerProcess.this.kill();
            }

            @Override
            public void restart() throws IOException {
                BrokerProcess.this.restart();
            }

            @Override
            public void close() throws IOException {
                BrokerProcess.this.close();
            }
        };
    }

    @Override
    public synchronized void kill() {
        if (running != null) {
            running.process.destroyForcibly().onExit().join();
            running = null;
        }
    }

    @Override
    public synchronized void suspend() throws IOException {
        if (running != null && suspended == null) {
            suspended = SuspendedProcess.suspend(running.process);
        }
    }

    @Override
    public synchronized void resume() throws IOException {
        if (suspended != null) {
            suspended.close();
            suspended = null;
        }
    }

    /** Stops it gracefully and waits until it has ended. Does nothing when it is not running. */
    public synchronized void stop() {
        if (running != null) {
            running.stop();
            kill();
        }
    }

    /**
     * Starts it again, on the same folder and port, after stopping it if it is running. Waits until it accepts
     * connections.
     *
     * @throws IOException when it does not start, with its last log lines
     */
    @Override
    public synchronized void restart() throws IOException {
        resume();
        stop();
        running = new Running(ChildJvm.command(jvmOptions, BrokerMain.class, folder.toString(), String.valueOf(port)));
        String url = running.answer();
        port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** Kills it; deletes its folder unless it was given. Idempotent. */
    @Override
    public synchronized void close() throws IOException {
        kill();
        resume();
        if (temporary && Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private Running own() {
        if (running == null) {
            throw new IllegalStateException("this broker does not run; restart() starts it again");
        }
        return running;
    }

    /** One process of the broker, from start to end. */
    private static final class Running {
        final Process process;
        private final BufferedReader out;
        private final BufferedWriter in;
        private final Deque<String> lastWords = new ArrayDeque<>();
        private final Thread listener;

        Running(List<String> command) throws IOException {
            process = new ProcessBuilder(command).start();
            out = process.inputReader(StandardCharsets.UTF_8);
            in = process.outputWriter(StandardCharsets.UTF_8);
            // A platform thread: reading a pipe blocks the carrier of a virtual one, and several brokers would block
            // all carriers.
            listener = Thread.ofPlatform().daemon().name("broker-words").start(this::listen);
        }

        private void listen() {
            try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = err.readLine(); line != null; line = err.readLine()) {
                    say(line);
                }
            } catch (IOException e) {
                // The process ended.
            }
        }

        private synchronized void say(String line) {
            if (lastWords.size() == LAST_WORDS) {
                lastWords.removeFirst();
            }
            lastWords.addLast(line);
        }

        private synchronized String words() {
            return String.join(" | ", lastWords);
        }

        String ask(String queue) throws IOException {
            in.write(queue);
            in.newLine();
            in.flush();
            return answer();
        }

        String answer() throws IOException {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(BrokerMain.MARK)) {
                    return line.substring(BrokerMain.MARK.length());
                }
            }
            throw new IOException("the broker's process ended; it last said: " + ended());
        }

        private String ended() {
            try {
                process.waitFor(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS);
                listener.join(TimeUnit.SECONDS.toMillis(STOPS_WITHIN_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return words();
        }

        void stop() {
            try {
                in.write(BrokerMain.STOP);
                in.newLine();
                in.flush();
                if (!process.waitFor(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the broker did not stop within " + STOPS_WITHIN_SECONDS + " s");
                }
            } catch (IOException e) {
                // The process ended before the command.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
