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
 * A real Artemis broker in a process of its own, with its journal in a folder and the embedded broker's own settings. It
 * listens on 127.0.0.1; whatever port it got first it keeps. It ends with this JVM, whatever way that goes.
 *
 * <pre>{@code
 * try (BrokerProcess broker = BrokerProcess.start()) {
 *     JmsSource.at(JmsBroker.at(broker.url())) ...
 *     broker.kill();       // kill -9
 *     broker.restart();    // the same folder, the same port
 * }
 * }</pre>
 *
 * <p>Threads may share one.
 */
public final class BrokerProcess implements RestartableServer {
    private static final long STOPS_WITHIN_SECONDS = 60;
    private static final int LAST_WORDS = 5;
    /** For who wants it soon, and not fast. */
    private static final List<String> SOON_UP = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

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
     * One on any free port, with a folder under java.io.tmpdir that goes with it.
     *
     * @throws IOException when it does not start, with its last words
     */
    public static BrokerProcess start() throws IOException {
        return start(SOON_UP);
    }

    /**
     * The same.
     *
     * @param jvmOptions for its JVM, for instance {@code -Xmx1g}
     * @throws IOException as above
     */
    public static BrokerProcess start(List<String> jvmOptions) throws IOException {
        return started(
                new BrokerProcess(Files.createTempDirectory("penstock-broker"), true, StablePort.free(), jvmOptions));
    }

    /**
     * One in a folder that is left where it is.
     *
     * @param folder of its journal; made when missing
     * @param port 1 to 65535, or 0 for any free one
     * @throws IOException as above
     */
    public static BrokerProcess start(Path folder, int port) throws IOException {
        return started(new BrokerProcess(folder, false, port == 0 ? StablePort.free() : port, SOON_UP));
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

    /** Where clients find it, {@code tcp://127.0.0.1:port}. */
    public synchronized String url() {
        return "tcp://127.0.0.1:" + port;
    }

    @Override
    public synchronized int port() {
        return port;
    }

    /** Of its JVM; changes with each start. */
    public synchronized long pid() {
        return own().process.pid();
    }

    /** Where its journal is. */
    public Path folder() {
        return folder;
    }

    /**
     * How many messages wait in a queue, those that were delivered and are not acknowledged included.
     *
     * @throws IOException when it does not run
     */
    public synchronized long count(String queue) throws IOException {
        return Long.parseLong(own().ask(queue));
    }

    /**
     * The same broker, whatever protocol it is tested by.
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

    /** In order, as a person would; waits until it has ended. Does nothing when it does not run. */
    public synchronized void stop() {
        if (running != null) {
            running.stop();
            kill();
        }
    }

    /**
     * Starts it again, on the same folder and port; stops it first where it runs. Waits until it takes connections.
     *
     * @throws IOException when it does not start, with its last words
     */
    @Override
    public synchronized void restart() throws IOException {
        resume();
        stop();
        running = new Running(ChildJvm.command(jvmOptions, BrokerMain.class, folder.toString(), String.valueOf(port)));
        String url = running.answer();
        port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** Ends it at once; its folder goes when it was its own. Does nothing the second time. */
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

    /** One life of it. */
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
            // Not a virtual one: a read of a pipe blocks its carrier, and some brokers would block them all.
            listener = Thread.ofPlatform().daemon().name("broker-words").start(this::listen);
        }

        private void listen() {
            try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = err.readLine(); line != null; line = err.readLine()) {
                    say(line);
                }
            } catch (IOException e) {
                // It ended.
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
                // It ended before it was told to.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
