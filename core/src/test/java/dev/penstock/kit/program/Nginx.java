package dev.penstock.kit.program;

import dev.penstock.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real nginx with one server. */
public final class Nginx implements AutoCloseable {
    private final Path folder;
    private final Process process;

    private Nginx(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts one, and waits until it listens. Its test has {@link NeedsProgram}.
     *
     * @param folder for its files
     * @param port on the loopback interface, for its {@code listen}
     * @param http the directives within {@code http}; a server has no log unless it sets {@code access_log} itself
     */
    public static Nginx start(Path folder, int port, String http) throws IOException {
        String program = Programs.path("nginx");
        Path conf = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                events { worker_connections 512; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  %2$s
                }
                """.formatted(folder, http));
        Path log = folder.resolve("nginx.txt");
        List<String> command = List.of(program, "-p", folder.toString(), "-e", log.toString(), "-c", conf.toString());
        return new Nginx(folder, Programs.serving(command, log, () -> Programs.isListening(port)));
    }

    /**
     * The lines of a log in its folder, once there are so many: it logs a request after its answer.
     *
     * @throws IOException there are not within two minutes
     */
    public List<String> logged(String log, int lines) throws IOException {
        Path file = folder.resolve(log);
        long until = Ticker.SYSTEM.nanos() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            List<String> found = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (found.size() >= lines) {
                return found;
            }
            if (Ticker.SYSTEM.nanos() > until) {
                throw new IOException(file + " has only " + found.size() + " lines of " + lines);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
